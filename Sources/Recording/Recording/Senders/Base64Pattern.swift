// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Patterns of the parts of a token that name its owner openly, in Base64: the user of Basic credentials and the subject of a JSON Web Token.
enum Base64Pattern {
    private static let standard = Array(Base64.digits(of: .standard))
    private static let url = Array(Base64.digits(of: .url))
    /// Bytes of a subject that are looked at. 8: more would look like a secret itself.
    private static let subjectLimit = 8

    /// The user of Basic credentials (RFC 7617 §2), and a pattern of those of theirs with any password.
    static func user(ofBasic credentials: [UInt8]) -> (name: String, pattern: String)? {
        guard let plain = Data(base64Encoded: Data(credentials)).map({ Array($0) }),
            let colon = plain.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            let name = String(validating: plain[..<colon], as: UTF8.self)
        else { return nil }
        return (name, "(?i:basic) +" + letters(of: Array(plain[...colon]), skipping: 0, standard) + ".*")
    }

    /// The subject of a JSON Web Token (RFC 7519 §4.1.2), and a pattern of its tokens.
    static func subject(ofToken token: [UInt8]) -> (name: String, pattern: String)? {
        let parts = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, token.starts(with: Array("eyJ".utf8)), let payload = decoded(parts[1]),
            let claims = try? JSONParser.parse(payload)
        else { return nil }
        guard let subject = ["sub", "client_id", "iss"].lazy.compactMap({ claims[$0]?.string }).first,
            let place = payload.firstRange(of: Array(subject.utf8)), !subject.isEmpty
        else { return nil }
        // With the quote in front: `ann` is not `joann`.
        let shown = [UInt8(ascii: "\"")] + payload[place].prefix(subjectLimit)
        let places = (0..<3).map { letters(of: shown, skipping: $0, url) }
        return (subject, "(.* )?[^.]+\\.[^.]*(" + places.joined(separator: "|") + ")[^.]*\\..*")
    }

    private static func decoded(_ part: ArraySlice<UInt8>) -> [UInt8]? {
        let standard = part.map { byte in
            byte == UInt8(ascii: "-") ? UInt8(ascii: "+") : byte == UInt8(ascii: "_") ? UInt8(ascii: "/") : byte
        }
        let padding = Array(repeating: UInt8(ascii: "="), count: (4 - standard.count % 4) % 4)
        return Data(base64Encoded: Data(standard + padding)).map { Array($0) }
    }

    /// The letters of bytes with as many others in front, and after which anything may.
    private static func letters(of bytes: [UInt8], skipping count: Int, _ alphabet: [Character]) -> String {
        // nil for a bit that may be either.
        var bits: [Bool?] = Array(repeating: nil, count: count * 8)
        for byte in bytes { bits += (0..<8).map { byte & (0x80 >> $0) != 0 } }
        bits += Array(repeating: nil, count: (6 - bits.count % 6) % 6)
        var text = ""
        for start in stride(from: 0, to: bits.count, by: 6) {
            let fitting = alphabet.indices.filter { index in
                (0..<6).allSatisfy { place in
                    bits[start + place].map { $0 == (index & (0x20 >> place) != 0) } ?? true
                }
            }
            // A position at the beginning that any letter fits needs none.
            if fitting.count == 64, text.isEmpty { continue }
            text += fitting.count == 1 ? escaped(alphabet[fitting[0]]) : "[\(String(fitting.map { alphabet[$0] }))]"
        }
        // A hyphen within brackets would be a range.
        return text.replacing(bytesOf: "-_]", with: "_-]")
    }

    private static func escaped(_ letter: Character) -> String {
        letter == "+" || letter == "/" ? "\\\(letter)" : String(letter)
    }
}
