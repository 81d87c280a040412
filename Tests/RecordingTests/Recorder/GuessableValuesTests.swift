// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Secrets that somebody could find out by trying have no digest: a request with one gets its own response, or a miss, and never another's.
@Suite(.supervised) struct GuessableValuesTests {
    typealias Call = KnownRequestsTests.Call

    private static let json = UpstreamField("Content-Type", "application/json")
    private static let form = UpstreamField("Content-Type", "application/x-www-form-urlencoded")
    private static let words = ["summer-2026", "winter-holiday", "geheim!"]
    private static let tokens = (0..<3).map { "zK\($0)7q7Rm2Vx9Tb4Wd8Lp3Hs0\($0)QmYr5Ew" }

    struct Kind: Sendable, CustomTestStringConvertible {
        var place: String
        /// Whether it shows the sender in a header line: who is not known is somebody else, and gets the response for everybody.
        var isOfSender = false
        var make: @Sendable (String) -> Call
        var testDescription: String { place }
    }

    private static let kinds: [Kind] = [
        Kind(place: "query:client_secret") { Call(target: "/a?client_secret=\($0)&n=1") },
        Kind(place: "query:api_key") { Call(target: "/a?n=1&api_key=\($0)") },
        Kind(place: "form:client_secret") { Call(method: "POST", fields: [form], body: "n=1&client_secret=\($0)") },
        Kind(place: "$.client_secret") {
            Call(method: "POST", fields: [json], body: #"{"n": 1, "client_secret": "\#($0)"}"#)
        },
        Kind(place: "$.list[*].api_key") {
            Call(method: "POST", fields: [json], body: #"{"list": [{"n": 1, "api_key": "\#($0)"}]}"#)
        },
        Kind(place: "header:x-api-key", isOfSender: true) { Call(fields: [UpstreamField("X-Api-Key", $0)]) },
        Kind(place: "header:authorization", isOfSender: true) {
            Call(fields: [UpstreamField("Authorization", "Bearer \($0)")])
        },
        Kind(place: "cookie:sid", isOfSender: true) {
            Call(fields: [UpstreamField("Cookie", "theme=dark; sid=\($0)")])
        },
    ]

    private static func calls(_ kind: Kind, _ values: [String]) -> [Call] {
        values.enumerated().map { index, value in
            var call = kind.make(value)
            call.answer = "{\"n\":\(index)}"
            return call
        }
    }

    /// The digests of all stubs, and what stands in their place.
    private func digests(_ directory: TemporaryDirectory, _ place: String) throws -> Set<String> {
        let nodes = try directory.visible().filter { $0.hasSuffix(".stub.json") }.flatMap { path in
            try JSONParser.parse(directory.bytes(path))["recorded"]?["sent"]?.array ?? []
        }
        let own = nodes.filter { $0["place"]?.string == place }.flatMap { $0["digests"]?.array ?? [] }
        return Set(own.compactMap(\.string).flatMap { $0.split(separator: " ").map(String.init) })
    }

    @Test(arguments: kinds)
    func `each of several such values is a miss that says why, and nothing of them is written`(kind: Kind) async throws
    {
        let calls = Self.calls(kind, Array(Self.words.prefix(2)))
        let directory = try TemporaryDirectory()
        let outcomes = try await Call.record(calls, into: directory)
        #expect(
            outcomes[1].notes.contains { ["could be guessed", "nothing but a secret"].contains(where: $0.contains) },
            "\(outcomes.map(\.notes))")
        #expect(try digests(directory, kind.place) == ["?"])
        try await Replay.of(directory) { replay in
            for call in calls + calls.reversed() + [kind.make(Self.words[2])] {
                let miss = try await Call.ask(replay, call)
                #expect(miss.hasPrefix("404 "), "\(miss)")
                #expect(miss.contains("several values of \(kind.place) that could be guessed"), "\(miss)")
                #expect(miss.contains("--vary") != kind.isOfSender, "\(miss)")
            }
            let answer = try await Call.ask(replay, kind.make("redacted.response.token"))
            #expect(answer.hasPrefix("200 "), "\(answer)")
        }
        let before = directory.snapshot()
        let again = try await Call.record(calls, into: directory)
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
    }

    @Test(arguments: kinds)
    func `the only such value gets its own response beside those with digests`(kind: Kind) async throws {
        let calls = Self.calls(kind, [Self.words[0]] + Self.tokens.prefix(2))
        let directory = try TemporaryDirectory()
        _ = try await Call.record(calls, into: directory)
        #expect(try digests(directory, kind.place).contains("-"))
        try await Replay.of(directory) { replay in
            for call in calls.reversed() + calls + calls {
                let answer = try await Call.ask(replay, call)
                #expect(answer == "200 \(call.answer)")
            }
            let unknown = try await Call.ask(replay, kind.make(Self.tokens[2]))
            #expect(unknown.hasPrefix(kind.isOfSender ? "200 " : "404 "), "\(unknown)")
        }
    }

    @Test(arguments: kinds)
    func `one recorded request has its response whatever the value is`(kind: Kind) async throws {
        let calls = Self.calls(kind, [Self.words[0]])
        let directory = try TemporaryDirectory()
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for value in [Self.words[0], Self.words[1], Self.tokens[0]] {
                let answer = try await Call.ask(replay, kind.make(value))
                #expect(answer == "200 \(calls[0].answer)")
            }
        }
    }

    @Test(arguments: kinds)
    func `the responses to one such value come in their order`(kind: Kind) async throws {
        let calls = Self.calls(kind, Array(repeating: Self.words[0], count: 3))
        let directory = try TemporaryDirectory()
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for call in calls + calls.suffix(1) {
                let answer = try await Call.ask(replay, call)
                #expect(answer == "200 \(call.answer)")
            }
        }
    }

    @Test(arguments: kinds)
    func `a value that was refused does not keep others from the response to the right one`(kind: Kind) async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        for (word, answer) in [(Self.words[0], Answer.status(401)), (Self.words[1], .json("1"))] {
            let call = kind.make(word)
            try await session.record(call.method, call.target, fields: call.fields, body: call.body, answer)
        }
        _ = await session.recorder.finish()
        try await Replay.of(directory) { replay in
            let answer = try await Call.ask(replay, kind.make(Self.words[2]))
            #expect(!answer.hasPrefix("404 "), "\(answer)")
        }
    }

    @Test(arguments: kinds.filter { !$0.isOfSender })
    func `a value that varies by the user's word is a step of a sequence`(kind: Kind) async throws {
        let calls = Self.calls(kind, Array(Self.words.prefix(2)))
        let directory = try TemporaryDirectory()
        _ = try await Call.record(calls, into: directory, vary: [kind.place])
        try await Replay.of(directory) { replay in
            for call in calls {
                let answer = try await Call.ask(replay, kind.make(Self.words[2]))
                #expect(answer.hasPrefix("200 "), "\(call.answer): \(answer)")
            }
        }
    }

    @Test func `a line of one request tells which of several such values it was`() async throws {
        let directory = try TemporaryDirectory()
        let calls = Self.words.enumerated().map { index, word in
            Call(
                target: "/a?client_secret=\(word)", fields: [UpstreamField("X-Request-Id", "r-\(index)-7f3a")],
                answer: "\(index)")
        }
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for call in calls.reversed() + calls {
                let answer = try await Call.ask(replay, call)
                #expect(answer == "200 \(call.answer)")
            }
        }
    }
}
