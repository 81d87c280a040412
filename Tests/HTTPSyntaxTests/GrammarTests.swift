// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

/// The grammar of authorities, percent-coding and field values: all short texts, and all bytes, beside regular expressions and lists.
@Suite(.supervised) struct GrammarTests {
    /// All texts of some signs up to a length.
    private static func texts(_ signs: String, upTo length: Int) -> [String] {
        var (all, last) = ([""], [""])
        for _ in 0..<length {
            last = last.flatMap { start in signs.map { start + String($0) } }
            all += last
        }
        return all
    }

    private static func isValid(_ text: String, allowsEmpty: Bool = false, allowsAnyPort: Bool = false) -> Bool {
        Authority.isValid(Array(text.utf8)[...], allowsEmpty: allowsEmpty, allowsAnyPort: allowsAnyPort)
    }

    /// RFC 3986 §3.2.2 and §3.2.3.
    private static func isAuthority(_ text: String) -> Bool {
        let host = #/(?:[A-Za-z0-9\-._~!$&'()*+,;=]|%[0-9A-Fa-f]{2})+/#
        let literal = #/\[(?:(?=[^\]]*:)[0-9A-Fa-f:.]+|[vV][A-Za-z0-9\-._~!$&'()*+,;=:]*)\]/#
        let rest = text.prefixMatch(of: text.hasPrefix("[") ? literal : host).map { text[$0.range.upperBound...] }
        return rest?.wholeMatch(of: /(?::[0-9]{0,5})?/) != nil
    }

    @Test func `an authority is valid if the grammar says so`() {
        let long = [
            "a:12345", "a:123456", "a:000001", "a:65535", "[::1]:80", "[v1.a:b]:0", "[::1%25a]", "a%4G", "é", "a@b",
            "[1.2.3.4]",
        ]
        for text in Self.texts("a[]:%4v/", upTo: 4) + long where !text.isEmpty {
            #expect(Self.isValid(text, allowsAnyPort: true) == Self.isAuthority(text), "\(text)")
        }
        for byte in UInt8.min..<0x80 {
            let sign = UnicodeScalar(byte)
            #expect(Self.isValid("a\(sign)b", allowsAnyPort: true) == Self.isAuthority("a\(sign)b"), "\(byte)")
        }
        #expect(Self.isValid("", allowsEmpty: true) && !Self.isValid(""))
        for (port, isOne) in [("65535", true), ("65536", false), ("99999", false), ("0", true), ("", true)] {
            #expect(Self.isValid("a:\(port)") == isOne && Self.isValid("a:\(port)", allowsAnyPort: true))
        }
    }

    @Test(arguments: [
        ("a.example", "a.example"), ("a.example:80", "a.example"), ("a.example.:80", "a.example"), (".", "."),
        ("..", "."),
        ("[::1]:80", "::1"), ("[::1]", "::1"), ("[::1", "[:"), ("", ""), (":80", ""),
    ])
    func `a host stands without port, brackets and the last dot`(text: String, host: String) {
        #expect(String(decoding: Authority.host(Array("x\(text)".utf8)[1...]), as: UTF8.self) == host)
    }

