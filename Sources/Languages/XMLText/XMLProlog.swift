// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The part of a document in front of its first element: its encoding, and a document type.
enum XMLProlog {
    /// The bytes as libxml2 gets them, and the encoding it is reported.
    struct Prepared {
        var text: [UInt8]
        var encoding: String?
    }

    /// Encodings in which markup is written as in ASCII, so that a document type can be looked through.
    private static let encodings: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii", "windows-1252", "cp1252"]

    /// Looks through the prolog.
    ///
    /// - Throws: if a document type declares entities, or the encoding is not known.
    static func prepared(_ bytes: [UInt8]) throws(XMLError) -> Prepared {
        if let text = utf16(bytes) {
            let plain = withoutEncoding(Array(text.utf8))
            try check(plain)
            try XMLTags.check(plain)
            return Prepared(text: plain, encoding: "UTF-8")
        }
        if let name = encoding(bytes)?.lowercased(), !encodings.contains(name), !name.hasPrefix("iso-8859-") {
            throw XMLError(
                line: 1, column: 1,
                message: "the encoding \(name) is not supported: there are UTF-8, UTF-16, US-ASCII, ISO-8859-1 and the "
                    + "others of ISO-8859, and windows-1252")
        }
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if let first = bytes[start...].first(where: { $0 > 0x20 }), first != UInt8(ascii: "<") {
            throw XMLError(line: 1, column: 1, message: "the document does not begin with '<'")
        }
        try check(bytes)
        try XMLTags.check(bytes)
        return Prepared(text: bytes, encoding: nil)
    }

    /// The text of UTF-16, which begins with a byte order mark or has every other byte zero.
    private static func utf16(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let isBig: Bool
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0, UInt8(ascii: "<")): isBig = true
        case (0xFF, 0xFE), (UInt8(ascii: "<"), 0): isBig = false
        default: return nil
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes[0] >= 0xFE ? 2 : 0
        while index + 1 < bytes.count {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
            index += 2
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// The end of the XML declaration, if there is one.
    private static func declaration(_ bytes: [UInt8]) -> Range<Int>? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard bytes[start...].starts(with: "<?xml".utf8) else { return nil }
        guard let end = find("?>", in: bytes, from: start) else { return nil }
        // A declaration is short; a long one is not a declaration.
        return end - start <= 512 ? start..<end + 2 : nil
    }

    private static func encodingRange(_ bytes: [UInt8]) -> (whole: Range<Int>, value: Range<Int>)? {
        guard let declaration = declaration(bytes) else { return nil }
        let declared = Array(bytes[declaration])
        guard let word = find("encoding", in: declared, from: 0) else { return nil }
        var index = word + 8
        while index < declared.count, declared[index] <= 0x20 || declared[index] == UInt8(ascii: "=") { index += 1 }
        guard index < declared.count, declared[index] == UInt8(ascii: "\"") || declared[index] == UInt8(ascii: "'"),
            let end = declared[(index + 1)...].firstIndex(of: declared[index])
        else { return nil }
        let base = declaration.lowerBound
        return (base + word..<base + end + 1, base + index + 1..<base + end)
    }

    private static func encoding(_ bytes: [UInt8]) -> String? {
        encodingRange(bytes).map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// The text with spaces in the place of its encoding declaration, since it does not have that encoding any more.
    static func withoutEncoding(_ bytes: [UInt8]) -> [UInt8] {
        guard let range = encodingRange(bytes)?.whole else { return bytes }
        var bytes = bytes
        for index in range { bytes[index] = UInt8(ascii: " ") }
        return bytes
    }

    private static func find(_ text: String, in bytes: [UInt8], from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        var index = start
        while index + wanted.count <= bytes.count {
            if bytes[index] == wanted[0], bytes[index...].starts(with: wanted) { return index }
            index += 1
        }
        return nil
    }

    /// Passes over comments and instructions to the document type, and through it.
    private static func check(_ bytes: [UInt8]) throws(XMLError) {
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while index < bytes.count {
            if bytes[index] <= 0x20 {
                index += 1
            } else if bytes[index...].starts(with: "<?".utf8) {
                guard let end = find("?>", in: bytes, from: index) else { return }
                index = end + 2
            } else if bytes[index...].starts(with: "<!--".utf8) {
                guard let end = find("-->", in: bytes, from: index + 4) else { return }
                index = end + 3
            } else if bytes[index...].starts(with: "<!DOCTYPE".utf8) {
                return try checkDocumentType(bytes, from: index)
            } else {
                return
            }
        }
    }

    private static func checkDocumentType(_ bytes: [UInt8], from start: Int) throws(XMLError) {
        var index = start + 9
        var isInside = false
        var texts = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                guard let end = bytes[(index + 1)...].firstIndex(of: bytes[index]) else { return }
                index = end
                texts += 1
                if texts > XMLLimits.attributes {
                    throw refusal(
                        bytes, at: start, "a document type with more than \(XMLLimits.attributes) texts is not accepted"
                    )
                }
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            case UInt8(ascii: ">") where !isInside: return
            case UInt8(ascii: "%"): throw refusal(bytes, at: index)
            case UInt8(ascii: "<"):
                if bytes[index...].starts(with: "<!ENTITY".utf8) { throw refusal(bytes, at: index) }
                if bytes[index...].starts(with: "<!--".utf8) {
                    guard let end = find("-->", in: bytes, from: index + 4) else { return }
                    index = end + 2
                } else if bytes[index...].starts(with: "<?".utf8) {
                    guard let end = find("?>", in: bytes, from: index) else { return }
                    index = end + 1
                }
            default: break
            }
            index += 1
        }
    }

    private static func refusal(
        _ bytes: [UInt8], at index: Int, _ message: String = "a document type that declares entities is not accepted"
    ) -> XMLError {
        let lines = bytes[..<index].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return XMLError(
            line: lines.count, column: (lines.last?.count ?? 0) + 1,
            message: message)
    }
}
