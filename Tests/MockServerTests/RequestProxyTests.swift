// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What is passed on, and what journal and log say of it.
@Suite(.supervised) struct RequestProxyTests {
    private static let fixtures: KeyValuePairs = [
        "a.stub.json": #"{"request": {"method": "GET", "urlPath": "/a"}, "response": {"body": "fixture"}}"#
    ]

    @Test func `fixtures go first, and what they do not answer is passed on`() async throws {
        let proxy = TestProxy.text("live")
        try await TestServer.serving(Self.fixtures) {
            $0.proxy = proxy
        } _: { server in
            try await blocking {
                #expect(try server.get("/a").text == "fixture")
                let live = try server.get("/b?x=1")
                #expect(live.text == "live" && live["From"] == "upstream")
                #expect(live.trailers.map(\.name) == ["X-Sum"])
                #expect(try server.request("POST", "/a", body: "content").text == "live")
                for method in ["HEAD", "OPTIONS", "TRACE"] {
                    #expect(try server.request(method, "/b")["From"] == "upstream")
                }
                #expect(try server.request("CONNECT", "localhost:1").status == 501)
                #expect(try server.get("/__admin/health").status == 200)
            }
            #expect(proxy.passed == ["GET /b?x=1", "POST /a", "HEAD /b", "OPTIONS /b", "TRACE /b"])
        }
    }

    @Test func `a request is passed on with its content`() async throws {
        let proxy = TestProxy { _, request, answer in
            let body = request.body
            Task {
                answer.begin(ResponseHead(status: 200, fields: [], framing: .length(body.count)))
                _ = await answer.send(body)
                answer.finish()
            }
        }
        try await TestServer.serving([:]) {
            $0.proxy = proxy
        } _: { server in
            try await blocking {
                #expect(try server.request("PUT", "/x", body: "content").text == "content")
                let client = try FrameClient(port: server.port)
                #expect(try client.request("PUT", "/x", body: Array("content".utf8)).text == "content")
            }
        }
    }

    @Test func `a client that has the head finds its request in the journal`() async throws {
        let proxy = TestProxy { _, _, answer in
            // The end never comes: what the journal has, it has by the head.
            answer.begin(ResponseHead(status: 203, fields: [], framing: .chunked))
        }
        try await TestServer.serving(Self.fixtures) {
            $0.proxy = proxy
        } _: { server in
            let client = try server.connect()
            try client.send("GET /b HTTP/1.1\r\nHost: x\r\nX-Test: 1\r\n\r\n")
            #expect(try client.line() == "HTTP/1.1 203 Non-Authoritative Information")
            let entry = try #require(server.journal.entries.first)
            #expect(entry.outcome == .proxied && entry.status == 203 && entry.responseSize == 0)
            #expect(entry.request.path == "/b" && entry.fields.contains { $0.name == "X-Test" })
            #expect(server.journal.unmatched.isEmpty)
            let frames = try FrameClient(port: server.port)
            try frames.send(.request(stream: 1, "/c"))
            #expect(try frames.next(.headers) != nil)
            #expect(server.journal.entries.map(\.stream) == [nil, 1])
        }
    }

    @Test func `a request that gets no response is noted as such, and so is one that is given up`() async throws {
        let proxy = TestProxy { target, _, answer in if target == "/fails" { answer.fail() } }
        try await TestServer.serving(Self.fixtures) {
            $0.proxy = proxy
        } _: { server in
            do {
                let client = try server.connect()
                #expect(try client.request("GET", "/a").status == 200)
                try client.send("GET /fails HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try client.remainder() == [])
                #expect(server.journal.entries.last?.outcome == .proxied && server.journal.entries.last?.status == 0)
                let impatient = try server.connect()
                #expect(try impatient.request("GET", "/a").status == 200)
                try impatient.send("GET /waits HTTP/1.1\r\nHost: x\r\n\r\n")
                #expect(try await until({ proxy.passed }, { $0.contains("GET /waits") }))
            }
            #expect(try await until({ server.journal.entries.last?.abandonment }, is: .connectionClosed))
            let entries = server.journal.entries
            #expect(entries.map(\.target) == ["/a", "/fails", "/a", "/waits"])
            #expect(entries.map { $0.abandonment == nil } == [true, true, true, false])
        }
    }

    @Test func `the admin API tells what was passed on`() async throws {
        try await TestServer.serving(Self.fixtures) {
            $0.proxy = TestProxy.text("live")
        } _: { server in
            try await blocking {
                _ = try server.get("/a")
                _ = try server.get("/b")
            }
            let text = try server.get("/__admin/requests").text
            let events = try #require(
                (JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])?["requests"] as? [[String: Any]]
            )
            #expect(events.map { $0["upstream"] as? Bool } == [true, nil])
            #expect(events.map { $0["wasMatched"] as? Bool } == [true, true])
            #expect(try server.get("/__admin/requests/unmatched").text.contains(#""requests": []"#))
        }
    }

    @Test(arguments: ["--http1.1", "--http2"]) func `responses pass through TLS`(version: String) async throws {
        let directory = try TLSDirectory()
        let content = String(repeating: "0123456789", count: 30_000)
        let proxy = TestProxy { _, _, answer in
            Task {
                answer.begin(ResponseHead(status: 200, fields: [], framing: .chunked))
                for start in stride(from: 0, to: content.utf8.count, by: 50_000) {
                    guard await answer.send(Array(content.utf8.dropFirst(start).prefix(50_000))) else { return }
                }
                answer.finish()
            }
        }
        try await TestServer.serving([:]) {
            $0.tls = directory.settings
            $0.proxy = proxy
        } _: { server in
            let tool = try await Tool.curl([
                version, "--cacert", directory.authority(), "https://127.0.0.1:\(server.port)/x",
            ])
            #expect(tool.code == 0 && tool.text == content)
            #expect(server.journal.entries.first?.tlsVersion == "TLSv1.3")
        }
    }

    @Test(arguments: [
        ("--http1.1", ResponseHead.Framing.chunked, Int32(18)), ("--http1.1", .length(100), 18),
        ("--http2-prior-knowledge", .chunked, 92), ("--http2-prior-knowledge", .length(100), 92),
    ])
    func `curl sees that a response is broken off`(
        version: String, framing: ResponseHead.Framing, code: Int32
    ) async throws {
        let proxy = TestProxy { _, _, answer in
            Task {
                answer.begin(ResponseHead(status: 200, fields: [], framing: framing))
                _ = await answer.send(Array("part".utf8))
                answer.fail()
            }
        }
        try await TestServer.serving([:]) {
            $0.proxy = proxy
        } _: { server in
            let tool = try await Tool.curl([version, server.base + "/x"])
            #expect(tool.code == code)
        }
    }
}
