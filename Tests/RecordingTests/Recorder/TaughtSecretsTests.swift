// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiRecording
import MockapiSecrets
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Synchronization
import Testing

/// Secrets that a response or a later request tells, words that are secrets as well, and what may stay.
@Suite(.supervised) struct TaughtSecretsTests {
    private static let value = "k9" + "Trw4-Zq81mB"
    private static let token = "gh" + "p_" + String(repeating: "a1B2c3", count: 6)

    private func status(_ directory: TemporaryDirectory, _ target: String) async throws -> Int {
        let server = try await MockServer.start(fixtures: directory.path)
        let port = try #require(Int(server.address.split(separator: ":").last ?? ""))
        let status = try await blocking { try WireClient(port: port).request("GET", target, [], body: "").status }
        await server.stop()
        return status
    }

    private func request(_ directory: TemporaryDirectory, _ stub: String) throws -> String {
        String(
            decoding: JSONWriter.compact(try JSONParser.parse(directory.bytes(stub))["request"] ?? .null), as: UTF8.self
        )
    }

    @Test func `a list in which a secret stands is the same when it is recorded again`() async throws {
        let directory = try TemporaryDirectory()
        let text = #"{"list": ["\#(Self.token)", "plain", 5, null, true, {"a": 1}]}"#
        try await directory.record("GET", "/a", .json(text))
        let before = directory.snapshot()
        for _ in 1...2 { #expect(try await directory.record("GET", "/a", .json(text)).kind == .unchanged) }
        #expect(directory.snapshot() == before)
    }

    /// Asks what the time is as a recording is made, and shows a secret of the next request then.
    private final class Meanwhile: Sendable {
        private let state = Mutex<(recorder: Recorder?, asked: Int, targets: [String])>((nil, 0, []))

        func begin(_ recorder: Recorder, _ targets: [String]) { state.withLock { $0 = (recorder, 0, targets) } }

        func end() { state.withLock { $0.recorder = nil } }

        var now: String {
            let next = state.withLock { state -> (Recorder, String)? in
                state.asked += 1
                // Once before a request is read, once behind the response.
                guard state.asked.isMultiple(of: 2), let recorder = state.recorder, let target = state.targets.popLast()
                else { return nil }
                return (recorder, target)
            }
            if let (recorder, target) = next { _ = recorder.shown(method: "DELETE", target: target) }
            return "2026-11-20T10:00:00Z"
        }
    }

    @Test func `a secret that another request shows while a recording is made keeps it from no disk`() async throws {
        let directory = try TemporaryDirectory()
        let secrets = [
            "35ef7728-4761-41dd-8a7b-f1112a26f840", "61c07794-df2a-4403-a6ad-caa6bb70dae2",
            "c465e3ca-2ece-41f1-b6f0-363c69093c72",
        ]
        let meanwhile = Meanwhile()
        let recorder = try Recorder(directory: directory.path, options: RecorderOptions(), now: { meanwhile.now })
        meanwhile.begin(recorder, secrets.map { "/personal_access_tokens/\($0)" })
        let text = #"{"data":[\#(secrets.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#
        let exchange = try Answer.json(text).exchange(
            "GET", "/personal_access_tokens", fields: [], body: [], origin: "https://api.example.com",
            directory: directory.path)
        let outcome = await recorder.record(exchange)
        #expect(outcome.kind == .new, "\(outcome)")
        let held = directory.snapshot().values.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(!secrets.contains(where: held.contains))
        meanwhile.end()
    }

    @Test(arguments: ["/sync/VALUE", "/sync?session=VALUE&x=1", "/sync?from=VALUE", "/sync/a/VALUE?from=VALUE"])
    func `a cookie that stands in its own request is replaced in both, and the client meets the stub`(
        target: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let target = target.replacing("VALUE", with: Self.value)
        let answer = Answer.json("{}", UpstreamField("Set-Cookie", "sid=\(Self.value); Path=/"))
        let outcome = try await directory.record("GET", target, answer)
        #expect(outcome.kind == .new, "\(outcome)")
        #expect(!outcome.request.contains(Self.value))
        let before = directory.snapshot()
        #expect(
            before.allSatisfy {
                !$0.key.contains(Self.value) && !String(decoding: $0.value, as: UTF8.self).contains(Self.value)
            })
        #expect(try await directory.record("GET", target, answer).kind == .unchanged)
        #expect(directory.snapshot() == before)
        #expect(try await status(directory, target) == 200)
        #expect(try await status(directory, target.replacing(Self.value, with: "another-client-1")) == 200)
    }

