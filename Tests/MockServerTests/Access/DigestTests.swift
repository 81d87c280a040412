// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Digest authentication (RFC 7616).
@Suite(.supervised) struct DigestTests {
    @Test func `hashes are those of the RFCs`() {
        let letters = "abcdefghijklmnopqrstuvwxyz"
        // RFC 1321, appendix A.5.
        #expect(MessageDigest.md5("") == "d41d8cd98f00b204e9800998ecf8427e")
        #expect(MessageDigest.md5("a") == "0cc175b9c0f1b6a831c399e269772661")
        #expect(MessageDigest.md5("abc") == "900150983cd24fb0d6963f7d28e17f72")
        #expect(MessageDigest.md5("message digest") == "f96b697d7cb7938d525a2f31aaf161d0")
        #expect(MessageDigest.md5(letters) == "c3fcd3d76192e4007dfb496cca67e13b")
        let all = letters.uppercased() + letters + "0123456789"
        #expect(MessageDigest.md5(all) == "d174ab98d277d9f5a5611c2c9f419d9f")
        let digits = String(repeating: "1234567890", count: 8)
        #expect(MessageDigest.md5(digits) == "57edf4a22be3c955ac49da2e2107b67a")
        // RFC 6234, section 8.5.
        #expect(MessageDigest.sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(MessageDigest.sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
        #expect(MessageDigest.sha256(long) == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
        let numbers = String(repeating: "01234567", count: 80)
        #expect(MessageDigest.sha256(numbers) == "594847328451bdfa85056225462cc1d867d877fb388df0ce35f25ab5562bfbb5")
    }

    @Test func `texts of every length around one block and two are hashed as elsewhere`() {
        let texts = (0...130).map { String(repeating: "a", count: $0) }
        // As Python's hashlib has them.
        let md5 = MessageDigest.md5(texts.map(MessageDigest.md5).joined())
        #expect(md5 == "dc15a7096e621b7f0679b8ac9d383e7f")
        let sha256 = MessageDigest.sha256(texts.map(MessageDigest.sha256).joined())
        #expect(sha256 == "5eee4c50e1b5ec4f1a47f34c25ca988850b49da7904f5ab1b3abc5cc0ae66ef9")
    }

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
        func hash(_ text: String) -> String { MessageDigest.sha256(text) }
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
            #expect(again.text == "401: the count (nc) 00000002 has come before with this nonce\n")
            #expect(again["WWW-Authenticate"]?.hasSuffix(", stale=true") == true)
            // Requests may overtake each other.
            #expect(try server.get("/a?b=1", Self.line(nonce, 1)).text == "in")
            let stale = try server.get("/a?b=1", Self.line(nonce, 3))
            #expect(stale.text == "401: the nonce was good for 2 requests\n")
            #expect(try server.get("/a?b=1", Self.line(try Self.nonce(stale), 1)).text == "in")
            let unknown = try server.get("/a?b=1", Self.line("0", 1))
            #expect(unknown.text == "401: the nonce is none of this server's, or long gone\n")
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
                    "the Digest credentials have another qop than auth"
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
