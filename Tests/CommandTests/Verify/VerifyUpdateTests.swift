// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi verify --update`.
@Suite(.supervised) struct VerifyUpdateTests {
    @Test func `what drifted is recorded again, and nothing else`() async throws {
        let service = try await LiveService(["a.json": #"{"a": 1}"#, "b.json": #"{"b": 1}"#])
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run(
            "record", service.url, "--into", fixtures.path, "--get", "/a.json", "--get", "/b.json")
        #expect(recorded.code == 0, "\(recorded)")
        let before = fixtures.text("b.json.stub.json")
        let other = try await LiveService(["a.json": #"{"a": "x"}"#, "b.json": #"{"b": 2}"#])
        let end = try await Command.run("verify", fixtures.path, "--against", other.url, "--update")
        #expect(end.code == 1, "\(end)")
        #expect(fixtures.text("a.json") == #"{"a": "x"}"#)
        #expect(fixtures.text("b.json") == #"{"b": 1}"#)
        #expect(fixtures.text("b.json.stub.json") == before)
        #expect(try await Command.run("verify", fixtures.path, "--against", other.url).code == 0)
    }

    @Test func `what was redacted is redacted again where it is recorded again`() async throws {
        func service(_ email: String, _ number: String) async throws -> LiveService {
            try await LiveService([
                "u.stub.json":
                    #"{"request": {"urlPath": "/u"}, "response": {"jsonBody": {"user": {"email": "\#(email)"}, "n": \#(number)}}}"#
            ])
        }
        let first = try await service("ann@example.com", "1")
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run(
            "record", first.url, "--into", fixtures.path, "--get", "/u?api_key=h7nter2Zq9xK", "--redact", "$.user.email"
        )
        #expect(recorded.code == 0, "\(recorded)")
        let second = try await service("bob@example.com", "true")
        let secret = try TemporaryDirectory(["key": "h7nter2Zq9xK"])
        let end = try await Command.run(
            "verify", fixtures.path, "--against", second.url, "--update", "--secret",
            "query.api_key=file:\(secret.path)/key")
        #expect(end.code == 1, "\(end)")
        #expect(fixtures.text("u.json") == #"{"user":{"email":"redacted.response.user.email"},"n":true}"#)
        #expect(!fixtures.text("u.stub.json").contains("h7nter2") && !end.output.contains("h7nter2"))
    }
}
