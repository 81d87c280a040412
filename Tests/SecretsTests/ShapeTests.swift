// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport
import Testing

@Suite(.supervised) struct ShapeTests {
    @Test(arguments: Planted.shapes)
    func `a known shape is found in a text by its kind and place`(planted: Planted) {
        let findings = SecretScan.findings(in: Array("first line\nand \(planted.text), as you see".utf8), isText: true)
        let offset =
            planted.text.utf8.count
            - (planted.text.firstRange(of: planted.secret).map { planted.text[$0.lowerBound...].utf8.count } ?? 0)
        #expect(findings == [SecretFinding(kind: planted.kind, line: 2, column: 5 + offset)])
    }

    @Test(arguments: Planted.shapes)
    func `a known shape is replaced in JSON, a page, a form, a query, a path and a header`(planted: Planted) {
        let redactor = Redactor()
        let escaped = planted.text.replacing("\n", with: "\\n")
        for (text, type) in [
            ("{\"note\": {\"deep\": [\"so: \(escaped)\"]}}", "application/json"),
            ("<p title=\"x\">\(planted.text)</p>", "text/html"),
            ("{\"a\":1}\n{\"note\":\"\(escaped)\"}\n", "application/x-ndjson"),
            ("a=1&note=\(planted.text.percentEncoded)", "application/x-www-form-urlencoded"),
            ("{\"broken\": \"\(planted.text)\"", "application/json"),
        ] {
            let redacted = redactor.text(Array(text.utf8), mediaType: type, of: .response)
            let shown = String(decoding: redacted.value, as: UTF8.self)
            #expect(redacted.isRedacted, "\(type)")
            #expect(!shown.contains(planted.secret) && !shown.contains(planted.secret.percentEncoded), "\(shown)")
            #expect(redactor.scan(redacted.value, isText: true) == [])
        }
        for redaction in [
            redactor.query("q", planted.text), redactor.path(segment: planted.text),
            redactor.header("X-Note", planted.text),
        ] {
            #expect(redaction.isRedacted)
            #expect(!redaction.value.contains(planted.secret))
        }
    }

    @Test(arguments: Planted.names)
    func `the value of a telling name is replaced wherever it stands`(name: String) {
        let redactor = Redactor()
        let value = Planted.value
        let texts = [
            ("{\"\(name)\": \"\(value)\"}", "application/json", "{\"\(name)\": \"redacted.request.\(name)\"}"),
            ("a=1&\(name)=\(value)", "application/x-www-form-urlencoded", "a=1&\(name)=redacted.request.\(name)"),
            (
                "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n--b--\r\n",
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\nredacted.request.\(name)\r\n--b--\r\n"
            ),
        ]
        for (text, type, expected) in texts {
            let redaction = redactor.text(Array(text.utf8), mediaType: type, of: .request)
            #expect(String(decoding: redaction.value, as: UTF8.self) == expected)
            #expect(redaction.placeholders == ["redacted.request.\(name)"])
        }
        #expect(Redactor().query(name, value).value == "redacted.query.\(name)")
        #expect(
            Redactor().header("Location", "/back?\(name)=\(value)&b=2").value
                == "/back?\(name)=redacted.query.\(name)&b=2")
        let page = Redactor().text(
            Array("<a href=\"/x?\(name)=\(value)&amp;b=2\">".utf8), mediaType: "text/html", of: .response)
        #expect(String(decoding: page.value, as: UTF8.self) == "<a href=\"/x?\(name)=redacted.query.\(name)&amp;b=2\">")
    }

    @Test
    func
        `high entropy is found in values, attributes and parameters, and not in names that hold ids, digests and cursors`()
    {
        let value = Planted.random(40)
        for text in [
            "{\"note\": \"\(value)\"}", "<meta name=\"x\" content=\"\(value)\">", "see /x?h=\(value)&b=1",
            "the words \(value) alone",
        ] {
            #expect(
                SecretScan.findings(in: Array(text.utf8), isText: true).map(\.kind) == ["a string of high entropy"],
                "\(text)")
        }
        for text in [
            "{\"cursor\": \"\(value)\"}", "{\"user_id\": \"\(value)\"}", "<a id=\"\(value)\">", "/x?etag=\(value)",
        ] {
            #expect(SecretScan.findings(in: Array(text.utf8), isText: true) == [], "\(text)")
        }
    }

    @Test func `a realistic value of a telling name is found, and a sample is not`() {
        let value = Planted.random(24)
        for text in [
            "{\"access_token\": \"\(value)\"}", "{\"headers\": {\"X-Auth-Token\": {\"equalTo\": \"\(value)\"}}}",
            "api_key = \(value)",
            "<Token>\(value)</Token>", "[\"X-Api-Key: \(value)\"]",
        ] {
            let findings = SecretScan.findings(in: Array(text.utf8), isText: true)
            #expect(
                findings.count == 1 && findings.allSatisfy { $0.kind.hasPrefix("the secret of the name ") }, "\(text)")
        }
        for text in [
            "{\"access_token\": \"sample-token\"}", "{\"password\": \"open sesame\"}",
            "{\"token\": \"redacted.response.token.0.a1B2c3D4\"}",
            "api_key = sample-\(value)", "{\"errors\": {\"token\": \"is invalid\"}}",
        ] {
            #expect(SecretScan.findings(in: Array(text.utf8), isText: true) == [], "\(text)")
        }
    }

    @Test func `a secret in Base64 of a stub's body is found where the Base64 stands`() {
        let text = "{\"base64Body\": \"" + "eyJ4IjogIkFLSUE" + "1WlE3S0xNTlAyUlNUVVZXIn0=" + "\"}"
        #expect(
            SecretScan.findings(in: Array(text.utf8), isText: true)
                == [SecretFinding(kind: "an AWS access key", line: 1, column: 17)])
    }

    @Test func `bytes that are no text are not looked through for shapes`() {
        #expect(SecretScan.findings(in: Array(Planted.webToken.utf8), isText: false) == [])
    }
}

extension String {
    /// Everything but letters and digits percent-encoded.
    var percentEncoded: String {
        utf8.map { byte in
            Character(Unicode.Scalar(byte)).isLetter || Character(Unicode.Scalar(byte)).isNumber
                ? String(Unicode.Scalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }.joined()
    }
}