    @Test(arguments: [
        ("a", "A", true), ("a:80", "a", true), ("a:", "a", true), ("a:80", "a:080", true), ("a:81", "a", false),
        ("a:81", "a:81", true), ("a", "b", false), ("[::1]:80", "[::1]", true), ("[::1]", "[::2]", false),
        ("a:x", "a", false), ("a:00080", "a", true), ("a:000080", "a", false),
    ])
    func `two authorities are one if host and port are`(one: String, other: String, isOne: Bool) {
        for (left, right) in [(one, other), (other, one)] {
            #expect(
                Authority.areEquivalent(Array(left.utf8)[...], Array(right.utf8)[...], defaultPort: 80) == isOne,
                "\(left) \(right)")
        }
    }

    // MARK: Percent-coding

    @Test func `each byte is kept or encoded as its place has it`() {
        let plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        func encoded(_ byte: UInt8) -> String {
            "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        for byte in UInt8.min..<0x80 {
            let text = String(UnicodeScalar(byte))
            func expected(_ kept: String) -> String { kept.contains(text) ? text : encoded(byte) }
            #expect(PercentCoding.encode(text) == expected(plain))
            #expect(PercentCoding.segment(text) == expected(plain + "!$&'()*+,;=:@"))
            #expect(PercentCoding.path(text) == expected(plain + "!$&'()*+,;=:@/"))
            #expect(PercentCoding.form(text) == (text == " " ? "+" : text == "~" ? "%7E" : expected(plain + "*")))
            #expect(PercentCoding.isUnreserved(byte) == plain.contains(text))
        }
        for byte in 0x80...UInt8.max { #expect(!PercentCoding.isUnreserved(byte)) }
    }

    @Test func `what is decoded is each percent sign with two digits`() {
        func isHexadecimal(_ text: Substring) -> Bool { text.wholeMatch(of: /[0-9a-fA-F]{2}/) != nil }
        for text in Self.texts("%4fG+", upTo: 5) {
            for plusIsSpace in [false, true] {
                var (expected, rest): ([UInt8], Substring) = ([], text[...])
                while let first = rest.first {
                    let digits = rest.dropFirst().prefix(2)
                    let isCoded =
                        first == "%" && digits.count == 2 && !digits.contains("%") && !digits.contains("G")
                        && !digits.contains("+")
                    expected +=
                        isCoded
                        ? [UInt8(digits, radix: 16) ?? 0]
                        : Array((first == "+" && plusIsSpace ? " " : String(first)).utf8)
                    rest = rest.dropFirst(isCoded ? 3 : 1)
                }
                #expect(PercentCoding.decode(text.utf8, plusIsSpace: plusIsSpace) == expected, "\(text)")
            }
            let isEncoded = ["%44", "%4f", "%f4", "%ff"].contains { text.contains($0) }
            #expect(PercentCoding.isEncoded(text) == isEncoded, "\(text)")
        }
        for byte in UInt8.min ... .max {
            let sign = UnicodeScalar(byte)
            #expect(ASCII.hexValue(byte).map(Int.init) == (byte < 0x80 ? Character(sign).hexDigitValue : nil))
            #expect(ASCII.isDigit(byte) == (0x30...0x39).contains(byte))
            let isCapital = (0x41...0x5A).contains(byte)
            #expect(ASCII.lowercased(byte) == (isCapital ? byte + 32 : byte))
        }
    }

    @Test func `a date with an offset is one sign for sign`() {
        let date = Array("2026-11-20T10:00:00.5+01:00".utf8)
        #expect(OffsetDateTime.isOne(date) && OffsetDateTime.isOne(Array("2026-11-20T10:00+01:00".utf8)))
        for place in date.indices {
            for byte in UInt8.min..<0x80 {
                var other = date
                other[place] = byte
                let isDigit = (0x30...0x39).contains(byte)
                let isOne: Bool =
                    switch place {
                    case 16...20: isDigit || byte == 0x3A || byte == 0x2E
                    case _ where (0x30...0x39).contains(date[place]): isDigit
                    default: byte == date[place]
                    }
                if OffsetDateTime.isOne(other) != isOne { Issue.record("\(place) \(byte)") }
            }
        }
        for count in 0...20 {
            let digits = String(repeating: "0", count: count)
            #expect(OffsetDateTime.isOne(Array("2026-11-20T10:00\(digits)+01:00".utf8)) == (count <= 18))
        }
        #expect(!OffsetDateTime.isOne(Array("2026-11-20T10:0+01:00".utf8)))
    }

    // MARK: Fields

    @Test func `a control character is one below the space but the tab, and DEL`() {
        for byte in UInt8.min..<0x80 {
            let isControl = byte < 0x20 && byte != 9 || byte == 0x7F
            #expect(FieldText.isControl(byte) == isControl)
            #expect(FieldText.controlCharacter(in: "a\(UnicodeScalar(byte))") == (isControl ? byte : nil))
            #expect(
                FieldText.trimmed("\(UnicodeScalar(byte))a\(UnicodeScalar(byte))").utf8.count
                    == (byte == 9 || byte == 32 ? 1 : 3))
        }
    }

    @Test func `a parameter is found among others, whatever stands in their quotes`() {
        var random = SplitMix(seed: 5)
        let pieces = ["a", ";", "=", " ", "\"", "\\", "é", "x=1"]
        for _ in 0..<600 {
            let names = ["a", "B", "c"].shuffled(using: &random).prefix(random.below(4))
            var (text, values): (String, [String: String]) = ("form-data", [:])
            for name in names {
                let value = (0..<random.below(4)).map { _ in random.pick(pieces) }.joined()
                let isPlain = value.utf8.allSatisfy { !";\" ".utf8.contains($0) }
                let escaped = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
                if random.chance(30) { text += ";flag" }
                let space = random.pick(["", " ", "\t "])
                text +=
                    "\(space);\(space)\(name)\(space)=\(space)"
                    + (isPlain && random.chance(50) ? value : "\"\(escaped)\"")
                values[name.lowercased()] = value
            }
            for name in ["a", "b", "c", "flag"] {
                #expect(FieldText.parameter(name, of: text + random.pick(["", ";", " "])) == values[name], "\(text)")
            }
        }
    }

    @Test func `a line has a checksum of the content, or is not passed on, by its name`() {
        for (name, isDigest) in [
            ("etag", false), ("content-md5", true), ("digest", true), ("x-goog-hash", true),
            ("x-ms-content-crc64", true),
            ("x-amz-checksum-crc32", true), ("x-amz-checksum", false), ("x-other", false),
        ] {
            #expect(FieldNames.isDigest(name) == isDigest, "\(name)")
        }
        for (name, isKept) in [
            ("Connection", false), ("TE", false), ("Content-Length", false), ("Content-Type", true), ("X-TE", true),
            ("", true),
        ] {
            let isNotPassedOn = Array(name.utf8).withUnsafeBufferPointer { FieldNames.isNotPassedOn($0) }
            #expect(isNotPassedOn == !isKept, "\(name)")
            let isOfConnection = Array(name.lowercased().utf8).withUnsafeBufferPointer { FieldNames.isOfConnection($0) }
            #expect(isOfConnection == (name == "Connection"), "\(name)")
        }
    }
}
