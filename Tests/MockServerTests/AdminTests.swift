// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct AdminTests {
    private let files: KeyValuePairs = [
        "x.stub.json": #"""
        {"stubs": [
          {"name": "a", "id": "11111111-2222-4333-8444-555555555555",
           "request": {"method": "GET", "urlPath": "/a"}, "response": {"status": 201, "body": "hello"}},
          {"name": "b", "request": {"urlPath": "/b"}, "response": {"body": "b"}, "priority": 1},
          {"name": "c", "request": {"urlPath": "/__admin/health"}, "response": {"body": "c"}}]}
        """#
    ]

    private func json(_ server: TestServer, _ target: String) throws -> JSONNode {
        let answer = try server.get("/__admin" + target)
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["Access-Control-Allow-Origin"] == (target == "/health" ? "*" : nil))
        return try JSONParser.parse(answer.text)
    }

    private func names(_ node: JSONNode?) -> [String] { node?.object?.members.map(\.name) ?? [] }

    @Test func `a second run of the same client gets the same responses once the server is reset`() async throws {
        let steps = #"""
            {"request": {"urlPath": "/s"}, "responses": [{"body": "1"}, {"body": "2"}], "afterLast": "unmatched"}
            """#
        try await TestServer.serving(["s.stub.json": steps]) { server throws in
            func run() throws -> [Int] { try (0..<3).map { _ in try server.get("/s").status } }
            #expect(try run() == [200, 200, 404])
            #expect(try run() == [404, 404, 404])
            let scenarios = try server.request("POST", "/__admin/scenarios/reset")
            #expect(scenarios.status == 200)
            #expect(scenarios.text == "{}")
            #expect(server.journal.entries.count == 6)
            #expect(try run() == [200, 200, 404])
            #expect(try server.request("POST", "/__admin/reset").status == 200)
            #expect(server.journal.entries.isEmpty)
            #expect(try run() == [200, 200, 404])
            #expect(try server.get("/__admin/reset")["Allow"] == "OPTIONS, POST")
        }
    }

    @Test func `health is told, whatever stubs say`() async throws {
        try await TestServer.serving(files) { server throws in
            let health = try json(server, "/health")
            #expect(names(health) == ["status", "message", "version", "uptimeInSeconds", "timestamp"])
            #expect(health["status"]?.string == "healthy")
            #expect(health["message"]?.string == "mockapi is ok")
            let head = try server.request("HEAD", "/__admin/health")
            #expect(head.status == 200)
            #expect(head["Content-Type"] == "application/json")
            // The admin API's own requests are none of the journal's.
            #expect(server.journal.entries.isEmpty)
        }
    }

    @Test func `mappings come in the order in which they are asked, in pages`() async throws {
        try await TestServer.serving(files) { server throws in
            let all = try json(server, "/mappings")
            #expect(all["meta"]?["total"]?.number?.literal == "3")
            #expect(all["mappings"]?.array?.first?["name"]?.string == "b")
            let stub = all["mappings"]?.array?.first { $0["name"]?.string == "a" }
            #expect(names(stub) == ["id", "uuid", "name", "request", "response"])
            #expect(stub?["uuid"]?.string == "11111111-2222-4333-8444-555555555555")
            #expect(stub?["response"]?["status"]?.number?.literal == "201")
            let page = try json(server, "/mappings?offset=1&limit=1")
            #expect(page["mappings"]?.array?.count == 1)
            #expect(page["mappings"]?.array?.first == all["mappings"]?.array?[1])
            #expect(page["meta"]?["total"]?.number?.literal == "3")
            #expect(try json(server, "/mappings?limit=0")["mappings"]?.array?.isEmpty == true)
            #expect(try json(server, "/mappings?offset=9")["mappings"]?.array?.isEmpty == true)
            #expect(try json(server, "") == all)
            #expect(try json(server, "/") == all)
            #expect(try json(server, "/mappings/11111111-2222-4333-8444-555555555555") == stub)
        }
    }

    @Test func `requests are told newest first, with what answered them`() async throws {
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            _ = try client.request("GET", "/a?x=1&x=2&y=%20", ["Cookie: s=1; t=2", "X-A: 1", "X-A: 2"], body: "hi")
            _ = try client.request("GET", "/none")
            let node = try json(server, "/requests")
            #expect(names(node) == ["requests", "meta", "requestJournalDisabled"])
            #expect(node["meta"]?["total"]?.number?.literal == "2")
            #expect(node["requestJournalDisabled"]?.bool == false)
            let events = try #require(node["requests"]?.array)
            #expect(events.map { $0["request"]?["url"]?.string } == ["/none", "/a?x=1&x=2&y=%20"])
            #expect(
                names(events[0]) == [
                    "id", "request", "stubMapping", "responseDefinition", "response", "wasMatched", "timing",
                    "subEvents",
                ])
            #expect(events[0]["stubMapping"]?["response"]?["fromConfiguredStub"]?.bool == false)
            #expect(events[0]["wasMatched"]?.bool == false)
            #expect(events[0]["response"]?["status"]?.number?.literal == "404")
            let event = events[1]
            #expect(
                names(event)
                    == ["id", "request", "stubMapping", "responseDefinition", "response", "wasMatched", "timing"])
            #expect(event["wasMatched"]?.bool == true)
            #expect(event["stubMapping"]?["name"]?.string == "a")
            #expect(event["response"]?["status"]?.number?.literal == "201")
            let request = try #require(event["request"])
            #expect(request["method"]?.string == "GET")
            #expect(request["absoluteUrl"]?.string == "http://localhost/a?x=1&x=2&y=%20")
            #expect(request["clientIp"]?.string == "127.0.0.1")
            #expect(request["protocol"]?.string == "HTTP/1.1")
            #expect(request["headers"]?["Cookie"]?.string == "s=1; t=2")
            #expect(request["headers"]?["X-A"]?.array?.map(\.string) == ["1", "2"])
            #expect(request["cookies"]?["t"]?.string == "2")
            #expect(request["queryParams"]?["x"]?["values"]?.array?.map(\.string) == ["1", "2"])
            #expect(request["queryParams"]?["y"]?["values"]?.array?.map(\.string) == [" "])
            #expect(request["body"]?.string == "hi")
            #expect(request["bodyAsBase64"]?.string == "aGk=")
            let id = try #require(event["id"]?.string)
            #expect(try json(server, "/requests/\(id)") == event)
        }
    }

    @Test func `requests can be narrowed`() async throws {
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            for target in ["/a", "/none", "/b", "/a"] { _ = try client.request("GET", target) }
            let urls = { (query: String) in
                try json(server, "/requests" + query)["requests"]?.array?.map { $0["request"]?["url"]?.string }
            }
            #expect(try urls("?limit=2") == ["/a", "/b"])
            #expect(try urls("?limit=0") == [])
            #expect(try urls("?unmatched=true") == ["/none"])
            #expect(try urls("?matchingStub=11111111-2222-4333-8444-555555555555") == ["/a", "/a"])
            #expect(try urls("?matchingStub=99999999-2222-4333-8444-555555555555") == [])
            #expect(try urls("?since=2001-01-01T00:00:00Z")?.count == 4)
            #expect(try urls("?since=2999-01-01T00:00:00%2B01:00") == [])
            let unmatched = try json(server, "/requests/unmatched")
            #expect(names(unmatched) == ["requests", "requestJournalDisabled"])
            #expect(unmatched["requests"]?.array?.map { $0["url"]?.string } == ["/none"])
        }
    }

    @Test func `the journal can be emptied`() async throws {
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            _ = try client.request("GET", "/a")
            let answer = try client.request("DELETE", "/__admin/requests")
            #expect(answer.status == 200)
            #expect(answer.text == "{}")
            #expect(server.journal.entries.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("/requests?limit=x", 400, 10, "limit", "x is not a number"),
            ("/requests?limit=-1", 400, 10, "limit", "-1 is not a number"),
            ("/mappings?limit=x", 400, 10, "limit", "x is not a number"),
            ("/mappings?offset=-1", 400, 10, "offset", "-1 is not a number"),
            ("/requests?since=yesterday", 400, 10, "since", "yesterday is not a valid ISO8601 date"),
            (
                "/requests?since=2026-11-20T10:00:00", 400, 10, "since",
                "2026-11-20T10:00:00 is not a valid ISO8601 date"
            ),
            ("/requests?matchingStub=x", 400, 15, nil, "Query parameter matchingStub value 'x' is not a valid UUID"),
            ("/mappings/x", 400, 10, nil, "x is not a valid UUID"),
            ("/requests/x", 400, 10, nil, "x is not a valid UUID"),
            (
                "/mappings/99999999-2222-4333-8444-555555555555", 404, 10, nil,
                "there is no stub with the id 99999999-2222-4333-8444-555555555555"
            ),
            (
                "/requests/99999999-2222-4333-8444-555555555555", 404, 10, nil,
                "there is no request with the id 99999999-2222-4333-8444-555555555555"
            ),
            ("/none", 404, 10, nil, "/__admin/none is not a resource of the admin API"),
        ] as [(String, Int, Int, String?, String)])
    func `what cannot be answered is an error in the usual shape`(
        target: String, status: Int, code: Int, pointer: String?, title: String
    ) async throws {
        try await TestServer.serving(files) { server throws in
            let answer = try server.get("/__admin" + target)
            #expect(answer.status == status)
            #expect(answer["Content-Type"] == "application/json")
            let error = try JSONParser.parse(answer.text)["errors"]?.array?.first
            #expect(error?["code"]?.number?.literal == "\(code)")
            #expect(error?["source"]?["pointer"]?.string == pointer)
            #expect(error?["title"]?.string == title)
        }
    }

    @Test func `another method is 405 with those there are`() async throws {
        try await TestServer.serving(files) { server throws in
            for (target, allow) in [
                ("/health", "GET, HEAD, OPTIONS"), ("/requests", "DELETE, GET, HEAD, OPTIONS"),
                ("/mappings", "DELETE, GET, HEAD, OPTIONS, POST"),
            ] {
                let answer = try server.request("PUT", "/__admin" + target)
                #expect(answer.status == 405)
                #expect(answer["Allow"] == allow)
                #expect(
                    try JSONParser.parse(answer.text)["errors"]?.array?.first?["title"]?.string
                        == "PUT is not allowed here")
                let options = try server.request("OPTIONS", "/__admin" + target)
                #expect(options.status == 204)
                #expect(options["Allow"] == allow)
            }
            #expect(try server.get("/__administrator").text.hasPrefix("404: nothing answers GET /__administrator\n"))
        }
    }
}
