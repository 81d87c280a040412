// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What pages of other origins may read where the server is told to let them.
@Suite(.supervised) struct CORSTests {
    private static let page = "http://localhost:5173"
    private static let files: KeyValuePairs = [
        "a.stub.json": #"""
        {"request": {"urlPath": "/a"}, "response": {"status": 201, "reason": "Done", "body": "a",
          "headers": ["Access-Control-Allow-Origin: http://localhost:3000", "Vary: Accept-Language", "X-Total: 7",
            "Content-Type: text/plain", "Set-Cookie: a=b", "Access-Control-Allow-Credentials: false"]}}
        """#,
        "steps.stub.json": #"""
        {"request": {"urlPath": "/steps"}, "responses": [{"body": "1"}, {"status": 500, "body": "2"}]}
        """#,
        "slow.stub.json": #"""
        {"request": {"urlPath": "/slow"}, "response": {"body": "slow", "fault": "SLOW_BODY", "bytesPerSecond": 1000000}}
        """#,
        "own.stub.json": #"""
        {"request": {"urlPath": "/own"}, "response": {"headers": ["Access-Control-Expose-Headers: X-One", "X-Two: 2"]}}
        """#,
        "options.stub.json": #"""
        {"request": {"method": "OPTIONS", "urlPath": "/a"},
         "response": {"status": 200, "headers": ["Access-Control-Allow-Headers: X-Recorded"]}}
        """#,
        "b.txt": "plain",
    ]

    private static func serving(_ body: (TestServer) async throws -> Void) async throws {
        try await TestServer.serving(files, { $0.allowsCORS = true }, body)
    }

    /// The lines of the protocol and Vary, as they stand in a response.
    private static func lines(_ answer: WireResponse) -> [String] {
        answer.fields.filter { $0.name.lowercased().hasPrefix("access-control-") || $0.name.lowercased() == "vary" }
            .map { "\($0.name): \($0.value)" }
    }

    @Test func `a preflight is allowed what it asks for, whatever the fixtures say`() async throws {
        try await Self.serving { server throws in
            for target in ["/a", "/none", "/b.txt"] {
                let answer = try server.request(
                    "OPTIONS", target,
                    [
                        "Origin: \(Self.page)", "Access-Control-Request-Method: POST",
                        "Access-Control-Request-Headers: content-type,x-token",
                        "Access-Control-Request-Private-Network: true",
                    ])
                #expect(answer.status == 204 && answer.body.isEmpty)
                #expect(
                    Self.lines(answer) == [
                        "Access-Control-Allow-Origin: \(Self.page)", "Access-Control-Allow-Credentials: true",
                        "Access-Control-Allow-Methods: DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT",
                        "Access-Control-Allow-Headers: content-type,x-token",
                        "Access-Control-Allow-Private-Network: true",
                        "Access-Control-Max-Age: 600",
                        "Vary: Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
                    ])
            }
            // It answers nothing that a test expects, and is no miss.
            #expect(server.journal.entries.map(\.outcome) == [.preflight, .preflight, .preflight])
            #expect(server.journal.unmatched.isEmpty)
        }
    }

    @Test func `a method of one's own is allowed, and a request that is no preflight is answered by the fixtures`()
        async throws
    {
        try await Self.serving { server throws in
            let own = try server.request(
                "OPTIONS", "/a", ["Origin: null", "Access-Control-Request-Method: PURGE"])
            #expect(own["Access-Control-Allow-Origin"] == "null")
            #expect(own["Access-Control-Allow-Methods"]?.hasSuffix(", PURGE") == true)
            #expect(own["Access-Control-Allow-Headers"] == nil)
            for fields in [["Origin: \(Self.page)"], ["Access-Control-Request-Method: PUT"]] {
                #expect(try server.request("OPTIONS", "/a", fields).status == 200)
            }
            #expect(
                try server.request("OPTIONS", "/a", ["Origin: \(Self.page)", "Access-Control-Request-Method: a b"])
                    .status
                    == 200)
        }
    }

    @Test func `a response names the page that asks in the place of the one it was recorded for`() async throws {
        try await Self.serving { server throws in
            let answer = try server.get("/a", "Origin: \(Self.page)", "Cookie: a=b")
            #expect(answer.status == 201 && answer.reason == "Done" && answer.text == "a")
            #expect(
                Self.lines(answer) == [
                    "Vary: Accept-Language, Origin", "Access-Control-Allow-Origin: \(Self.page)",
                    "Access-Control-Allow-Credentials: true", "Access-Control-Expose-Headers: vary, x-total",
                ])
            // Without a page there is nobody to give credentials to; a cache must tell the two apart.
            #expect(
                Self.lines(try server.get("/a")) == [
                    "Vary: Accept-Language, Origin", "Access-Control-Allow-Origin: *",
                    "Access-Control-Expose-Headers: vary, x-total",
                ])
            #expect(try server.get("/own", "Origin: \(Self.page)")["Access-Control-Expose-Headers"] == "X-One")
        }
    }

    @Test func `files, parts, 304, sequences, faults, misses and refusals can be read`() async throws {
        try await Self.serving { server throws in
            let origin = "Origin: \(Self.page)"
            let file = try server.get("/b.txt", origin)
            let tag = try #require(file["ETag"])
            let answers = [
                file, try server.get("/b.txt", origin, "Range: bytes=0-1"),
                try server.get("/b.txt", origin, "If-None-Match: \(tag)"), try server.get("/steps", origin),
                try server.get("/steps", origin), try server.get("/slow", origin), try server.get("/none", origin),
                try server.request("PUT", "/b.txt", [origin]), try server.get("/a", origin, "Host: a", "Host: b"),
                try server.request("HEAD", "/b.txt", [origin]),
                try server.request(
                    "POST", "/none", [origin], body: String(repeating: "x", count: 100_000)),
            ]
            #expect(answers.map(\.status) == [200, 206, 304, 200, 500, 200, 404, 405, 400, 200, 404])
            for answer in answers {
                #expect(answer.fields.count { $0.name == "Access-Control-Allow-Origin" } == 1)
                #expect(answer["Access-Control-Allow-Origin"] == Self.page, "\(answer.status)")
                #expect(answer["Access-Control-Allow-Credentials"] == "true")
                #expect(answer["Vary"]?.contains("Origin") == true)
            }
            #expect(file["Access-Control-Expose-Headers"] == "etag, accept-ranges")
        }
    }

    @Test func `pages that ask in turn over one connection each get their own name`() async throws {
        try await Self.serving { server throws in
            let client = try server.connect()
            for _ in 0..<4 {
                for port in [1, 2] {
                    let answer = try client.request("GET", "/b.txt", ["Origin: http://localhost:\(port)"])
                    #expect(answer["Access-Control-Allow-Origin"] == "http://localhost:\(port)")
                }
            }
        }
    }

    @Test func `HTTP-2 has the same lines`() async throws {
        try await Self.serving { server throws in
            let client = try FrameClient(port: server.port)
            let origin = ("origin", Self.page)
            let preflight = try client.request("OPTIONS", "/a", [origin, ("access-control-request-method", "PUT")])
            #expect(preflight.status == 204 && preflight["access-control-allow-origin"] == Self.page)
            for target in ["/a", "/b.txt", "/slow", "/none"] {
                #expect(try client.get(target, [origin])["access-control-allow-origin"] == Self.page, "\(target)")
            }
        }
    }

    @Test func `what a live service answers can be read too, head and plan`() async throws {
        let proxy = TestProxy { target, _, answer in
            if target == "/plan" {
                return answer.respond(with: Response(head: ResponseHead(status: 502, fields: [], framing: .length(0))))
            }
            answer.begin(
                ResponseHead(
                    status: 200, fields: [WireField("Access-Control-Allow-Origin", "https://live.example")],
                    framing: .length(0)))
            answer.finish()
        }
        try await TestServer.serving([:]) {
            $0.allowsCORS = true
            $0.proxy = proxy
        } _: { server throws in
            for target in ["/live", "/plan"] {
                let answer = try server.get(target, "Origin: \(Self.page)")
                #expect(answer.fields.filter { $0.name == "Access-Control-Allow-Origin" }.map(\.value) == [Self.page])
                let stream = try FrameClient(port: server.port).get(target, [("origin", Self.page)])
                #expect(stream["access-control-allow-origin"] == Self.page)
            }
            #expect(
                try server.request("OPTIONS", "/live", ["Origin: \(Self.page)", "Access-Control-Request-Method: PUT"])
                    .status == 204)
            #expect(proxy.passed.allSatisfy { $0.hasPrefix("GET ") })
        }
    }

    @Test func `the admin API stays closed to pages`() async throws {
        try await Self.serving { server throws in
            #expect(try server.get("/__admin/requests", "Origin: \(Self.page)").status == 403)
            #expect(
                try server.request(
                    "OPTIONS", "/__admin/requests",
                    ["Origin: \(Self.page)", "Access-Control-Request-Method: DELETE"]
                ).status == 403)
            #expect(try server.request("POST", "/__admin/reset", ["Origin: \(Self.page)"]).status == 403)
            #expect(try server.get("/__admin/requests")["Access-Control-Allow-Origin"] == nil)
            #expect(try server.get("/__admin/health", "Origin: \(Self.page)")["Access-Control-Allow-Origin"] == "*")
        }
    }

    @Test func `an Origin that is none is not told back`() async throws {
        try await Self.serving { server throws in
            for origin in ["a b", String(repeating: "a", count: 1025)] {
                let answer = try server.get("/b.txt", "Origin: \(origin)")
                #expect(answer["Access-Control-Allow-Origin"] == "*")
                #expect(answer["Access-Control-Allow-Credentials"] == nil)
            }
        }
    }

    @Test func `without it nothing is added, and recorded lines stay`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            #expect(
                Self.lines(try server.get("/a", "Origin: \(Self.page)")) == [
                    "Access-Control-Allow-Origin: http://localhost:3000", "Vary: Accept-Language",
                    "Access-Control-Allow-Credentials: false",
                ])
            #expect(Self.lines(try server.get("/b.txt", "Origin: \(Self.page)")).isEmpty)
            let preflight = try server.request(
                "OPTIONS", "/b.txt", ["Origin: \(Self.page)", "Access-Control-Request-Method: PUT"])
            #expect(preflight.status == 204 && Self.lines(preflight).isEmpty)
            #expect(Self.lines(try server.get("/none", "Origin: \(Self.page)")) == ["Access-Control-Allow-Origin: *"])
        }
    }

    @Test func `pages of the origins that are named may read responses, and no others`() async throws {
        try await TestServer.serving(Self.files, { $0.corsOrigins = [Self.page] }) { server throws in
            let answer = try server.get("/a", "Origin: \(Self.page)")
            #expect(
                Self.lines(answer) == [
                    "Vary: Accept-Language, Origin", "Access-Control-Allow-Origin: \(Self.page)",
                    "Access-Control-Allow-Credentials: true", "Access-Control-Expose-Headers: vary, x-total",
                ])
            for fields in [["Origin: http://localhost:3000"], []] {
                let other = try server.request("GET", "/a", fields)
                #expect(other.text == "a" && Self.lines(other) == ["Vary: Accept-Language, Origin"])
            }
            let wanted = "Access-Control-Request-Method: GET"
            #expect(try server.request("OPTIONS", "/a", ["Origin: \(Self.page)", wanted]).status == 204)
            let refused = try server.request("OPTIONS", "/a", ["Origin: http://localhost:3000", wanted])
            #expect(refused.status == 403 && Self.lines(refused) == ["Vary: Origin"])
            #expect(
                refused.text
                    == "pages of http://localhost:3000 may not read responses: \"http://localhost:3000\" in corsOrigins lets them\n"
            )
        }
    }
}
