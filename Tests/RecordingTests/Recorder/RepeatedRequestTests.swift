// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@testable import MockapiRecording

/// What becomes of several answers to one request.
@Suite(.supervised) struct RepeatedRequestTests {
    private func bodies(_ directory: TemporaryDirectory, _ stub: String) throws -> [String] {
        let node = try JSONParser.parse(directory.bytes(stub))
        let steps = node["responses"]?.array ?? node["response"].map { [$0] } ?? []
        return steps.map { step in step["bodyFile"]?.string.map { directory.text($0) } ?? "" }
    }

    @Test(arguments: [["1", "1", "2", "1"], ["1", "1", "1", "2", "2", "1", "1", "2"]])
    func `a response that comes once more after another one is a step of its own`(answers: [String]) async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        for body in answers { try await session.record("GET", "/job", .json(body)) }
        #expect(try bodies(directory, "job.stub.json") == answers)
    }

    @Test func `another client's response in between makes a response that was known a step of its own`() async throws {
        let directory = try TemporaryDirectory()
        let clients = [UpstreamField("X-Request-Id", "a"), UpstreamField("X-Request-Id", "b")]
        let answers = [(0, "1"), (0, "1"), (1, "2"), (0, "1")]
        try await directory.inSession { session in
            for (client, body) in answers {
                try await session.record("GET", "/job", fields: [clients[client]], .json(body))
            }
        }
        #expect(try bodies(directory, "job.stub.json") == ["1", "1", "2", "1"])
        let session = try Session(directory)
        for (client, body) in answers {
            #expect(try await session.record("GET", "/job", fields: [clients[client]], .json(body)).kind == .unchanged)
        }
        // The request is known, and so is its response.
        #expect(try await session.record("GET", "/job", fields: [clients[1]], .json("2")).kind == .unchanged)
        let other = UpstreamField("X-Request-Id", "c")
        #expect(try await session.record("GET", "/job", fields: [other], .json("2")).kind == .changed)
        #expect(try bodies(directory, "job.stub.json") == ["1", "1", "2", "1", "2"])
    }

    @Test func `steps before the one that changed stay as they are written`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("{\"a\":1}"))
        let edited = directory.text("a.stub.json").replacing(
            "\"bodyFile\": \"a.json\"", with: "\"jsonBody\": {\"a\":1}")
        try directory.write("a.stub.json", edited)
        directory.remove("a.json")
        let session = try Session(directory)
        #expect(try await session.record("GET", "/a", .json("{\"a\":1}")).kind == .unchanged)
        #expect(try await session.record("GET", "/a", .json("{\"a\":2}")).kind == .changed)
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        let first = try #require(stub["responses"]?.array?.first)
        #expect(JSONWriter.compact(first["jsonBody"] ?? .null) == Array("{\"a\":1}".utf8))
    }

    @Test func `what comes after the last step of a sequence stays said when one step is left`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for body in ["1", "2"] { try await session.record("GET", "/job", .json(body)) }
        }
        let text = directory.text("job.stub.json").replacing(
            "\"responses\":", with: "\"afterLast\": \"restart\",\n  \"responses\":")
        try directory.write("job.stub.json", text)
        try await directory.record("GET", "/job", .json("3"))
        #expect(try bodies(directory, "job.stub.json") == ["3"])
        let stub = try JSONParser.parse(directory.bytes("job.stub.json"))
        #expect(stub["afterLast"]?.string == "restart")
        // It can be recorded into, and so be served.
        #expect(throws: Never.self) { _ = try Session(directory) }
    }

    @Test func `what samples show to be volatile makes no sequence, and cuts none`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        try await session.record("GET", "/one", .json("{\"n\": 1}"))
        try await session.record("GET", "/one", .json("{\"n\": 1}"), samples: [.json("{\"n\": 2}")])
        let one = try JSONParser.parse(directory.bytes("one.stub.json"))
        #expect(one["response"] != nil)
        #expect(one["recorded"]?["volatile"]?.array?.count == 1)
        for number in 1...3 { try await session.record("GET", "/many", .json("{\"n\": \(number), \"m\": 0}")) }
        _ = await session.recorder.finish()
        try await directory.record(
            "GET", "/many", .json("{\"n\": 1, \"m\": 0}"), samples: [.json("{\"n\": 1, \"m\": 1}")])
        #expect(try bodies(directory, "many.stub.json").count == 3)
    }

    @Test(arguments: [[false, true], [true, false]])
    func `responses of which only one names lines by Vary are steps of one stub`(names: [Bool]) async throws {
        let directory = try TemporaryDirectory()
        func answers(_ session: Session, language: String) async throws -> [RecordingOutcome.Kind] {
            var kinds: [RecordingOutcome.Kind] = []
            for name in names {
                let vary = name ? [UpstreamField("Vary", "Accept-Language")] : []
                var answer = Answer.json("\(name)")
                answer.fields += vary
                let fields = [UpstreamField("Accept-Language", language)]
                kinds.append(try await session.record("GET", "/job", fields: fields, answer).kind)
            }
            return kinds
        }
        #expect(try await directory.inSession { try await answers($0, language: "de") } == [.new, .changed])
        let before = directory.snapshot()
        #expect(before.keys.filter { $0.hasSuffix(".stub.json") }.count == 1)
        #expect(try await directory.inSession { try await answers($0, language: "de") } == [.unchanged, .unchanged])
        #expect(directory.snapshot() == before)
    }

    @Test func `a sample of another status says nothing of what is volatile`() async throws {
        let directory = try TemporaryDirectory()
        var limited = Answer.json("{\"error\": \"slow down\"}")
        limited.status = 429
        let outcome = try await directory.record("GET", "/a", .json("{\"a\": 1}"), samples: [limited])
        #expect(outcome.notes == ["a sample was answered 429, and is left out"])
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        #expect(stub["recorded"]?["volatile"] == nil)
    }

    @Test(arguments: [true, false])
    func `content that goes to a file is known again, and its file is removed`(isAnnounced: Bool) async throws {
        let directory = try TemporaryDirectory()
        let body: [UInt8] = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        var answer = Answer(fields: [UpstreamField("Content-Type", "image/x-raw")], body: body)
        if isAnnounced { answer.fields.append(UpstreamField("Content-Length", "\(body.count)")) }
        let session = try Session(directory)
        #expect(try await session.record("GET", "/a", answer).kind == .new)
        let files = directory.snapshot()
        for _ in 0..<3 { #expect(try await session.record("GET", "/a", answer).kind == .unchanged) }
        #expect(directory.snapshot() == files)
        answer.body[1_500_000] ^= 1
        #expect(try await session.record("GET", "/a", answer).kind == .changed)
        #expect(directory.snapshot().keys.filter { $0.hasPrefix(".mockapi-part") }.isEmpty)
    }

    @Test func `a fingerprint is that of the bytes, in whatever pieces they come`() {
        let bytes: [UInt8] = (0..<200).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        func fingerprint(_ bytes: [UInt8], inPiecesOf size: Int) -> Fingerprint {
            var hash = StreamHash()
            for start in stride(from: 0, to: bytes.count, by: size) {
                hash.combine(Array(bytes[start..<min(bytes.count, start + size)]))
            }
            return hash.value
        }
        let whole = fingerprint(bytes, inPiecesOf: 200)
        for size in [1, 7, 31, 32, 33, 64] { #expect(fingerprint(bytes, inPiecesOf: size) == whole) }
        for count in 0...bytes.count {
            let prefix = Array(bytes[..<count])
            #expect(StreamHash.fingerprint(of: prefix) == fingerprint(prefix, inPiecesOf: 9))
        }
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(fingerprint(other, inPiecesOf: 200) != whole)
        }
        // A word that makes a product zero does not end what stood before it.
        let zero: [UInt8] = [0x15, 0x7C, 0x4A, 0x7F, 0xB9, 0x79, 0x37, 0x9E]
        for place in stride(from: 8, to: 120, by: 8) {
            var (one, other) = ([UInt8](repeating: 1, count: 128), [UInt8](repeating: 1, count: 128))
            one.replaceSubrange(place..<(place + 8), with: zero)
            other.replaceSubrange(place..<(place + 8), with: zero)
            for index in one.indices where !(place..<(place + 8)).contains(index) {
                other[index] ^= 1
                #expect(StreamHash.fingerprint(of: one) != StreamHash.fingerprint(of: other), "\(place), \(index)")
                other[index] ^= 1
            }
        }
        #expect(fingerprint([0], inPiecesOf: 1) != fingerprint([0, 0], inPiecesOf: 1))
        #expect(StreamHash().value != fingerprint([0], inPiecesOf: 1))
    }
}
