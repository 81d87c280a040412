// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Digest authentication (RFC 7616).
@Suite(.supervised) struct DigestTests {
    @Test(arguments: [
        (Authentication.Digest.Algorithm.md5, "8ca523f5e9506fed4657c9700eebdbec"),
        (.sha256, "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ])
    func `the example of RFC 7616 §3-9-1 is computed`(algorithm: Authentication.Digest.Algorithm, response: String) {
        var digest = Authentication.Digest(username: "Mufasa", password: "Circle of Life")
        digest.realm = "http-auth@example.org"
        digest.algorithm = algorithm
        let parameters = [
            "uri": "/dir/index.html", "nonce": "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "nc": "00000001",
            "cnonce": "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", "qop": "auth",
        ]
        #expect(DigestNonces(digest, salt: 0).response(to: parameters, method: "GET") == response)
    }

    private static let stub = #"""
        {"request": {"urlPath": "/a"}, "response": {"body": "in"},
         "authentication": {"digest": {"username": "u", "password": "p", "realm": "r", "uses": 2}}}
        """#

    private static func nonce(_ answer: WireResponse) throws -> String {
        let challenge = try #require(answer["WWW-Authenticate"])
        return String(try #require(challenge.firstMatch(of: /nonce="([0-9a-f]{32})"/)).1)
    }

    /// An Authorization line with the right proof, or that of another password.
    private static func line(_ nonce: String, _ count: Int, uri: String = "/a?b=1", password: String = "p") -> String {
        let number = String(repeating: "0", count: 7) + "\(count)"
        func hash(_ text: String) -> String { SHA256.text(of: Array(text.utf8)) }
        let (secret, request) = (hash("u:r:\(password)"), hash("GET:\(uri)"))
        let response = hash("\(secret):\(nonce):\(number):x:auth:\(request)")
        return "Authorization: Digest username=\"u\", realm=\"r\", nonce=\"\(nonce)\", uri=\"\(uri)\", qop=auth, "
            + "nc=\(number), cnonce=\"x\", response=\"\(response)\", algorithm=SHA-256"
    }

    @Test func `a nonce is good for its uses, each count once, and a stale one is told as such`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            let first = try server.get("/a?b=1")
            #expect(first.status == 401)
            let nonce = try Self.nonce(first)
            #expect(
                first["WWW-Authenticate"] == "Digest realm=\"r\", qop=\"auth\", algorithm=SHA-256, nonce=\"\(nonce)\"")
            #expect(try server.get("/a?b=1", Self.line(nonce, 2)).text == "in")
            let again = try server.get("/a?b=1", Self.line(nonce, 2))
            #expect(again.text == "401: the count (nc) 00000002 was used before with this nonce\n")
            #expect(again["WWW-Authenticate"]?.hasSuffix(", stale=true") == true)
            // Requests may overtake each other.
            #expect(try server.get("/a?b=1", Self.line(nonce, 1)).text == "in")
            let stale = try server.get("/a?b=1", Self.line(nonce, 3))
            #expect(stale.text == "401: the nonce was good for 2 requests\n")
            #expect(try server.get("/a?b=1", Self.line(try Self.nonce(stale), 1)).text == "in")
            let unknown = try server.get("/a?b=1", Self.line("0", 1))
            #expect(unknown.text == "401: the nonce is not one of this server's, or too old\n")
            #expect(unknown["WWW-Authenticate"]?.hasSuffix(", stale=true") == true)
        }
    }

    @Test func `what does not prove the password is turned away`() async throws {
        try await TestServer.serving(stub: Self.stub) { server throws in
            let nonce = try Self.nonce(try server.get("/a"))
            let right = Self.line(nonce, 1)
            let lines = [
                (Self.line(nonce, 1, password: "q"), "the name or the password is wrong"),
                (Self.line(nonce, 1, uri: "/other"), "the Digest credentials are for another target"),
                (
                    right.replacing("qop=auth", with: "qop=auth-int"),
                    "the qop of the Digest credentials is not auth"
                ),
                (right.replacing("SHA-256", with: "MD5"), "the Digest credentials are not of SHA-256"),
                (right.replacing("cnonce=\"x\", ", with: ""), "the Digest credentials have no cnonce"),
                (
                    right.replacing("nc=0", with: "nc="),
                    "the count (nc) of the Digest credentials is not of eight hexadecimal digits"
                ),
                ("Authorization: Digest username=\"u", "the Digest credentials cannot be read"),
            ]
            for (line, text) in lines {
                let answer = try server.get("/a?b=1", line)
                #expect(answer.text == "401: \(text)\n" && answer["WWW-Authenticate"]?.contains("stale") == false)
            }
            #expect(try server.get("/a?b=1", right).text == "in")
        }
    }

    @Test(arguments: ["MD5", "SHA-256"])
    func `curl gets in`(algorithm: String) async throws {
        let stub = #"""
            {"authentication": {"digest": {"username": "u", "password": "p", "algorithm": "\#(algorithm)"}}, "response": {"body": "in"}}
            """#
        try await TestServer.serving(stub: stub) { server async throws in
            let tool = try await Tool.curl(["--digest", "--user", "u:p", server.base + "/a?b=1", server.base + "/c"])
            #expect(tool.text == "inin")
        }
    }
}
