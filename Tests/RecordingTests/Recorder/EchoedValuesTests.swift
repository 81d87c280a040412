// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Values of a request that vary and come back in the response.
@Suite(.supervised) struct EchoedValuesTests {
    private static let json = [UpstreamField("Content-Type", "application/json")]

    private func call(_ id: String, _ method: String = "sum") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"#
    }

    private func answer(_ id: String, _ result: String = "7") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"result":\#(result)}"#
    }

    @Test func `the id of JSON-RPC comes back with the type that it has in the request`() async throws {
        let directory = try TemporaryDirectory()
        func record() async throws -> [RecordingOutcome] {
            let session = try Session(directory) { $0.unsteady = UnsteadyValues(["$.id"]) ?? UnsteadyValues() }
            var outcomes: [RecordingOutcome] = []
            for id in ["7", "8", "9"] {
                outcomes.append(
                    try await session.record(
                        "POST", "/rpc", fields: Self.json, body: call(id), .json(answer(id, "7"))))
            }
            outcomes.append(
                try await session.record(
                    "POST", "/rpc", fields: Self.json, body: call("9", "list"), .json(answer("9", "[]"))))
            _ = await session.recorder.finish()
            return outcomes
        }
        let outcomes = try await record()
        #expect(outcomes.map(\.kind) == [.new, .unchanged, .unchanged, .new])
        #expect(outcomes[0].notes == ["$.id of the response is of the request, and a template of it"])
        #expect(directory.visible() == ["rpc.POST.list.stub.json", "rpc.POST.sum.stub.json"])
        let response = try JSONParser.parse(directory.bytes("rpc.POST.sum.stub.json"))["response"]
        #expect(response?["jsonBody"]?["id"]?.string == "{{jsonPath request.body '$.id'}}")
        try await Replay.of(directory) { replay in
            for id in ["12", "\"abc\"", "7"] {
                let sum = try await replay.text("POST", "/rpc", Self.json, body: call(id))
                // What matches is of the type that was recorded.
                #expect(sum == (id == "\"abc\"" ? sum : "200 \(answer(id))"))
                #expect(sum.hasPrefix(id == "\"abc\"" ? "404" : "200"))
            }
            let list = try await replay.text("POST", "/rpc", Self.json, body: call("3", "list"))
            #expect(list == "200 \(answer("3", "[]"))")
        }
        let before = directory.snapshot()
        #expect(try await record().allSatisfy { $0.kind == .unchanged })
        #expect(directory.snapshot() == before)
    }

    @Test func `a redirect leads back with the state that the request has`() async throws {
        let directory = try TemporaryDirectory()
        func record(_ states: [String]) async throws -> [RecordingOutcome.Kind] {
            try await directory.inSession { session in
                var kinds: [RecordingOutcome.Kind] = []
                for state in states {
                    kinds.append(
                        try await session.record(
                            "GET", "/authorize?client_id=app&response_type=code&state=\(state)",
                            .status(302, UpstreamField("Location", "https://app.test/back?code=1&state=\(state)#top"))
                        ).kind)
                }
                return kinds
            }
        }
        #expect(try await record(["a1b2c3d4e5f6", "q9w8e7r6t5"]) == [.new, .unchanged])
        let before = directory.snapshot()
        #expect(try await record(["z1x2c3v4b5"]) == [.unchanged])
        #expect(directory.snapshot() == before)
        try await Replay.of(directory) { replay in
            let answer = try await replay.answer(
                "GET", "/authorize?client_id=app&response_type=code&state=n%20e%2Bw%26")
            #expect(answer.status == 302)
            #expect(answer["Location"] == "https://app.test/back?code=1&state=n+e%2Bw%26#top")
        }
    }

    @Test func `an id that varies by its name comes back, and what looks like a template stays as it is`() async throws
    {
        let directory = try TemporaryDirectory()
        func body(_ id: String) -> String { #"{"clientMutationId":"\#(id)","name":"x"}"# }
        try await directory.inSession { session in
            for id in ["a1b2c3d4e5", "f1e2d3c4b5"] {
                try await session.record(
                    "POST", "/mutate", fields: Self.json, body: body(id),
                    .json(#"{"data":{"add":{"clientMutationId":"\#(id)"}}}"#))
            }
            try await session.record(
                "POST", "/text", fields: Self.json, body: body("a1b2c3d4e5"),
                .json(#"{"clientMutationId":"a1b2c3d4e5","text":"{{name}}"}"#))
        }
        try await Replay.of(directory) { replay in
            let text = try await replay.text("POST", "/mutate", Self.json, body: body("0123456789ab"))
            #expect(text == #"200 {"data":{"add":{"clientMutationId":"0123456789ab"}}}"#)
            let other = try await replay.text("POST", "/text", Self.json, body: body("a1b2c3d4e5"))
            #expect(other == #"200 {"clientMutationId":"a1b2c3d4e5","text":"{{name}}"}"#)
        }
    }
}
