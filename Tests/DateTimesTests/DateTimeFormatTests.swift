// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes
import MockapiTestSupport
import Testing

/// Java's patterns, printed and read; the expected texts are those of Java 17 for the United States.
@Suite(.supervised) struct DateTimeFormatTests {
    @Test(arguments: [
        ("yyyy-MM-dd'T'HH:mm:ss'Z'", "2026-11-22T00:05:09Z"), ("yy/M/d H:m:s", "26/11/22 0:5:9"),
        ("EEE, dd MMM yyyy", "Sun, 22 Nov 2026"),
        ("EEEE, MMMM d, yyyy", "Sunday, November 22, 2026"), ("hh:mm a", "12:05 AM"), ("KK k", "00 24"),
        ("HH:mm:ss.SSS", "00:05:09.123"),
        ("D w W F u", "326 48 4 4 7"), ("YYYY", "2026"), ("z Z X XX XXX", "UTC +0000 Z Z Z"),
        ("zzzz", "Coordinated Universal Time"),
        ("'o''clock' ''", "o'clock '"), ("G", "AD"), ("S", "123"), ("yyyyMMddHHmmssSSS", "20261122000509123"),
        ("epoch", "1795305909123"),
        ("unix", "1795305909"), ("LLLL", "November"), ("", ""), ("ddd", "022"),
    ])
    func `SimpleDateFormat's letters are printed`(pattern: String, expected: String) throws {
        let time = try #require(DateTime(seconds: 1_795_305_909, nanoseconds: 123_456_789))
        #expect(try DateTimeFormat(parsing: pattern, letters: .simpleDateFormat).text(of: time) == expected)
    }

    @Test(arguments: [
        ("uuuu-MM-dd'T'HH:mm:ssXXX", "2026-11-22T05:50:09+05:45"), ("SSSSSS n", "123456 123456789"),
        ("X x O OOOO", "+0545 +0545 GMT+5:45 GMT+05:45"),
        ("VV", "Asia/Kathmandu"), ("Z ZZZZ ZZZZZ", "+0545 GMT+05:45 +05:45"), ("Q QQQ QQQQ", "4 Q4 4th quarter"),
        ("e eee", "1 Sun"),
        ("EEEEE MMMMM", "S N"), ("A", "21009123"), ("[HH][:mm]", "05:50"), ("GGGG", "Anno Domini"),
    ])
    func `DateTimeFormatter's letters are printed`(pattern: String, expected: String) throws {
        let zone = try DateTimeZone(named: "Asia/Kathmandu")
        let time = try #require(DateTime(seconds: 1_795_305_909, nanoseconds: 123_456_789, zone: zone))
        #expect(try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter).text(of: time) == expected)
    }

    @Test(arguments: [
        (2, "AD Anno Domini 02"), (1, "AD Anno Domini 01"), (0, "BC Before Christ 01"), (-1, "BC Before Christ 02"),
    ])
    func `the year before the first is the first before Christ`(year: Int, expected: String) throws {
        let time = try #require(CivilDate(year: year, month: 1, day: 1).flatMap { DateTime(date: $0) })
        #expect(try DateTimeFormat(parsing: "G GGGG yy", letters: .dateTimeFormatter).text(of: time) == expected)
        let simple = try DateTimeFormat(parsing: "G GGGG", letters: .simpleDateFormat).text(of: time)
        #expect(simple == "\(expected.prefix(2)) \(expected.prefix(2))")
    }

    @Test(arguments: [
        ("America/New_York", "Sat, 21 Nov 2026 19:05:09 EST -0500 -05:00"),
        ("Europe/Paris", "Sun, 22 Nov 2026 01:05:09 CET +0100 +01:00"),
        ("+02:00", "Sun, 22 Nov 2026 02:05:09 GMT+02:00 +0200 +02:00"),
    ])
    func `a pattern prints the zone's clock`(zone: String, expected: String) throws {
        let time = try #require(DateTime(seconds: 1_795_305_909, zone: try DateTimeZone(named: zone)))
        let format = try DateTimeFormat(parsing: "EEE, dd MMM yyyy HH:mm:ss z Z XXX", letters: .simpleDateFormat)
        #expect(format.text(of: time) == expected)
    }

