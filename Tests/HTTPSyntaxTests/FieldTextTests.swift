// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiSystemIO
import MockapiTestSupport
import Testing

/// Field lines, queries, percent-coding, dates and digits as every room reads and writes them.
@Suite(.supervised) struct FieldTextTests {
    @Test func `a field value is trimmed of spaces and tabs alone`() {
        #expect(FieldText.trimmed(" \ta b\t ") == "a b")
        #expect(FieldText.trimmed("\u{A0}a\r") == "\u{A0}a\r")
        #expect(FieldText.trimmed(" \u{301}a ") == "\u{301}a")
        #expect(FieldText.trimmed("\t \t") == "")
    }

    @Test func `a media type is told by its type and subtype`() {
        #expect(MediaType.essence(of: "Text/HTML ; charset=utf-8") == "text/html")
        #expect(MediaType.essence(of: "") == "")
    }

    @Test func `a token has at least one byte`() {
        #expect(FieldText.isToken("x-a"))
        #expect(!FieldText.isToken(""))
        #expect(!FieldText.isToken("a b"))
        #expect(!FieldText.isToken("é"))
    }

    @Test func `the cookies of a line are those that have a name and a value`() {
        let cookies = FieldText.cookies(of: "a=1; b=2=3;c; =d;\te = f ")
        #expect(cookies.map(\.name) == ["a", "b", "", "e"])
        #expect(cookies.map(\.value) == ["1", "2=3", "d", "f"])
    }

    @Test func `a parameter is found by its name in any case, and stands without its quotes`() {
        let field = "form-data; Name = \"a;b\\\"c\"; filename=\"C:\\new\\x.txt\"; size= 3 ;flag; last"
        #expect(FieldText.parameter("name", of: field) == "a;b\"c")
        #expect(FieldText.parameter("filename", of: field) == "C:\\new\\x.txt")
        #expect(FieldText.parameter("size", of: field) == "3")
        #expect(FieldText.parameter("flag", of: field) == nil)
        #expect(FieldText.parameter("form-data", of: field) == nil)
        #expect(FieldText.parameter("a", of: "") == nil)
        #expect(FieldText.parameter("a", of: "x; a=\"open") == "open")
    }

    @Test func `a separator is one whatever stands behind it, an accent too`() {
        let accent = "\u{301}"
        let text = "a=1&\(accent)b=2&&c"
        #expect(text.split(ascii: "&") == ["a=1", "\(accent)b=2", "c"])
        #expect(text.split(ascii: "&", maxSplits: 1) == ["a=1", "\(accent)b=2&&c"])
        #expect(text.split(ascii: "&", omittingEmptySubsequences: false).count == 4)
        #expect("".split(ascii: "&") == [] && "".split(ascii: "&", omittingEmptySubsequences: false) == [""])
        #expect("x=\(accent)y=".firstIndex(ascii: "=") == "x=\(accent)y=".utf8.firstIndex(of: 61))
        #expect("x=y=\(accent)".lastIndex(ascii: "=") == "x=y=\(accent)".utf8.lastIndex(of: 61))
        let sign = "x=\(accent)y"
        #expect(sign.firstIndex(ascii: "=").map { sign.suffix(behind: $0) } == "\(accent)y")
        #expect(" \(accent)a\t ".trimmingBlanks == "\(accent)a" && " \t".trimmingBlanks == "")
        #expect("a;\(accent)b".prefix(before: ";") == "a" && "ab".prefix(before: ";") == "ab")
        #expect(FieldText.cookies(of: "a=\(accent)1;\(accent)b=2").map(\.name) == ["a", "\(accent)b"])
    }

    @Test func `a text is replaced whatever stands behind it, an accent too`() {
        #expect("abcabc\u{301}".replacing(bytesOf: "abc", with: "x") == "xx\u{301}")
        #expect("aaa".replacing(bytesOf: "aa", with: "a") == "aa")
        #expect("abc".replacing(bytesOf: "", with: "x") == "abc")
        #expect("abc".replacing(bytesOf: "d", with: "x") == "abc")
    }

    @Test func `names that HTTP2 has no place for are among those of one hop`() {
        #expect(FieldNames.ofConnections.isSubset(of: FieldNames.hopByHop))
        #expect(FieldNames.hopByHop.contains("te"))
        #expect(!FieldNames.hopByHop.contains("content-length"))
        #expect(FieldNames.ofServers.isSuperset(of: FieldNames.framing))
        let all = FieldNames.hopByHop.union(FieldNames.ofServers).union(FieldNames.urls).union(FieldNames.ofContent)
        #expect(all.allSatisfy { $0 == $0.lowercased() && FieldText.isToken($0) })
    }

