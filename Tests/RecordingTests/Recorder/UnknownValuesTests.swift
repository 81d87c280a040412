// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Values of a target or a content by which recorded requests were told apart though no stub may ask for them.
@Suite(.supervised) struct UnknownValuesTests {
    typealias Call = KnownRequestsTests.Call

    /// 2026-11-20T10:00:00Z, which is the time of the sessions.
    private static let now = 1_795_168_800
    private static let json = UpstreamField("Content-Type", "application/json")
    private static let form = UpstreamField("Content-Type", "application/x-www-form-urlencoded")
    private static let tokens = (0..<4).map { "zK\($0)7q7Rm2Vx9Tb4Wd8Lp3Hs0\($0)QmYr5Ew" }
    private static let times = (0..<4).map { "\(now - 3 + $0)" }

    /// A place, four values of it, and a request with one of them.
    struct Kind: Sendable, CustomTestStringConvertible {
        var place: String
        var values = tokens
        /// Whether `--select` takes it.
        var selects = false
        var make: @Sendable (String) -> Call
        var testDescription: String { place }
    }

    private static let kinds: [Kind] = [
        Kind(place: "query:since", values: times, selects: true) { Call(target: "/a?since=\($0)000&n=1") },
        Kind(place: "$.sent", values: times, selects: true) {
            Call(method: "POST", fields: [json], body: #"{"n": 1, "sent": \#($0)}"#)
        },
        Kind(place: "form:at", values: times, selects: true) {
            Call(method: "POST", fields: [form], body: "n=1&at=\($0)")
        },
        Kind(place: "query:sig") { Call(target: "/a?n=1&sig=\($0)") },
        Kind(place: "form:client_secret") { Call(method: "POST", fields: [form], body: "n=1&client_secret=\($0)") },
        Kind(place: "$.deep.client_secret") {
            Call(method: "POST", fields: [json], body: #"{"n": 1, "deep": {"client_secret": "\#($0)"}}"#)
        },
        Kind(place: "$.list[*].client_secret") {
            Call(method: "POST", fields: [json], body: #"{"list": [{"n": 1, "client_secret": "\#($0)"}]}"#)
        },
        Kind(place: "path") { Call(target: "/hooks/token/\($0)/x") },
    ]

    private static func calls(_ kind: Kind, _ values: some Sequence<String>) -> [Call] {
        values.enumerated().map { index, value in
            var call = kind.make(value)
            call.answer = "{\"n\":\(index)}"
            return call
        }
    }

    @Test func `an unknown value gets the next response, and one that could be guessed one of those without a digest`()
        async throws
    {
        func call(_ value: String, _ answer: String = "") -> Call {
            Call(fields: [UpstreamField("Cookie", "edgebucket=\(value)")], answer: "\"\(answer)\"")
        }
        let directory = try TemporaryDirectory()
        let calls = ["apdZtlwgY7Rnsa8SAK", "summer-holiday", "89EIZgeIse1j27WzGt"].enumerated().map {
            call($1, "\($0)")
        }
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for (value, step) in [
                ("rIw7KETkj10nmZSCwG", "0"), ("winter-holiday", "1"), ("Bi7xQMghAC9SFJlA2b", "1"),
                ("VG7pkLRioIyOfQ7dNL", "2"),
            ] {
                let answer = try await Call.ask(replay, call(value))
                #expect(answer == "200 \"\(step)\"")
            }
        }
    }

    /// The last request has the response of one whose value has a digest.
    @Test func `values that could be guessed get their responses in the order of recording`() async throws {
        let values = [
            ("summer-holiday", 0), ("apdZtlwgY7Rnsa8SAK", 1), ("89EIZgeIse1j27WzGt", 2), ("winter-holiday", 2),
        ]
        let directory = try TemporaryDirectory()
        let calls = values.map { value, answer in
            Call(fields: [UpstreamField("Cookie", "edgebucket=\(value)")], answer: "\"\(answer)\"")
        }
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for call in calls {
                let answer = try await Call.ask(replay, call)
                #expect(answer == "200 \(call.answer)")
            }
        }
    }

    @Test(arguments: kinds)
    func `an unknown value is a miss that names the place and the options that settle it`(kind: Kind) async throws {
        let calls = Self.calls(kind, kind.values.prefix(3))
        let directory = try TemporaryDirectory()
        let outcomes = try await Call.record(calls, into: directory)
        let vary = "--vary \(kind.place.contains("$") ? "'\(kind.place)'" : kind.place)"
        #expect(outcomes[1].notes.contains { $0.contains(vary) }, "\(outcomes.map(\.notes))")
        let unknown = kind.make(kind.values[3])
        try await Replay.of(directory) { replay in
            for call in calls.reversed() + calls {
                let answer = try await Call.ask(replay, call)
                #expect(answer == "200 \(call.answer)")
            }
            let miss = try await Call.ask(replay, unknown)
            #expect(miss.hasPrefix("404 "), "\(miss)")
            #expect(miss.contains("recorded with other values of \(kind.place)"), "\(miss)")
            #expect(miss.contains("record again with \(vary)"), "\(miss)")
            #expect(
                miss.contains("record this request, too, with --select") == kind.selects, "\(miss)")
            // A client that has the value from a served response.
            if !kind.selects {
                let answer = try await Call.ask(replay, kind.make("redacted.response.token"))
                #expect(answer.hasPrefix("200 "), "\(answer)")
            }
        }
        let before = directory.snapshot()
        let again = try await Call.record(calls, into: directory)
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
    }

