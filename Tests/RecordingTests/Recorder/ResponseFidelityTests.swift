// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What is kept of a response.
@Suite(.supervised) struct ResponseFidelityTests {
    private func response(to method: String = "GET", _ answer: Answer) async throws -> (JSONNode, TemporaryDirectory) {
        let directory = try TemporaryDirectory()
        let outcome = try await directory.record(method, "/a", answer)
        let stub = try #require(outcome.files.first)
        return (try #require(try JSONParser.parse(directory.bytes(stub))["response"]), directory)
    }

    @Test func `lines keep their order, their case and their repeats, without those of the moment`() async throws {
        let names = [
            "X-B", "Date", "Set-Cookie", "x-a", "Set-Cookie", "Connection", "X-Request-Id", "CF-RAY", "X-Candidate-Id",
            "Transfer-Encoding", "Age", "Alt-Svc", "Vary",
        ]
        let fields = names.enumerated().map { UpstreamField($1, $1 == "Set-Cookie" ? "c\($0)=; Path=/" : "v\($0)") }
        let (node, _) = try await response(Answer(fields: fields))
        #expect(
            node["headers"]?.array?.map(\.string) == [
                "X-B: v0", "Set-Cookie: c2=; Path=/", "x-a: v3", "Set-Cookie: c4=; Path=/", "X-Candidate-Id: v8",
                "Vary: v12",
            ])
    }

    @Test func `lines of Google's services are no ids of a request`() async throws {
        let names = ["X-Goog-Upload-URL", "X-Goog-Upload-Status", "X-Goog-Hash"]
        let (node, _) = try await response(Answer(fields: names.map { UpstreamField($0, "v") }))
        #expect(node["headers"]?.array?.map(\.string) == names.map { "\($0): v" })
    }

