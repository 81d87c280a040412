// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockapiJSONText
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Requests that stubs send when they have answered.
@Suite(.supervised) struct WebhookTests {
    /// A server with a webhook, and one that it calls.
    private func serving(
        _ parameters: String,
        target files: KeyValuePairs<String, String> = ["x.stub.json": #"{"response": {"body": "thanks"}}"#],
        _ body: (TestServer, TestServer) async throws -> Void
    ) async throws {
        try await TestServer.serving(files) { target async throws in
            let text = parameters.replacing("TARGET", with: target.base)
            let stub = #"""
                {"request": {"urlPath": "/order"}, "response": {"status": 202},
                 "serveEventListeners": [{"name": "webhook", "parameters": {\#(text)}}]}
                """#
            try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server async throws in
                try await body(server, target)
            }
        }
    }

    /// The types of the sub-events of the newest request, and their data.
    private static func events(_ server: TestServer) throws -> [(type: String, data: JSONNode)] {
        let node = try JSONParser.parse(try server.get("/__admin/requests?limit=1").text)
        return (node["requests"]?.array?.first?["subEvents"]?.array ?? []).map {
            ($0["type"]?.string ?? "", $0["data"] ?? .null)
        }
    }

    @Test func `a webhook is sent when its stub has answered, and stands in the journal`() async throws {
        let parameters = #"""
            "method": "POST", "url": "TARGET/hook?a=b", "headers": {"Content-Type": "text/plain", "Authorization": "Bearer s3cret"}, "body": "ordered"
            """#
        try await serving(parameters) { server, target async throws in
            #expect(try server.get("/order").status == 202)
            #expect(try await until({ target.journal.entries.count }, is: 1))
            let came = try #require(target.journal.entries.first)
            #expect(came.request.method.rawValue == "POST" && came.request.path == "/hook?a=b")
            #expect(String(decoding: came.body, as: UTF8.self) == "ordered")
            #expect(came.fields.contains { $0.name == "Authorization" && $0.value == "Bearer s3cret" })
            #expect(try await until({ (try? Self.events(server).count) ?? 0 }, is: 2))
            let events = try Self.events(server)
            #expect(events.map(\.type) == ["WEBHOOK_REQUEST", "WEBHOOK_RESPONSE"])
            #expect(events[0].data["absoluteUrl"]?.string == "\(target.base)/hook?a=b")
            #expect(events[0].data["headers"]?["Authorization"]?.string == "***")
            #expect(events[0].data["body"]?.string == "ordered")
            #expect(events[1].data["status"]?.number?.integer == 200 && events[1].data["body"]?.string == "thanks")
        }
    }

    @Test func `webhooks of a server that lead to each other end after five`() async throws {
        let stub = #"""
            {"request": {"urlPath": "/self"}, "response": {"status": 202},
             "serveEventListeners": [{"name": "webhook", "parameters": {"method": "GET", "url": "{{originalRequest.query.b}}/self?b={{originalRequest.query.b}}"}}]}
            """#
        try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server async throws in
            #expect(try server.get("/self?b=\(server.base)").status == 202)
            #expect(try await until({ server.journal.entries.count }, is: 6))
            #expect(try await until({ (try? Self.events(server).count) ?? 0 }, is: 1))
            let event = try #require(try Self.events(server).first)
            #expect(event.type == "ERROR")
            #expect(
                event.data["message"]?.string
                    == "508: 5 webhooks of this server have led to this request: this one is not sent")
            #expect(server.journal.entries.count == 6)
        }
    }

    @Test func `a reset gives up the webhooks that wait`() async throws {
        try await serving(#""url": "TARGET/", "delay": {"type": "fixed", "milliseconds": 600000}"#) {
            server, target async throws in
            let queue = try #require(server.server.core.webhooks)
            #expect(try server.get("/order").status == 202)
            #expect(try await until({ queue.count }, is: 1))
            #expect(try server.request("POST", "/__admin/reset").status == 200)
            #expect(try await until({ queue.count }, is: 0))
            #expect(target.journal.entries.isEmpty)
        }
    }

    @Test func `webhooks that wait hold no more than some bytes of requests`() async throws {
        let parameters =
            #""url": "TARGET/", "body": "{{originalRequest.url}}", "delay": {"type": "fixed", "milliseconds": 600000}"#
        try await serving(parameters) { server, _ async throws in
            let queue = try #require(server.server.core.webhooks)
            let body = String(repeating: "x", count: WebhookQueue.sizeLimit / 5 * 2)
            for count in [1, 2, 2] {
                #expect(try server.request("POST", "/order", body: body).status == 202)
                #expect(try await until({ queue.count }, is: count))
            }
            #expect(try await until({ (try? Self.events(server).map(\.type)) ?? [] }, is: ["ERROR"]))
            #expect(try Self.events(server)[0].data["message"]?.string?.contains("with more than 32 MiB") == true)
            // What is given up holds nothing any more.
            queue.reset()
            #expect(try await until({ queue.count }, is: 0))
            #expect(try server.request("POST", "/order", body: body).status == 202)
            #expect(try await until({ queue.count }, is: 1))
        }
    }

    @Test func `a webhook is rendered with the request that its stub answered`() async throws {
        let parameters = #"""
            "method": "{{originalRequest.query.m}}", "url": "TARGET{{jsonPath originalRequest.body '$.callback'}}",
            "headers": {"X-Id": "{{originalRequest.headers.X-Id}}", "X-Status": "{{originalResponse.status}}"},
            "body": "{{parameters.word}} {{originalRequest.path}} {{originalResponse.body}}", "extraParameters": {"word": "hello"}
            """#
        try await serving(parameters) { server, target async throws in
            let answer = try server.request("POST", "/order?m=PUT", ["X-Id: 7"], body: #"{"callback": "/done"}"#)
            #expect(answer.status == 202)
            #expect(try await until({ target.journal.entries.count }, is: 1))
            let came = try #require(target.journal.entries.first)
            #expect(came.request.method.rawValue == "PUT" && came.request.path == "/done")
            #expect(String(decoding: came.body, as: UTF8.self) == "hello /order ")
            #expect(came.fields.contains { $0.name == "X-Id" && $0.value == "7" })
            #expect(came.fields.contains { $0.name == "X-Status" && $0.value == "202" })
        }
    }

    @Test(arguments: [
        (
            #""url": "{{originalRequest.query.to}}""#,
            #"the webhook's URL renders to "ftp://a", which is not a URL of http or https"#
        ),
        (
            #""url": "TARGET/", "method": "{{originalRequest.query.m}}""#,
            #"the webhook's method renders to "A B", which is not a method"#
        ),
        (
            #""url": "TARGET/", "headers": {"A": "{{originalRequest.query.l}}"}"#,
            "the webhook's header A renders to a text with a control character"
        ),
    ])
    func `a webhook that renders to none is not sent, and told`(parameters: String, text: String) async throws {
        try await serving(parameters) { server, target async throws in
            #expect(try server.get("/order?to=ftp://a&m=A%20B&l=a%0Ab").status == 202)
            #expect(try await until({ (try? Self.events(server).count) ?? 0 }, is: 1))
            let event = try #require(try Self.events(server).first)
            #expect(event.type == "ERROR" && event.data["message"]?.string == text)
            #expect(target.journal.entries.isEmpty)
        }
    }

    @Test func `a webhook is sent again until it is answered`() async throws {
        let steps = #"{"responses": [{"status": 503}, {"fault": "RANDOM_DATA_THEN_CLOSE"}, {"status": 204}]}"#
        let parameters = #""method": "PUT", "url": "TARGET/", "retry": {"times": 3, "delay": 1}"#
        try await serving(parameters, target: ["x.stub.json": steps]) { server, target async throws in
            #expect(try server.get("/order").status == 202)
            #expect(try await until({ (try? Self.events(server).count) ?? 0 }, is: 6))
            let types = try Self.events(server).map(\.type)
            let (request, response) = ("WEBHOOK_REQUEST", "WEBHOOK_RESPONSE")
            #expect(types == [request, response, request, "ERROR", request, response])
            #expect(target.journal.entries.count == 3)
        }
    }

    @Test func `a stub that does not answer sends nothing, and one that refuses neither`() async throws {
        try await TestServer.serving(["x.stub.json": #"{"response": {}}"#]) { target async throws in
            let stub = #"""
                {"request": {"urlPath": "/order"}, "authentication": {"bearer": {"tokens": ["t"]}}, "response": {},
                 "serveEventListeners": [{"name": "webhook", "parameters": {"url": "\#(target.base)/"}}]}
                """#
            try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server async throws in
                #expect(try server.get("/other").status == 404)
                #expect(try server.get("/order").status == 401)
                #expect(try server.get("/order", "Authorization: Bearer t").status == 200)
                #expect(try await until({ target.journal.entries.count }, is: 1))
                #expect(try await until({ (try? Self.events(server).count) ?? 0 }, is: 2))
                #expect(target.journal.entries.count == 1)
            }
        }
    }

    @Test func `a server stops though webhooks wait`() async throws {
        let parameters = #""url": "TARGET/", "delay": {"type": "fixed", "milliseconds": 3600000}"#
        try await serving(parameters) { server, target async throws in
            for _ in 0..<3 { #expect(try server.get("/order").status == 202) }
            await server.server.stop()
            #expect(target.journal.entries.isEmpty)
        }
    }

    @Test func `a failure is told in the journal`() async throws {
        try await serving(#""url": "http://127.0.0.91:1/""#) { server, _ async throws in
            #expect(try server.get("/order").status == 202)
            #expect(try await until({ (try? Self.events(server).count) ?? 0 }, is: 2))
            let events = try Self.events(server)
            #expect(events.map(\.type) == ["WEBHOOK_REQUEST", "ERROR"])
            #expect(events[1].data["message"]?.string?.contains("connect") == true)
        }
    }
}