    @Test(arguments: [
        ("dd/MM/yyyy", "10/11/2021", "2021-11-10T00:00:00"), ("yyyy-MM-dd", "2021-02-30", "2021-02-28T00:00:00"),
        ("yyyyMMddHHmmss", "20210304112233", "2021-03-04T11:22:33"), ("d/M/y", "1/2/2020", "2020-02-01T00:00:00"),
        ("yyyy-MM-dd HH:mm:ss Z", "2021-03-04 11:22:33 +0200", "2021-03-04T11:22:33+02:00"),
        ("yyyy-MM-dd'T'HH:mm:ssX", "2021-03-04T11:22:33Z", "2021-03-04T11:22:33Z"),
        ("EEE dd MMMM yyyy", "Thu 04 march 2021", "2021-03-04T00:00:00"),
        ("hh:mm a dd.MM.yy", "11:30 pm 01.02.20", "2020-02-01T23:30:00"),
        ("yyyy-MM-dd[ HH:mm]", "2020-01-01", "2020-01-01T00:00:00"),
        ("yyyy-MM-dd[ HH:mm]", "2020-01-01 10:30", "2020-01-01T10:30:00"),
        ("yyyy-DDD", "2020-366", "2020-12-31T00:00:00"),
        ("yyyy-MM-dd HH z", "2020-07-01 10 Europe/Paris", "2020-07-01T10:00:00+02:00"),
        ("yyyy-MM-dd HH z", "2020-07-01 10 EST", "2020-07-01T10:00:00-05:00"),
        ("MM/yyyy", "02/2020", "2020-02-01T00:00:00"),
        ("yyyy", "2020", "2020-01-01T00:00:00"), ("unix", "1577964091", "2020-01-02T11:21:31Z"),
        ("EPOCH", "1577964091000", "2020-01-02T11:21:31Z"), ("epoch", "-1", "1969-12-31T23:59:59Z"),
        ("uuuu-MM-dd", "-0001-01-01", "-0001-01-01T00:00:00"),
    ])
    func `DateTimeFormatter's letters are read`(pattern: String, text: String, expected: String) throws {
        #expect(try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter).parse(text).isoText == expected)
    }