    @Test func `a checksum beside content in which something was replaced is left out`() async throws {
        let digests = ["Content-MD5", "Digest", "Repr-Digest", "Content-Digest", "x-amz-checksum-crc32"]
        let lines = digests.map { UpstreamField($0, "v") }
        for (token, kept) in [("ghp_A1b2C3d4E5A1b2C3d4E5A1b2C3d4E5f6G7H8", 0), ("none", digests.count)] {
            var answer = Answer.json(#"{"access_token":"\#(token)"}"#)
            if kept > 0 { answer = Answer.json(#"{"a":1}"#) }
            answer.fields += lines
            let (node, _) = try await response(answer)
            #expect(node["headers"]?.array?.count == kept + 1, "\(node)")
        }
    }

    @Test func `dates that a user has move do so when the response is recorded again, changed or not`() async throws {
        let directory = try TemporaryDirectory()
        func answer(_ number: Int) -> Answer { .json("{\"n\":\(number),\"expires_at\":\"2026-11-20T11:00:00Z\"}") }
        try await directory.record("GET", "/a", answer(1))
        let stub = directory.text("a.stub.json")
        try directory.write(
            "a.stub.json", stub.replacing("\"status\": 200,", with: "\"status\": 200, \"dates\": \"shift\","))
        let edited = directory.text("a.stub.json")
        #expect(edited != stub)
        #expect(try await directory.record("GET", "/a", answer(1)).kind == .unchanged)
        #expect(directory.text("a.stub.json") == edited)
        #expect(try await directory.record("GET", "/a", answer(2)).kind == .changed)
        #expect(directory.text("a.stub.json").contains("\"dates\": \"shift\""))
    }

    @Test func `lines that are no UTF-8 are served byte for byte, and recording them again changes nothing`()
        async throws
    {
        let lines: [(name: String, bytes: [UInt8])] = [
            ("X-A", [0x61, 0xE9, 0x80, 0xFF]), ("X-B", Array("é".utf8)), ("Content-Type", Array("text/plain".utf8)),
            ("Content-Disposition", Array("attachment; filename=\"".utf8) + [0xDC] + Array("bung.pdf\"".utf8)),
        ]
        var answer = Answer(fields: lines.map { UpstreamField($0.name, bytes: $0.bytes) }, body: Array("a".utf8))
        answer.trailers = [UpstreamField("X-T", bytes: [0x74, 0xE9])]
        answer.reason = "Fine"
        let directory = try TemporaryDirectory()
        let first = try await directory.record("GET", "/a", answer)
        #expect(first.notes == [])
        let again = try await directory.record("GET", "/a", answer)
        #expect(again.kind == .unchanged)
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))["response"]
        #expect(stub?["headerCharset"]?.string == "ISO-8859-1")
        #expect(stub?["headers"]?.array?.last?.string == "Content-Disposition: attachment; filename=\"Übung.pdf\"")
        try await Replay.of(directory) { replay in
            let port = replay.port
            let head = try await blocking {
                let client = try WireClient(port: port)
                try client.send("GET /a HTTP/1.1\r\nHost: a\r\nTE: trailers\r\nConnection: close\r\n\r\n")
                return Self.values(in: try client.remainder())
            }
            for expected in lines.map(\.bytes) + [[0x74, 0xE9]] {
                #expect(head.contains(expected), "\(expected)")
            }
        }
    }

    private static func values(in answer: [UInt8]) -> [[UInt8]] {
        answer.split(separator: 0x0A).map { line in
            line.filter { $0 != 0x0D }.drop { $0 != 0x3A }.dropFirst(2)
        }.map { Array($0) }
    }

    @Test func `a reason that is not UTF-8 is served byte for byte`() async throws {
        let directory = try TemporaryDirectory()
        var answer = Answer.json("{}")
        answer.reasonBytes = [0x54, 0x72, 0xE8, 0x73]
        try await directory.record("GET", "/a", answer)
        try await Replay.of(directory) { replay in
            let port = replay.port
            let head = try await blocking {
                let client = try WireClient(port: port)
                try client.send("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                return try client.remainder()
            }
            #expect(head.starts(with: Array("HTTP/1.1 200 Tr".utf8) + [0xE8] + Array("s\r\n".utf8)))
        }
    }

    @Test func `a secret that is not UTF-8 asks for no other charset, and another charset is a change`() async throws {
        let directory = try TemporaryDirectory()
        func answer(_ bytes: [UInt8]) -> Answer {
            var answer = Answer.json("{}")
            answer.fields.append(UpstreamField("Set-Cookie", bytes: Array("sid=k3y".utf8) + bytes))
            return answer
        }
        try await directory.record("GET", "/a", answer(Array("Qw8ErTy5".utf8) + [0xE9, 0x41]))
        #expect(!directory.text("a.stub.json").contains("headerCharset"))
        var plain = Answer.json("{}")
        plain.fields.append(UpstreamField("X-A", "é"))
        var old = plain
        old.fields[1].bytes = [0xE9]
        try await directory.record("GET", "/b", plain)
        let outcome = try await directory.record("GET", "/b", old)
        #expect(outcome.notes == ["lines written in ISO-8859-1"])
    }

    /// The head of a response as a server of the fixtures sends it, without its date.
    private func served(
        _ method: String, _ directory: TemporaryDirectory, _ fields: [String] = []
    ) async throws -> [String] {
        let server = try await MockServer.start(fixtures: directory.path)
        let port = try #require(server.address.split(separator: ":").last.flatMap { Int($0) })
        let head = try await blocking {
            let client = try WireClient(port: port)
            try client.send("\(method) /a HTTP/1.1\r\nHost: a\r\n\(fields.map { $0 + "\r\n" }.joined())\r\n")
            let response = try client.response(isHead: method == "HEAD")
            return ["\(response.status) \(response.reason)"] + response.fields.map { "\($0.name): \($0.value)" }
        }
        await server.stop()
        return head.filter { !$0.hasPrefix("Date: ") }
    }

    @Test func `an empty reason phrase and a missing type come back as they were`() async throws {
        var answer = Answer(fields: [UpstreamField("X-A", "1")], body: Array("{}".utf8))
        answer.reason = ""
        let (node, directory) = try await response(answer)
        #expect(node["reason"]?.string == "")
        #expect(node["defaultContentType"]?.bool == false)
        #expect(try await served("GET", directory) == ["200 ", "X-A: 1", "Content-Length: 2"])
        #expect(try await directory.record("GET", "/a", answer).kind == .unchanged)
        // HTTP/2 has no phrases: none is no other.
        answer.version = .http2
        #expect(try await directory.record("GET", "/a", answer).kind == .unchanged)
    }

    @Test func `a response to HEAD without a length comes back without one`() async throws {
        let (_, directory) = try await response(to: "HEAD", Answer(fields: [UpstreamField("X-A", "1")]))
        #expect(try await served("HEAD", directory) == ["200 OK", "X-A: 1"])
    }

    @Test func `the line of the coding comes back in its place, and no Vary line is added`() async throws {
        let bytes = try #require(try Coded.bytes(Array("{}".utf8), "gzip"))
        let answer = Answer(
            fields: [
                UpstreamField("X-A", "1"), UpstreamField("Content-Encoding", "gzip"),
                UpstreamField("Content-Type", "application/json"), UpstreamField("Content-Length", "\(bytes.count)"),
            ], body: bytes)
        let (node, directory) = try await response(answer)
        #expect(
            node["headers"]?.array?.map(\.string) == [
                "X-A: 1", "Content-Encoding: gzip", "Content-Type: application/json",
            ])
        let coded = try await served("GET", directory, ["Accept-Encoding: gzip"])
        #expect(coded.prefix(4) == ["200 OK", "X-A: 1", "Content-Encoding: gzip", "Content-Type: application/json"])
        #expect(coded.count == 5)
        #expect(
            try await served("GET", directory) == [
                "200 OK", "X-A: 1", "Content-Type: application/json", "Content-Length: 2",
            ])
        #expect(try FixtureLoader.load(root: directory.path).findings.isEmpty)
        // One that was recorded with the line at the end is the same response.
        let old = directory.text("a.stub.json").replacing("\"Content-Encoding: gzip\",", with: "")
        try directory.write("a.stub.json", old)
        #expect(try await directory.record("GET", "/a", answer).kind == .unchanged)
    }

