// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Sign-ins with OpenID Connect that are replayed: the client checks that the state, the nonce and the issuer are its own.
@Suite(.supervised) struct SignInTests {
    /// A sign-in with its secrets.
    private struct Client {
        var state: String
        var nonce: String
        /// nil without PKCE.
        var verifier: String?

        init(_ name: String, hasVerifier: Bool = true) {
            state = "\(name)-St4te-9fK2mQ7xLw"
            nonce = "\(name)-N0nce-x8Rt5yPq3Z"
            verifier = hasVerifier ? "\(name)-Verifier-0a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6q" : nil
        }

        var authorization: String {
            var target =
                "/authorize?response_type=code&client_id=app&redirect_uri=app%3A%2Fcb&scope=openid&state=\(state)&nonce=\(nonce)"
            if let verifier {
                var hash = SHA256()
                Array(verifier.utf8).withUnsafeBytes { hash.combine($0) }
                target += "&code_challenge_method=S256&code_challenge=" + SignInTests.part(hash.digest)
            }
            return target
        }

        func exchange(_ code: String) -> String {
            "grant_type=authorization_code&client_id=app&redirect_uri=app%3A%2Fcb&code=\(code)"
                + (verifier.map { "&code_verifier=\($0)" } ?? "")
        }
    }

    private static let form = [UpstreamField("Content-Type", "application/x-www-form-urlencoded")]

    private static let refresh = "grant_type=refresh_token&client_id=app"

    private static func part(_ bytes: [UInt8]) -> String {
        Base64.text(of: bytes, pads: false).replacing("+", with: "-").replacing("/", with: "_")
    }

    private static func recorded(_ client: Client, isRedirected: Bool = true) async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let claims =
            #"{"iss":"https://api.example.com","sub":"ann","aud":"app","iat":1795168000,"exp":1795171600,"nonce":"\#(client.nonce)"}"#
        let token = [#"{"alg":"RS256","kid":"k1"}"#, claims, "signed by the service alone"].map { part(Array($0.utf8)) }
            .joined(separator: ".")
        let place =
            isRedirected ? "app:/cb?code=kR7tQ2mZ9pLw4xYvaK6bL9cD&state=\(client.state)" : "/login?session=7"
        try await directory.inSession { session in
            try await session.record(
                "GET", client.authorization, .status(302, UpstreamField("Location", place)))
            try await session.record(
                "POST", "/token", fields: form, body: client.exchange("kR7tQ2mZ9pLw4xYvaK6bL9cD"),
                .json(#"{"id_token":"\#(token)","token_type":"Bearer","expires_in":3600}"#))
            try await session.record(
                "POST", "/refresh", fields: form, body: refresh,
                .json(#"{"id_token":"\#(token)","token_type":"Bearer","expires_in":3600}"#))
        }
        return directory
    }

    private static func nonce(_ response: WireResponse) throws -> String? {
        let token = try #require(try JSONParser.parse(response.body)["id_token"]?.string)
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        return try JSONParser.parse(try #require(Base64.decode(String(parts[1]), .found)))["nonce"]?.string
    }

    @Test func `each of two clients that sign in at once gets its own state and its own nonce`() async throws {
        try await Replay.of(try await Self.recorded(Client("recorded"))) { replay in
            let clients = [Client("ann"), Client("bob")]
            var codes: [String] = []
            for client in clients {
                let response = try await replay.answer("GET", client.authorization)
                let place = try #require(response["Location"])
                #expect(place.hasSuffix("&state=\(client.state)"))
                codes.append(String(try #require(place.split(separator: "code=").last).prefix { $0 != "&" }))
            }
            for (client, code) in zip(clients, codes) {
                let response = try await replay.answer("POST", "/token", Self.form, body: client.exchange(code))
                #expect(try Self.nonce(response) == client.nonce)
                #expect(response["Content-Length"] == "\(response.body.count)")
            }
        }
    }

    @Test func `a refreshed token, and one for an unknown verifier, keep the nonce that was recorded`() async throws {
        try await Replay.of(try await Self.recorded(Client("recorded"))) { replay in
            var code = ""
            for client in [Client("ann"), Client("bob")] {
                let response = try await replay.answer("GET", client.authorization)
                let place = try #require(response["Location"])
                code = String(try #require(place.split(separator: "code=").last).prefix { $0 != "&" })
                let token = try await replay.answer("POST", "/token", Self.form, body: client.exchange(code))
                #expect(try Self.nonce(token) == client.nonce)
            }
            let refreshed = try await replay.answer("POST", "/refresh", Self.form, body: Self.refresh)
            #expect(try Self.nonce(refreshed) == Client("recorded").nonce)
            let unknown = try await replay.answer("POST", "/token", Self.form, body: Client("eve").exchange(code))
            #expect(try Self.nonce(unknown) == Client("recorded").nonce)
        }
    }

    @Test(arguments: [true, false])
    func `without a challenge the sign-in that began last is meant, wherever its redirect leads`(isRedirected: Bool)
        async throws
    {
        let directory = try await Self.recorded(
            Client("recorded", hasVerifier: false), isRedirected: isRedirected)
        try await Replay.of(directory) { replay in
            let body = Client("ann", hasVerifier: false).exchange("kR7tQ2mZ9pLw4xYvaK6bL9cD")
            // Nobody has begun one.
            let recorded = try await replay.answer("POST", "/token", Self.form, body: body)
            #expect(try Self.nonce(recorded) == Client("recorded").nonce)
            for name in ["ann", "bob"] {
                _ = try await replay.answer("GET", Client(name, hasVerifier: false).authorization)
                let response = try await replay.answer("POST", "/token", Self.form, body: body)
                #expect(try Self.nonce(response) == Client(name).nonce)
            }
            _ = try await replay.answer("POST", "/__admin/reset")
            let reset = try await replay.answer("POST", "/token", Self.form, body: body)
            #expect(try Self.nonce(reset) == Client("recorded").nonce)
        }
    }
}
