// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What becomes of one request that several senders make.
@Suite(.supervised) struct SenderTests {
    private static let json = UpstreamField("Content-Type", "application/json")
    private static let tokens = ["ann": "tK3n" + "Qw8ErTy5", "bob": "tK3n" + "ZxCvBn61"]

    private static func bearer(_ token: String) -> [UpstreamField] {
        [UpstreamField("Authorization", "Bearer \(token)")]
    }

    private static func login(_ name: String, _ password: String) -> String {
        #"{"username":"\#(name)","password":"\#(password)"}"#
    }

    private func stub(_ directory: TemporaryDirectory, _ path: String) throws -> JSONNode {
        try JSONParser.parse(directory.bytes(path))
    }

    private func compact(_ node: JSONNode?) -> String {
        String(decoding: JSONWriter.compact(node ?? .null), as: UTF8.self)
    }

    /// What a session of two users sees who sign in, each asking who they are.
    private func recordTwo(_ order: [String], _ session: Session) async throws {
        for name in order {
            let token = Self.tokens[name] ?? ""
            try await session.record(
                "POST", "/login", fields: [Self.json], body: Self.login(name, "pw-\(name)-1"),
                .json(#"{"token":"\#(token)"}"#))
            try await session.record("GET", "/me", fields: Self.bearer(token), .json(#"{"name":"\#(name)"}"#))
            try await session.record("GET", "/news", fields: Self.bearer(token), .json("[]"))
        }
    }

    @Test(arguments: [["ann", "bob"], ["bob", "ann"]])
    func `two users who sign in are two stubs, whatever their order, and each is served as itself`(
        order: [String]
    ) async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { try await recordTwo(order, $0) }
        #expect(
            directory.visible() == [
                "login.POST.json", "login.POST.stub.json", "login.POST.username-bob.json",
                "login.POST.username-bob.stub.json", "me.bob.json", "me.bob.stub.json", "me.json",
                "me.stub.json", "news.json", "news.stub.json",
            ])
        #expect(directory.text("me.json") == #"{"name":"ann"}"#)
        let request = try stub(directory, "me.bob.stub.json")["request"]
        #expect(
            compact(request?["headers"]) == #"{"Authorization":{"matches":"(.* )?redacted\\.response\\.token\\.bob"}}"#)
        #expect(try stub(directory, "me.bob.stub.json")["priority"]?.number?.integer == 4)
        try await Replay.of(directory) { replay in
            for name in ["bob", "ann", "bob"] {
                let answer = try await replay.text("POST", "/login", [Self.json], body: Self.login(name, "other"))
                let token = try #require(
                    try JSONParser.parse(Array(answer.dropFirst(4).utf8))["token"]?.string)
                #expect(token == "redacted.response.token.\(name)")
                let text = try await replay.text("GET", "/me", Self.bearer(token))
                #expect(text == #"200 {"name":"\#(name)"}"#)
            }
            let text = try await replay.text("GET", "/me", Self.bearer("of their own"))
            #expect(text == #"200 {"name":"ann"}"#)
        }
        let before = directory.snapshot()
        try await directory.inSession { try await recordTwo(order.reversed(), $0) }
        #expect(directory.snapshot() == before)
    }

    @Test func `before and after a login by cookie are two stubs, whichever is recorded first`() async throws {
        let sid = "s1d" + "Qw8ErTy5UiOp"
        let cookie = [UpstreamField("Cookie", "theme=dark; sid=\(sid)")]
        func before(_ session: Session) async throws {
            try await session.record("GET", "/me", Answer(status: 401))
        }
        func after(_ session: Session) async throws {
            try await session.record("GET", "/me", fields: cookie, .json(#"{"name":"ann"}"#))
        }
        var trees: [[String: [UInt8]]] = []
        for isFirst in [true, false] {
            let directory = try TemporaryDirectory()
            try await directory.inSession { session in
                if isFirst { try await before(session) }
                try await after(session)
                if !isFirst { try await before(session) }
            }
            trees.append(directory.snapshot())
            #expect(
                directory.visible() == ["me.stub.json", "me.with-sid.json", "me.with-sid.stub.json"])
            #expect(
                compact(try stub(directory, "me.with-sid.stub.json")["request"]?["cookies"])
                    == #"{"sid":{"matches":".+"}}"#)
            try await Replay.of(directory) { replay in
                let own = [UpstreamField("Cookie", "sid=another")]
                for (cookie, expected) in [
                    (own, "200 {\"name\":\"ann\"}"), ([], "401 "), (own, "200 {\"name\":\"ann\"}"),
                ] {
                    let text = try await replay.text("GET", "/me", cookie)
                    #expect(text == expected)
                }
            }
        }
        #expect(trees[0] == trees[1])
    }

    @Test(arguments: [["wrong-one", "pw-ann-1"], ["pw-ann-1", "wrong-one"]])
    func `a wrong and a right password are no sequence`(order: [String]) async throws {
        let directory = try TemporaryDirectory()
        func record(_ order: [String]) async throws -> [RecordingOutcome] {
            try await directory.inSession { session in
                var outcomes: [RecordingOutcome] = []
                for password in order {
                    outcomes.append(
                        try await session.record(
                            "POST", "/login", fields: [Self.json], body: Self.login("ann", password),
                            password.hasPrefix("wrong") ? Answer(status: 401) : .json(#"{"ok":true}"#)))
                }
                return outcomes
            }
        }
        let outcomes = try await record(order)
        #expect(
            directory.visible() == ["login.POST.json", "login.POST.stub.json", "login.POST.wrong.stub.json"])
        #expect(!directory.text("login.POST.wrong.stub.json").contains("wrong-one"))
        #expect(
            outcomes[1].notes == [
                order[0] == "wrong-one"
                    ? "another sender's response is told apart by \"wrong\" in password"
                    : "told apart from another sender's by \"wrong\" in password"
            ])
        try await Replay.of(directory) { replay in
            for (password, status) in [("pw-ann-1", "200"), ("Wrong!", "401"), ("any other", "200")] {
                let answer = try await replay.text("POST", "/login", [Self.json], body: Self.login("ann", password))
                #expect(answer.prefix(3) == status)
            }
        }
        let before = directory.snapshot()
        _ = try await record(order.reversed())
        #expect(directory.snapshot() == before)
    }

    /// Records the responses to five keys that nothing public tells apart, in an order.
    @discardableResult
    private func recordKeys(_ order: [Int], into directory: TemporaryDirectory) async throws -> [RecordingOutcome] {
        try await directory.inSession { session in
            var outcomes: [RecordingOutcome] = []
            for number in order {
                let key = [UpstreamField("X-Api-Key", "kEy\(number)Qw8ErTy5UiOp")]
                var answer = Answer.json("{\"n\":\(number)}")
                answer.status = [403, 200, 200, 403, 401][number]
                outcomes.append(try await session.record("GET", "/me", fields: key, answer))
            }
            return outcomes
        }
    }

    @Test func `where nothing but a secret tells two apart, it is said how the other is had`() async throws {
        let directory = try TemporaryDirectory()
        let outcomes = try await recordKeys([0, 1, 2], into: directory)
        let stubs = directory.visible().filter { $0.hasSuffix(".stub.json") }
        let word = try #require(stubs.first { $0 != "me.403.stub.json" }?.split(separator: ".").dropFirst().first)
        #expect(word.count == 6 && word.allSatisfy(\.isHexDigit))
        #expect(stubs == ["me.\(word).stub.json", "me.403.stub.json", "me.stub.json"].sorted())
        #expect(
            outcomes[1].notes == [
                "another sender's response is told apart by nothing but a secret (X-Api-Key): a client gets this response by sending redacted.header.X-Api-Key-403"
            ])
        let isFirst = directory.text("me.json") == #"{"n":2}"#
        #expect(
            outcomes[2].notes == [
                (isFirst ? "another sender's response is told apart" : "told apart from another sender's")
                    + " by nothing but a secret (X-Api-Key): a client gets this response by sending redacted.header.X-Api-Key-\(word)"
            ])
        let (own, other) = isFirst ? (2, 1) : (1, 2)
        try await Replay.of(directory) { replay in
            for (key, answer) in [
                ("own", "200 {\"n\":\(own)}"), ("-403", "403 {\"n\":0}"), ("-\(word)", "200 {\"n\":\(other)}"),
                ("own", "200 {\"n\":\(own)}"),
            ] {
                let field = UpstreamField("X-Api-Key", key == "own" ? key : "redacted.header.X-Api-Key\(key)")
                let text = try await replay.text("GET", "/me", [field])
                #expect(text == answer)
            }
        }
        let before = directory.snapshot()
        for order in [[2, 0, 1], [1, 2, 0], [0, 1, 2]] {
            #expect(try await recordKeys(order, into: directory).map(\.kind) == [.unchanged, .unchanged, .unchanged])
        }
        #expect(directory.snapshot() == before)
    }

    @Test(arguments: [
        [1, 2, 0, 3, 4], [4, 3, 2, 1, 0], [0, 4, 3, 2, 1], [3, 0, 4, 1, 2], [0, 3, 4], [4, 3, 0], [3, 4, 0],
        [2, 4, 0, 1, 3],
    ])
    func `senders that nothing tells apart are called the same in whatever order they come`(order: [Int]) async throws {
        let (one, other) = (try TemporaryDirectory(), try TemporaryDirectory())
        try await recordKeys(order.sorted(), into: one)
        try await recordKeys(order, into: other)
        #expect(one.visible() == other.visible())
        #expect(one.snapshot() == other.snapshot())
        #expect(try await recordKeys(order.reversed(), into: other).allSatisfy { $0.kind == .unchanged })
        #expect(one.snapshot() == other.snapshot())
    }

    @Test func `users of Basic credentials and subjects of tokens are told apart by their names`() async throws {
        func token(_ subject: String, _ time: Int) -> String {
            let parts = [#"{"alg":"none"}"#, #"{"iat":\#(time),"sub":"\#(subject)"}"#].map { part in
                Self.base64(part).replacing("=", with: "").replacing("+", with: "-").replacing("/", with: "_")
            }
            return "Bearer \(parts[0]).\(parts[1]).c2ln\(time)"
        }
        let senders = [
            "/basic": ["ann", "bob"].map { name in { (_: Int) in "Basic \(Self.base64("\(name):pw-1-\(name)"))" } },
            "/token": ["ann", "bob"].map { name in { time in token(name, time) } },
        ]
        for (path, credentials) in senders {
            let directory = try TemporaryDirectory()
            try await directory.inSession { session in
                for (number, credential) in credentials.enumerated() {
                    for time in [1_700_000_000, 1_700_000_09] {
                        let field = UpstreamField("Authorization", credential(time))
                        try await session.record("GET", path, fields: [field], .json("\(number)"))
                    }
                }
            }
            try await Replay.of(directory) { replay in
                for number in [1, 0, 1, 0] {
                    let field = UpstreamField("Authorization", credentials[number](1_800_000_000))
                    let text = try await replay.text("GET", path, [field])
                    #expect(text == "200 \(number)")
                }
            }
        }
    }

    private static func base64(_ text: String) -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        let bytes = Array(text.utf8)
        var output = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = Array(bytes[start..<min(start + 3, bytes.count)])
            let bits = (group + Array(repeating: 0, count: 3 - group.count)).reduce(0) { $0 << 8 | Int($1) }
            for digit in 0..<4 {
                output.append(digit > group.count ? "=" : digits[bits >> (18 - 6 * digit) & 63])
            }
        }
        return output
    }

    @Test func `answers that one sender gets are a sequence, though its token or its session is another by then`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let tokens = ["tK3n" + "Qw8ErTy5", "tK3n" + "ZxCvBn61", "tK3n" + "PoIuYt72"]
        try await directory.inSession { session in
            try await session.record(
                "POST", "/login", fields: [Self.json], body: Self.login("ann", "pw-ann-1"),
                .json(#"{"access_token":"\#(tokens[0])","refresh_token":"rF"# + "9Qw8ErTy5" + #""}"#))
            try await session.record("GET", "/job", fields: Self.bearer(tokens[0]), Answer(status: 401))
            try await session.record(
                "POST", "/refresh", fields: [Self.json], body: #"{"refresh_token":"rF"# + "9Qw8ErTy5" + #""}"#,
                .json(#"{"access_token":"\#(tokens[1])"}"#))
            try await session.record("GET", "/job", fields: Self.bearer(tokens[1]), .json(#"{"state":"done"}"#))
            // A session that is another with each answer.
            for (number, state) in ["new", "running", "done"].enumerated() {
                var answer = Answer.json(#"{"state":"\#(state)"}"#)
                answer.fields.append(UpstreamField("Set-Cookie", "sid=sE55ion\(number)QwErTy; Path=/"))
                let cookie = number == 0 ? [] : [UpstreamField("Cookie", "sid=sE55ion\(number - 1)QwErTy")]
                if number > 0 { try await session.record("GET", "/task", fields: cookie, answer) }
                if number == 0 { try await session.record("GET", "/", fields: cookie, answer) }
            }
        }
        #expect(try stub(directory, "job.stub.json")["responses"]?.array?.count == 2)
        #expect(try stub(directory, "task.stub.json")["responses"]?.array?.count == 2)
        #expect(directory.visible().filter { $0.hasSuffix(".stub.json") }.count == 5)
    }

    @Test func `a sequence that is another sender's moves whole, with its bodies`() async throws {
        let directory = try TemporaryDirectory()
        func record() async throws {
            try await directory.inSession { session in
                for (name, states) in [("bob", ["queued", "done"]), ("ann", ["new"])] {
                    let token = Self.tokens[name] ?? ""
                    try await session.record(
                        "POST", "/login", fields: [Self.json], body: Self.login(name, "pw-\(name)-1"),
                        .json(#"{"token":"\#(token)"}"#))
                    for state in states {
                        try await session.record(
                            "POST", "/job", fields: Self.bearer(token) + [Self.json], body: #"{"run":true}"#,
                            .json(#"{"state":"\#(state)"}"#))
                    }
                }
            }
        }
        try await record()
        #expect(
            directory.visible().filter { $0.hasPrefix("job") } == [
                "job.POST.bob.2.json", "job.POST.bob.json", "job.POST.bob.stub.json", "job.POST.json",
                "job.POST.stub.json",
            ])
        try await Replay.of(directory) { replay in
            for (name, state) in [("bob", "queued"), ("ann", "new"), ("bob", "done"), ("ann", "new")] {
                let fields = Self.bearer("redacted.response.token.\(name)") + [Self.json]
                let text = try await replay.text("POST", "/job", fields, body: #"{"run":true}"#)
                #expect(text == #"200 {"state":"\#(state)"}"#)
            }
        }
        let before = directory.snapshot()
        try await record()
        #expect(directory.snapshot() == before)
    }
}
