// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets
import MockapiTestSupport
import Testing

@Suite(.supervised) struct HeaderTests {
    @Test(arguments: [
        (
            "Set-Cookie", "session=abc; Path=/; HttpOnly; SameSite=Lax",
            "session=redacted.cookie.session; Path=/; HttpOnly; SameSite=Lax"
        ),
        ("set-cookie", "a=\"b12c34d56 c\" ; Max-Age=60", "a=\"redacted.cookie.a\" ; Max-Age=60"),
        ("Set-Cookie", "a=; Max-Age=0", "a=; Max-Age=0"),
        ("Set-Cookie", "a[b]=1=2a3b4c5d; Secure", "a[b]=redacted.cookie.a-b-; Secure"),
        ("Set-Cookie", "theme=dark; Path=/", "theme=dark; Path=/"), ("Set-Cookie", "locale=de_DE", "locale=de_DE"),
        ("Set-Cookie", "consent=1", "consent=1"),
        (
            "Set-Cookie", "cart=%7B%22items%22%3A%5B%7B%22id%22%3A42%2C%22n%22%3A2%7D%5D%7D",
            "cart=%7B%22items%22%3A%5B%7B%22id%22%3A42%2C%22n%22%3A2%7D%5D%7D"
        ),
        ("Set-Cookie", "user_theme=dark", "user_theme=redacted.cookie.user_theme"),
        ("Set-Cookie", "visit=1795168800", "visit=redacted.cookie.visit"),
        ("Set-Cookie", "code=ABCD-1234-EFGH-5678", "code=redacted.cookie.code"),
        ("Set-Cookie", "x=abcdefghijklmnop", "x=redacted.cookie.x"),
        ("x-auth-token", "abc", "redacted.header.X-Auth-Token"),
        ("Authorization", "Bearer abc", "redacted.header.Authorization"),
        ("X-CSRF-Token", "abc", "redacted.header.X-Csrf-Token"),
        (
            "WWW-Authenticate", "Digest realm=\"a b\", nonce=\"dcd98b71\", opaque=5ccc069c, algorithm=MD5",
            "Digest realm=\"a b\", nonce=\"redacted.header.Www-Authenticate.nonce\", opaque=redacted.header.Www-Authenticate.opaque, algorithm=MD5"
        ),
        (
            "Location",
            "https://ann:open-sesame@example.com/cb?code=9f8e7d6c5b4a39281706&state=x#access_token=abc&token_type=bearer",
            "https://ann:redacted.header.Location@example.com/cb?code=redacted.query.code&state=x#access_token=redacted.query.access_token&token_type=bearer"
        ),
        (
            "Link", "<https://example.com/?page=2&api_key=abc>; rel=\"next\"",
            "<https://example.com/?page=2&api_key=redacted.query.api_key>; rel=\"next\""
        ),
        ("Refresh", "0; url=/in?token=abc", "0; url=/in?token=redacted.query.token"),
    ])
    func `a header line keeps what is not a secret`(name: String, value: String, expected: String) {
        let redactor = Redactor()
        let redaction = redactor.header(name, value)
        #expect(redaction.value == expected)
        #expect(redactor.header(name, redaction.value).value == expected)
    }

    @Test func `a header line that the rules name is replaced as a whole, in any case`() {
        var rules = RedactionRules()
        rules.headers = ["X-Tenant"]
        #expect(Redactor(rules).header("x-tenant", "acme").value == "redacted.header.X-Tenant")
        let redactor = Redactor(rules)
        redactor.learn([("X-TENANT", "acme-corporation-7")])
        #expect(redactor.query("q", "of acme-corporation-7").value == "of redacted.header.X-Tenant")
    }

    @Test(arguments: [
        ("Token token=\"t0k3n-of-mine\"", "t0k3n-of-mine"),
        (
            "AWS4-HMAC-SHA256 Credential=AK"
                + "IAIOSFODNN7ABCDEFG/20261121/eu-west-1/s3/aws4_request, SignedHeaders=host, Signature=fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024",
            "fe5f80f77d5fa3beca038a248ff027d0445342fe2855ddc963176630326f1024"
        ),
        (
            "Digest username=\"ann\", realm=\"x\", nonce=\"dcd98b7102dd2f0e8b11d0f6\", uri=\"/a\", response=\"6629fae49393a05397450978507c4ef1\"",
            "6629fae49393a05397450978507c4ef1"
        ),
        ("raw-key-without-scheme-1", "raw-key-without-scheme-1"),
    ])
    func `the secrets in Authorization are learnt under any scheme`(value: String, secret: String) {
        let redactor = Redactor()
        redactor.learn([("Authorization", value)])
        let redaction = redactor.header("X-Echo", "so \(secret).")
        #expect(redaction.value.hasPrefix("so redacted.header.Authorization"))
        #expect(!redaction.value.contains(secret))
    }

    @Test func `a cookie that is a common word is not looked for elsewhere`() {
        let redactor = Redactor()
        redactor.learn([("Cookie", "theme=solarized; last=/articles/42; seen=2026-10-29; zone=Europe/Berlin")])
        let text = #"{"theme": "solarized", "link": "/articles/42", "at": "2026-10-29", "zone": "Europe/Berlin"}"#
        #expect(redactor.text(Array(text.utf8), mediaType: "application/json", of: .response).placeholders == [])
    }
}
