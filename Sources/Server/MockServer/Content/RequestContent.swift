// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiStubMatching

/// The content of a request as stubs see it: without its coding (RFC 9110 §8.4).
///
/// WireMock's stubs also see text in another charset as UTF-8, and a content without a Content-Encoding that begins like gzip is taken for gzip. A
/// content that cannot be decoded, or becomes too large, stays as it is.
enum RequestContent {
    /// Bytes that a decoded content may have. 16 MiB.
    static let limit = 16 * 1024 * 1024
    /// The same for a report of the admin API. 256 KiB.
    static let reportLimit = 256 * 1024

    private enum Charset {
        case latin1
        case windows1252
        case utf16(isLittleEndian: Bool?)

        init?(_ name: String) {
            switch name {
            case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1": self = .latin1
            case "windows-1252", "cp1252": self = .windows1252
            case "utf-16": self = .utf16(isLittleEndian: nil)
            case "utf-16be": self = .utf16(isLittleEndian: false)
            case "utf-16le": self = .utf16(isLittleEndian: true)
            default: return nil
            }
        }
    }

    /// Whether the content has to be decoded.
    static func isChanged(_ head: borrowing RequestHead, _ body: [UInt8]) -> Bool {
        if body.isEmpty { return false }
        return isGzip(body) || head.firstValue("content-encoding") != nil || charset(of: head) != nil
    }

    private static func isGzip(_ body: [UInt8]) -> Bool { body.count > 2 && body[0] == 0x1F && body[1] == 0x8B }

    /// Whether stubs see other content than the received one.
    static func isChanged(_ head: borrowing RequestHead, _ body: [UInt8], for dialect: FixtureSet.Dialect) -> Bool {
        if body.isEmpty { return false }
        return dialect == .wireMock ? isChanged(head, body) : head.firstValue("content-encoding") != nil
    }

    /// The content that stubs see.
    static func seen(_ body: [UInt8], of head: borrowing RequestHead, by dialect: FixtureSet.Dialect) -> [UInt8] {
        if dialect == .wireMock { return decoded(body, of: head) }
        return isChanged(head, body, for: dialect) ? uncoded(body, codings(of: head), limit) : body
    }

    /// The bytes that stubs may hold in the place of the content that they see: those that were sent, or, in a WireMock root, those without
    /// the coding and in the charset of the request. Nil if they are the same.
    static func bytes(_ body: [UInt8], of head: borrowing RequestHead, by dialect: FixtureSet.Dialect) -> [UInt8]? {
        if dialect == .mockapi { return body }
        return charset(of: head) == nil ? nil : uncoded(body, codings(of: head), limit)
    }

    /// The content without its coding, in UTF-8.
    static func decoded(_ body: [UInt8], of head: borrowing RequestHead, limit: Int = limit) -> [UInt8] {
        guard isChanged(head, body) else { return body }
        let plain = uncoded(body, codings(of: head), limit)
        return charset(of: head).map { text(plain, $0) } ?? plain
    }

    /// The codings of all lines, in their order.
    private static func codings(of head: borrowing RequestHead) -> String {
        var codings: [String] = []
        for field in head.fields where head.equalsIgnoringCase(field.name, "content-encoding") {
            codings.append(head.string(field.value))
        }
        return codings.joined(separator: ",")
    }

    /// The content of a request of the journal.
    static func decoded(_ entry: JournalEntry, limit: Int = limit) -> [UInt8] {
        entry.body.isEmpty || entry.body.count < entry.bodySize
            ? entry.body : decoded(entry.body, of: RequestHead(entry), limit: limit)
    }

    private static func uncoded(_ body: [UInt8], _ written: String, _ limit: Int) -> [UInt8] {
        let codings = written.isEmpty && isGzip(body) ? "gzip" : written
        guard let decoder = StreamDecoder(codings: codings, limit: limit), !decoder.isIdentity else { return body }
        do throws(DecodingFailure) {
            let bytes = try decoder.decode(body)
            try decoder.finish()
            return bytes
        } catch {
            return body
        }
    }

    /// The charset that Content-Type names; nil for UTF-8, ASCII and those that are not known.
    private static func charset(of head: borrowing RequestHead) -> Charset? {
        guard let range = head.firstValue("content-type") else { return nil }
        return FieldText.parameter("charset", of: head.string(range)).flatMap { Charset($0.lowercased()) }
    }

    private static func text(_ bytes: [UInt8], _ charset: Charset) -> [UInt8] {
        switch charset {
        case .latin1: Array(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })).utf8)
        case .windows1252:
            Array(
                String(
                    String.UnicodeScalarView(
                        bytes.map { byte in
                            (0x80..<0xA0).contains(byte) ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte)
                        })
                ).utf8)
        case .utf16(let isLittleEndian): utf16(bytes, isLittleEndian)
        }
    }

    /// - Parameter isLittleEndian: nil if a mark at the beginning says so, and without one big endian (RFC 2781 §4.3).
    private static func utf16(_ bytes: [UInt8], _ isLittleEndian: Bool?) -> [UInt8] {
        var bytes = bytes[...]
        var isLittle = isLittleEndian ?? false
        if isLittleEndian == nil, bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) {
            isLittle = bytes.first == 0xFF
            bytes = bytes.dropFirst(2)
        }
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(isLittle ? second << 8 | first : first << 8 | second)
            index += 2
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }

    /// The characters from 0x80 to 0x9F of Windows-1252.
    private static let windows: [Unicode.Scalar] = [
        "\u{20AC}", "\u{81}", "\u{201A}", "\u{192}", "\u{201E}", "\u{2026}", "\u{2020}", "\u{2021}", "\u{2C6}",
        "\u{2030}", "\u{160}", "\u{2039}", "\u{152}", "\u{8D}", "\u{17D}", "\u{8F}", "\u{90}", "\u{2018}", "\u{2019}",
        "\u{201C}", "\u{201D}", "\u{2022}", "\u{2013}", "\u{2014}", "\u{2DC}", "\u{2122}", "\u{161}", "\u{203A}",
        "\u{153}", "\u{9D}", "\u{17E}", "\u{178}",
    ]
}
