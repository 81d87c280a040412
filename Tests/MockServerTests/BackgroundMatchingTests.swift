// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import HTTPTypes
import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Requests with large bodies, which are matched beside the event loop.
@Suite(.supervised) struct BackgroundMatchingTests {
    private static let stubs = """
        {"stubs": [
          {"request": {"urlPath": "/small"}, "response": {"body": "small"}},
          {"request": {"method": "POST", "urlPath": "/schema", "bodyPatterns": [{"matchesJsonSchema": {"type": "array"}}]},
           "response": {"body": "never"}},
          {"request": {"method": "POST", "urlPath": "/path", "bodyPatterns": [{"matchesJsonPath": "$.b"}]},
           "response": {"body": "never"}},
          {"request": {"urlPath": "/value", "headers": {"X": {"matchesJsonSchema": {"type": "array"}}}}, "response": {}},
          {"request": {"urlPath": "/long", "headers": {"X": {"equalToJson": {"a": 1}}}}, "response": {}},
          {"request": {"method": "POST", "urlPath": "/json", "bodyPatterns": [{"equalToJson": {"a": 1}}]},
           "response": {"body": "never"}},
          {"request": {"method": "POST", "urlPath": "/steps", "bodyPatterns": [{"contains": "x"}]},
           "responses": [{"body": "1"}, {"body": "2"}, {"body": "3"}]}
        ]}
        """
    private static let body = #"{"a": ""# + String(repeating: "x", count: 100_000) + #""}"#

    /// Holds the matching of what no fixture answers, until it is let go.
    private final class Gate: Sendable {
        private let reached = DispatchSemaphore(value: 0)
        private let opened = DispatchSemaphore(value: 0)

        func pass() {
            reached.signal()
            _ = opened.wait(timeout: .now() + .seconds(WireClient.patience))
        }

        func awaitRequest() throws {
            guard reached.wait(timeout: .now() + .seconds(WireClient.patience)) == .success else {
                throw WireError.silent
            }
        }

        func open() { opened.signal() }
    }