    @Test func `a secret of the response's body that stands in its own request is replaced there too`() async throws {
        let directory = try TemporaryDirectory()
        let answer = Answer.json(#"{"session_token": "\#(Self.value)"}"#)
        let outcome = try await directory.record("GET", "/devices/\(Self.value)", answer)
        #expect(outcome.kind == .new && outcome.request == "GET /devices/redacted.response.session_token", "\(outcome)")
        #expect(try await status(directory, "/devices/\(Self.value)") == 200)
    }

    @Test func `a secret that is learnt late is matched as present where it was compared`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        // Too long for the file's name.
        let target = "/in?back=" + String(repeating: "x.", count: 60) + Self.value
        let form = [UpstreamField("Content-Type", "application/json")]
        let body = #"{"note": "of \#(Self.value)", "password": "open sesame"}"#
        try await session.record("GET", target, .json("{}"))
        try await session.record("POST", "/in", fields: form, body: body, .json("{}"))
        try await session.record(
            "GET", "/a", fields: [UpstreamField("Authorization", "Bearer \(Self.value)")], .json("{}"))
        let outcomes = await session.recorder.finish()
        #expect(outcomes.map(\.kind) == [.renamed, .changed, .changed], "\(outcomes)")
        let stub = try #require(directory.visible().first { $0.hasPrefix("in.back") && $0.hasSuffix(".stub.json") })
        #expect(
            try request(directory, stub).contains(
                #""back":{"matches":"\#(String(repeating: #"x\\."#, count: 60)).+"}"#))
        #expect(
            try request(directory, "in.POST.stub.json").contains(
                #"{"equalToJson":{"note":"${json-unit.any-string}","password":"${json-unit.any-string}"}}"#))
        #expect(directory.snapshot().allSatisfy { !String(decoding: $0.value, as: UTF8.self).contains(Self.value) })
        #expect(try await status(directory, target) == 200)
        let before = directory.snapshot()
        let again = try Session(directory)
        #expect(try await again.record("GET", target, .json("{}")).kind == .unchanged)
        _ = await again.recorder.finish()
        #expect(directory.snapshot() == before)
    }

    /// The place where a word stands before it turns out to be a secret, in a request whose name or key has a hash of it.
    @Test(arguments: ["query", "long query", "path", "JSON", "file"])
    func `nothing that is written follows from a secret that is learnt late and could be guessed`(place: String)
        async throws
    {
        let json = [UpstreamField("Content-Type", "application/json")]
        func files(_ word: String) async throws -> (directory: TemporaryDirectory, texts: [String: String]) {
            let directory = try TemporaryDirectory()
            func record() async throws -> [RecordingOutcome] {
                let session = try Session(directory)
                var outcomes: [RecordingOutcome] = []
                for colour in ["red", "blue"] {
                    let fields = [UpstreamField("X-Colour", colour)]
                    let answer = Answer.json("\"\(colour)\"")
                    let long = String(repeating: "x.", count: 60)
                    switch place {
                    case "query":
                        outcomes.append(try await session.record("GET", "/q?s=\(word)", fields: fields, answer))
                    case "long query":
                        outcomes.append(try await session.record("GET", "/q?s=\(long)\(word)", fields: fields, answer))
                    case "path":
                        outcomes.append(try await session.record("GET", "/p/\(word)/x", fields: fields, answer))
                    default:
                        let filler = place == "file" ? String(repeating: "a word ", count: 3_000) : ""
                        outcomes.append(
                            try await session.record(
                                "POST", "/j", fields: fields + json, body: #"{"n": "\#(word)", "f": "\#(filler)"}"#,
                                answer))
                    }
                }
                let key = [UpstreamField("X-Api-Key", word)]
                outcomes.append(try await session.record("GET", "/me", fields: key, .json("1")))
                return outcomes + (await session.recorder.finish())
            }
            _ = try await record()
            let before = directory.snapshot()
            #expect(try await record().filter { $0.kind == .refused }.map(\.notes) == [])
            #expect(directory.snapshot().keys.sorted() == before.keys.sorted())
            return (directory, directory.snapshot().mapValues { String(decoding: $0, as: UTF8.self) })
        }
        let (first, second) = (try await files("summer-2026"), try await files("winter-2027"))
        #expect(first.texts.keys.sorted() == second.texts.keys.sorted())
        for (path, text) in first.texts {
            #expect(second.texts[path] == text, "\(path)")
            #expect(!text.contains("summer-2026") && !path.contains("summer-2026"), "\(path)")
        }
    }

    @Test(arguments: ["password", "projects", "production", "12345678", "username", "application/json", "https", "a"])
    func `a test login by a password that is a word is recorded, and so is all around it`(word: String) async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let json = [UpstreamField("Content-Type", "application/json")]
        let text = #"{"projects": [{"id": 12345678, "env": "production", "fields": ["username", "password"]}]}"#
        let login = try await session.record(
            "POST", "/login", fields: json, body: #"{"username": "admin", "password": "\#(word)"}"#,
            .json(#"{"ok": true}"#))
        #expect(login.kind == .new, "\(login)")
        let cookie = [UpstreamField("Cookie", "session=\(word)")]
        for target in ["/v1/projects", "/forgot-password", "/env/production/12345678"] {
            let outcome = try await session.record("GET", target, fields: cookie, .json(text))
            #expect(outcome.kind == .new && outcome.request == "GET \(target)", "\(outcome)")
        }
        #expect(await session.recorder.finish() == [])
        #expect(directory.text("v1/projects.json") == text)
        #expect(directory.text("login.POST.stub.json").contains(#""password": "${json-unit.any-string}""#))
        #expect(try request(directory, "v1/projects.stub.json").contains(#""urlPath":"/v1/projects""#))
    }

    @Test func `a value and a line that were put back by hand stay`() async throws {
        let directory = try TemporaryDirectory()
        let answer = Answer.json(
            #"{"key_name": "x", "key": {"token": "\#(Self.token)"}}"#, UpstreamField("X-Auth-Token", Self.value))
        try await directory.record("GET", "/a", answer)
        #expect(directory.text("a.json").contains("redacted.response.key.token"))
        try directory.write(
            "a.json", directory.text("a.json").replacing("redacted.response.key.token", with: Self.token))
        try directory.write(
            "a.stub.json", directory.text("a.stub.json").replacing("redacted.header.X-Auth-Token", with: Self.value))
        let before = directory.snapshot()
        let again = try await directory.record("GET", "/a", answer)
        #expect(again.kind == .unchanged, "\(again)")
        #expect(directory.snapshot() == before)
        let other = Answer.json(
            #"{"key_name": "y", "key": {"token": "\#(Self.token)"}}"#, UpstreamField("X-Auth-Token", Self.value))
        #expect(try await directory.record("GET", "/a", other).notes == ["1 value changed (key_name)"])
        #expect(directory.text("a.json").contains(Self.token))
    }

    @Test func `what .mockapi-secrets-allow and --allow name is recorded as it is`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write(
            ".mockapi-secrets-allow", "keys/a.json\ta GitHub token\nkeys/a.stub.json\tthe value of a cookie\n")
        let session = try Session(directory) { $0.redaction.allowedPaths = ["$.public"] }
        let text =
            #"{"note": "\#(Self.token)", "public": {"secret": "\#(Self.value)"}, "secret": "other-\#(Self.value)"}"#
        let answer = Answer.json(text, UpstreamField("Set-Cookie", "site=k3Tq8WrXbN5mVc2LpH; Path=/"))
        for target in ["/keys/a", "/keys/b"] { #expect(try await session.record("GET", target, answer).kind == .new) }
        let shown = text.replacing("other-\(Self.value)", with: "redacted.response.secret")
        #expect(directory.text("keys/a.json") == shown)
        #expect(directory.text("keys/b.json") == shown.replacing(Self.token, with: "redacted.response.note"))
        #expect(directory.text("keys/a.stub.json").contains("site=k3Tq8WrXbN5mVc2LpH;"))
        #expect(!directory.text("keys/b.stub.json").contains("k3Tq8WrXbN5mVc2LpH"))
        #expect(await session.recorder.finish() == [])
        let before = directory.snapshot()
        let again = try Session(directory) { $0.redaction.allowedPaths = ["$.public"] }
        #expect(try await again.record("GET", "/keys/a", answer).kind == .unchanged)
        #expect(directory.snapshot() == before)
    }
}