    @Test(arguments: [
        ("yyyy-MM-dd", "2021-2-3", 5, "expected 2 digits for MM (the pattern is yyyy-MM-dd)"),
        ("yyyy-MM-dd", "2021-13-01", 5, "13 is not a value of MM, which goes from 1 to 12 (the pattern is yyyy-MM-dd)"),
        ("yyyy-MM-dd", "2021-01-01x", 10, "text behind the end of the date (the pattern is yyyy-MM-dd)"),
        ("yyyy/MM", "2021-01", 4, "expected '/' (the pattern is yyyy/MM)"),
        ("HH:mm", "10:30", 0, "the text has no year (the pattern is HH:mm)"),
        ("EEE dd MMM yyyy", "Fri 04 Mar 2021", 0, "this day is a Thursday (the pattern is EEE dd MMM yyyy)"),
        ("yyyy-DDD", "2021-366", 0, "there is no such day (the pattern is yyyy-DDD)"),
        ("MMM yyyy", "Foo 2021", 0, "expected Jan or the like for MMM (the pattern is MMM yyyy)"),
        ("yyyy z", "2021 Nowhere", 5, "expected a time zone for z (the pattern is yyyy z)"),
        ("unix", "soon", 0, "expected the seconds since 1970, within the years -9999 to 9999"),
        ("epoch", "9223372036854775807", 0, "expected the milliseconds since 1970, within the years -9999 to 9999"),
    ])
    func `a text that does not fit is named with place and letters`(
        pattern: String, text: String, offset: Int, message: String
    ) throws {
        let format = try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter)
        #expect(throws: DateTimeError(offset: offset, message: message)) { try format.parse(text) }
    }

    @Test(arguments: [
        ("yyyy-b", 5, "'b' stands for nothing in a pattern; text stands between single quotes"),
        ("yyyy 'at", 5, "a quote in a pattern that is not closed"),
        ("yyyy 'at''", 5, "a quote in a pattern that is not closed"),
        ("yyyy '", 5, "a quote in a pattern that is not closed"),
        ("uuuuVVV", 4, "'VVV' stands for nothing in a pattern; text stands between single quotes"),
        ("yyyy]", 4, "']' without '[' in a pattern"),
        ("{yyyy}", 0, "'{' stands for nothing in a pattern; put it between single quotes"),
    ])
    func `a broken pattern is named with its place`(pattern: String, offset: Int, message: String) {
        #expect(throws: DateTimeError(offset: offset, message: message)) {
            try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter)
        }
    }

    @Test(arguments: [
        "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "EEE, dd MMM yyyy HH:mm:ss.SSS Z", "uuuu-DDD A X",
        "EEEE d MMMM yyyy hh:mm:ss.SSS a VV",
    ])
    func `what is printed is read again as the same`(pattern: String) throws {
        let format = try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter)
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Thoroughness.rounds(200, thorough: 100_000) {
            let seconds = Int.random(in: -60_000_000_000...250_000_000_000, using: &generator)
            let offset = Int.random(in: -72...72, using: &generator) * 900
            let time = try #require(
                DateTime(
                    seconds: seconds, nanoseconds: Int.random(in: 0...999, using: &generator) * 1_000_000,
                    zone: DateTimeZone(offset: offset)))
            #expect(try format.parse(format.text(of: time)) == time)
            #expect(try DateTime(parsing: time.isoText).seconds == seconds)
        }
    }

    @Test func `a letter stands as often as Java lets it`() {
        let limits: [Character: ClosedRange<Int>] = [
            "M": 1...5, "L": 1...5, "d": 1...2, "D": 1...3, "S": 1...9, "Z": 1...5, "X": 1...5, "Q": 1...5, "q": 1...5,
            "e": 1...5, "c": 1...5,
            "x": 1...5, "V": 2...2,
        ]
        for letter in "GyYMLdDwWFEuaHkKhmszZSXQqecnANxOVvbBfgiIjJlopPrRtTUC" {
            for count in 1...21 {
                let isReformed = "QqecnANxOVv".contains(letter)
                let isKnown = !"bBfgiIjJlopPrRtTUC".contains(letter)
                let isNew = "Ov".contains(letter) ? [1, 4].contains(count) : (limits[letter] ?? 1...19).contains(count)
                let isOld = !isReformed && (letter == "X" ? 1...3 : 1...19).contains(count)
                for (letters, expected) in [
                    (DateTimeFormat.Letters.dateTimeFormatter, isNew), (.simpleDateFormat, isOld),
                ] {
                    let format = try? DateTimeFormat(parsing: String(repeating: letter, count: count), letters: letters)
                    #expect((format != nil) == (isKnown && expected), "\(count) \(letter) of \(letters)")
                }
            }
        }
        for (count, isRead) in [(256, true), (257, false)] {
            let format = try? DateTimeFormat(parsing: String(repeating: "-", count: count), letters: .dateTimeFormatter)
            #expect((format != nil) == isRead)
        }
    }

    /// Parts of patterns that say a whole date, a time of day, a part of a second and a zone, each.
    private static let parts = [
        [
            "yyyy-MM-dd", "uuuu/M/d", "d MMM yyyy", "dd.MMMM uuuu", "yyyy DDD", "uuuuMMdd", "EEE, d MMM yyyy",
            "EEEE dd MMMM uuuu", "yyyyDDD",
            "yyyy G QQQ MM dd", "e yyyy-MM-dd", "''yyyy'y'MM'm'dd", "w F W yyyy MM dd",
            "dMMMyyyy", "EEEdMMMMuuuu", "Gyyyy-M-d", "uuuu-M-dEEE",
        ],
        [
            " HH:mm:ss", " H:m:s", "'T'HHmmss", " hh:mm:ss a", " h.m.s a", " kk:mm:ss", " K:mm:ss a", " k m s",
            " h:m:sa",
        ],
        ["", ".SSS", ",SSSSSS", ".SSSSSSSSS", " n", ".S"],
        ["XXX", " Z", "xx", " VV", " z", "xxx", " ZZZZ", "ZZZZZ", " OOOO", "XXXX", "z", "VV"],
    ]

    @Test func `a text of any pattern is read again as what it says, and what is optional may be missing`() throws {
        var random = SplitMix(seed: UInt64(Thoroughness.rounds(8601, thorough: .random(in: 0..<1 << 31))))
        let digits = [".SSS": 3, ",SSSSSS": 6, ".SSSSSSSSS": 9, " n": 9, ".S": 1]
        for _ in 0..<Thoroughness.rounds(600, thorough: 100_000) {
            let parts = Self.parts.map { random.pick($0) }
            let zone = try #require(DateTimeZone(offset: (random.below(129) - 64) * 900))
            let nanoseconds = random.below(1_000_000_000)
            let time = try #require(
                DateTime(seconds: random.below(9_000_000_000) - 3_000_000_000, nanoseconds: nanoseconds, zone: zone))
            let texts = try parts.map { try DateTimeFormat(parsing: $0, letters: .dateTimeFormatter).text(of: time) }
            // How many of the parts are there, each within the brackets of the one before.
            let count = 1 + random.below(4)
            let pattern = parts[0] + "[" + parts[1] + "[" + parts[2] + "[" + parts[3] + random.pick(["]]]", "]]", ""])
            // Names are read in any case, what stands between quotes is not.
            let cased = parts[..<2].contains { $0.contains("'") } ? 0 : random.below(3)
            let names = texts[..<min(count, 2)].joined()
            let text =
                (cased == 1 ? names.uppercased() : cased == 2 ? names.lowercased() : names)
                + texts[2...].prefix(max(0, count - 2)).joined()
            let read = try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter).parse(text)
            var kept = 0
            if count > 2 {
                var unit = 1
                for _ in (digits[parts[2]] ?? 0)..<9 { unit *= 10 }
                kept = digits[parts[2]] == nil ? 0 : nanoseconds / unit * unit
            }
            let expected = try #require(
                DateTime(
                    date: time.date, secondOfDay: count > 1 ? time.secondOfDay : 0, nanoseconds: kept,
                    zone: count > 3 ? zone : nil))
            #expect(read.seconds == expected.seconds, "\(text) by \(pattern)")
            #expect(read.nanoseconds == expected.nanoseconds, "\(text) by \(pattern)")
            #expect(read.zone?.offset(at: 0) == expected.zone?.offset(at: 0), "\(text) by \(pattern)")
        }
    }

    @Test func `each pattern and each text is read or refused at a place of it`() throws {
        let letters = Array("GyYMLdDwWFEuaHkKhmsSzZXxOVvQqecnAN'[]{}- :/.0123456789+TZ")
        var generator = SystemRandomNumberGenerator()
        func text(_ most: Int) -> String {
            String(
                (0..<Int.random(in: 0...most, using: &generator)).compactMap { _ in
                    letters.randomElement(using: &generator)
                })
        }
        let time = try DateTime(parsing: "-9999-01-01T00:00:00.123Z")
        for _ in 0..<Thoroughness.rounds(3000, thorough: 1_000_000) {
            for kind in [DateTimeFormat.Letters.simpleDateFormat, .dateTimeFormatter] {
                let pattern = text(12)
                guard let format = Self.read(pattern, { try DateTimeFormat(parsing: pattern, letters: kind) }) else {
                    continue
                }
                for text in [format.text(of: time), text(20)] {
                    let read = Self.read(text) { try format.parse(text) }
                    if let read { #expect(CivilDate.years.contains(read.date.year), "\(pattern): \(text)") }
                }
            }
            let date = text(30)
            _ = Self.read(date) { try DateTime(parsing: date) }
        }
    }

    /// What is read of a text; nil if it is refused, at a place of the text.
    private static func read<Value>(_ text: String, _ body: () throws -> Value) -> Value? {
        do {
            return try body()
        } catch {
            let offset = (error as? DateTimeError)?.offset ?? -1
            #expect((0...text.utf8.count).contains(offset), "\(error) of \(text)")
            return nil
        }
    }
}
