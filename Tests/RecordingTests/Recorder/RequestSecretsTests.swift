// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Secrets of requests that no plain matcher can hold.
@Suite(.supervised) struct RequestSecretsTests {
    private static let token = "k9" + "Trw4-Zq81mB"

    /// All that a session writes, and its outcome.
    private func record(
        _ method: String, _ target: String, type: String = "", coding: String = "", body: [UInt8] = []
    ) async throws -> (outcome: RecordingOutcome, written: String, stub: JSONNode) {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        var fields: [UpstreamField] = []
        if !type.isEmpty { fields.append(UpstreamField("Content-Type", type)) }
        if !coding.isEmpty { fields.append(UpstreamField("Content-Encoding", coding)) }
        let exchange = try Answer.json("{}").exchange(
            method, target, fields: fields, body: body, origin: "https://api.example.com", directory: directory.path)
        let outcome = await session.recorder.record(exchange)
        let stub = try JSONParser.parse(directory.bytes(try #require(outcome.files.first)))
        let bytes = outcome.files.flatMap { Array($0.utf8) + directory.bytes($0) }
        return (outcome, String(decoding: bytes, as: UTF8.self), stub)
    }

    @Test(arguments: ["/a?password=\(token)&x=%FF", "/a?=1&password=\(token)"])
    func `a secret in a query that is not a list of parameters is neither written nor told`(target: String) async throws
    {
        let (outcome, written, stub) = try await record("GET", target)
        #expect(!written.contains(Self.token))
        #expect(outcome.request == "GET " + target.replacing(Self.token, with: "redacted.query.password"))
        #expect(stub["request"]?["urlPattern"]?.string?.contains("password=[^&]+") == true)
        #expect(stub["request"]?["url"] == nil)
    }

    @Test func `a secret that is the name of a parameter is neither written nor told`() async throws {
        let secret = "gh" + "p_" + String(repeating: "a1B2c3", count: 6)
        for query in ["?\(secret)", "?\(secret)=1", "?x=1&\(secret)=2"] {
            let (outcome, written, _) = try await record("GET", "/a\(query)")
            #expect(!written.contains(secret))
            #expect(outcome.request == "GET /a" + query.replacing(secret, with: "redacted.path"))
        }
    }

    @Test func `a secret that an accent stands behind is left open to the stub as any other`() async throws {
        let secret = Self.token + "7Lp2xWvT"
        let text = "Bearer \(secret)\u{31A}ngth: 34"
        let plain = try await record("POST", "/m", type: "text/plain", body: Array(text.utf8))
        #expect(!plain.written.contains(secret))
        #expect(
            plain.stub["request"]?["bodyPatterns"]?.array?.first?["matches"]?.string == "Bearer .+\u{31A}ngth: 34")
        let form = "a=1&\u{301}b=2&password=\u{301}\(secret)"
        let coded = try await record(
            "POST", "/m", type: "application/x-www-form-urlencoded", body: Array(form.utf8))
        #expect(!coded.written.contains(secret))
        let query = try await record("GET", "/m?a=1&\u{301}b=2&password=\u{301}\(secret)")
        #expect(!query.written.contains(secret) && !query.outcome.request.contains(secret))
    }

    @Test func `a secret that reaches over the end of a form's field is matched with all of it`() async throws {
        let body = "\u{c}jwtkey\u{c}" + Self.token + "7Lp2xWvT&b"
        let (_, written, stub) = try await record(
            "POST", "/f", type: "application/x-www-form-urlencoded", body: Array(body.utf8))
        #expect(!written.contains(Self.token))
        let pattern = try #require(stub["request"]?["bodyPatterns"]?.array?.first?["matches"]?.string)
        let expression = try Regex(pattern).dotMatchesNewlines()
        #expect(try expression.wholeMatch(in: body) != nil, "\(pattern) does not match")
    }

    @Test(arguments: ["http://ann:open-it@other.example/x", "//ann:open-it@other.example/x"])
    func `a user and a password in front of a host are not told`(url: String) async throws {
        let session = try Session(try TemporaryDirectory())
        #expect(
            session.recorder.shown(method: "GET", target: url)
                == "GET " + url.replacing("ann:open-it@", with: ""))
    }

    @Test func `a secret that is learnt later leaves the name of a recording, which is served`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        try await session.record("GET", "/things/\(Self.token)/now", .json(#"{"n":1}"#))
        try await session.record("GET", "/things/open", .json("{}"))
        try await session.record(
            "GET", "/a", fields: [UpstreamField("Authorization", "Bearer \(Self.token)")], .json("{}"))
        let outcomes = await session.recorder.finish()
        #expect(outcomes.map(\.kind) == [.renamed, .changed])
        #expect(outcomes.first?.notes == ["its name held a secret that was learnt later"])
        let folder = "things/redacted.header.Authorization"
        #expect(outcomes.flatMap(\.files).allSatisfy { $0.hasPrefix("\(folder)/now.") })
        #expect(access("\(directory.path)/things/\(Self.token)", F_OK) != 0)
        for (path, bytes) in directory.snapshot() {
            #expect(!path.contains(Self.token) && !String(decoding: bytes, as: UTF8.self).contains(Self.token))
        }
        try await Replay.of(directory) { replay in
            let answer = try await replay.text("GET", "/things/\(Self.token)/now")
            #expect(answer == #"200 {"n":1}"#)
        }
        #expect(directory.bytes("things/open.json") == Array("{}".utf8))
    }

    @Test func `a form in Latin-1 is stored without its password`() async throws {
        let body = latin1("name=Andr\u{E9}&password=open-it")
        let (outcome, written, stub) = try await record(
            "POST", "/a", type: "application/x-www-form-urlencoded", body: body)
        #expect(!written.contains("open-it"))
        #expect(written.contains("&password=redacted.request.password"))
        #expect(stub["request"]?["bodyPatterns"] == nil)
        #expect(outcome.notes == ["the request's content is stored without its secrets, and not matched"])
    }

    @Test func `coded content is matched decoded, and its password as present`() async throws {
        let coded = try #require(try Coded.bytes(Array(#"{"password": "open it"}"#.utf8), "gzip"))
        let (_, written, stub) = try await record("POST", "/a", type: "application/json", coding: "gzip", body: coded)
        #expect(!written.contains("open it"))
        let matcher = stub["request"]?["bodyPatterns"]?.array?.first?["equalToJson"]
        #expect(matcher?["password"]?.string == "${json-unit.any-string}")
    }

    @Test func `a file is not called by an operation that is a secret`() async throws {
        let secret = "gh" + "p_" + String(repeating: "a1B2c3", count: 6)
        let (_, written, _) = try await record(
            "POST", "/a", type: "application/json", body: Array(#"{"operationName": "\#(secret)"}"#.utf8))
        #expect(!written.contains(secret))
    }
}