    /// A server of one loop.
    private func serving(
        _ stubs: String = Self.stubs, _ configure: (inout MockServer.Configuration) -> Void = { _ in },
        _ body: (MockServer, Int) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(["x.stub.json": stubs])
        var configuration = MockServer.Configuration()
        configure(&configuration)
        let fixtures = try MockServer.usable(directory.path, [], configuration)
        let server = try MockServer(LoadedFixtures(fixtures), configuration, loops: 1)
        do {
            try await body(server, server.baseURL.port ?? 0)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    private static func held(by gate: Gate) -> (inout MockServer.Configuration) -> Void {
        {
            $0.fallback = { _, _, _ in
                gate.pass()
                return nil
            }
        }
    }

    private func post(_ target: String, _ body: String = Self.body) -> String {
        "POST \(target) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A request by frames of the size that may be sent.
    private func send(_ target: String, stream: UInt32, _ client: FrameClient) throws {
        try client.send(.request(stream: stream, "POST", target, endsStream: false))
        let body = Array(Self.body.utf8)
        for start in stride(from: 0, to: body.count, by: 16_384) {
            let end = min(start + 16_384, body.count)
            try client.send(.data(stream: stream, Array(body[start..<end]), endsStream: end == body.count))
        }
    }

    @Test func `a miss does not wait behind a large body that is matched`() async throws {
        let gate = Gate()
        try await serving(Self.stubs) {
            $0.fallback = { _, _, body in
                if !body.isEmpty { gate.pass() }
                return nil
            }
        } _: { _, port in
            try await blocking {
                let large = try WireClient(port: port)
                try large.send(post("/json"))
                try gate.awaitRequest()
                #expect(try WireClient(port: port).request("GET", "/nothing").status == 404)
                gate.open()
                #expect(try large.response().status == 404)
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `others of the loop are answered while a large body is matched`() async throws {
        let gate = Gate()
        try await serving(Self.stubs, Self.held(by: gate)) { server, port in
            try await blocking {
                let large = try WireClient(port: port)
                // The next request of the connection waits for its turn.
                try large.send(post("/json") + "GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try gate.awaitRequest()
                #expect(try WireClient(port: port).request("GET", "/small").text == "small")
                #expect(server.journal.entries.map(\.request.path) == ["/small"])
                gate.open()
                #expect(try large.response().status == 404)
                #expect(try large.response().text == "small")
            }
            #expect(server.journal.entries.map(\.request.path) == ["/json", "/small", "/small"])
            #expect(server.journal.entries.map(\.bodySize) == [Self.body.utf8.count, 0, 0])
            #expect(server.journal.entries.map(\.status) == [404, 200, 200])
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: [("/value", 8), ("/long", 5000)])
    func `others are answered while a header is put to a schema, or a long one read as JSON`(
        target: String, count: Int
    ) async throws {
        let gate = Gate()
        try await serving(Self.stubs, Self.held(by: gate)) { _, port in
            try await blocking {
                let client = try WireClient(port: port)
                let value = #"{"a": ""# + String(repeating: "x", count: count) + #""}"#
                try client.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\nX: \(value)\r\n\r\n")
                try gate.awaitRequest()
                #expect(try WireClient(port: port).request("GET", "/small").text == "small")
                gate.open()
                #expect(try client.response().status == 404)
            }
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            (#"{"matchesJsonSchema": {"type": "array"}}"#, 8), (#"{"matchesJsonPath": "$.b"}"#, 5_000),
            (#"{"equalToJson": {"b": 1}}"#, 5_000),
            (#"{"and": [{"not": {"equalToJson": {"b": 1}}}, {"contains": "y"}]}"#, 5_000),
        ])
    func `others are answered while a small body is put to a schema, or a larger one is compared as JSON`(
        pattern: String, count: Int
    ) async throws {
        let gate = Gate()
        let stubs = #"""
            {"stubs": [{"request": {"urlPath": "/small"}, "response": {"body": "small"}},
              {"request": {"urlPath": "/asked", "bodyPatterns": [\#(pattern)]}, "response": {}}]}
            """#
        try await serving(stubs, Self.held(by: gate)) { _, port in
            try await blocking {
                let client = try WireClient(port: port)
                try client.send(post("/asked", #"{"a": ""# + String(repeating: "x", count: count) + #""}"#))
                try gate.awaitRequest()
                #expect(try WireClient(port: port).request("GET", "/small").text == "small")
                gate.open()
                #expect(try client.response().status == 404)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `other streams are answered while a large body is matched`() async throws {
        let gate = Gate()
        try await serving(Self.stubs, Self.held(by: gate)) { server, port in
            try await blocking {
                let client = try FrameClient(port: port)
                // So much may be sent at once where the server's settings hold, which they do once they are acknowledged.
                _ = try client.next(.settings)
                try client.send(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement))
                try send("/json", stream: 1, client)
                try gate.awaitRequest()
                try client.send(.request(stream: 3, "/small"))
                #expect(try client.response(stream: 3).text == "small")
                gate.open()
                #expect(try client.response(stream: 1).status == 404)
            }
            #expect(server.journal.entries.map(\.stream) == [1, 3])
        }
    }

    @Test func `a sequence goes on by one with each large body`() async throws {
        try await serving { _, port in
            try await blocking {
                let client = try WireClient(port: port)
                try client.send(post("/steps") + post("/steps") + post("/steps", "x"))
                for step in ["1", "2", "3"] { #expect(try client.response().text == step) }
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a client that has ended its side gets its response`() async throws {
        let gate = Gate()
        try await serving(Self.stubs, Self.held(by: gate)) { server, port in
            try await blocking {
                let client = try WireClient(port: port)
                try client.send(post("/json"))
                try gate.awaitRequest()
                client.finishSending()
                // The loop has seen the end before it answers another.
                #expect(try WireClient(port: port).request("GET", "/small").text == "small")
                gate.open()
                let answer = String(decoding: try client.remainder(), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 404 "))
            }
        }
    }

    @Test(.timeLimit(.minutes(1)))
    func `dear work for a client that has ended its side takes a part of what it might, and the response says so`()
        async throws
    {
        let gate = Gate()
        let loops = "{{#each (range 1 300000)}}{{#if this}}{{/if}}{{/each}}"
        let response = #"{"body": "\#(loops)", "transformers": ["response-template"]}"#
        let stubs = Self.stubs.replacing(
            #"{"stubs": ["#, with: #"{"stubs": [{"request": {"urlPath": "/dear"}, "response": \#(response)},"#)
        try await serving(stubs, Self.held(by: gate)) { _, port in
            try await blocking {
                let large = String(repeating: "x", count: MatchQueue.soleLimit + 1)
                let first = try WireClient(port: port)
                try first.send(post("/json", large))
                try gate.awaitRequest()
                let client = try WireClient(port: port)
                try client.send(post("/dear", large))
                client.finishSending()
                // The loop has seen the end before it answers another.
                #expect(try WireClient(port: port).request("GET", "/small").text == "small")
                gate.open()
                let answer = String(decoding: try client.remainder(), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 500 "))
                #expect(answer.contains(": the client has ended its side, and the templates take"), "\(answer)")
                #expect(try first.response().status == 404)
            }
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a request whose client has gone is in the journal`() async throws {
        let gate = Gate()
        try await serving(Self.stubs, Self.held(by: gate)) { server, port in
            try await blocking {
                let client = try FrameClient(port: port)
                // So much may be sent at once where the server's settings hold, which they do once they are acknowledged.
                _ = try client.next(.settings)
                try client.send(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement))
                try send("/json", stream: 1, client)
                try gate.awaitRequest()
                try client.send(.reset(stream: 1, code: 8), .request(stream: 3, "/small"))
                #expect(try client.response(stream: 3).text == "small")
                gate.open()
            }
            #expect(try await until({ server.journal.entries.count }, is: 2))
            #expect(server.journal.entries.map(\.request.path) == ["/json", "/small"])
            #expect(server.journal.entries.first?.abandonment == .streamReset(code: 8))
        }
    }

    @Test(.timeLimit(.minutes(1))) func `more large bodies than may wait are answered 503`() async throws {
        let gate = Gate()
        try await serving {
            $0.maxWaiting = 1
            $0.fallback = { _, _, _ in
                gate.pass()
                return nil
            }
        } _: { server, port in
            let clients = try (0..<3).map { _ in try WireClient(port: port) }
            try clients[0].send(post("/json"))
            try await blocking { try gate.awaitRequest() }
            try clients[1].send(post("/json"))
            try clients[2].send(post("/json"))
            #expect(try await until({ server.journal.entries.count }, is: 1))
            gate.open()
            gate.open()
            let answers = try clients.map { try $0.response() }
            #expect(answers.map(\.status).sorted() == [404, 404, 503])
            let refused = try #require(answers.first { $0.status == 503 })
            #expect(refused.text == "more than 1 requests wait to be matched\n")
            #expect(refused["Connection"] == "close")
            #expect(server.journal.entries.map(\.status).sorted() == [404, 404, 503])
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a very large body holds up none that is less large`() async throws {
        let gate = Gate()
        try await serving(Self.stubs, Self.held(by: gate)) { server, port in
            try await blocking {
                let clients = try (0..<3).map { _ in try WireClient(port: port) }
                let large = String(repeating: "x", count: MatchQueue.soleLimit + 1)
                try clients[0].send(post("/json", large))
                try gate.awaitRequest()
                try clients[1].send(post("/json", large))
                try clients[2].send(post("/json"))
                try gate.awaitRequest()
                for _ in clients { gate.open() }
                for client in clients { #expect(try client.response().status == 404) }
            }
        }
    }
}
