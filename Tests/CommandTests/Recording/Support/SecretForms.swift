// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

/// The forms in which a secret could be written.
enum SecretForms {
    /// Of a secret of several lines each line that is long enough to be one.
    static func all(of secret: String) -> [(form: String, bytes: [UInt8])] {
        secret.split(separator: "\n").filter { $0.count >= 12 && !$0.hasPrefix("-----") }.flatMap { part in
            let text = String(part)
            let encoded = PlantedExchanges.encoded(text)
            let forms = [
                ("raw", text), ("percent-encoded", encoded),
                ("percent-encoded in small letters", lowercasedCodes(encoded)),
                ("escaped in JSON", text.replacing("/", with: "\\/").replacing("\"", with: "\\\"")),
                ("in Base64", Data(text.utf8).base64EncodedString()),
                ("in Base64 as a password", Data("ann:\(text)".utf8).base64EncodedString()),
            ]
            return forms.map { (form: $0.0, bytes: Array($0.1.utf8)) }
        }
    }

    static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
        Data(bytes).range(of: Data(needle)) != nil
    }

    private static func lowercasedCodes(_ text: String) -> String {
        var rest = 0
        return String(
            text.map { character in
                if character == "%" { rest = 3 }
                rest -= 1
                return rest >= 0 ? Character(character.lowercased()) : character
            })
    }
}
