// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// The part of a document in front of its first element: its encoding, and a document type.
enum XMLProlog {
    /// The bytes as libxml2 gets them, and the encoding it is reported.
    struct Prepared {
        var text: [UInt8]
        var encoding: String?
    }

    /// Encodings in which markup is written as in ASCII, so that a document type can be looked through.
    private static let encodings: Set<String> = ["utf-8", "utf8", "us-ascii", "ascii", "windows-1252", "cp1252"]

    /// Looks through the prolog, and all tags.
    ///
    /// - Parameter meter: pays for all bytes; nil if no request does.
    /// - Throws: if a document type declares an entity with a text, the encoding is not known, or a byte is not paid for.
    static func prepared(_ bytes: [UInt8], _ meter: Meter?) throws(XMLError) -> Prepared {
        if let text = try utf16(bytes, meter) {
            let plain = try withoutEncoding(text)
            var scan = XMLScan(plain, meter)
            try check(&scan)
            try XMLTags.check(plain, meter)
            return Prepared(text: plain, encoding: "UTF-8")
        }
        if let name = try encoding(bytes)?.lowercased(), !encodings.contains(name), !name.hasPrefix("iso-8859-") {
            throw XMLError(
                line: 1, column: 1,
                message: "the encoding \(name) is not supported: there are UTF-8, UTF-16, US-ASCII, ISO-8859-1 and the "
                    + "others of ISO-8859, and windows-1252")
        }
        var scan = XMLScan(bytes, meter)
        // libxml2 takes a zero for the sign of another encoding.
        if let first = try scan.seek({ $0 == 0 || $0 > 0x20 }), first != UInt8(ascii: "<") {
            throw XMLError(line: 1, column: 1, message: "the document does not begin with '<'")
        }
        try check(&scan)
        try XMLTags.check(bytes, meter)
        return Prepared(text: bytes, encoding: nil)
    }

    /// The text of UTF-16, which begins with a byte order mark or has every other byte zero.
    private static func utf16(_ bytes: [UInt8], _ meter: Meter?) throws(XMLError) -> [UInt8]? {
        guard bytes.count >= 2 else { return nil }
        let isBig: Bool
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF), (0, UInt8(ascii: "<")): isBig = true
        case (0xFF, 0xFE), (UInt8(ascii: "<"), 0): isBig = false
        default: return nil
        }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count / 2)
        var units: [UInt16] = []
        for index in stride(from: bytes[0] >= 0xFE ? 2 : 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isBig ? first << 8 | second : second << 8 | first)
            // Never between the two halves of a character.
            if units.count < piece + (UTF16.isLeadSurrogate(units[units.count - 1]) ? 1 : 0) { continue }
            try XMLError.require(meter?.pay(units.count * 4))
            text += String(decoding: units, as: UTF16.self).utf8
            units.removeAll(keepingCapacity: true)
        }
        return text + String(decoding: units, as: UTF16.self).utf8
    }

    /// Units of UTF-16 that are paid for at once. 2,048.
    private static let piece = 2048

    /// The XML declaration, if there is one.
    ///
    /// - Throws: if it is long, since nobody else may find an encoding in it.
    private static func declaration(_ bytes: [UInt8]) throws(XMLError) -> Range<Int>? {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        // Others begin so too: <?xml-stylesheet href="…"?>.
        guard bytes[start...].starts(with: "<?xml".utf8), let next = bytes[start...].dropFirst(5).first, next <= 0x20
        else { return nil }
        let head = Array(bytes[start...].prefix(XMLLimits.declarationBytes))
        if let end = find("?>", in: head) { return start..<start + end + 2 }
        if bytes.count - start <= XMLLimits.declarationBytes { return nil }
        throw XMLError(
            line: 1, column: 1, message: "the XML declaration is longer than \(XMLLimits.declarationBytes) bytes")
    }

    private static func encodingRange(
        _ bytes: [UInt8]
    ) throws(XMLError) -> (whole: Range<Int>, value: Range<Int>)? {
        guard let declaration = try declaration(bytes) else { return nil }
        let declared = Array(bytes[declaration])
        guard let word = find("encoding", in: declared) else { return nil }
        var index = word + 8
        while index < declared.count, declared[index] <= 0x20 || declared[index] == UInt8(ascii: "=") { index += 1 }
        guard index < declared.count, declared[index] == UInt8(ascii: "\"") || declared[index] == UInt8(ascii: "'"),
            let end = declared[(index + 1)...].firstIndex(of: declared[index])
        else { return nil }
        let base = declaration.lowerBound
        return (base + word..<base + end + 1, base + index + 1..<base + end)
    }

    private static func encoding(_ bytes: [UInt8]) throws(XMLError) -> String? {
        try encodingRange(bytes).map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// The text with spaces in the place of its encoding declaration, since it does not have that encoding any more.
    static func withoutEncoding(_ bytes: [UInt8]) throws(XMLError) -> [UInt8] {
        guard let range = try encodingRange(bytes)?.whole else { return bytes }
        var bytes = bytes
        for index in range { bytes[index] = UInt8(ascii: " ") }
        return bytes
    }

    private static func find(_ text: String, in bytes: [UInt8]) -> Int? {
        bytes.indices.first { bytes[$0...].starts(with: text.utf8) }
    }

    /// Passes over comments and instructions to the document type, and through it.
    private static func check(_ scan: inout XMLScan) throws(XMLError) {
        while try scan.seek({ $0 > 0x20 }) != nil {
            if scan.stands("<?") {
                try scan.skip(0, behind: "?>")
            } else if scan.stands("<!--") {
                try scan.skip(4, behind: "-->")
            } else {
                if scan.stands("<!DOCTYPE") { try checkDocumentType(&scan) }
                return
            }
        }
    }

    private static func checkDocumentType(_ scan: inout XMLScan) throws(XMLError) {
        let start = scan.index
        var isInside = false
        var texts = 0
        scan.advance(9)
        while let byte = try scan.peek() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                scan.advance()
                try scan.seek { $0 == byte }
                texts += 1
                if texts > XMLLimits.attributes {
                    let message = "a document type with more than \(XMLLimits.attributes) texts is not accepted"
                    throw scan.refusal(at: start, message)
                }
            case UInt8(ascii: "["): isInside = true
            case UInt8(ascii: "]"): isInside = false
            case UInt8(ascii: ">") where !isInside: return
            case UInt8(ascii: "<"):
                if scan.stands("<!ENTITY") {
                    try checkEntity(&scan)
                    continue
                }
                if scan.stands("<!--") {
                    try scan.skip(4, behind: "-->")
                    continue
                }
                if scan.stands("<?") {
                    try scan.skip(0, behind: "?>")
                    continue
                }
            default: break
            }
            scan.advance()
        }
    }

    /// Skips the name in an entity's declaration.
    ///
    /// An entity that lies elsewhere is never loaded; one with a text could grow without end, and is refused.
    private static func checkEntity(_ scan: inout XMLScan) throws(XMLError) {
        let start = scan.index
        scan.advance(8)
        try scan.seek { $0 > 0x20 }
        if try scan.peek() == UInt8(ascii: "%") {
            scan.advance()
            try scan.seek { $0 > 0x20 }
        }
        try scan.seek { $0 <= 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'") }
        try scan.seek { $0 > 0x20 }
        if !scan.stands("SYSTEM"), !scan.stands("PUBLIC") { throw scan.refusal(at: start, ofEntities) }
    }

    private static let ofEntities = "a document type that declares entities with a text is not accepted"
}
