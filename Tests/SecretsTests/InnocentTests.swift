// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
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

    @Test(arguments: [
        "#define GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x4 0x93D1\n#define GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x10 0x93DB\n",
        "    node = xmlSecTmplSignatureCreate(doc, xmlSecTransformExclC14NId,\n",
        "=== RUN   TestVet/4\n--- PASS: TestVet/4 (0.00s)\n    --- PASS: TestWithColons/127.0.0.1:0 (0.00s)\n",
        "        userpass = $1\n        user, pass = userpass.unpack(\"m*\")[0].split(\":\", 2)\n",
    ])
    func `names of constants, results of tests and groups of patterns stay`(text: String) {
        let redaction = Redactor().text(Array(text.utf8), mediaType: "text/plain", of: .response)
        #expect(String(decoding: redaction.value, as: UTF8.self) == text)
    }

    @Test(arguments: ["token: kR7tQ2mZ9xW4vB8s (expires in 3600s)\n", "password: hunter2xyz9 (temporary)\n"])
    func `a secret with a remark behind it is replaced`(text: String) {
        let redaction = Redactor().text(Array(text.utf8), mediaType: "text/plain", of: .response)
        #expect(redaction.isRedacted, "\(text)")
    }

    /// The first bytes of files of each kind.
    private static let media: [[UInt8]] = [
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D] + Array("IHDR".utf8),
        [0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10] + Array("JFIF".utf8), Array("GIF89a".utf8) + [0x80, 0, 0x80, 0],
        Array("RIFF".utf8) + [0, 0, 4, 0] + Array("WEBPVP8 ".utf8),
        Array("RIFF".utf8) + [0, 0, 4, 0] + Array("WAVEfmt ".utf8), Array("%PDF-1.7\n".utf8),
        Array("PK".utf8) + [3, 4, 0x14, 0, 0, 0, 8, 0], [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3], Array("BZh91AY&SY".utf8),
        [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0, 4], [0x28, 0xB5, 0x2F, 0xFD], Array("wOF2".utf8) + [0, 1, 0, 0],
        Array("wOFF".utf8) + [0, 1, 0, 0], Array("OTTO".utf8) + [0, 0x0C, 0, 0x80], [0, 1, 0, 0, 0, 0x10, 1, 0],
        Array("ID3".utf8) + [4, 0, 0, 0, 0, 0], Array("OggS".utf8) + [0, 2], Array("fLaC".utf8) + [0, 0, 0, 0x22],
        [0, 0, 0, 0x20] + Array("ftypisom".utf8), [0x1A, 0x45, 0xDF, 0xA3], Array("SQLite format 3\0".utf8),
        [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0], [0, 0x61, 0x73, 0x6D, 1, 0, 0, 0],
        Array("II*\0".utf8) + [8, 0, 0, 0], Array("BM".utf8) + [0x36, 0, 0x0C, 0, 0, 0, 0, 0, 0x36, 0, 0, 0],
        [0, 0, 1, 0, 1, 0, 0x20, 0x20], [0x4D, 0x5A, 0x90, 0, 3, 0, 0, 0], Array("!<arch>\n".utf8),
        // Of no known kind.
        [0xE2, 0x9C, 0xA8, 0x0E, 1, 8, 0, 0],
    ]

    @Test(arguments: media.indices, 1...UInt64(Thoroughness.rounds(1, thorough: 8)))
    func `a file of any kind in Base64 is never cut, in JSON, HTML, CSS and GraphQL`(kind: Int, seed: UInt64) {
        var random = SplitMix(seed: seed &* 64 &+ UInt64(kind))
        let content = Self.media[kind] + (0..<60_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        let data = Base64.text(of: content)
        for (type, text) in [
            ("application/json", #"{"data": [{"b64_json": "\#(data)", "name": "a"}]}"#),
            ("application/json", #"{"data": {"photo": {"content": "data:image/jpeg;base64,\#(data)"}}}"#),
            ("application/json", #"{"query": "mutation { put(file: \"\#(data)\") { id } }"}"#),
            ("text/html", #"<p><img src="data:image/png;base64,\#(data)">"#),
            ("text/css", "a{background:url(data:image/png;base64,\(data))}"),
        ] {
            for side in [MessageSide.request, .response] {
                let redaction = Redactor().text(Array(text.utf8), mediaType: type, of: side)
                #expect(!redaction.isRedacted, "\(type): \(redaction.placeholders)")
            }
        }
    }
}
