// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// An authorization server out of one stub.
@Suite(.supervised) struct OAuth2Tests {
    private static func stub(_ further: String = "") -> String {
        #"""
        {"name": "tokens", "protects": "/api/", "authentication": {"oauth2": {
          "tokenEndpoint": "/oauth/token", "clientId": "app", "clientSecret": "s3cret"\#(further)}}}
        """#
    }

    private static func serving(
        _ further: String = "", seed: UInt64 = 0, _ body: (TestServer) async throws -> Void
    ) async throws {
        let files: KeyValuePairs = [
            "tokens.stub.json": stub(further),
            "me.stub.json": #"{"request": {"urlPath": "/api/me"}, "response": {"body": "you"}}"#,
            "write.stub.json":
                #"{"request": {"urlPath": "/write"}, "authentication": {"bearer": {"issuer": "tokens", "scope": "write"}}, "response": {"body": "written"}}"#,
        ]
        try await TestServer.serving(files, { $0.seed = seed }, body)
    }

    private static func ask(_ server: TestServer, _ form: String, _ fields: [String] = []) throws -> WireResponse {
        let type = "Content-Type: application/x-www-form-urlencoded"
        return try server.request("POST", "/oauth/token", [type] + fields, body: form)
    }

    private static func token(_ server: TestServer, _ form: String = "grant_type=client_credentials") throws -> JSONNode
    {
        let answer = try ask(server, form + "&client_id=app&client_secret=s3cret")
        #expect(answer.status == 200)
        return try JSONParser.parse(answer.text)
    }

    private static func get(_ server: TestServer, _ token: JSONNode, _ path: String = "/api/me") throws -> WireResponse
    {
        try server.get(path, "Authorization: Bearer \(token["access_token"]?.string ?? "")")
    }

    @Test func `a token is issued, used, expires after its uses, and is refreshed once`() async throws {
        try await Self.serving(#", "uses": 2"#) { server throws in
            #expect(try server.get("/api/me").status == 401)
            let token = try Self.token(server)
            #expect(token["token_type"]?.string == "Bearer" && token["expires_in"]?.number?.integer == 3600)
            #expect(try Self.get(server, token).text == "you")
            #expect(try Self.get(server, token).text == "you")
            let expired = try Self.get(server, token)
            #expect(expired.status == 401 && expired.text == "401: the access token has expired\n")
            #expect(
                expired["WWW-Authenticate"]
                    == #"Bearer realm="api", error="invalid_token", error_description="the access token has expired""#)
            let refresh = "grant_type=refresh_token&refresh_token=\(token["refresh_token"]?.string ?? "")"
            let fresh = try Self.token(server, refresh)
            #expect(try Self.get(server, fresh).text == "you")
            let again = try Self.ask(server, refresh + "&client_id=app&client_secret=s3cret")
            #expect(again.status == 400)
            #expect(
                again.text
                    == #"{"error":"invalid_grant","error_description":"the refresh token is not known, or was used before"}"#
            )
        }
    }

    @Test func `a token that is good for no time has expired`() async throws {
        try await Self.serving(#", "expiresIn": 0, "refresh": false"#) { server throws in
            let token = try Self.token(server)
            #expect(token["refresh_token"] == nil)
            #expect(try Self.get(server, token).text == "401: the access token has expired\n")
        }
    }

    @Test func `the responses of the token endpoint are no store's`() async throws {
        try await Self.serving { server throws in
            let answer = try Self.ask(
                server, "grant_type=client_credentials", ["Authorization: Basic YXBwOnMzY3JldA=="])
            #expect(answer.status == 200)
            #expect(answer["Content-Type"] == "application/json")
            #expect(answer["Cache-Control"] == "no-store" && answer["Pragma"] == "no-cache")
            #expect(server.journal.unmatched.isEmpty)
        }
    }

    @Test(arguments: [
        ("", [], 401, "invalid_client", "the client does not authenticate"),
        ("client_id=app&client_secret=no", [], 401, "invalid_client", "the client's name or secret is wrong"),
        ("", ["Authorization: Basic YXBwOm5v"], 401, "invalid_client", "the client's name or secret is wrong"),
        (
            "client_id=app&client_secret=s3cret", ["Authorization: Basic YXBwOnMzY3JldA=="], 400, "invalid_request",
            "the client authenticates in two ways at once"
        ),
        ("client_id=app&client_secret=s3cret", [], 400, "invalid_request", "grant_type is missing"),
        (
            "client_id=app&client_secret=s3cret&grant_type=password", [], 400, "unsupported_grant_type",
            "password is not supported; client_credentials and refresh_token are"
        ),
        ("grant_type=a&grant_type=b", [], 400, "invalid_request", "the form has grant_type more than once"),
        (
            "client_id=app&client_secret=s3cret&grant_type=refresh_token", [], 400, "invalid_request",
            "refresh_token is missing"
        ),
        (
            "client_id=app&client_secret=s3cret&grant_type=client_credentials&scope=admin", [], 400, "invalid_scope",
            "the scope must be within read write"
        ),
    ])
    func `what is wrong is told as RFC 6749 §5-2 has it`(
        form: String, fields: [String], status: Int, code: String, text: String
    ) async throws {
        try await Self.serving(#", "scope": "read write""#) { server throws in
            let answer = try Self.ask(server, form, fields)
            #expect(answer.status == status)
            #expect(answer.text == #"{"error":"\#(code)","error_description":"\#(text)"}"#)
            #expect(answer["WWW-Authenticate"] == (status == 401 ? #"Basic realm="api""# : nil))
        }
    }

    @Test func `tokens are requested by POST and a form`() async throws {
        try await Self.serving { server throws in
            let get = try server.get("/oauth/token")
            #expect(get.status == 405 && get["Allow"] == "POST")
            let json = try server.request("POST", "/oauth/token", ["Content-Type: application/json"], body: "{}")
            #expect(json.status == 400)
            let text = "the content is not a form: Content-Type must be application/x-www-form-urlencoded"
            #expect(json.text == #"{"error":"invalid_request","error_description":"\#(text)"}"#)
        }
    }

    @Test func `a stub names the issuer, and the scope that it needs`() async throws {
        try await Self.serving(#", "scope": "read write""#) { server throws in
            let reader = try Self.token(server, "grant_type=client_credentials&scope=read")
            #expect(reader["scope"]?.string == "read")
            let refused = try Self.get(server, reader, "/write")
            #expect(refused.status == 403)
            #expect(refused.text == "403: the access token is for something else, and this asks for write\n")
            #expect(
                refused["WWW-Authenticate"]
                    == #"Bearer realm="api", error="insufficient_scope", scope="write""#)
            #expect(try Self.get(server, try Self.token(server), "/write").text == "written")
        }
    }

    @Test func `tokens follow from the seed, and a reset begins again`() async throws {
        var tokens: [String] = []
        for seed: UInt64 in [1, 1, 2] {
            try await Self.serving(seed: seed) { server throws in
                let first = try Self.token(server)
                #expect(try Self.token(server)["access_token"]?.string != first["access_token"]?.string)
                #expect(try server.request("POST", "/__admin/reset").status == 200)
                #expect(try Self.get(server, first).text == "401: the access token is not known\n")
                let again = try Self.token(server)
                #expect(again["access_token"]?.string == first["access_token"]?.string)
                tokens.append(first["access_token"]?.string ?? "")
            }
        }
        #expect(tokens[0] == tokens[1] && tokens[0] != tokens[2])
        #expect(tokens[0].count == 32)
    }

    @Test func `a reload keeps the tokens of a stub that stays as it is`() async throws {
        try await Self.serving { server throws in
            let token = try Self.token(server)
            try server.directory.write("more.txt", "more")
            try server.reload()
            #expect(try Self.get(server, token).text == "you")
            try server.directory.write("tokens.stub.json", Self.stub(#", "uses": 9"#))
            try server.reload()
            #expect(try Self.get(server, token).status == 401)
        }
    }
}
