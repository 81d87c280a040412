// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport
import Testing

/// Secrets that stand within something else.
@Suite(.supervised) struct HiddenSecretTests {
    private static let value = Planted.value

    @Test(arguments: [
        ("application/json", #"{"body": "{\"password\": \"open it\"}"}"#, "open it"),
        ("application/json", #"{"config": "eyJwYXNzd29yZCI6Im9wZW4gaXQifQ=="}"#, "eyJwYXNz"),
        (
            "application/json", #"{"hash": "$2b$12$R9hcIPz0giURNNX3kh2OPST9PgBkqquziSs7KIUgO2t0jWMUWabcd"}"#,
            "R9hcIPz0gi"
        ),
        (
            "application/yaml",
            "client-key-data: LS0tLS1CRUdJTiBQUklWQVRF" + "IEtFWS0tLS0tCk1JSUV2UUlCQURBTkJna3Foa2lHOXcw\n", "MUlJRXZR"
        ),
        ("application/xml", "<a><sf:sessionId>\(value)</sf:sessionId></a>", value),
        ("application/xml", "<a><token xsi:type=\"xsd:string\">\(value)</token></a>", value),
        ("application/xml", "<a><token><![CDATA[\(value)]]></token></a>", value),
        ("application/xml", "<wsse:Password Type=\"x#PasswordText\">open sesame</wsse:Password>", "open sesame"),
        ("text/html", "<meta name=\"csrf-token\" content=\"\(value)\">", value),
        ("text/html", "<input type=\"hidden\" name='csrf' value='\(value)'>", value),
        ("text/html", "<a href=\"/in?password=open\">", "=open"),
        ("text/event-stream", "event: x\ndata: {\"password\":\"open sesame\"}\n\n", "open sesame"),
    ])
    func `a secret within another text is replaced`(type: String, text: String, secret: String) {
        let redactor = Redactor()
        let redaction = redactor.text(Array(text.utf8), mediaType: type, of: .response)
        let shown = String(decoding: redaction.value, as: UTF8.self)
        #expect(redaction.placeholders.count == 1, "\(shown)")
        #expect(!shown.contains(secret), "\(shown)")
        #expect(redactor.text(redaction.value, mediaType: type, of: .response).placeholders == [])
    }

    @Test(arguments: [
        ("Set-Cookie", "\(value); Path=/", "redacted.cookie.; Path=/"),
        ("Set-Cookie", "a=1; Path=/; b=\(value)", "a=1; Path=/; b=redacted.cookie.b"),
        ("Set-Cookie2", "a=\(value); Version=1", "a=redacted.cookie.a; Version=1"),
        ("WWW-Authenticate", "Negotiate YIIabcD12345678x==", "Negotiate redacted.header.Www-Authenticate=="),
        ("X-Auth-Token", "open sesame", "redacted.header.X-Auth-Token"),
        ("Cookie", "a=b", "redacted.header.Cookie"),
        ("Location", "/in?next=%2Fcb%3Ftoken%3D\(value)", "/in?next=%2Fcb%3Ftoken%3Dredacted.query.token"),
    ])
    func `a header line of an odd form is replaced in part`(name: String, value: String, expected: String) {
        let redactor = Redactor()
        let redaction = redactor.header(name, value)
        #expect(redaction.value == expected)
        #expect(redactor.header(name, expected).value == expected)
    }

    @Test(arguments: [true, false])
    func `a secret in UTF-16 is replaced, and found`(isBigEndian: Bool) {
        func wide(_ text: String) -> [UInt8] {
            ([0xFEFF] + Array(text.utf16)).flatMap {
                isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)]
            }
        }
        let value = Planted.random(24)
        let redactor = Redactor()
        let text = wide("é token=\(value)\n😀")
        #expect(redactor.scan(text, isText: true).count == 1)
        #expect(SecretScan.isText(text))
        #expect(SecretScan.findings(in: text, isText: true).map(\.line) == [1])
        let redaction = redactor.text(text, mediaType: "text/plain; charset=utf-16", of: .response)
        #expect(redaction.value == wide("é token=redacted.response.token\n😀"))
        #expect(redactor.text(wide("plain"), mediaType: "text/plain", of: .response).value == wide("plain"))
    }

    @Test func `a password in a call of GraphQL is replaced where it is sent`() {
        let text = #"{"query": "mutation { login(password: \"open it\") { token } }"}"#
        let redaction = Redactor().text(Array(text.utf8), mediaType: "application/json", of: .request)
        #expect(
            String(decoding: redaction.value, as: UTF8.self)
                == #"{"query": "mutation { login(password: \"redacted.request.query.password\") { token } }"}"#)
    }

    @Test func `what only looks like one of these stays`() {
        let jsons = [
            #"{"login": {"password": "Confirm your password", "token": "Token", "secret": "Secret"}}"#,
            #"{"default": {"password": "string"}}"#, #"{"logprobs": [{"token": "Hello"}]}"#,
            #"{"keys": [{"kty": "EC", "x": "\#(Planted.random(43))", "y": "\#(Planted.random(43, seed: 2))"}]}"#,
            #"{"token": "0x742d35Cc6634C0532925a3b844Bc454e4438f44e"}"#, #"{"owner": "\#(Planted.random(44))"}"#,
            #"{"file": "\#(Planted.random(40))", "Key": "uploads/\#(Planted.random(36))/photo.jpg"}"#,
            #"{"request": {"urlPath": "/videos/\#(Planted.random(40))"}, "bodyFile": "\#(Planted.random(40))"}"#,
            #"{"next": "/users?$skiptoken=\#(Planted.random(60))", "state": "eyJpZCI6NDIsIm9mZnNldCI6MTAwfQ=="}"#,
        ]
        let others = [
            "<path d=\"M10H90V90H10Zm20h5v5h-5zM30A5a5V1h2Q3T4zC8c2\"/>", "auth=useAuthContext2(),b=1",
            "csrf=form2.password1.value;", "if(a&&password=b){}", "<label>Password</label>",
        ]
        for (text, type) in jsons.map({ ($0, "application/json") }) + others.map({ ($0, "text/html") }) {
            let redaction = Redactor().text(Array(text.utf8), mediaType: type, of: .response)
            #expect(String(decoding: redaction.value, as: UTF8.self) == text)
            #expect(SecretScan.findings(in: Array(text.utf8), isText: true) == [])
        }
    }
}
