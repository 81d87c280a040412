// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPSyntax

/// The ways in which a value is written in texts.
enum ValueForms {
    static func all(of value: [UInt8]) -> [[UInt8]] {
        var forms = [value]
        for form in [
            percent(value, uppercase: true), percent(value, uppercase: false), form(value),
            escaped(value, slash: false),
            escaped(value, slash: true), Base64.encode(value, pads: false),
        ] where !forms.contains(form) {
            forms.append(form)
        }
        return forms
    }

    /// Percent-encoded but for unreserved characters (RFC 3986 §2.3).
    private static func percent(_ value: [UInt8], uppercase: Bool) -> [UInt8] {
        PercentCoding.encode(
            value, digits: uppercase ? Hexadecimal.uppercaseDigits : Hexadecimal.lowercaseDigits,
            keeps: PercentCoding.isUnreserved)
    }

    /// As a form's field: `+` for a space.
    private static func form(_ value: [UInt8]) -> [UInt8] {
        guard value.contains(UInt8(ascii: " ")) else { return value }
        let parts = value.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return Array(parts.map { percent(Array($0), uppercase: true) }.joined(separator: [UInt8(ascii: "+")]))
    }

    /// As a JSON string writes it.
    private static func escaped(_ value: [UInt8], slash: Bool) -> [UInt8] {
        value.flatMap { byte -> [UInt8] in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "/") where slash: [UInt8(ascii: "\\"), byte]
            case 0x0A: Array("\\n".utf8)
            case 0x0D: Array("\\r".utf8)
            case 0x09: Array("\\t".utf8)
            default: [byte]
            }
        }
    }
}
