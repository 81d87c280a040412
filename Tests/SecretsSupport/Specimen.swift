// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A content of our own making with one secret in it, and where it is met; put together when the tests run.
package struct Specimen: Sendable {
    /// What part of a message the content is.
    package enum Place: Sendable {
        case body(String)
        case requestBody(String)
        case binary(String)
        case query(String)
        /// Segments, of which the last is the content's.
        case path([String])
        case header(String)
    }

    /// What it is an example of, to be told where it leaks.
    package var name: String
    package var place: Place
    package var content: [UInt8]
    package var secret: String

    package init(_ name: String, _ place: Place, _ text: String, secret: String) {
        self.init(name, place, bytes: Array(text.utf8), secret: secret)
    }

    package init(_ name: String, _ place: Place, bytes: [UInt8], secret: String) {
        self.name = name
        self.place = place
        self.content = bytes
        self.secret = secret
    }

    /// Whether the secret stands in a text, as it is or as texts write it.
    package func isTold(in text: [UInt8]) -> Bool {
        let shown = String(decoding: text, as: UTF8.self)
        return [secret, Self.percentEncoded(secret), Self.xml(secret)].contains { shown.contains($0) }
    }

    /// Everything but letters and digits percent-encoded.
    package static func percentEncoded(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: String(Unicode.Scalar(byte))
            default: "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }

    private static func xml(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    /// A text by a pattern such as `gh<t1>_<a36>`: runs of so many characters of a class, at random.
    package static func made(_ pattern: String, seed: UInt64) -> String {
        var text = ""
        var rest = Substring(pattern)
        var seed = seed
        while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
            text += rest[..<open]
            let run = rest[rest.index(after: open)..<close]
            seed &+= 101
            text += Planted.random(Int(run.dropFirst()) ?? 0, from: alphabet(run.first ?? "a"), seed: seed)
            rest = rest[rest.index(after: close)...]
        }
        return text + rest
    }

    private static func alphabet(_ letter: Character) -> String {
        switch letter {
        case "h": Planted.hexadecimal
        case "A": Planted.capitals
        case "d": "0123456789"
        case "l": "abcdefghijklmnopqrstuvwxyz0123456789"
        case "u": Planted.letters + "-_"
        case "b": Planted.letters + "+/"
        case "5": "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
        default: Planted.letters
        }
    }
}
