// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The small grammar of XML: declarations, comments, instructions, names and references to characters.
enum XMLProlog {
    /// Encodings that every parser has, or nearly so, in capitals.
    private static let encodings: Set<String> = [
        "UTF-8", "UTF8", "US-ASCII", "ASCII", "ISO-8859-1", "ISO-8859-2", "ISO-8859-9", "ISO-8859-15", "LATIN1",
        "WINDOWS-1250", "WINDOWS-1251", "WINDOWS-1252", "SHIFT_JIS", "EUC-JP", "ISO-2022-JP", "GB2312", "GBK",
        "GB18030", "BIG5", "EUC-KR", "KOI8-R",
    ]

    /// The flaw in a comment or an instruction that every parser refuses; nil if there is none (XML 1.0 §2.5, §2.6, §2.8).
    ///
    /// - Parameters:
    ///   - text: from its `<` to its `>`.
    ///   - isFirst: whether nothing stands in front of it, as of a declaration.
    static func flaw(of text: ArraySlice<UInt8>, isFirst: Bool) -> String? {
        if text.starts(with: "<!--".utf8) {
            let inner = text.dropFirst(4).dropLast(3)
            return inner.firstRange(of: Array("--".utf8)) != nil || inner.last == UInt8(ascii: "-")
                ? "-- in a comment" : nil
        }
        let inner = text.dropFirst(2).dropLast(2)
        let target = inner.prefix { $0 > 0x20 }
        guard isName(target), !target.contains(UInt8(ascii: ":")) else { return "an instruction without a name" }
        guard String(decoding: target, as: UTF8.self).lowercased() == "xml" else { return nil }
        guard isFirst, target.elementsEqual("xml".utf8) else { return "a declaration that does not stand first" }
        return flaw(ofDeclaration: inner.dropFirst(3))
    }

    private static func flaw(ofDeclaration text: ArraySlice<UInt8>) -> String? {
        var rest = text
        var names: [String] = []
        while true {
            let isApart = rest.first.map { $0 <= 0x20 } ?? true
            rest = rest.drop { $0 <= 0x20 }
            if rest.isEmpty { break }
            let name = String(decoding: rest.prefix { $0 > 0x20 && $0 != UInt8(ascii: "=") }, as: UTF8.self)
            rest = rest.dropFirst(name.utf8.count).drop { $0 <= 0x20 }
            guard isApart, rest.first == UInt8(ascii: "=") else { return "a malformed declaration" }
            rest = rest.dropFirst().drop { $0 <= 0x20 }
            guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = rest.dropFirst().firstIndex(of: quote)
            else { return "a malformed declaration" }
            let value = String(decoding: rest[(rest.startIndex + 1)..<end], as: UTF8.self)
            rest = rest[(end + 1)...]
            names.append(name)
            switch name {
            case "version": guard value == "1.0" || value == "1.1" else { return "XML of the version \(value)" }
            case "encoding":
                guard encodings.contains(value.uppercased()) else { return "the encoding \(value), in which it is not" }
            case "standalone": guard value == "yes" || value == "no" else { return "a malformed declaration" }
            default: return "a declaration with \(name)"
            }
        }
        let order = ["version", "encoding", "standalone"].filter(names.contains)
        return names == order && names.first == "version" ? nil : "a malformed declaration"
    }

    /// Whether bytes are a name, as far as signs of ASCII say it (XML 1.0 §2.3, and one colon at most, Namespaces §4).
    static func isName(_ bytes: some Collection<UInt8>) -> Bool {
        guard let first = bytes.first, isLetter(first) else { return false }
        return bytes.count { $0 == UInt8(ascii: ":") } < 2
            && bytes.allSatisfy(isNameByte)
            && !bytes.elementsEqual("xmlns:".utf8)
    }

    /// Whether a byte may stand in a name, as far as ASCII says it.
    static func isNameByte(_ byte: UInt8) -> Bool { isLetter(byte) || "0123456789:.-".utf8.contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Whether digits, or `x` and hexadecimal ones, stand for a character that a text may have (XML 1.0 §4.1, §2.2).
    static func isCharacter(_ digits: Substring) -> Bool {
        let isHexadecimal = digits.first == "x"
        let text = isHexadecimal ? digits.dropFirst() : digits
        guard text.utf8.allSatisfy({ ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 }),
            let value = UInt32(text, radix: isHexadecimal ? 16 : 10), UnicodeScalar(value) != nil
        else { return false }
        return value >= 0x20 && value != 0xFFFE && value != 0xFFFF || [0x09, 0x0A, 0x0D].contains(value)
    }
}