    @Test(arguments: kinds, [true, false])
    func `a value that varies by the user's word is a step of a sequence, for later recordings too`(
        kind: Kind, isLate: Bool
    ) async throws {
        let calls = Self.calls(kind, kind.values.prefix(3))
        let directory = try TemporaryDirectory()
        if isLate { _ = try await Call.record(calls, into: directory) }
        _ = try await Call.record(calls, into: directory, vary: [kind.place])
        let later = Self.calls(kind, repeatElement(kind.values[3], count: 3))
        for _ in 0..<2 {
            try await Replay.of(directory) { replay in
                for call in later {
                    let answer = try await Call.ask(replay, call)
                    #expect(answer == "200 \(call.answer)")
                }
            }
            let before = directory.snapshot()
            let again = try await Call.record(later, into: directory)
            #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
            #expect(directory.snapshot() == before)
        }
    }

    @Test func `a clock whose times got the same response is a step of a sequence`() async throws {
        let directory = try TemporaryDirectory()
        let kind = Self.kinds[0]
        var calls = Self.calls(kind, Self.times)
        for (index, answer) in ["\"waiting\"", "\"waiting\"", "\"waiting\"", "\"done\""].enumerated() {
            calls[index].answer = answer
        }
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for (index, call) in calls.enumerated() {
                let answer = try await Call.ask(replay, kind.make("\(Self.now + 86_400 + index)"))
                #expect(answer == "200 \(call.answer)")
            }
        }
    }

    @Test func `an unknown key gets the response of the right one beside that to a wrong one`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let target = { (key: String) in "/a?api_key=\(key)" }
        try await session.record("GET", target(Self.tokens[0]), .status(401))
        try await session.record("GET", target(Self.tokens[1]), .json("1"))
        _ = await session.recorder.finish()
        try await Replay.of(directory) { replay in
            let answers = [
                try await replay.text("GET", target("mine-0123456789")), try await replay.text("GET", target("test")),
            ]
            #expect(answers == ["200 1", "200 1"])
        }
    }

    @Test func `a place where a recorded secret could be guessed decides nothing`() async throws {
        let directory = try TemporaryDirectory()
        let kind = Kind(place: "query:api_key") { Call(target: "/a?api_key=\($0)") }
        let calls = Self.calls(kind, ["test", Self.tokens[0]])
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for value in ["test", Self.tokens[0], "mine-0123456789"] {
                let answer = try await Call.ask(replay, kind.make(value))
                #expect(answer.hasPrefix("200 "), "\(value): \(answer)")
            }
        }
    }

    @Test func `a code that is exchanged for an account is another each time`() async throws {
        let directory = try TemporaryDirectory()
        let kind = Kind(place: "form:refresh_token") {
            Call(method: "POST", target: "/token", fields: [Self.form], body: "n=1&refresh_token=\($0)")
        }
        let calls = Self.calls(kind, Self.tokens.prefix(2))
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for call in calls {
                let answer = try await Call.ask(replay, kind.make(Self.tokens[3]))
                #expect(answer == "200 \(call.answer)")
            }
        }
    }

    @Test func `polls that are byte for byte the same are replayed as often, beside those of another trace`()
        async throws
    {
        func call(_ trace: String, _ answer: String) -> Call {
            Call(fields: [UpstreamField("X-Request-Id", "trace-\(trace)-7f3a")], answer: "\"\(answer)\"")
        }
        let calls =
            ["waiting", "waiting", "waiting", "waiting"].map { call("a", $0) } + [
                call("b", "other"), call("a", "done"),
            ]
        let directory = try TemporaryDirectory()
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for call in [calls[4]] + calls[..<4] + [calls[5], calls[4]] {
                let answer = try await Call.ask(replay, call)
                #expect(answer == "200 \(call.answer)")
            }
        }
    }

    @Test(arguments: ["query", "form", "JSON"])
    func `the raw token of a page gets its own response, and an unknown one is a miss`(kind: String) async throws {
        func page(_ token: String) -> Call {
            switch kind {
            case "query": Call(target: "/list?key=\(token)")
            case "form": Call(method: "POST", target: "/list", fields: [Self.form], body: "page_secret=\(token)")
            default: Call(method: "POST", target: "/list", fields: [Self.json], body: #"{"page_secret": "\#(token)"}"#)
            }
        }
        var calls = [Call(target: "/list")] + Self.tokens.prefix(3).map(page)
        for index in calls.indices {
            let next = index < 3 ? "\"\(Self.tokens[index])\"" : "null"
            calls[index].answer = "{\"page\":\(index),\"page_secret\":\(next)}"
        }
        let directory = try TemporaryDirectory()
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for index in [2, 0, 3, 1, 2, 2] {
                let answer = try await Call.ask(replay, calls[index])
                #expect(answer.hasPrefix("200 {\"page\":\(index),"), "\(answer)")
            }
            let miss = try await Call.ask(replay, page(Self.tokens[3]))
            #expect(miss.hasPrefix("404 "), "\(miss)")
        }
        for (path, bytes) in directory.snapshot() {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!Self.tokens.contains(where: text.contains), "\(path)")
        }
    }
}
