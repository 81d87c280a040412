// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport
import Testing

@Suite(.supervised) struct InnocentTests {
    @Test(arguments: Innocent.members)
    func `ordinary JSON stays byte for byte`(member: String) {
        let bytes = Array("{ \(member) }".utf8)
        for side in [MessageSide.request, .response] {
            let redaction = Redactor().text(bytes, mediaType: "application/json", of: side)
            #expect(String(decoding: redaction.value, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
            #expect(redaction.placeholders == [])
        }
        #expect(SecretScan.findings(in: bytes, isText: true) == [])
    }

    @Test(arguments: ["application/json", "text/plain", "", "text/html", "application/xml"])
    func `ordinary texts stay byte for byte whatever they are called`(type: String) {
        for text in [Innocent.json, Innocent.page, "", "\n", "caf\u{E9}"] {
            let redaction = Redactor().text(Array(text.utf8), mediaType: type, of: .response)
            #expect(String(decoding: redaction.value, as: UTF8.self) == text)
        }
    }

    @Test func `ordinary parameters and header lines stay`() {
        let redactor = Redactor()
        for (name, value) in Innocent.queries { #expect(redactor.query(name, value).value == value, "\(name)") }
        for (name, value) in Innocent.headers { #expect(redactor.header(name, value).value == value, "\(name)") }
        for segment in [
            "api", "contents", "42", "7102220-a-mock-server", "123e4567-e89b-12d3-a456-426614174000", "sunrise@2x.png",
        ] {
            #expect(redactor.path(segment: segment).value == segment)
        }
    }

    @Test func `text in Latin-1 survives byte for byte, its secrets aside`() {
        let redaction = Redactor().text(
            latin1("caf\u{E9} token=\(Planted.value) \u{FC}\u{FF}"), mediaType: "text/plain; charset=iso-8859-1",
            of: .response)
        #expect(redaction.value == latin1("caf\u{E9} token=redacted.response.token \u{FC}\u{FF}"))
    }

    @Test func `a picture in Base64 is never cut, whatever its bytes look like`() {
        let key = "sk" + String(repeating: "aB3xK9qT", count: 12)
        let picture = "iVBORw0KGgo" + String(repeating: "A", count: 301) + "+" + key + "/" + key + "+AAAA"
        for text in [
            #"{"data": "\#(picture)"}"#, #"<img src="data:image/png;base64,\#(picture)">"#,
            "a { background: url(data:image/png;base64,\(picture)) }",
        ] {
            let bytes = Array(text.utf8)
            #expect(!Redactor().text(bytes, mediaType: "", of: .response).isRedacted, "\(text.prefix(20))")
            #expect(!Redactor().text(bytes, mediaType: "", of: .request).isRedacted, "\(text.prefix(20))")
        }
    }
}
