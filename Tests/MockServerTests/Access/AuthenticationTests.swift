// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Stubs that ask who sends a request.
@Suite(.supervised) struct AuthenticationTests {
    private static let bearer = #"""
        {"request": {"urlPath": "/me"}, "response": {"body": "you"},
         "authentication": {"bearer": {"tokens": ["abc"], "expired": ["old"], "insufficient": ["weak"], "realm": "shop"}}}
        """#

    /// The status, the text and the challenges of a response.
    private static func told(_ answer: WireResponse) -> [String] {
        ["\(answer.status) \(answer.text)"] + answer.fields.filter { $0.name == "WWW-Authenticate" }.map(\.value)
    }

    @Test(arguments: [
        (
            [],
            [
                "401 401: credentials are required: an Authorization line of the scheme Bearer\n",
                #"Bearer realm="shop""#,
            ]
        ),
        (["Authorization: Bearer abc"], ["200 you"]), (["Authorization: bearer abc"], ["200 you"]),
        (
            ["Authorization: Bearer old"],
            [
                "401 401: the access token has expired\n",
                #"Bearer realm="shop", error="invalid_token", error_description="the access token has expired""#,
            ]
        ),
        (
            ["Authorization: Bearer none"],
            [
                "401 401: the access token is not known\n",
                #"Bearer realm="shop", error="invalid_token", error_description="the access token is not known""#,
            ]
        ),
        (
            ["Authorization: Bearer weak"],
            [
                "403 403: the access token is for something else\n",
                #"Bearer realm="shop", error="insufficient_scope""#,
            ]
        ),
        (
            ["Authorization: Basic YTpi"],
            [
                "401 401: Authorization is of the scheme basic, but Bearer is required\n", #"Bearer realm="shop""#,
            ]
        ),
        (
            ["Authorization: Bearer abc", "Authorization: Bearer abc"],
            ["400 400: the request has more than one Authorization line\n"]
        ),
    ])
    func `a bearer token is judged`(fields: [String], told: [String]) async throws {
        try await TestServer.serving(stub: Self.bearer) { server throws in
            #expect(Self.told(try server.request("GET", "/me", fields)) == told)
        }
    }

    @Test func `the same over HTTP 2, and a refusal is in the journal as the stub's response`() async throws {
        try await TestServer.serving(stub: Self.bearer) { server throws in
            let client = try FrameClient(port: server.port)
            #expect(try client.get("/me").status == 401)
            #expect(server.journal.unmatched.isEmpty)
            #expect(server.journal.entries.map(\.status) == [401])
        }
    }

    @Test func `a step of a sequence is not used up by a request that is turned away`() async throws {
        let stub = #"""
            {"authentication": {"bearer": {"tokens": ["abc"]}}, "responses": [{"body": "1"}, {"body": "2"}]}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            #expect(try server.get("/").status == 401)
            #expect(try server.get("/", "Authorization: Bearer abc").text == "1")
            #expect(try server.get("/").status == 401)
            #expect(try server.get("/", "Authorization: Bearer abc").text == "2")
        }
    }

    @Test func `a name and a password are judged, and HEAD has no body`() async throws {
        let stub = #"""
            {"authentication": {"basic": {"username": "Aladdin", "password": "open sesame"}}, "response": {"body": "cave"}}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            #expect(try server.get("/", "Authorization: Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==").text == "cave")
            let challenge = #"Basic realm="api", charset="UTF-8""#
            #expect(
                Self.told(try server.get("/", "Authorization: Basic QWxhZGRpbjpvcGVu"))
                    == ["401 401: the name or the password is wrong\n", challenge])
            #expect(
                Self.told(try server.get("/", "Authorization: Basic !"))
                    == ["401 401: the Basic credentials cannot be read\n", challenge])
            // An accent in front of the password is a part of it.
            #expect(try server.get("/", "Authorization: Basic QWxhZGRpbjrMgW9wZW4gc2VzYW1l").status == 401)
            let client = try server.connect()
            try client.send("HEAD / HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.response(isHead: true).status == 401)
        }
    }

    @Test func `paths are protected, whatever answers below them`() async throws {
        let files: KeyValuePairs = [
            "guard.stub.json":
                #"{"protects": ["/api/", "/files/"], "authentication": {"bearer": {"tokens": ["t"]}, "basic": {"username": "a", "password": "b"}}}"#,
            "one.stub.json": #"{"request": {"urlPath": "/api/one"}, "response": {"body": "one"}}"#,
            "files/two.txt": "two", "open.txt": "open",
        ]
        try await TestServer.serving(files) { server throws in
            for path in ["/api/one", "/api/none", "/files/two.txt"] {
                #expect(
                    Self.told(try server.get(path)) == [
                        "401 401: credentials are required: an Authorization line of the scheme Bearer or Basic\n",
                        #"Bearer realm="api""#, #"Basic realm="api", charset="UTF-8""#,
                    ])
            }
            for _ in 0..<3 { #expect(try server.get("/api/one", "Authorization: Bearer t").text == "one") }
            #expect(try server.get("/files/two.txt", "Authorization: Basic YTpi").text == "two")
            #expect(try server.get("/open.txt").text == "open")
            let miss = try server.get("/api/none", "Authorization: Bearer t")
            #expect(miss.status == 404 && !miss.text.contains("guard.stub.json"))
            let wrong = try server.request("PURGE", "/files/two.txt", ["Authorization: Bearer t"])
            #expect(wrong.status == 405 && wrong["Allow"] == "GET, HEAD, OPTIONS")
        }
    }
}