    @Test func `a query is cut at every ampersand and the first equals sign`() {
        let pairs = QueryText.decodedPairs(of: "a=1&&b&c=x%3Dy=z&=e&d+e=f%20g+h")
        #expect(pairs.map(\.name) == ["a", "b", "c", "", "d e"])
        #expect(pairs.map(\.value) == ["1", "", "x=y=z", "e", "f g h"])
        #expect(QueryText.pairs(of: Array("a&b=".utf8)).map { $0.value == nil } == [true, false])
    }

    @Test func `the plus sign of a date in a query is not a space`() {
        let pairs = QueryText.decodedPairs(of: "t=2026-11-20T10:00:00+01:00&u=a+01:00")
        #expect(pairs.map(\.value) == ["2026-11-20T10:00:00+01:00", "a 01:00"])
    }

    @Test func `percent-coding keeps what is unreserved, and each place keeps what more it may`() {
        #expect(PercentCoding.encode("a-._~/?ü ") == "a-._~%2F%3F%C3%BC%20")
        #expect(PercentCoding.segment("a:b@c/d%") == "a:b@c%2Fd%25")
        #expect(PercentCoding.form("a b*c~d+e") == "a+b*c%7Ed%2Be")
        let lower = PercentCoding.encode("ü".utf8, digits: Hexadecimal.lowercaseDigits) { _ in false }
        #expect(String(decoding: lower, as: UTF8.self) == "%c3%bc")
        #expect(PercentCoding.isEncoded("a%2f"))
        #expect(!PercentCoding.isEncoded("100% of %x"))
    }

    @Test func `digits are as many as are asked for`() {
        #expect(UInt64(255).hexadecimal == "00000000000000ff")
        #expect(Hexadecimal.text(of: 4095, width: 2) == "fff")
        #expect(Hexadecimal.text(of: [0, 16, 255]) == "0010ff")
    }

    @Test func `a moment is written in UTC, to the second or the millisecond`() {
        #expect(DateText.utc(second: 951_782_400) == "2000-02-29T00:00:00Z")
        #expect(DateText.utc(nanosecond: 951_782_400_007_999_999) == "2000-02-29T00:00:00.007Z")
        #expect(DateText.seconds(DateText.utc(second: 1_700_000_000)) == 1_700_000_000)
    }

    /// The moment by an expression and a calendar.
    private static func moment(_ text: String, _ form: Regex<AnyRegexOutput>) throws -> Double? {
        guard let match = try form.wholeMatch(in: text) else { return nil }
        let numbers = match.output.map { $0.substring.flatMap { Int($0) } ?? 0 }
        guard (1...12).contains(numbers[2]),
            (1...GregorianDay.days(in: numbers[2], of: numbers[1])).contains(numbers[3])
        else { return nil }
        let days = GregorianDay(year: numbers[1], month: numbers[2], day: numbers[3]).daysSince1970
        let offset = (numbers[9] * 60 + numbers[10]) * (match.output[8].substring == "-" ? -60 : 60)
        let fraction = match.output[7].substring.flatMap { Double("0\($0)") } ?? 0
        return Double(((days * 24 + numbers[4]) * 60 + numbers[5]) * 60 + numbers[6] - offset) + fraction
    }

    @Test(arguments: [
        "2026-11-20T10:00:00Z", "2024-02-29t23:59:60.25z", "1969-12-31T00:00:00-01:30", "2026-11-20T10:20:30.5+23:59",
    ])
    func `a text that differs from a date in a byte is read if RFC 3339 says so`(text: String) throws {
        let form = try Regex(
            #"(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))"#
        ).asciiOnlyDigits()
        let bytes = Array(text.utf8)
        #expect(DateText.seconds(text) != nil)
        for place in bytes.indices {
            let others = " +-.:/0123456789TtZz".utf8.flatMap { [[$0], [$0, bytes[place]]] } + [[]]
            for other in others {
                let changed = String(decoding: bytes[..<place] + other + bytes[(place + 1)...], as: UTF8.self)
                #expect(try DateText.seconds(changed) == Self.moment(changed, form), "\(changed)")
            }
            let start = String(decoding: bytes[..<place], as: UTF8.self)
            #expect(try DateText.seconds(start) == Self.moment(start, form), "\(start)")
        }
    }

    /// By the processor's time, which is 1,024 times as long where each part costs a look at all of the line.
    @Test(arguments: [";", ";a", ";a=b", #";a="b""#, "; ", #";a="\""#])
    func `a parameter is looked for in time that grows with the line alone`(part: String) {
        func time(_ count: Int) -> UInt64 {
            let line = "form-data" + String(repeating: part, count: count) + ";name=x"
            let start = Clock.thread()
            #expect(FieldText.parameter("name", of: line) == "x")
            return Clock.thread() - start
        }
        let (short, long) = (time(4_000), time(128_000))
        #expect(long < 128 * short, "\(short) and \(long) nanoseconds")
    }
}
