// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@Suite(.supervised) struct HTTPDateTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
    ])
    func `all three forms of a date are read`(text: String) {
        #expect(HTTPDate.parse(text, now: 1_700_000_000) == 784_111_777)
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 8:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
        "Xyz, 06 Nov 1994 08:49:37 GMT", "Sun, +6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT",
        "Holiday, 06-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-+4 08:49:37 GMT", "Sun, 31 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "784111777",
    ])
    func `anything else is not a date`(text: String) {
        #expect(HTTPDate.parse(text, now: 1_700_000_000) == nil)
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The three forms (RFC 9110 §5.6.7) as expressions, with any number of blanks, days of one digit, and any weekday;
    /// and where day, month, year, hour, minute and second stand in them.
    private static func forms() throws -> [(form: Regex<AnyRegexOutput>, order: [Int])] {
        let (short, long) = ("Mon|Tue|Wed|Thu|Fri|Sat|Sun", "(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day")
        let (month, time) = ("(\(months.joined(separator: "|")))", #"(\d\d):(\d\d):(\d\d)"#)
        return try [
            (#"^ *(?:\#(short)), +(\d\d?) +\#(month) +(\d{4}) +\#(time) +GMT *$"#, [1, 2, 3, 4, 5, 6]),
            (#"^ *\#(long), +(\d\d?)-\#(month)-(\d\d) +\#(time) +GMT *$"#, [1, 2, 3, 4, 5, 6]),
            (#"^ *(?:\#(short)) +\#(month) +(\d\d?) +\#(time) +(\d{4}) *$"#, [2, 1, 6, 3, 4, 5]),
        ].map { (try Regex($0).asciiOnlyDigits(), $1) }
    }

    private static func expected(_ text: String, _ forms: [(form: Regex<AnyRegexOutput>, order: [Int])]) -> Int? {
        for (form, order) in forms {
            guard let match = try? form.wholeMatch(in: text) else { continue }
            let words = order.map { String(match.output[$0].substring ?? "") }
            let numbers = words.map { Int($0) ?? 0 }
            let month = (months.firstIndex(of: words[1]) ?? 0) + 1
            let year = words[2].count == 2 ? numbers[2] + (numbers[2] > 73 ? 1900 : 2000) : numbers[2]
            guard (1...GregorianDay.days(in: month, of: year)).contains(numbers[0]), numbers[3] < 24, numbers[4] < 60,
                numbers[5] <= 60
            else { return nil }
            let day = GregorianDay(year: year, month: month, day: numbers[0]).daysSince1970
            return ((day * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
        }
        return nil
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Tue, 29 Feb 2000 23:59:60 GMT", "Saturday, 31-Dec-73 00:00:00 GMT", "Wed Jun 30 19:19:19 2021",
    ])
    func `a text that differs in a byte or two is read exactly if the lenient expressions match`(text: String) throws {
        let forms = try Self.forms()
        let bytes = Array(text.utf8)
        #expect(HTTPDate.parse(text, now: 1_700_000_000) != nil)
        func check(_ changed: [UInt8]) {
            let changed = String(decoding: changed, as: UTF8.self)
            let read = HTTPDate.parse(changed, now: 1_700_000_000)
            if read != Self.expected(changed, forms) { Issue.record("\(changed): \(read.map { "\($0)" } ?? "nil")") }
        }
        for place in bytes.indices {
            check(Array(bytes[..<place]))
            check(Array(bytes[..<place] + bytes[(place + 1)...]))
            for byte in " +-,:019BGMNaey".utf8 {
                check(Array(bytes[..<place] + [byte] + bytes[(place + 1)...]))
                check(Array(bytes[..<place] + [byte] + bytes[place...]))
            }
        }
        var random = SplitMix(seed: 5)
        for _ in 0..<Thoroughness.rounds(500, thorough: 50_000) {
            var other = bytes
            for _ in 0..<2 { other[random.below(other.count)] = random.pick(Array("0123456789 -".utf8)) }
            check(other)
        }
    }

    @Test func `a two-digit year is at most fifty years ahead`() {
        let now = 1_700_000_000  // 2023
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-73 08:49:37 GMT", now: now).map { HTTPDate.format($0) }?.contains("2073")
                == true)
        #expect(
            HTTPDate.parse("Sunday, 06-Nov-74 08:49:37 GMT", now: now).map { HTTPDate.format($0) }?.contains("1974")
                == true)
    }

    @Test func `what is written is read back, leap days and all`() {
        for day in stride(from: 0, to: 60_000, by: 13) {
            let seconds = day * 86_400 + (day * 7919) % 86_400
            #expect(HTTPDate.parse(HTTPDate.format(seconds), now: 1_700_000_000) == seconds)
        }
        #expect(HTTPDate.format(951_782_400) == "Tue, 29 Feb 2000 00:00:00 GMT")
    }

    @Test func `a moment that four digits cannot say is the nearest they can`() {
        #expect(HTTPDate.format(253_402_300_799) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(.max) == "Fri, 31 Dec 9999 23:59:59 GMT")
        #expect(HTTPDate.format(-62_167_219_200) == "Sat, 01 Jan 0000 00:00:00 GMT")
        #expect(HTTPDate.format(.min) == "Sat, 01 Jan 0000 00:00:00 GMT")
    }
}
