// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What WireMock's client in Java reads: it takes the members that it knows, and throws at any other.
@Suite(.supervised) struct StrictClientTests {
    private func admin(_ server: TestServer, _ method: String, _ target: String, _ body: String = "") throws -> JSONNode
    {
        try JSONParser.parse(try server.request(method, "/__admin\(target)", body: body).body)
    }

    private func names(_ node: JSONNode?) -> Set<String> { Set((node?.object?.members ?? []).map(\.name)) }

    private let stub = #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {}, "metadata": {"n": 1}}"#

    @Test func `a response in the journal has WireMock's members alone`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.get("/a")
            _ = try server.get("/none")
            let events = try admin(server, "GET", "/requests")["requests"]?.array ?? []
            #expect(events.count == 2)
            for event in events {
                #expect(
                    names(event["response"]).isSubset(of: ["status", "headers", "bodyAsBase64", "body", "fault"]))
            }
            // Without it the client takes an unmatched request for a matched one.
            #expect(events.map { $0["responseDefinition"]?["fromConfiguredStub"]?.bool } == [false, nil])
        }
    }

    @Test func `the journal of a WireMock root has what was answered, and as what`() async throws {
        let files: KeyValuePairs = [
            "mappings/a.json": #"""
            {"request": {"urlPath": "/a"}, "response": {"headers": {"X": "{{request.path}}", "Y": ["1", "2"]},
             "body": "hi {{request.path}}", "transformers": ["response-template"]}}
            """#,
            "mappings/b.json": #"{"request": {"urlPath": "/b"}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
        ]
        try await TestServer.serving(files) { server throws in
            _ = try server.get("/a")
            _ = try? server.get("/b")
            _ = try server.get("/none")
            let events = try admin(server, "GET", "/requests")["requests"]?.array ?? []
            try #require(events.count == 3)
            #expect(events[0]["response"]?["status"]?.number?.integer == 404)
            #expect(
                events[0]["response"]?["body"]?.string?.hasPrefix(
                    "404: Request was not matched: nothing answers GET /none") == true)
            #expect(events[1]["response"]?["fault"]?.string == "EMPTY_RESPONSE")
            #expect(events[1]["responseDefinition"]?["fault"]?.string == "EMPTY_RESPONSE")
            let response = events[2]["response"]
            #expect(response?["headers"]?["X"]?.string == "/a")
            #expect(response?["headers"]?["Y"]?.array?.map(\.string) == ["1", "2"])
            #expect(response?["headers"]?["Matched-Stub-Id"]?.string == events[2]["stubMapping"]?["id"]?.string)
            #expect(response?["body"]?.string == "hi /a" && response?["bodyAsBase64"]?.string == "aGkgL2E=")
            let definition = events[2]["responseDefinition"]
            #expect(names(definition) == ["status", "headers", "body", "transformers"])
            #expect(definition?["body"]?.string == "hi /a" && definition?["headers"]?["X"]?.string == "/a")
            #expect(events[2]["stubMapping"]?["response"]?["body"]?.string == "hi {{request.path}}")
            let alone = try admin(server, "GET", "/requests/\(events[2]["id"]?.string ?? "")")
            #expect(alone["response"] == response)
        }
    }

    @Test func `a pattern has a method, and a mistake has WireMock's title and place`() async throws {
        try await TestServer.serving(["mappings/a.json": "{}"]) { server throws in
            _ = try server.get("/ay")
            let near = try admin(server, "POST", "/near-misses/request-pattern", #"{"urlPath": "/az"}"#)
            let pattern = near["nearMisses"]?.array?.first?["requestPattern"]
            #expect(pattern?["method"]?.string == "ANY" && pattern?["urlPath"]?.string == "/az")
            for (target, body, pointer) in [
                ("/settings", #"{"fixedDelay": "x"}"#, "/fixedDelay"),
                ("/mappings/import", #"{"mappings": "x"}"#, "/mappings"),
            ] {
                let error = try admin(server, "POST", target, body)["errors"]?.array?.first
                #expect(error?["title"]?.string == "Error parsing JSON")
                #expect(error?["source"]?["pointer"]?.string == pointer)
            }
        }
    }

    @Test func `stubs of the fixture format are shown in WireMock's words, and what is ours in their metadata`()
        async throws
    {
        let stub = #"""
            {"metadata": {"n": 1}, "request": {"urlPath": "/q", "otherQueryParameters": "refuse",
             "bodyPatterns": [{"graphqlQuery": "{ a }"}]}, "afterLast": "restart",
             "responses": [{"reason": "Fine", "headers": ["X: 1", "x: 2"], "body": "1", "rewriteOrigins": []}, {"body": "2"}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            let mapping = try admin(server, "GET", "/mappings")["mappings"]?.array?.first
            #expect(names(mapping) == ["id", "uuid", "request", "response", "metadata"])
            #expect(names(mapping?["request"]) == ["method", "urlPath"])
            #expect(names(mapping?["response"]) == ["status", "statusMessage", "headers", "body"])
            #expect(mapping?["response"]?["headers"]?["X"]?.array?.map(\.string) == ["1", "2"])
            #expect(mapping?["metadata"]?["n"]?.number?.integer == 1)
            let ours = mapping?["metadata"]?["mockapi"]
            #expect(names(ours) == ["afterLast", "responses", "request", "response"])
            #expect(ours?["responses"]?.array?.count == 2 && names(ours?["response"]) == ["rewriteOrigins"])
        }
    }

    @Test func `what is told without content is told so`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            for target in ["/mappings/reset", "/reset", "/mappings/import", "/mappings/remove"] {
                let body = target.hasSuffix("import") ? #"{"mappings": []}"# : #"{"request": {"urlPath": "/none"}}"#
                let response = try server.request("POST", "/__admin\(target)", body: body)
                #expect(response.status == 200 && response.body.isEmpty, "\(target)")
            }
            for (method, target) in [
                ("DELETE", "/requests"), ("POST", "/scenarios/reset"), ("DELETE", "/mappings"),
                ("POST", "/requests/reset"),
            ] {
                #expect(try server.request(method, "/__admin\(target)").text == "{}", "\(method) \(target)")
            }
        }
    }

    @Test(
        arguments: [
            ("/mappings", #"{"mappings": [{}]}"#, "/mappings"), ("/mappings", #"{"metadata": "x"}"#, "/metadata"),
            ("/mappings", #"{"priority": 3000000000}"#, "/priority"), ("/settings", #"{"x": 1}"#, "/x"),
            (
                "/mappings/import", #"{"mappings": [], "importOptions": {"duplicatePolicy": "X"}}"#,
                "/importOptions/duplicatePolicy"
            ),
            ("/mappings", #"{"request": {"bodyPatterns": [{"equalTo": null}]}}"#, "/request/bodyPatterns/0"),
            ("/mappings", #"{"request": {"headers": {"A": {"matches": "("}}}}"#, "/request/headers/A"),
            ("/mappings", #"{"response": {"base64Body": "%"}}"#, "/response"), ("/mappings", "{nope", nil),
        ] as [(String, String, String?)])
    func `what is wrong with a content is told at WireMock's place`(
        target: String, body: String, pointer: String?
    ) async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let response = try server.request("POST", "/__admin\(target)", body: body)
            #expect(response.status == 422)
            let error = try JSONParser.parse(response.body)["errors"]?.array?.first
            #expect(error?["title"]?.string == "Error parsing JSON" && error?["detail"]?.string?.isEmpty == false)
            #expect(error?["source"]?["pointer"]?.string == pointer)
        }
    }

    @Test func `extended settings are kept, and merged by PATCH`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            for extended in [#"{"a": 1, "b": 1}"#, #"{"b": 2}"#] {
                let response = try server.request(
                    "PATCH", "/__admin/settings/extended", body: #"{"extended": \#(extended)}"#)
                #expect(response.status == 200 && response.text == "{}")
            }
            let settings = try admin(server, "GET", "/settings")["settings"]?["extended"]
            #expect(settings == (try JSONParser.parse(#"{"a": 1, "b": 2}"#)))
            let long = String(repeating: "x", count: 8000)
            for name in 0..<8 {
                let body = #"{"extended": {"\#(name)": "\#(long)"}}"#
                _ = try server.request("PATCH", "/__admin/settings/extended", body: body)
            }
            let more = #"{"extended": {"more": "\#(long)"}}"#
            #expect(try server.request("PATCH", "/__admin/settings/extended", body: more).status == 422)
        }
    }

    @Test func `the setting of a proxy for browsers is kept for clients that read it again`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            func kept() throws -> Bool? { try admin(server, "GET", "/settings")["settings"]?["proxyPassThrough"]?.bool }
            #expect(try kept() == true)
            for (body, expected) in [("false", false), ("true", true)] {
                _ = try server.request("PUT", "/__admin/settings", body: #"{"proxyPassThrough": \#(body)}"#)
                #expect(try kept() == expected)
            }
            _ = try server.request("PUT", "/__admin/settings", body: "{}")
            #expect(try kept() == false)
        }
    }

    @Test func `the API describes itself, by what is routed`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let document = try admin(server, "GET", "/docs/openapi.json")
            #expect(document["openapi"]?.string == "3.0.0")
            #expect(try admin(server, "GET", "/docs/swagger") == document)
            for page in ["/docs", "/swagger-ui/"] {
                let response = try server.get("/__admin" + page)
                #expect(response.status == 200 && response.text.contains("<code>/__admin/mappings/{id}</code>"))
            }
            let paths = document["paths"]?.object?.members ?? []
            #expect(paths.count > 30 && paths.allSatisfy { $0.value.object?.members.isEmpty == false })
            #expect(names(document["paths"]?["/mappings/{id}"]) == ["get", "put", "delete"])
            #expect(names(document["paths"]?["/settings/extended"]) == ["patch"])
            var ids: [String] = []
            for path in paths {
                for operation in path.value.object?.members ?? [] {
                    ids.append(operation.value["operationId"]?.string ?? "")
                }
            }
            #expect(Set(ids).count == ids.count)
        }
    }

    @Test func `a request that nothing matched has the text of its miss as an event`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let miss = try server.get("/b").text
            let requests = try admin(server, "GET", "/requests")["requests"]?.array ?? []
            let events = try #require(requests.first?["subEvents"]?.array)
            #expect(events.count == 1 && events[0]["type"]?.string == "REQUEST_NOT_MATCHED")
            #expect(events[0]["data"]?["report"]?.string == miss && miss.contains("/b"))
            #expect(try #require(events[0]["timeOffsetNanos"]?.number?.integer) > 0)
        }
    }

    @Test(arguments: [
        (#"{"equalToJson": "{\"a\": 1}"}"#, #"{"a": "#, "JSON_ERROR"),
        (#"{"matchesJsonPath": "$.a"}"#, "<a/>", "WARNING"), (#"{"equalToXml": "<a/>"}"#, "{}", "WARNING"),
        (#"{"matchesXPath": "/a"}"#, "{}", "WARNING"),
    ])
    func `content that the nearest stubs cannot read is one event`(pattern: String, body: String, type: String)
        async throws
    {
        let mapping = #"{"request": {"urlPath": "/a", "bodyPatterns": [\#(pattern)]}, "response": {}}"#
        let mappings = #"{"mappings": [\#(mapping), \#(mapping)]}"#
        try await TestServer.serving(["mappings/a.json": mappings]) { server throws in
            for (path, body) in [("/a", body), ("/a", ""), ("/a", "[1]"), ("/b/c/d", body)] {
                _ = try server.request("POST", path, body: body)
            }
            let requests = try admin(server, "GET", "/requests")["requests"]?.array ?? []
            let types = requests.map { $0["subEvents"]?.array?.compactMap { $0["type"]?.string } ?? [] }
            let isXML = pattern.contains("X")
            let miss = "REQUEST_NOT_MATCHED"
            #expect(types.reversed() == [[type, miss], [miss], isXML ? [type, miss] : [miss], [type, miss]])
            let data = requests.last?["subEvents"]?.array?.first?["data"]
            let text = data?["message"]?.string ?? data?["errors"]?.array?.first?["detail"]?.string ?? ""
            #expect(text.contains("line 1"), "\(text)")
        }
    }

    @Test func `near misses, scenarios and removals have their list alone`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.get("/b")
            let request = #"{"url": "/b", "method": "GET"}"#
            #expect(names(try admin(server, "POST", "/near-misses/request", request)) == ["nearMisses"])
            #expect(
                names(try admin(server, "POST", "/near-misses/request-pattern", #"{"urlPath": "/ay"}"#)) == [
                    "nearMisses"
                ])
            #expect(names(try admin(server, "GET", "/requests/unmatched/near-misses")) == ["nearMisses"])
            #expect(names(try admin(server, "GET", "/scenarios")) == ["scenarios"])
            #expect(names(try admin(server, "POST", "/requests/remove", "{}")) == ["serveEvents"])
        }
    }

    @Test func `a form's parameters are shown`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.request(
                "POST", "/a", ["Content-Type: application/x-www-form-urlencoded; charset=utf-8"],
                body: "f=1&g=a%20b&f=2")
            let request = try admin(server, "GET", "/requests")["requests"]?.array?.first?["request"]
            let expected = try JSONParser.parse(
                #"{"f": {"key": "f", "values": ["1", "2"]}, "g": {"key": "g", "values": ["a b"]}}"#)
            #expect(request?["formParams"] == expected)
        }
    }

    @Test func `a reset of the mappings empties the journal`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            _ = try server.get("/a")
            #expect(try server.request("POST", "/__admin/mappings/reset").status == 200)
            #expect(try admin(server, "POST", "/requests/count", "{}")["count"]?.number?.integer == 0)
        }
    }

    @Test func `a stub is removed by its request where its id is not known`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let described =
                #"{"id": "11111111-2222-4333-8444-000000000000", "request": {"method": "GET", "urlPath": "/a"}, "response": {}}"#
            #expect(try server.request("POST", "/__admin/mappings/remove", body: described).status == 200)
            #expect(try server.get("/a").status == 404)
        }
    }
}
