// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes
import MockapiTestSupport
import Testing

/// What is read of texts that are nearly dates, and of each form that a letter may ask for.
@Suite(.supervised) struct DateTimeReadingTests {
    // MARK: ISO 8601

    /// The point in time by an expression and a calendar, with the zone's offset; nil for a text that is not of the form.
    private static func expected(_ text: String) -> (seconds: Int, nanoseconds: Int, offset: Int?)? {
        let form =
            /([+\-])?(\d{4})(?:-(\d\d)(?:-(\d\d))?)?(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:([Zz])|([+\-])(\d\d?)(?::?(\d\d))?)?)?/
        guard let match = text.wholeMatch(of: form)?.output else { return nil }
        func number(_ part: Substring?, or none: Int = 0) -> Int { part.flatMap { Int($0) } ?? none }
        let year = number(match.2) * (match.1 == "-" ? -1 : 1)
        let (hour, minute, second) = (number(match.5), number(match.6), number(match.7))
        guard let date = CivilDate(year: year, month: number(match.3, or: 1), day: number(match.4, or: 1)), hour < 24,
            minute < 60, second < 60, number(match.12) < 60
        else { return nil }
        let offset: Int? =
            match.9 != nil
            ? 0 : match.10.map { ($0 == "-" ? -1 : 1) * (number(match.11) * 3600 + number(match.12) * 60) }
        if let offset, abs(offset) > 64_800 { return nil }
        // One digit for the hours cannot be followed by others without a colon.
        if let hours = match.11, hours.count == 1, match.12 != nil, !text.hasSuffix(":\(match.12 ?? "")") { return nil }
        let fraction = match.8.map { Int($0 + String(repeating: "0", count: 9 - $0.count)) ?? 0 } ?? 0
        let clock = date.daysSinceEpoch * 86400 + (hour * 60 + minute) * 60 + second
        return (clock - (offset ?? 0), fraction, offset)
    }

    @Test func `a text is a date of ISO 8601 where the form says so, and no other`() {
        let texts = [
            "2024-02-29T23:59:59.5+02:30", "-0044-03-15T00:00:00Z", "+2024-12-31 10:30", "2024-06", "1999",
            "2024-02-29t12:00:00,123456789-18:00", "2023-04-30T09:05:00.5", "2024T10:00z",
        ]
        let signs = Array("0123456789-+:.,TtZz /;")
        var random = SplitMix(seed: 8601)
        var counts = (read: 0, refused: 0)
        for round in 0..<Thoroughness.rounds(2000, thorough: 200_000) {
            var text = Array(texts[round % texts.count])
            if round >= texts.count {
                for _ in 0...random.below(2) {
                    let place = random.below(text.count)
                    switch random.below(5) {
                    case 0: text.remove(at: place)
                    case 1: text.insert(random.pick(signs), at: place)
                    case 2: text = Array(text[...place])
                    default: text[place] = random.pick(signs)
                    }
                    if text.isEmpty { break }
                }
            }
            let date = String(text)
            guard let first = date.first, "0123456789+-".contains(first) else { continue }
            let (expected, read) = (Self.expected(date), try? DateTime(parsing: date))
            #expect(read?.seconds == expected?.seconds && read?.nanoseconds == expected?.nanoseconds, "\(date)")
            #expect(read?.offset == expected?.offset, "\(date)")
            if expected == nil { counts.refused += 1 } else { counts.read += 1 }
        }
        #expect(counts.read > 250 && counts.refused > 250, "\(counts)")
    }

    @Test(arguments: [
        ("2021-06-01T10:00:00+02:00[Europe/Paris", 38, "expected ']' behind the zone"),
        ("2021-06-01T10:00:00[Europe/Paris]", 19, "expected 'Z' or an offset such as +02:00"),
        ("2021-06-01T10:00:00UTC[Europe/Paris]", 19, "expected 'Z' or an offset such as +02:00"),
        (
            "2021-06-01T10:00:00Z[Mars]", 21,
            "there is no time zone 'Mars' in /usr/share/zoneinfo/; a zone is UTC, +02:00 or a region such as Europe/Paris"
        ),
        ("2021-06-01X10:00", 10, "expected 'T' and the time"), ("2021-06-01T10.00", 13, "expected ':' and the minutes"),
        (":021-06-01", 0, "expected a date such as 2026-11-22T10:30:00Z or Sun, 22 Nov 2026 10:30:00 GMT"),
    ])
    func `a broken zone or clock is named with its place`(text: String, offset: Int, message: String) {
        #expect(throws: DateTimeError(offset: offset, message: message)) { try DateTime(parsing: text) }
    }

    @Test func `a year of two digits is the one within 1970 to 2069`() throws {
        for year in 1970...2069 {
            let date = try #require(CivilDate(year: year, month: 11, day: 6))
            let names = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
            let digits = String(year).suffix(2)
            let text = "\(names[date.weekday]), 06-Nov-\(digits) 08:49:37 GMT"
            #expect(try DateTime(parsing: text).date == date, "\(text)")
            #expect(try read("2001-\(digits)", "2001-yy").date.year == 2000 + year % 100)
        }
    }

    // MARK: Letters

    private func read(
        _ text: String, _ pattern: String, _ letters: DateTimeFormat.Letters = .dateTimeFormatter
    ) throws -> DateTime {
        let quoted = pattern.replacing("2001-", with: "'2001-'")
        return try DateTimeFormat(parsing: quoted, letters: letters).parse(text)
    }

    @Test func `a name is read whole or by its first three letters, and in no other length`() throws {
        let months = [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November",
            "December",
        ]
        let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let lists: [(letters: [String], names: [String], hasShort: Bool)] = [
            (["G", "GGGG"], ["BC", "AD", "Before Christ", "Anno Domini"], false), (["a"], ["AM", "PM"], false),
            (["MMM", "MMMM", "LLL"], months, true), (["E", "EEEE", "eee", "cccc"], weekdays, true),
            (["QQQ"], ["Q1", "Q2", "Q3", "Q4"], false),
            (["QQQQ"], ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"], false),
        ]
        for (letters, names, hasShort) in lists {
            let known = names + (hasShort ? names.map { String($0.prefix(3)) } : [])
            for letter in letters {
                for name in names {
                    for count in 0...name.count {
                        let text = String(name.prefix(count))
                        let isRead = (try? read("2024 \(text).", "yyyy \(letter)'.'")) != nil
                        #expect(isRead == known.contains(text), "\(text) by \(letter)")
                    }
                }
            }
        }
    }

    @Test func `quarters and weekdays are read in each of their forms, and checked`() throws {
        for day in 0..<200 {
            let time = try #require(DateTime(seconds: (19_700 + day) * 86400, zone: nil))
            let next = try #require(DateTime(seconds: time.seconds + 86400, zone: nil))
            for letter in ["e", "ee", "eee", "eeee", "c", "E", "EEEE"] {
                let format = try DateTimeFormat(parsing: "\(letter) uuuu-MM-dd", letters: .dateTimeFormatter)
                #expect(try format.parse(format.text(of: time)) == time)
                let weekday = try DateTimeFormat(parsing: letter, letters: .dateTimeFormatter).text(of: next)
                let date = format.text(of: time).split(separator: " ")[1]
                #expect(throws: DateTimeError.self, "\(weekday) \(date)") { try format.parse("\(weekday) \(date)") }
            }
            guard time.date.day == 1 else { continue }
            for letter in ["Q", "QQ", "QQQ", "QQQQ"] {
                let format = try DateTimeFormat(parsing: "\(letter) uuuu", letters: .dateTimeFormatter)
                let read = try format.parse(format.text(of: time)).date
                #expect(read == CivilDate(year: time.date.year, month: (time.date.month - 1) / 3 * 3 + 1, day: 1))
            }
        }
    }

    @Test func `a sign in the place of a digit is refused, and so is a digit too many`() throws {
        let time = try #require(DateTime(seconds: 1_795_305_909, nanoseconds: 123_456_789, zone: nil))
        for pattern in [
            "uuuu-MM-dd'T'HH:mm:ss", "uuuuMMddHHmmss", "uuuuDDD", "uuuu SSSSSSSSS", "uuuu S", "nnnnnnnnn uuuu",
            "dd-MM uuuu",
            "ww WW uuuu",
        ] {
            let format = try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter)
            let text = Array(format.text(of: time))
            for place in text.indices where text[place].isNumber {
                for sign in "/:;" {
                    var changed = text
                    changed[place] = sign
                    #expect(throws: DateTimeError.self, "\(String(changed))") { try format.parse(String(changed)) }
                }
            }
            // A year alone has a sign.
            for place in text.indices.dropFirst() where text[place].isNumber && !text[place - 1].isNumber {
                for sign in ["+", "-"] where !pattern.contains(sign) && !pattern.hasSuffix("uuuu") {
                    let changed = String(text[..<place]) + sign + String(text[place...])
                    #expect(throws: DateTimeError.self, "\(changed)") { try format.parse(changed) }
                }
            }
        }
        #expect(throws: DateTimeError.self) { try read("2021-001-01", "yyyy-MM-dd") }
        #expect(throws: DateTimeError.self) { try read("2021-1-01", "yyyy-MM-dd") }
        #expect(throws: DateTimeError.self) { try read("21-01-01", "yyyy-MM-dd") }
        for letters in ["yyyy", "uuuu"] { #expect(try read("+2021-01-02", "\(letters)-MM-dd").date.year == 2021) }
        // SimpleDateFormat takes as many digits as there are.
        #expect(try read("2021-001-1", "yyyy-MM-dd", .simpleDateFormat) == read("2021-01-01", "yyyy-MM-dd"))
    }

    @Test func `a zone is read by the letters for it, as far as it goes`() throws {
        for (letters, texts) in [
            (
                ["z", "v", "VV"],
                ["Europe/Paris", "EST", "cest", "UTC", "+02:00", "GMT+2", "Etc/GMT+3", "America/Port_of_Spain"]
            ),
            (["Z", "X", "x", "O"], ["+02:00", "Z", "GMT+2", "GMT", "-0330"]),
        ] {
            for letter in letters {
                for text in texts {
                    #expect((try? read("2024 \(text)", "yyyy \(letter)")) != nil, "\(text) by \(letter)")
                }
            }
        }
        for letter in ["Z", "X", "x", "O"] {
            for text in ["Europe/Paris", "EST", "UTC", "UTC+1"] {
                #expect(throws: DateTimeError.self, "\(text) by \(letter)") {
                    try read("2024 \(text)", "yyyy \(letter)")
                }
            }
        }
        for byte in UInt8(0x20)..<0x7F {
            let sign = String(Unicode.Scalar(byte))
            let isOfName = sign.contains(/[A-Za-z0-9+\-:\/_]/)
            guard sign != "'", !isOfName else { continue }
            #expect((try? read("2024 UTC\(sign)", "yyyy z'\(sign)'")) != nil, "\(sign)")
        }
    }

    @Test func `a text between quotes stands for itself, and what is optional ends at its bracket`() throws {
        var random = SplitMix(seed: 39)
        let time = try #require(DateTime(seconds: 1_795_305_909, zone: nil))
        for _ in 0..<500 {
            let quoted = (0..<3).map { _ in
                (0..<random.below(4)).map { _ in random.pick(["'", "a", "[", " ", "é"]) }.joined()
            }
            let pattern = quoted.map { $0.isEmpty ? "" : "'" + $0.replacing("'", with: "''") + "'" }.joined(
                separator: "uuuu-MM-dd")
            let text = quoted.joined(separator: "2026-11-22")
            let format = try DateTimeFormat(parsing: pattern, letters: .dateTimeFormatter)
            #expect(format.text(of: time) == text, "\(pattern)")
            #expect(try format.parse(text).date == time.date, "\(pattern)")
        }
        #expect(
            try DateTimeFormat(parsing: "''d-M''''yy''", letters: .simpleDateFormat).text(of: time) == "'22-11''26'")
        for text in ["2024!", "2024-06!", "2024-06-09!", "2024-06-09T!", "2024T!"] {
            #expect((try? read(text, "uuuu[-MM[-dd]]['T']'!'")) != nil, "\(text)")
        }
        for text in ["2024", "2024-09-!", "2024!!", "2024-06T-09!"] {
            #expect(throws: DateTimeError.self, "\(text)") { try read(text, "uuuu[-MM[-dd]]['T']'!'") }
        }
    }
}
