// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSecrets
import MockapiSecretsSupport
import MockapiTestSupport
import Testing

/// What is found of secrets of our own making, and how much that is none is left as it is: the rates that `docs/secret-rules.md` has.
@Suite(.supervised) struct CorpusTests {
    private static func redacted(_ specimen: Specimen) -> [UInt8] {
        let redactor = Redactor()
        let text = String(decoding: specimen.content, as: UTF8.self)
        return switch specimen.place {
        case .body(let type): redactor.text(specimen.content, mediaType: type, of: .response).value
        case .requestBody(let type): redactor.text(specimen.content, mediaType: type, of: .request).value
        case .binary(let type): redactor.binary(specimen.content, mediaType: type, of: .response).value
        case .query(let name): Array(redactor.query(name, text).value.utf8)
        case .path(let front): Array(redactor.path(segment: text, behind: front.last ?? "").value.utf8)
        case .header(let name): Array(redactor.header(name, text).value.utf8)
        }
    }

    private static func leaks(of specimens: [Specimen]) -> [String] {
        specimens.filter { specimen in
            // A text in UTF-16 is looked at letter by letter.
            specimen.isTold(in: redacted(specimen).filter { $0 != 0 })
        }.map(\.name)
    }

    /// - Parameter share: of a hundred.
    private func expect(_ specimens: [Specimen], toLeakUnder share: Double) {
        let leaks = Self.leaks(of: specimens)
        let limit = share * Double(specimens.count) / 100
        let isUnder = share == 0 ? leaks.isEmpty : Double(leaks.count) < limit
        #expect(isUnder, "\(leaks.count) of \(specimens.count) leak, such as \(leaks.prefix(12))")
    }

    @Test func `no value of a telling name leaks`() {
        expect(Specimen.names, toLeakUnder: 0)
    }

    @Test func `under five of a hundred telling names in the formats of texts leak`() {
        expect(Specimen.formats, toLeakUnder: 5)
    }

    @Test func `under three of a hundred secrets of known issuers leak where no name tells`() {
        expect(Specimen.vendors, toLeakUnder: 3)
    }

    @Test func `under twenty of a hundred values at random leak where no name tells`() {
        expect(Specimen.random, toLeakUnder: 20)
    }

    @Test func `under five of a hundred secrets in links, whole texts, data sources and bytes leak`() {
        expect(Specimen.places, toLeakUnder: 5)
    }

    @Test(arguments: [
        ("feeds", "calendar.ics"), ("downloads", "report.pdf"), ("shares", "files"), ("hooks", "slack"),
        ("links", "open"), ("secret", "show"), ("keys", "key.pem"), ("webhooks", "payload.json"),
    ])
    func `the secret of a link is found in front of what it leads to`(word: String, next: String) {
        let secret = "aB3dE5fG7hJ9kL2mN4pQ6rS8"
        let path = "/\(word)/\(secret)/\(next)"
        let redactor = Redactor()
        #expect(redactor.path(segment: secret, behind: word, before: next).isRedacted)
        #expect(!redactor.header("Location", "https://shop.example.com\(path)").value.contains(secret))
        let text = Array("Go on: https://shop.example.com\(path)\n".utf8)
        let written = Redactor().text(text, mediaType: "text/plain", of: .response).value
        #expect(!String(decoding: written, as: UTF8.self).contains(secret))
    }

    @Test(arguments: ["keys", "sessions", "webhooks", "secrets"])
    func `an id in front of what belongs to it is no secret of a link`(word: String) {
        let id = "kKJb5bOFI47uHeBVluGfX1"
        let redactor = Redactor()
        #expect(!redactor.path(segment: id, behind: word, before: "rotate").isRedacted)
        #expect(redactor.header("Location", "https://api.example.com/\(word)/\(id)/rotate").value.contains(id))
    }

    @Test(arguments: Specimen.chosen)
    func `a password that people choose is found in the next message, however that writes it`(secret: String) {
        let leaks = Specimen.written(secret).filter { specimen in
            let redactor = Redactor()
            let sent = "{\"user\": \"ann\", \"password\": \"\(Specimen.quoted(secret))\"}"
            _ = redactor.text(Array(sent.utf8), mediaType: "application/json", of: .request)
            guard case .body(let type) = specimen.place else { return false }
            return redactor.text(specimen.content, mediaType: type, of: .response).value == specimen.content
        }
        #expect(leaks.isEmpty, "\(leaks.map(\.name))")
    }

    @Test(arguments: ["client_secret", "api_key", "secret", "master_key", "signing_secret", "token", "password"])
    func `a phrase behind a telling name is a secret, and a sentence is none`(name: String) {
        func redacted(_ text: String, _ type: String) -> Bool {
            Redactor().text(Array(text.utf8), mediaType: type, of: .response).isRedacted
        }
        for phrase in ["correct horse battery staple", "zażółć gęślą jaźń", "p@ss w0rd & more"] {
            #expect(redacted("{\"\(name)\": \"\(phrase)\"}", "application/json"), "\(phrase)")
            #expect(redacted("db:\n  host: a\n  \(name): \(phrase)\n  port: 1\n", "application/yaml"), "\(phrase)")
        }
        for text in ["Enter the one that you were given", "Required for all users", "See our documentation"] {
            if name != "password" { #expect(!redacted("{\"\(name)\": \"\(text)\"}", "application/json"), "\(text)") }
        }
    }

    @Test func `at most one of a hundred harmless contents is touched`() {
        let touched = Harmless.all.filter { Self.redacted($0) != $0.content }.map(\.name)
        #expect(Harmless.all.count >= 250)
        #expect(touched.count * 100 <= Harmless.all.count, "\(touched.count) are touched, such as \(touched.prefix(8))")
    }

    @Test func `what is redacted has no finding and stays as it is`() {
        for specimen in Specimen.formats + Specimen.places {
            guard case .body(let type) = specimen.place else { continue }
            let redactor = Redactor()
            let once = redactor.text(specimen.content, mediaType: type, of: .response)
            #expect(redactor.scan(once.value, isText: true) == [], "\(specimen.name)")
            let again = Redactor().text(once.value, mediaType: type, of: .response)
            #expect(again.value == once.value, "\(specimen.name)")
        }
    }

    @Test func `a secret in bytes that are no text is replaced by as many`() {
        for specimen in Specimen.places {
            guard case .binary = specimen.place, specimen.name == "MessagePack" || specimen.name == "a picture" else {
                continue
            }
            let redactor = Redactor()
            let redaction = redactor.binary(specimen.content, mediaType: "", of: .response)
            #expect(redaction.value.count == specimen.content.count)
            #expect(redactor.scan(redaction.value, isText: false) == [])
            #expect(redactor.scan(specimen.content, isText: false) != [])
        }
    }
}
