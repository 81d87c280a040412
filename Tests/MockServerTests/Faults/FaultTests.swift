// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Each fault as a client of HTTP/1.1 and one of HTTP/2 sees it, by raw bytes and by curl.
@Suite(.supervised) struct FaultTests {
    private static let garbage = "lskdu018973t09sylgasjkfg1][]'./.sdlv"

    private func serving(_ response: String, _ body: (TestServer) async throws -> Void) async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/f"}, "response": {\(response)}},
              {"request": {"urlPath": "/ok"}, "response": {"body": "fine"}}
            ]}
            """
        try await TestServer.serving(["x.stub.json": stubs], { _ in }, body)
    }

    /// All bytes of a response until the server closes.
    private func bytes(_ server: TestServer) throws -> String {
        let client = try server.connect()
        try client.send("GET /f HTTP/1.1\r\nHost: a\r\n\r\n")
        let text = String(decoding: try client.remainder(), as: UTF8.self)
        return text.split(separator: "\r\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("Date: ") }
            .joined(separator: "\r\n")
    }

    /// The frames on stream 1, in short, until it ends or the connection does; with a request on stream 3 behind it.
    private func story(_ server: TestServer) throws -> [String] {
        let client = try FrameClient(port: server.port)
        try client.send(.request(stream: 1, "/f"))
        var story: [String] = []
        while let frame = try client.next() {
            switch HTTP2Frame.Kind(rawValue: frame.kind) {
            case .headers: story.append("HEADERS \(client.fields(frame)[0].value)")
            case .data:
                story.append("DATA \(String(decoding: frame.payload, as: UTF8.self))\(frame.endsStream ? " END" : "")")
            case .reset: story.append("RST_STREAM \(frame.number(at: 0))")
            case .goAway: story.append("GOAWAY \(frame.number(at: 0)) \(frame.number(at: 4))")
            case .settings, .windowUpdate: continue
            default: story.append("kind \(frame.kind)")
            }
            guard frame.stream == 1, frame.endsStream || frame.isKind(.reset) else { continue }
            try client.send(.request(stream: 3, "/ok"))
            if try client.response(stream: 3).text == "fine" { story.append("the connection lives") }
            return story
        }
        return story + ["closed"]
    }

    private func curl(_ server: TestServer, _ arguments: String...) async throws -> Int32 {
        try await Tool.curl(arguments + ["--compressed", "\(server.base)/f"]).code
    }

    @Test func `an empty response is a closed connection, or a stream that ends with nothing`() async throws {
        try await serving(#""fault": "EMPTY_RESPONSE""#) { server async throws in
            #expect(try bytes(server) == "")
            #expect(try story(server) == ["RST_STREAM 0", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 52)
            #expect(try await curl(server, "--http2-prior-knowledge") == 92)
        }
        try await serving(#""fault": "EMPTY_RESPONSE", "scope": "connection""#) { server async throws in
            #expect(try story(server) == ["closed"])
        }
    }

    @Test func `a reset by the peer is one of the connection, or of the stream`() async throws {
        try await serving(#""fault": "CONNECTION_RESET_BY_PEER""#) { server async throws in
            #expect(try await curl(server, "--http1.1") == 56)
            #expect(try story(server) == ["RST_STREAM 2", "the connection lives"])
            #expect(try await curl(server, "--http2-prior-knowledge") == 92)
        }
        try await serving(#""fault": "CONNECTION_RESET_BY_PEER", "scope": "connection""#) { server async throws in
            // Curl may meet the reset as it sends.
            #expect([55, 56].contains(try await curl(server, "--http2-prior-knowledge")))
        }
    }

    @Test func `a malformed chunk follows a head of status 200`() async throws {
        try await serving(#""status": 201, "fault": "MALFORMED_RESPONSE_CHUNK""#) { server async throws in
            #expect(try bytes(server) == "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + Self.garbage)
            #expect(
                try story(server) == ["HEADERS 200", "DATA \(Self.garbage)", "RST_STREAM 1", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 56)
            #expect(try await curl(server, "--http2-prior-knowledge") == 92)
        }
    }

    @Test func `random data is not a response`() async throws {
        try await serving(#""fault": "RANDOM_DATA_THEN_CLOSE""#) { server async throws in
            #expect(try bytes(server) == Self.garbage)
            #expect(try story(server) == ["DATA \(Self.garbage)", "RST_STREAM 1", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 1)
            #expect(try await curl(server, "--http2-prior-knowledge") != 0)
        }
        try await serving(#""fault": "RANDOM_DATA_THEN_CLOSE", "scope": "connection""#) { server async throws in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/f"))
            #expect(String(decoding: try client.wire.remainder(), as: UTF8.self).hasSuffix(Self.garbage))
        }
    }

    @Test func `a truncated body is one byte too short for its length`() async throws {
        try await serving(#""body": "0123456789", "fault": "TRUNCATE_BODY", "afterBytes": 4"#) { server async throws in
            #expect(
                try bytes(server)
                    == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 10\r\n\r\n0123")
            #expect(try story(server) == ["HEADERS 200", "DATA 0123", "RST_STREAM 2", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 18)
            #expect(try await curl(server, "--http2-prior-knowledge") == 92)
        }
    }

    @Test func `a slow body comes in pieces, and whole`() async throws {
        try await serving(#""body": "0123456789", "fault": "SLOW_BODY", "bytesPerSecond": 100"#) {
            server async throws in
            let clock = ContinuousClock()
            let start = clock.now
            #expect(try server.get("/f").text == "0123456789")
            #expect(try FrameClient(port: server.port).get("/f").text == "0123456789")
            // A lower bound is no race: bytes cannot come early.
            #expect(clock.now - start >= .milliseconds(190))
            #expect(try story(server).filter { $0.hasPrefix("DATA") }.count > 1)
        }
    }

    @Test func `a wrong length announces one byte more`() async throws {
        try await serving(#""body": "0123456789", "fault": "WRONG_CONTENT_LENGTH""#) { server async throws in
            #expect(try bytes(server).hasSuffix("Content-Length: 11\r\n\r\n0123456789"))
            #expect(try story(server) == ["HEADERS 200", "DATA 0123456789 END", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 18)
            #expect(try await curl(server, "--http2-prior-knowledge") == 92)
        }
    }

    @Test func `bad gzip is gzip that no client can read`() async throws {
        try await serving(#""body": "0123456789", "fault": "BAD_GZIP""#) { server async throws in
            let answer = try server.get("/f")
            #expect(answer["Content-Encoding"] == "gzip" && answer.body.count == 21)
            #expect(try await curl(server, "--http1.1") == 61)
            #expect(try await curl(server, "--http2-prior-knowledge") == 61)
        }
    }

    @Test func `a stream is reset where its stub says, which in HTTP-1 resets the connection`() async throws {
        try await serving(
            #""body": "0123456789", "fault": "RST_STREAM", "errorCode": "CANCEL", "afterBytes": 4"#
        ) { server async throws in
            #expect(try story(server) == ["HEADERS 200", "DATA 0123", "RST_STREAM 8", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 56)
            #expect(try await curl(server, "--http2-prior-knowledge") == 92)
        }
        try await serving(#""body": "0123456789", "fault": "RST_STREAM", "errorCode": 200"#) { server async throws in
            #expect(try story(server) == ["RST_STREAM 200", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 56)
        }
    }

    @Test func `a refused stream is not answered and may be tried again`() async throws {
        try await serving(#""fault": "REFUSED_STREAM""#) { server async throws in
            #expect(try story(server) == ["RST_STREAM 7", "the connection lives"])
            #expect(try await curl(server, "--http1.1") == 52)
            #expect(try await curl(server, "--http2-prior-knowledge") != 0)
        }
    }

    @Test func `a GOAWAY comes after the response, or in its place`() async throws {
        try await serving(#""body": "last", "fault": "GOAWAY""#) { server async throws in
            let client = try FrameClient(port: server.port)
            #expect(try client.get("/f").text == "last")
            let goAway = try #require(try client.next(.goAway))
            #expect(goAway.number(at: 0) == 1 && goAway.number(at: 4) == 0)
            #expect(try client.next(.data) == nil)
            let answer = try server.get("/f")
            #expect(answer.text == "last" && answer["Connection"] == "close")
            #expect(try await curl(server, "--http2-prior-knowledge") == 0)
        }
        try await serving(
            #""fault": "GOAWAY", "errorCode": "ENHANCE_YOUR_CALM", "afterThisStream": false"#
        ) { server async throws in
            #expect(try story(server) == ["GOAWAY 0 11", "closed"])
            #expect(try bytes(server) == "")
            #expect(try await curl(server, "--http2-prior-knowledge") != 0)
        }
    }

    @Test func `a stalled response keeps its client waiting, and others not`() async throws {
        try await serving(#""body": "0123456789", "fault": "STALL", "afterBytes": 4"#) { server async throws in
            #expect(try await curl(server, "--http1.1", "--max-time", "1") == 28)
            #expect(try await curl(server, "--http2-prior-knowledge", "--max-time", "1") == 28)
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/f"), .request(stream: 3, "/ok"))
            #expect(try client.response(stream: 3).text == "fine")
        }
    }

    @Test func `a stalled client of HTTP-1 is let go when its time is over`() async throws {
        try await TestServer.serving(
            ["x.stub.json": #"{"response": {"fault": "STALL"}}"#], { $0.idleTimeout = .milliseconds(100) }
        ) { server async throws in
            #expect(try bytes(server) == "")
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/f"))
            #expect(try client.next(.goAway)?.number(at: 4) == 0)
        }
    }
}
