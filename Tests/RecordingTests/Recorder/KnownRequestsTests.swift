// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Requests that differ where no stub may ask: in a secret, in a line of one request, in the time of a clock.
@Suite(.supervised) struct KnownRequestsTests {
    struct Call: Sendable {
        var method = "GET"
        var target = "/a"
        var fields: [UpstreamField] = []
        var body = ""
        var answer = ""
    }

    private static let secrets = ["zK7q7Rm2Vx9Tb4Wd8Lp3Hs01", "Qm4n8Bv2Xc6Zt0Yr5Ew9Ju37", "h5Gd1Sa7Kl3Pf9Mw2Nb6Vr48"]
    private static let json = UpstreamField("Content-Type", "application/json")

    /// What differs, and a request with a value of it.
    struct Kind: Sendable, CustomTestStringConvertible {
        var name: String
        var values = secrets
        var make: @Sendable (String) -> Call
        var testDescription: String { name }
    }

    private static let kinds: [Kind] = [
        Kind(name: "a token") { Call(fields: [UpstreamField("Authorization", "Bearer \($0)")]) },
        Kind(name: "a key") { Call(fields: [UpstreamField("X-Api-Key", $0)]) },
        Kind(name: "a key in the query") { Call(target: "/a?api_key=\($0)&n=1") },
        Kind(name: "the cookie of a session") { Call(fields: [UpstreamField("Cookie", "theme=dark; sid=\($0)")]) },
        Kind(name: "a secret in JSON") {
            Call(method: "PUT", fields: [json], body: #"{"n":1,"client_secret":"\#($0)"}"#)
        },
        Kind(name: "a signature") {
            Call(fields: [UpstreamField("Authorization", "AWS4-HMAC-SHA256 Credential=AK/x, Signature=\($0)")])
        },
        Kind(
            name: "the scheme of credentials that could be guessed",
            values: ["Basic YW5uOm9uZQ==", "Digest x", "Bearer x"]
        ) {
            Call(fields: [UpstreamField("Authorization", $0)])
        },
        Kind(
            name: "words with a number",
            values: ["First", "Second", "Third"].map { "Test\($0)accountforconfluentreturnsOKresponse1688395120" }
        ) {
            Call(method: "POST", fields: [json], body: #"{"n":1,"api_key":"\#($0)"}"#)
        },
        Kind(
            name: "a cookie of letters alone",
            values: ["JyMouCGLUUdxiIOUkv", "apdZtlwgY7Rnsa8SAK", "DBSfIKTSxqtSjMvcmt"]
        ) {
            Call(fields: [UpstreamField("Cookie", "edgebucket=\($0)")])
        },
        Kind(
            name: "a cookie that could be guessed among others",
            values: ["apdZtlwgY7Rnsa8SAK", "summer-holiday", "89EIZgeIse1j27WzGt"]
        ) {
            Call(fields: [UpstreamField("Cookie", "edgebucket=\($0)")])
        },
        Kind(name: "the id of a trace", values: ["01", "02", "03"]) {
            Call(fields: [UpstreamField("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e47\($0)-00f067aa0ba902b7-01")])
        },
        Kind(name: "a date", values: ["1", "2", "3"]) {
            Call(fields: [UpstreamField("X-Amz-Date", "20261120T10000\($0)Z")])
        },
        Kind(name: "the time of a clock", values: ["1", "2", "3"]) { Call(target: "/a?ts=179516880\($0)123") },
    ]

    @Test(arguments: kinds)
    func `a known value gets its own response in any order, and its digest says nothing of it`(kind: Kind) async throws
    {
        let calls = kind.values.enumerated().map { index, value in
            var call = kind.make(value)
            call.answer = "{\"n\":\(index)}"
            return call
        }
        let directory = try TemporaryDirectory()
        let outcomes = try await Call.record(calls, into: directory)
        #expect(outcomes.filter { $0.kind == .refused }.map(\.notes) == [])
        for order in [calls, calls.reversed(), [calls[1], calls[1], calls[0], calls[2], calls[1]]] {
            try await Replay.of(directory) { replay in
                for call in order {
                    let answer = try await Call.ask(replay, call)
                    #expect(answer == "200 \(call.answer)")
                }
            }
        }
        for (path, bytes) in directory.snapshot() where kind.values == Self.secrets {
            let text = String(decoding: bytes, as: UTF8.self)
            for secret in Self.secrets {
                #expect(
                    !text.contains(secret) && !text.contains(SHA256.text(of: Array(secret.utf8)).prefix(12)), "\(path)")
            }
        }
        let before = directory.snapshot()
        let again = try await Call.record(calls, into: directory)
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
    }

    /// Ids that do not look like secrets, until a request authenticates with them.
    private static let ids = ["cus_9s6XKzkNRiz8i3Qw1Tm5", "cus_4mV7TbJpWc2y6Lg8DHz3", "cus_1aH5RfNqXe3u9Ks7BVy6"]

    @Test(arguments: [
        Kind(name: "a member", values: ids) { Call(method: "POST", fields: [json], body: #"{"n":1,"name":"\#($0)"}"#) },
        Kind(name: "a parameter", values: ids) { Call(target: "/a?n=1&name=\($0)") },
        Kind(name: "a line", values: ids) { Call(fields: [UpstreamField("Accept", "x/\($0)")]) },
    ])
    func `a secret that is learnt later leaves each request its own response`(kind: Kind) async throws {
        let calls = kind.values.enumerated().map { index, value in
            var call = kind.make(value)
            call.answer = "{\"n\":\(index)}"
            return call
        }
        let revealing = kind.values.enumerated().map { index, value in
            Call(
                target: "/me", fields: [UpstreamField("Authorization", "Bearer \(value)")], answer: "{\"me\":\(index)}")
        }
        let directory = try TemporaryDirectory()
        let outcomes = try await Call.record(calls + revealing, into: directory)
        #expect(outcomes.filter { $0.kind == .refused }.map(\.notes) == [])
        for (path, bytes) in directory.snapshot() {
            let text = String(decoding: bytes, as: UTF8.self)
            for id in Self.ids { #expect(!text.contains(id), "\(path)") }
        }
        for order in [calls, calls.reversed(), [calls[1], calls[1], calls[0], calls[2], calls[1]]] {
            try await Replay.of(directory) { replay in
                for call in order + revealing {
                    let answer = try await Call.ask(replay, call)
                    #expect(answer == "200 \(call.answer)")
                }
            }
        }
        #expect(try Self.findings(directory) == [])
    }

    @Test func `an unknown line of one request gets the next response in order, and so does a later recording`()
        async throws
    {
        func call(_ trace: Int, _ state: String) -> Call {
            Call(fields: [UpstreamField("X-Request-Id", "r-\(trace)")], answer: "\"\(state)\"")
        }
        let states = ["queued", "running", "running", "done"]
        let directory = try TemporaryDirectory()
        _ = try await Call.record(states.enumerated().map { call($0, $1) }, into: directory)
        try await Replay.of(directory) { replay in
            for (number, state) in (states + ["done"]).enumerated() {
                let answer = try await Call.ask(replay, call(100 + number, state))
                #expect(answer == "200 \"\(state)\"")
            }
            for number in states.indices.reversed() {
                let answer = try await Call.ask(replay, call(number, ""))
                #expect(answer == "200 \"\(states[number])\"")
            }
        }
        let before = directory.snapshot()
        let again = try await Call.record(states.enumerated().map { call(500 + $0, $1) }, into: directory)
        #expect(again.filter { $0.kind != .unchanged }.map { "\($0.files) \($0.notes)" } == [])
        #expect(directory.snapshot() == before)
    }

    @Test func `of a secret that could be guessed nothing is written`() async throws {
        let directory = try TemporaryDirectory()
        let words = ["geheim!", "summer-2026", "hunter2", "summer-2026-holiday", "acme-production-2024-key"]
        let calls = words.flatMap { word in
            [
                Call(fields: [UpstreamField("X-Api-Key", word)], answer: "\"\(word.utf8.count)\""),
                Call(
                    method: "POST", target: "/login",
                    fields: [
                        Self.json, UpstreamField("Content-MD5", Base64.text(of: Array("digest of \(word)".utf8))),
                    ],
                    body: #"{"password":"\#(word)"}"#,
                    answer: "\"\(word.utf8.count)\""),
                Call(
                    target: "/basic",
                    fields: [UpstreamField("Authorization", "Basic \(Base64.text(of: Array("ann:\(word)".utf8)))")],
                    answer: "\"\(word.utf8.count)\""),
            ]
        }
        _ = try await Call.record(calls, into: directory)
        let digests = try directory.visible().filter { $0.hasSuffix(".stub.json") }.flatMap { path in
            try JSONParser.parse(directory.bytes(path))["recorded"]?["sent"]?.array ?? []
        }.flatMap { $0["digests"]?.array ?? [] }.compactMap(\.string)
        #expect(Set(digests) == ["?"])
    }

    @Test func `a stub whose scenario is in another state is not served to a request that it knows`() async throws {
        let directory = try TemporaryDirectory()
        let calls = Self.secrets.enumerated().map { index, secret in
            Call(fields: [UpstreamField("X-Api-Key", secret)], answer: "\"\(index)\"")
        }
        _ = try await Call.record(calls, into: directory)
        let stubs = directory.visible().filter { $0.hasSuffix(".stub.json") }
        #expect(!stubs.isEmpty)
        for path in stubs {
            let scenario = #"{"scenarioName": "door", "requiredScenarioState": "open","#
            try directory.write(path, scenario + directory.text(path).dropFirst())
        }
        try directory.write(
            "open.stub.json",
            #"{"scenarioName": "door", "newScenarioState": "open", "request": {"method": "PUT", "urlPath": "/open"}, "response": {"status": 204}}"#
        )
        try await Replay.of(directory) { replay in
            for call in calls {
                let answer = try await Call.ask(replay, call)
                #expect(answer.hasPrefix("404 "), "\(answer)")
            }
        }
    }

    @Test func `polls that get the same response until another are replayed as often`() async throws {
        let directory = try TemporaryDirectory()
        let calls = ["waiting", "waiting", "waiting", "done"].enumerated().map { index, answer in
            Call(
                fields: [
                    UpstreamField("X-Api-Key", Self.secrets[0]), UpstreamField("X-Request-Id", "request-\(index)-7f3a"),
                ],
                answer: "\"\(answer)\"")
        }
        _ = try await Call.record(calls, into: directory)
        try await Replay.of(directory) { replay in
            for (index, call) in calls.enumerated() {
                let again = Call(
                    fields: [call.fields[0], UpstreamField("X-Request-Id", "again-\(index)-9c2b")], answer: call.answer)
                let answer = try await Call.ask(replay, again)
                #expect(answer == "200 \(call.answer)")
            }
        }
    }

    @Test func `a sequence keeps its steps when another request is told from it`() async throws {
        func call(_ colour: String, _ answer: String) -> Call {
            Call(fields: [UpstreamField("X-Colour", colour)], answer: "\"\(answer)\"")
        }
        let directory = try TemporaryDirectory()
        let calls = [call("red", "1"), call("red", "2"), call("blue", "3"), call("red", "4"), call("blue", "5")]
        _ = try await Call.record(calls, into: directory)
        for order in [[0, 1, 3, 3, 2, 4, 4], [2, 0, 4, 1, 4, 3, 3]] {
            try await Replay.of(directory) { replay in
                for index in order {
                    let answer = try await Call.ask(replay, calls[index])
                    #expect(answer == "200 \(calls[index].answer)")
                }
            }
        }
        #expect(directory.visible().count == 7, "\(directory.visible())")
    }

    @Test func `a stub that does not say which request got which response is told, and mended when its requests come`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let calls = Self.secrets.enumerated().map { index, secret in
            Call(method: "PUT", fields: [Self.json], body: #"{"client_secret":"\#(secret)"}"#, answer: "\"\(index)\"")
        }
        _ = try await Call.record(calls, into: directory)
        let path = try #require(directory.visible().first { $0.hasSuffix(".stub.json") })
        let recorded = directory.text(path)
        let sent = try #require(recorded.firstRange(of: "    \"sent\": ["), "\(recorded)")
        let end = try #require(recorded.firstRange(of: "    \"at\":"))
        let old = String(recorded[..<sent.lowerBound] + recorded[end.lowerBound...])
        try directory.write(path, old)
        #expect(
            try Self.findings(directory).map { $0.contains("answers a sequence whatever a value that it takes is") }
                == [true])
        let outcomes = try await Call.record(calls, into: directory)
        #expect(
            outcomes.filter { $0.kind != .unchanged }.map(\.notes)
                == [["knows from now on which request got which of its responses"]])
        #expect(directory.text(path) == recorded)
        #expect(try Self.findings(directory) == [])
    }

    private static func findings(_ directory: TemporaryDirectory) throws -> [String] {
        let loaded = try LoadedFixtures(path: directory.path, wireMock: false)
        return (loaded.findings + SharedStubs.findings(in: loaded.set)).map(\.description)
    }

    @Test(arguments: ["ssh-rsa", "ssh-ed25519", "ecdsa-sha2-nistp256"])
    func `the line of a public key is no secret, in a form, in JSON and in a part`(type: String) async throws {
        let name = Array(type.utf8)
        let blob = [0, 0, 0, UInt8(name.count)] + name + (0..<180).map { UInt8(truncatingIfNeeded: $0 &* 73 &+ 41) }
        let line = "\(type) \(Base64.text(of: blob)) ann@example.com"
        let escaped = line.utf8.map { byte -> String in
            switch byte {
            case UInt8(ascii: " "): "+"
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "@"):
                "%" + String(byte, radix: 16, uppercase: true)
            default: String(UnicodeScalar(byte))
            }
        }.joined()
        let form = UpstreamField("Content-Type", "application/x-www-form-urlencoded")
        let parts = UpstreamField("Content-Type", "multipart/form-data; boundary=b")
        let directory = try TemporaryDirectory()
        let calls = [
            Call(method: "POST", target: "/form", fields: [form], body: "title=work&key=\(escaped)", answer: "1"),
            Call(method: "POST", target: "/json", fields: [Self.json], body: #"{"key":"\#(line)"}"#, answer: "2"),
            Call(
                method: "POST", target: "/parts", fields: [parts],
                body: "--b\r\nContent-Disposition: form-data; name=\"key\"\r\n\r\n\(line)\r\n--b--\r\n", answer: "3"),
        ]
        let outcomes = try await Call.record(calls, into: directory)
        #expect(outcomes.map(\.redacted) == [[], [], []])
    }
}

extension KnownRequestsTests.Call {
    /// - Parameter places: those that vary by the user's word.
    static func record(
        _ calls: [Self], into directory: TemporaryDirectory, vary places: [String] = []
    ) async throws -> [RecordingOutcome] {
        let session = try Session(directory) { $0.unsteady = UnsteadyValues(places) ?? UnsteadyValues() }
        var outcomes: [RecordingOutcome] = []
        for call in calls {
            outcomes.append(
                try await session.record(
                    call.method, call.target, fields: call.fields, body: call.body, .json(call.answer)))
        }
        return outcomes + (await session.recorder.finish())
    }

    static func ask(_ replay: Replay, _ call: Self) async throws -> String {
        try await replay.text(call.method, call.target, call.fields, body: call.body)
    }
}
