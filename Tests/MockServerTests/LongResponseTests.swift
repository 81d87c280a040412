// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiStubMatching
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Responses that take long are made beside the loop: their bodies coded or rewritten, their templates rendered.
@Suite(.supervised) struct LongResponseTests {
    private static let line = #"{"at": "https://api.example.com/a", "n": 123456}"#
    private static let stubs = """
        {"stubs": [
          {"request": {"urlPath": "/coded"},
           "response": {"contentEncoding": "gzip", "headers": ["ETag: \\"v1\\""], "bodyFile": "large.json"}},
          {"request": {"urlPath": "/rewritten"},
           "response": {"rewriteOrigins": ["https://api.example.com"], "bodyFile": "large.json"}},
          {"request": {"urlPath": "/both"},
           "response": {"rewriteOrigins": ["https://api.example.com"], "contentEncoding": "gzip", "bodyFile": "large.json"}},
          {"request": {"urlPath": "/steps"},
           "responses": [{"contentEncoding": "gzip", "bodyFile": "large.json"}, {"body": "last"}]},
          {"request": {"urlPath": "/long"},
           "response": {"transformers": ["response-template"],
                        "body": "{{#each (range 1 30000)}}{{this}} {{/each}}{{randomValue length=8}}"}},
          {"request": {"urlPath": "/short"},
           "response": {"transformers": ["response-template"], "body": "{{#each (range 1 300)}}{{this}} {{/each}}"}},
          {"request": {"urlPath": "/endless"},
           "response": {"transformers": ["response-template"],
                        "body": "{{#each (range 1 100000)}}{{#each (range 1 100000)}}x{{/each}}{{/each}}"}},
          {"request": {"urlPath": "/coded-long"},
           "response": {"transformers": ["response-template"], "contentEncoding": "gzip",
                        "body": "{{#each (range 1 100000)}}{{this}} {{/each}}"}}]}
        """

    /// A server of one loop, with a small file beside the large one.
    private func serving(_ body: @escaping @Sendable (Int, String, Journal) throws -> Void) async throws {
        let large = "[" + Array(repeating: Self.line, count: 12_000).joined(separator: ",\n") + "]"
        let directory = try TemporaryDirectory(["x.stub.json": Self.stubs, "large.json": large, "small.txt": "small"])
        let fixtures = try MockServer.usable(directory.path, [], MockServer.Configuration())
        let server = try MockServer(LoadedFixtures(fixtures), MockServer.Configuration(), loops: 1)
        let (port, journal) = (server.baseURL.port ?? 0, server.journal)
        do {
            try await blocking { try body(port, large, journal) }
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func get(_ port: Int, _ target: String, _ fields: String...) throws -> WireResponse {
        try WireClient(port: port).request("GET", target, fields)
    }

    @Test func `a large body is coded or rewritten for each who asks, and comes whole`() async throws {
        try await serving { port, large, journal throws in
            for _ in 0..<2 {
                for path in ["/coded", "/both"] {
                    let answer = try Self.get(port, path, "Accept-Encoding: gzip")
                    #expect(answer.status == 200 && answer["Content-Encoding"] == "gzip")
                    #expect(answer.body.count < large.utf8.count / 10)
                }
                let rewritten = try Self.get(port, "/rewritten", "Host: localhost:\(port)")
                #expect(rewritten.text == large.replacing("https://api.example.com", with: "http://localhost:\(port)"))
                let other = try Self.get(port, "/rewritten", "Host: a.localhost:\(port)")
                #expect(other.text == large.replacing("https://api.example.com", with: "http://a.localhost:\(port)"))
                #expect(try Self.get(port, "/coded").text == large)
            }
            #expect(journal.entries.count == 10)
            #expect(journal.entries.allSatisfy { $0.status == 200 })
        }
    }

    @Test func `what is selected of it is selected when it is there`() async throws {
        try await serving { port, large, journal throws in
            let head = try WireClient(port: port).request("HEAD", "/coded", ["Accept-Encoding: gzip"])
            let length = try #require(head["Content-Length"].flatMap { Int($0) })
            #expect(length < large.utf8.count / 10)
            #expect(try Self.get(port, "/coded", "Accept-Encoding: gzip", #"If-None-Match: "v1""#).status == 304)
            let part = try Self.get(port, "/coded", "Accept-Encoding: gzip", "Range: bytes=0-1")
            #expect(part.status == 206 && part.body == [0x1F, 0x8B])
            #expect(part["Content-Range"] == "bytes 0-1/\(length)")
        }
    }

    @Test func `a step of a sequence is used up once`() async throws {
        try await serving { port, _, _ throws in
            #expect(try Self.get(port, "/steps", "Accept-Encoding: gzip")["Content-Encoding"] == "gzip")
            #expect(try Self.get(port, "/steps", "Accept-Encoding: gzip").text == "last")
        }
    }

    @Test func `a template that takes long renders to what it would on the loop`() async throws {
        try await serving { port, _, journal throws in
            let numbers = (1...30_000).map { "\($0) " }.joined()
            let first = try Self.get(port, "/long").text
            #expect(first.hasPrefix(numbers) && first.utf8.count == numbers.utf8.count + 8)
            #expect(try Self.get(port, "/long").text != first)
            let coded = try Self.get(port, "/coded-long", "Accept-Encoding: gzip")
            #expect(coded.status == 200 && coded["Content-Encoding"] == "gzip")
            #expect(journal.entries.map(\.status) == [200, 200, 200])
        }
    }

    @Test func `a template that takes too long is 500, and is not rendered on the loop`() async throws {
        try await serving { port, _, journal throws in
            let answer = try Self.get(port, "/endless")
            #expect(answer.status == 500)
            #expect(answer.text.contains("the template takes more than 1,000,000 steps"), "\(answer.text)")
            #expect(journal.entries.map(\.status) == [500])
        }
        let directory = try TemporaryDirectory(["x.stub.json": Self.stubs, "large.json": "[]"])
        let server = try await MockServer.start(fixtures: directory.path)
        let matcher = StubMatcher(fixtures: server.core.fixtures, core: server.core)
        for (path, isLeft) in [("/endless", true), ("/long", true), ("/short", false)] {
            var head = RequestHead()
            head.bytes = Array("GET\(path)".utf8)
            head.method = ByteRange(0, 3)
            head.target = ByteRange(3, head.bytes.count)
            head.path = head.target
            let match = matcher.match(
                head, [], from: ConnectionInfo(id: 1, peer: .none), scratch: MatchScratch(), isOnLoop: true)
            guard case .stub(let stub) = match.found else {
                Issue.record("no stub answers \(path)")
                continue
            }
            var isRendering = false
            if case .rendering = stub.source { isRendering = true }
            #expect(isRendering == isLeft, "\(path)")
        }
        await server.stop()
    }

    @Test func `others are answered while a large body is coded`() async throws {
        try await serving { port, _, _ throws in
            let slow = try WireClient(port: port)
            try slow.send("GET /coded HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
            // The one loop has the first request before the second, and would answer it first.
            let other = try WireClient(port: port)
            #expect(try other.request("GET", "/small.txt").text == "small")
            #expect(try slow.response()["Content-Encoding"] == "gzip")
        }
    }
}
