// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The ways in which a value is written in texts.
enum ValueForms {
    /// A longer value is looked for in its usual forms alone. 512.
    private static let limit = 512

    static func all(of value: [UInt8]) -> [[UInt8]] {
        var forms = [value]
        func add(_ form: [UInt8]) { if !forms.contains(form) { forms.append(form) } }
        let upper = percent(value, keeping: "-._~")
        for form in [
            upper, percent(value, keeping: "-._~", isUpper: false), Self.form(value), escaped(value, slash: false),
            escaped(value, slash: true), Base64.encode(value, pads: false),
        ] { add(form) }
        // All other forms of a value of letters and digits alone are among these.
        guard value.count <= limit, !value.allSatisfy(ByteClass.alphanumeric.contains) else { return forms }
        add(Self.form(value, isUpper: false))
        // `encodeURIComponent` and `encodeURI` of ECMAScript, and a URL within a URL.
        add(percent(value, keeping: "-._~!*'()"))
        add(percent(value, keeping: "-._~!*'();,/?:@&=+$#"))
        let whole = percent(value, keeping: "")
        add(whole)
        add(percent(whole, keeping: ""))
        add(percent(upper, keeping: "-._~"))
        add(base64URL(value))
        for quote in ["\"", "'"] { add(doubled(value, quote)) }
        add(backslashed(value))
        let scalars = String(decoding: value, as: UTF8.self).unicodeScalars
        for marks in markups { add(marked(scalars, marks)) }
        for isUpper in [false, true] {
            add(numbered(scalars, radix: 16, isUpper: isUpper))
            for signs in ["", "<>&", "<>&'", "<>&'\"/"] {
                for isASCII in [false, true] {
                    let form = unicode(scalars, signs, isASCII: isASCII, isUpper: isUpper)
                    add(form)
                    // JSON in a string of JSON.
                    add(escaped(form, slash: false))
                }
            }
        }
        add(numbered(scalars, radix: 10, isUpper: false))
        return forms
    }

    /// Percent-encoded but for letters, digits and some others (RFC 3986 §2.3).
    private static func percent(_ value: [UInt8], keeping others: StaticString, isUpper: Bool = true) -> [UInt8] {
        let kept = ByteClass.alphanumeric.union(others.description)
        return PercentCoding.encode(
            value, digits: isUpper ? Hexadecimal.uppercaseDigits : Hexadecimal.lowercaseDigits, keeps: kept.contains)
    }

    /// As a form's field: `+` for a space.
    private static func form(_ value: [UInt8], isUpper: Bool = true) -> [UInt8] {
        guard value.contains(UInt8(ascii: " ")) else { return value }
        let parts = value.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        return Array(
            parts.map { percent(Array($0), keeping: "-._~", isUpper: isUpper) }.joined(separator: [UInt8(ascii: "+")]))
    }

    /// Base64 in the alphabet for URLs, without padding (RFC 4648 §5).
    private static func base64URL(_ value: [UInt8]) -> [UInt8] {
        Base64.encode(value, pads: false).map { byte in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            default: byte
            }
        }
    }

    // MARK: Quotes

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

    /// The form in a JSON string that writes signs, and characters beyond ASCII, by their numbers.
    private static func unicode(
        _ scalars: String.UnicodeScalarView, _ signs: String, isASCII: Bool, isUpper: Bool
    ) -> [UInt8] {
        var text = ""
        for scalar in scalars {
            guard signs.unicodeScalars.contains(scalar) || isASCII && !scalar.isASCII else {
                text += String(decoding: escaped(Array(String(scalar).utf8), slash: false), as: UTF8.self)
                continue
            }
            for unit in String(scalar).utf16 {
                let digits = String(unit, radix: 16, uppercase: isUpper)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return Array(text.utf8)
    }

    /// As SQL, YAML and CSV write it: each quote twice.
    private static func doubled(_ value: [UInt8], _ quote: String) -> [UInt8] {
        value.flatMap { quote.utf8.first == $0 ? [$0, $0] : [$0] }
    }

    /// As programs write it in single quotes.
    private static func backslashed(_ value: [UInt8]) -> [UInt8] {
        value.flatMap { "'\\".utf8.contains($0) ? [UInt8(ascii: "\\"), $0] : [$0] }
    }

    // MARK: Markup

    /// How pages and XML write quotes: as they are, or by one of their names.
    private static let markups: [(quote: String, apostrophe: String)] = [
        ("\"", "'"), ("&quot;", "'"), ("&quot;", "&#39;"), ("&quot;", "&#039;"), ("&quot;", "&#x27;"),
        ("&quot;", "&apos;"), ("&#34;", "&#39;"), ("&#34;", "&#x27;"),
    ]

    private static func marked(
        _ scalars: String.UnicodeScalarView, _ marks: (quote: String, apostrophe: String)
    ) -> [UInt8] {
        scalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "&": Array("&amp;".utf8)
            case "<": Array("&lt;".utf8)
            case ">": Array("&gt;".utf8)
            case "\"": Array(marks.quote.utf8)
            case "'": Array(marks.apostrophe.utf8)
            default: Array(String(scalar).utf8)
            }
        }
    }

    /// Signs, and characters beyond ASCII, by their numbers.
    private static func numbered(_ scalars: String.UnicodeScalarView, radix: Int, isUpper: Bool) -> [UInt8] {
        scalars.flatMap { scalar -> [UInt8] in
            guard !scalar.isASCII || "&<>\"'".unicodeScalars.contains(scalar) else { return Array(String(scalar).utf8) }
            let number = String(scalar.value, radix: radix, uppercase: isUpper)
            return Array("&#\(radix == 16 ? "x" : "")\(number);".utf8)
        }
    }
}