    @Test func `a response to HEAD keeps the length it tells`() async throws {
        let (node, _) = try await response(
            to: "HEAD",
            Answer(fields: [UpstreamField("Content-Length", "1234"), UpstreamField("Content-Encoding", "gzip")]))
        #expect(node["contentLength"]?.number?.integer == 1234)
        #expect(node["headers"]?.array?.map(\.string) == ["Content-Encoding: gzip"])
        #expect(node["bodyFile"] == nil)
    }

    @Test func `trailers are kept`() async throws {
        var answer = Answer.json("{}")
        answer.trailers = [UpstreamField("X-Checksum", "1"), UpstreamField("Set-Cookie", "a=b")]
        let directory = try TemporaryDirectory()
        let outcome = try await directory.record("GET", "/a", answer)
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        #expect(stub["response"]?["trailers"]?.array?.map(\.string) == ["X-Checksum: 1"])
        #expect(outcome.notes == ["Set-Cookie is left out: it cannot be a trailer (RFC 9110 §6.5.1)"])
    }

    @Test(arguments: ["gzip", "deflate", "br", "zstd"])
    func `coded content is stored decoded, with its coding`(coding: String) async throws {
        let text = String(repeating: "{\"a\": 1}\n", count: 1000)
        let bytes = try #require(try Coded.bytes(Array(text.utf8), coding))
        let (node, directory) = try await response(
            Answer(
                fields: [UpstreamField("Content-Type", "text/plain"), UpstreamField("Content-Encoding", coding)],
                body: bytes))
        #expect(directory.text("a.txt") == text)
        #expect(node["contentEncoding"]?.string == coding)
        #expect(node["headers"]?.array?.map(\.string) == ["Content-Type: text/plain"])
    }

    @Test func `content of a coding that is not known is stored as it came, with its line`() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await directory.record(
            "GET", "/a",
            Answer(
                fields: [UpstreamField("Content-Type", "application/json"), UpstreamField("Content-Encoding", "dcz")],
                body: [1, 2, 0, 3]))
        #expect(outcome.notes == ["the coding dcz is not known: the content is stored as it came"])
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        #expect(
            stub["response"]?["headers"]?.array?.map(\.string) == [
                "Content-Type: application/json", "Content-Encoding: dcz",
            ])
        let file = try #require(stub["response"]?["bodyFile"]?.string)
        #expect(directory.bytes(file) == [1, 2, 0, 3])
        // It can be recorded into, and so be served.
        #expect(throws: Never.self) { _ = try Session(directory) }
    }

    @Test func `content that is not what its coding says is stored as it came`() async throws {
        let directory = try TemporaryDirectory()
        let bytes = try #require(try Coded.bytes(Array(String(repeating: "abc", count: 1000).utf8), "gzip"))
        let broken = Array(bytes.dropLast(9))
        let outcome = try await directory.record(
            "GET", "/a", Answer(fields: [UpstreamField("Content-Encoding", "gzip")], body: broken))
        #expect(outcome.notes.last?.hasPrefix("the content is stored as it came: ") == true)
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        let file = try #require(stub["response"]?["bodyFile"]?.string)
        #expect(directory.bytes(file) == broken)
    }

    @Test func `large content that is not text passes by a file`() async throws {
        let directory = try TemporaryDirectory()
        let bytes =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let answer = Answer(fields: [UpstreamField("Content-Type", "image/png")], body: bytes)
        try await directory.record("GET", "/a.png", answer)
        #expect(directory.bytes("a.png") == bytes)
        #expect(try await directory.record("GET", "/a.png", answer).kind == .unchanged)
        #expect(directory.snapshot().keys.sorted() == ["a.png", "a.png.stub.json"])
    }

    @Test func `JSON is re-indented where that is asked for, and says so`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory) { $0.isPretty = true }
        try await session.record("GET", "/a", .json(#"{"a":[1.0,2]}"#))
        #expect(directory.text("a.json") == "{\n  \"a\": [\n    1.0,\n    2\n  ]\n}\n")
        #expect(try JSONParser.parse(directory.bytes("a.stub.json"))["recorded"]?["pretty"]?.bool == true)
    }
}
