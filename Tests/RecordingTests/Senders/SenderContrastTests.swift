// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that are answered by who sends them and by one more thing in them.
@Suite(.supervised) struct SenderContrastTests {
    struct Call: Sendable, Hashable {
        var name: String
        var colour: String

        var fields: [UpstreamField] {
            let credentials = Base64.text(of: Array("\(name):pw-\(name)-1".utf8))
            return [UpstreamField("Authorization", "Basic \(credentials)"), UpstreamField("X-Colour", colour)]
        }
    }

    private static let calls = ["ann", "bob", "cid"].flatMap { name in
        ["red", "green", "blue"].map { Call(name: name, colour: $0) }
    }

    private func record(_ calls: [Call], into directory: TemporaryDirectory) async throws -> [RecordingOutcome] {
        try await directory.inSession { session in
            var outcomes: [RecordingOutcome] = []
            for call in calls {
                outcomes.append(
                    try await session.record(
                        "GET", "/a", fields: call.fields, .json("\"\(call.name) \(call.colour)\"")))
            }
            return outcomes
        }
    }

    /// Orders of all calls, the same in each run.
    private static let orders: [[Call]] = (0..<12).map { seed in
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        var rest = calls
        var order: [Call] = []
        while !rest.isEmpty {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            order.append(rest.remove(at: Int(state % UInt64(rest.count))))
        }
        return order
    }

    @Test(arguments: orders.indices)
    func `each sender gets the response to each of its requests, whatever came first`(seed: Int) async throws {
        let order = Self.orders[seed]
        let directory = try TemporaryDirectory()
        let outcomes = try await record(order + order, into: directory)
        let stubs = directory.visible().filter { $0.hasSuffix(".stub.json") }.map { directory.text($0) }
        #expect(stubs.count == 9, "\(order.map { "\($0.name) \($0.colour)" }) \(outcomes.map(\.notes))")
        try await Replay.of(directory) { replay in
            for call in order.reversed() + Self.calls {
                let text = try await replay.text("GET", "/a", call.fields)
                #expect(text == "200 \"\(call.name) \(call.colour)\"", "\(order) \(stubs.joined())")
            }
        }
    }

    @Test func `stubs of two senders stay apart when the requests of one differ in something else`() async throws {
        let keys = ["zK7q7Rm2Vx9Tb4Wd8Lp3Hs01", "Qm4n8Bv2Xc6Zt0Yr5Ew9Ju37"]
        let calls = [(1, "red", "round"), (0, "blue", "round"), (1, "blue", "round"), (0, "blue", "square")].map {
            sender, colour, shape in
            (
                fields: [
                    UpstreamField("X-Api-Key", keys[sender]), UpstreamField("X-Colour", colour),
                    UpstreamField("X-Shape", shape),
                ], answer: "\"\(sender) \(colour) \(shape)\""
            )
        }
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for call in calls { try await session.record("GET", "/a", fields: call.fields, .json(call.answer)) }
        }
        try await Replay.of(directory) { replay in
            for call in calls + calls.reversed() {
                let text = try await replay.text("GET", "/a", call.fields)
                #expect(text == "200 \(call.answer)")
            }
        }
    }

    @Test func `what one sender sends once more is a step, and another's stays`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            for (name, answer) in [("ann", "1"), ("bob", "2"), ("ann", "3")] {
                let call = Call(name: name, colour: "red")
                try await session.record("GET", "/a", fields: call.fields, .json(answer))
            }
        }
        try await Replay.of(directory) { replay in
            for (name, answer) in [("bob", "2"), ("ann", "1"), ("ann", "3"), ("bob", "2")] {
                let text = try await replay.text("GET", "/a", Call(name: name, colour: "red").fields)
                #expect(text == "200 \(answer)")
            }
        }
    }
}
