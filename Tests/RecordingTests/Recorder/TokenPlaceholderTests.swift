// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Tokens that a client reads.
@Suite(.supervised) struct TokenPlaceholderTests {
    private static func part(_ text: String) -> String {
        Base64.text(of: Array(text.utf8), pads: false).replacing("+", with: "-").replacing("/", with: "_")
    }

    private static func token(_ claims: String, signature: String = "c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJl") -> String {
        "\(part(#"{"alg":"RS256","kid":"k1"}"#)).\(part(claims)).\(signature)"
    }

    private static func claims(_ token: String) throws -> JSONNode {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let payload = try #require(Base64.decode(String(parts[1]), .found))
        return try JSONParser.parse(payload)
    }

    private static func login(_ token: String) -> Answer {
        .json(#"{"id_token": "\#(token)", "token_type": "Bearer", "expires_in": 3600}"#)
    }

    private static let personal =
        #"{"iss":"https://api.example.com","sub":"ann","aud":"app","iat":1800000000,"exp":1800003600,"nonce":"n-1","email":"ann@example.com","sid":"kX93hfPq0Zt7aLm2"}"#

    @Test func `a token is replaced by one that is not signed, with the claims that are no secret`() async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await directory.record("POST", "/token", Self.login(Self.token(Self.personal)))
        #expect(outcome.redacted == ["redacted.response.id_token"])
        let node = try JSONParser.parse(directory.bytes("token.POST.json"))
        let token = try #require(node["id_token"]?.string)
        let header = try #require(Base64.decode(String(token.prefix { $0 != "." }), .found))
        #expect(String(decoding: header, as: UTF8.self) == #"{"alg":"none","kid":"redacted","typ":"JWT"}"#)
        let claims = try Self.claims(token)
        #expect(
            String(decoding: JSONWriter.compact(claims), as: UTF8.self)
                == #"{"iss":"https://api.example.com","sub":"ann","aud":"app","iat":1800000000,"exp":4102444800,"nonce":"n-1"}"#
        )
        try await Replay.of(directory) { replay in
            let text = try await replay.text("POST", "/token")
            #expect(text.contains(token))
        }
    }

    @Test func `a claim that is a secret, or tells of a person, does not stay`() async throws {
        let directory = try TemporaryDirectory()
        let secrets = [
            "ann@example.com", "ghp_16C7e42F292c6912E7710c838347Ae178B4a", "hunter2hunter2", "AKIAIOSFODNN7EXAMPLA",
        ]
        let claims =
            #"{"iss":"https://api.example.com","sub":"\#(secrets[0])","nonce":"\#(secrets[1])","scope":"read \#(secrets[3])","groups":[{"password":"\#(secrets[2])"}],"iat":1800000000}"#
        try await directory.record("POST", "/token", Self.login(Self.token(claims)))
        let node = try JSONParser.parse(directory.bytes("token.POST.json"))
        let kept = try Self.claims(try #require(node["id_token"]?.string))
        #expect(
            String(decoding: JSONWriter.compact(kept), as: UTF8.self)
                == #"{"iss":"https://api.example.com","iat":1800000000}"#)
    }

    @Test func `another token in the same place is not a change`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("POST", "/token", Self.login(Self.token(Self.personal)))
        let before = directory.snapshot()
        let other = Self.personal.replacing("1800000000", with: "1800009999").replacing("n-1", with: "n-2")
        let again = try await directory.record(
            "POST", "/token", Self.login(Self.token(other, signature: "b3RoZXJvdGhlcm90aGVyb3RoZXJvdGhlcm90aGVy")))
        #expect(again.kind == .unchanged, "\(again)")
        #expect(directory.snapshot() == before)
    }

    @Test func `what was recorded with a name alone in the place of a token stays as it is`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("POST", "/token", Self.login(Self.token(Self.personal)))
        let old = #"{"id_token": "redacted.response.id_token", "token_type": "Bearer", "expires_in": 3600}"#
        try directory.write("token.POST.json", old)
        let again = try await directory.record("POST", "/token", Self.login(Self.token(Self.personal)))
        #expect(again.kind == .unchanged, "\(again)")
        #expect(directory.text("token.POST.json") == old)
    }

    @Test func `a token that a client shows is known by its placeholder, and no secret is left`() async throws {
        let directory = try TemporaryDirectory()
        let token = Self.token(#"{"sub":"ann","scope":"read"}"#)
        let signature = "c2lnbmF0dXJlc2lnbmF0dXJlc2lnbmF0dXJl"
        try await directory.inSession { session in
            try await session.record("POST", "/login", .json(#"{"access_token": "\#(token)", "again": ["\#(token)"]}"#))
            try await session.record(
                "GET", "/me", fields: [UpstreamField("Authorization", "Bearer \(token)")], .json(#"{"me": "ann"}"#))
            let late = try await session.record(
                "GET", "/token.txt",
                Answer(
                    fields: [UpstreamField("Content-Type", "text/plain")], body: Array("your token: \(token) \n".utf8)))
            #expect(late.kind == .new)
        }
        for (name, bytes) in directory.snapshot() {
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains(signature), "\(name)")
        }
        #expect(directory.text("token.txt").hasPrefix("your token: eyJ"))
        let login = try JSONParser.parse(directory.bytes("login.POST.json"))
        #expect(login["access_token"] == login["again"]?.array?.first)
    }

    @Test func `a UUID is replaced by one, and another in its place is not a change`() async throws {
        let directory = try TemporaryDirectory()
        func session(_ id: String) -> Answer { .json(#"{"session_id": "\#(id)", "api_key": "\#(id.uppercased())"}"#) }
        let outcome = try await directory.record("POST", "/s", session("3f2b8c1e-7a4d-4e9b-8c2f-5d6e7f8a9b0c"))
        #expect(outcome.redacted == ["redacted.response.session_id", "redacted.response.api_key"])
        let before = directory.snapshot()
        let node = try JSONParser.parse(directory.bytes("s.POST.json"))
        let texts = ["session_id", "api_key"].compactMap { node[$0]?.string }
        #expect(Set(texts).count == 2)
        for text in texts {
            #expect(text.hasPrefix("00000000-0000-8000-8000-"))
            #expect(text.split(separator: "-").map(\.utf8.count) == [8, 4, 4, 4, 12])
        }
        let again = try await directory.record("POST", "/s", session("9e8d7c6b-5a4f-4c3d-9b2a-1f0e9d8c7b6a"))
        #expect(again.kind == .unchanged, "\(again)")
        #expect(directory.snapshot() == before)
        try await Replay.of(directory) { replay in
            let text = try await replay.text("POST", "/s")
            #expect(texts.allSatisfy { text.contains($0) })
        }
    }

    @Test(arguments: ["header", "query", "UUID"])
    func `two users that were given tokens get each their own responses, in any order`(place: String) async throws {
        func ask(_ token: String) -> (String, String, [UpstreamField], String) {
            place != "query"
                ? ("GET", "/me", [UpstreamField("Authorization", "Bearer \(token)")], "")
                : ("GET", "/me?access_token=\(token)", [], "")
        }
        let directory = try TemporaryDirectory()
        let json = UpstreamField("Content-Type", "application/json")
        for round in 1...2 {
            try await directory.inSession { session in
                for name in ["ann", "bob"] {
                    let signature = name == "ann" ? "YW5uYW5uYW5uYW5uYW5uYW5uYW5u" : "Ym9iYm9iYm9iYm9iYm9iYm9iYm9i"
                    let uuid =
                        name == "ann" ? "3f2b8c1e-7a4d-4e9b-8c2f-5d6e7f8a9b0" : "9e8d7c6b-5a4f-4c3d-9b2a-1f0e9d8c7b6"
                    let token =
                        place == "UUID"
                        ? uuid + "\(round)"
                        : Self.token(
                            #"{"iat":\#(1_800_000_000 + round),"sub":"u-\#(name)"}"#, signature: signature + "\(round)x"
                        )
                    try await session.record(
                        "POST", "/login", fields: [json],
                        body: #"{"username": "\#(name)", "password": "pA55-\#(name)-1"}"#,
                        .json(#"{"access_token": "\#(token)"}"#))
                    let (method, target, fields, body) = ask(token)
                    let outcome = try await session.record(
                        method, target, fields: fields, body: body, .json(#"{"me": "\#(name)"}"#))
                    #expect(outcome.kind == (round == 1 ? .new : .unchanged), "\(outcome)")
                }
            }
        }
        try await Replay.of(directory) { replay in
            for name in ["bob", "ann"] {
                let login = try await replay.answer(
                    "POST", "/login", [json], body: #"{"username": "\#(name)", "password": "x"}"#)
                let token = try #require(try JSONParser.parse(login.body)["access_token"]?.string)
                #expect(token.hasPrefix(place == "UUID" ? "00000000-" : "eyJ"))
                let (method, target, fields, body) = ask(token)
                let text = try await replay.text(method, target, fields, body: body)
                #expect(text == "200 {\"me\": \"\(name)\"}")
            }
        }
    }

    @Test(arguments: [
        "eyJhbGciOiJSUzI1NiJ9.bm90IGpzb24.c2lnbmF0dXJlc2lnbmF0dXJlc2ln",
        "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.OKOawDo13gRp2ojaHV7LFpZcgV7T6DVZKTyK.48V1_ALb6US04U3b.5eym8TW_c8SuK0lt.XFBoMYUZodetZdvT",
    ]) func `a token that nobody can read is replaced by a name`(token: String) async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("POST", "/token", Self.login(token))
        #expect(directory.text("token.POST.json").contains(#""id_token": "redacted.response.id_token""#))
    }
}
