// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What differs from answer to answer and is told once, or never.
@Suite(.supervised) struct QuietRecordingTests {
    private func marks(_ directory: TemporaryDirectory, _ path: String = "a.stub.json") throws -> [String] {
        let node = try JSONParser.parse(directory.bytes(path))
        return (node["recorded"]?["volatile"]?.array ?? []).map {
            String(decoding: JSONWriter.compact($0), as: UTF8.self)
        }
    }

    private static let writings = [#"{"a": 1, "b": "é"}"#, #"{"b":"é","a":1}"#, #"{"a":1,"b":"\u00e9"}"#]

    @Test func `JSON that is written otherwise is told once and is quiet from then on`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json(Self.writings[0]))
        let outcome = try await directory.record("GET", "/a", .json(Self.writings[1]))
        #expect(outcome.kind == .changed)
        #expect(outcome.notes == ["volatile: white space, escapes and order of members"])
        #expect(directory.text("a.json") == Self.writings[0])
        #expect(try marks(directory) == [#"{"path":"$","kind":"text"}"#])
        let before = directory.snapshot()
        for writing in Self.writings + Self.writings {
            #expect(try await directory.record("GET", "/a", .json(writing)).kind == .unchanged)
        }
        #expect(directory.snapshot() == before)
        let other = try await directory.record("GET", "/a", .json(#"{"b":"é","a":2}"#))
        #expect(other.notes == ["1 value changed (a)"])
        #expect(directory.text("a.json") == #"{"b":"é","a":2}"#)
    }

    @Test func `samples show how JSON is written, and which header lines differ`() async throws {
        let directory = try TemporaryDirectory()
        func answer(_ writing: Int, _ id: Int) -> Answer {
            .json(
                Self.writings[writing], UpstreamField("X-Node", "n\(id)"), UpstreamField("Link", "</\(id)>; rel=next"),
                UpstreamField("X-Same", "1"))
        }
        let outcome = try await directory.record("GET", "/a", answer(0, 1), samples: [answer(1, 2)])
        #expect(outcome.kind == .new)
        #expect(
            try marks(directory) == [#"{"header":"X-Node"}"#, #"{"header":"Link"}"#, #"{"path":"$","kind":"text"}"#])
        let before = directory.snapshot()
        #expect(try await directory.record("GET", "/a", answer(2, 3)).kind == .unchanged)
        #expect(directory.snapshot() == before)
        let without = try await directory.record("GET", "/a", .json(Self.writings[0], UpstreamField("X-Same", "2")))
        #expect(without.notes == ["X-Node removed", "Link removed", "X-Same changed"])
    }

    @Test func `what is volatile by the user's word is not a change, without samples`() async throws {
        let directory = try TemporaryDirectory()
        func record(_ number: Int) async throws -> RecordingOutcome {
            let session = try Session(directory) {
                $0.volatile =
                    VolatileRules(["$.meta.generated_at", "$.items[*].n", "$..updated_at", "header:location", "$.none"])
                    ?? VolatileRules()
            }
            var answer = Answer.json(
                #"{"meta":{"generated_at":"2026-11-20T10:00:0\#(number)Z"},"items":[{"n":\#(number),"updated_at":"x\#(number)"}]}"#,
                UpstreamField("Location", "/items/\(number)"))
            answer.status = 201
            let outcome = try await session.record("POST", "/a", answer)
            _ = await session.recorder.finish()
            return outcome
        }
        #expect(try await record(1).kind == .new)
        #expect(
            try marks(directory, "a.POST.stub.json") == [
                #"{"header":"Location"}"#, #"{"path":"$.items[*].n","kind":"value"}"#,
                #"{"path":"$.items[*].updated_at","kind":"value"}"#,
                #"{"path":"$.meta.generated_at","kind":"timestamp"}"#,
            ])
        let before = directory.snapshot()
        #expect(try await record(2).kind == .unchanged)
        #expect(directory.snapshot() == before)
    }

    @Test func `another boundary of the same parts is not a change`() async throws {
        let directory = try TemporaryDirectory()
        func answer(_ boundary: String, _ text: String) -> Answer {
            Answer(
                fields: [UpstreamField("Content-Type", "multipart/mixed; boundary=\(boundary)")],
                body: Array("--\(boundary)\r\nContent-Type: text/plain\r\n\r\n\(text)\r\n--\(boundary)--\r\n".utf8))
        }
        try await directory.record("GET", "/a", answer("x1", "one"))
        #expect(try await directory.record("GET", "/a", answer("y2", "one")).kind == .unchanged)
        #expect(try await directory.record("GET", "/a", answer("z3", "two")).kind == .changed)
    }

    @Test(arguments: [
        "X-Envoy-Upstream-Service-Time", "X-Kong-Upstream-Latency", "X-Ms-Correlation-Request-Id", "X-Amz-Apigw-Id",
        "Akamai-Request-Id",
    ])
    func `lines of one request are not kept`(name: String) async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1", UpstreamField(name, "17")))
        #expect(!directory.text("a.stub.json").contains(name))
        #expect(try await directory.record("GET", "/a", .json("1", UpstreamField(name, "18"))).kind == .unchanged)
    }
}
