// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that differ in the time alone at which they were sent, and are answered otherwise.
@Suite(.supervised) struct ClientClockTests {
    /// 2026-11-20T10:00:00Z, which is the time of the sessions.
    private static let now = 1_795_168_800
    private static let json = UpstreamField("Content-Type", "application/json")

    /// The requests of three moments: method, target, header lines and content.
    private static func request(_ kind: String, _ time: Int) -> (String, String, [UpstreamField], String) {
        switch kind {
        case "JSON": ("POST", "/x", [json], #"{"foo": "bar", "timestamp": \#(time)}"#)
        case "query": ("GET", "/x?since=\(time)000", [], "")
        default: ("GET", "/x", [UpstreamField("X-Sent-At", "\(time)")], "")
        }
    }

    @Test(arguments: ["JSON", "query", "header"])
    func `they are a sequence, which is met at another time too`(kind: String) async throws {
        let directory = try TemporaryDirectory()
        // The time in a target or in a content would be data but for the user's word.
        let vary = ["JSON": "$.timestamp", "query": "query:since"][kind].map { [$0] } ?? []
        let session = try Session(directory) { $0.unsteady = UnsteadyValues(vary) ?? UnsteadyValues() }
        for number in 0..<3 {
            let (method, target, fields, body) = Self.request(kind, Self.now - 2 + number)
            let outcome = try await session.record(
                method, target, fields: fields, body: body, .json("\(number)"))
            #expect(outcome.files.first == (kind == "JSON" ? "x.POST.stub.json" : outcome.files.first))
            #expect(outcome.kind == (number == 0 ? .new : .changed), "\(outcome)")
        }
        _ = await session.recorder.finish()
        #expect(directory.snapshot().keys.count { $0.hasSuffix(".stub.json") } == 1)
        // The clock of the replay is another one: what was matched as present still is.
        try await Replay.of(directory) { replay in
            for number in 0..<3 {
                let (method, target, fields, body) = Self.request(kind, Self.now + 86400 + number)
                let text = try await replay.text(method, target, fields, body: body)
                #expect(text == "200 \(number)")
            }
        }
    }

    @Test func `a time that a response has told tells requests apart`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            try await session.record("GET", "/list", .json(#"{"next": \#(Self.now - 1), "last": \#(Self.now - 3)}"#))
            for number in [1, 3] {
                let body = #"{"before": \#(Self.now - number)}"#
                try await session.record("POST", "/x", fields: [Self.json], body: body, .json("\(number)"))
            }
        }
        try await Replay.of(directory) { replay in
            for number in [3, 1] {
                let body = #"{"before": \#(Self.now - number)}"#
                let text = try await replay.text("POST", "/x", [Self.json], body: body)
                #expect(text == "200 \(number)")
            }
        }
    }

    @Test func `what differs beside the clock tells requests apart`() async throws {
        let directory = try TemporaryDirectory()
        let bodies = [("a", 1), ("b", 2)].map { #"{"traceId": "0000000\#($0)1", "timestamp": \#(Self.now - $1)}"# }
        try await directory.inSession { session in
            for (number, body) in bodies.enumerated() {
                try await session.record("POST", "/x", fields: [Self.json], body: body, .json("\(number)"))
            }
        }
        try await Replay.of(directory) { replay in
            for (number, body) in bodies.enumerated().reversed() {
                let text = try await replay.text("POST", "/x", [Self.json], body: body)
                #expect(text == "200 \(number)")
            }
        }
    }
}
