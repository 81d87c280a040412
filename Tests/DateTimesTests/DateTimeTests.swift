// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDateTimes
import MockapiTestSupport
import Testing

/// Dates, zones, and what is reckoned with them.
@Suite(.supervised) struct DateTimeTests {
    @Test func `days and dates make each other`() throws {
        for days in stride(from: -4_371_587, through: 2_932_896, by: 997) {
            let date = try #require(CivilDate(daysSinceEpoch: days))
            #expect(date.daysSinceEpoch == days)
        }
        #expect(CivilDate(daysSinceEpoch: -4_371_587) == CivilDate(year: -9999, month: 1, day: 1))
        #expect(CivilDate(daysSinceEpoch: 2_932_896) == CivilDate(year: 9999, month: 12, day: 31))
        for days in [-4_371_588, 2_932_897, .min + 1, .max] { #expect(CivilDate(daysSinceEpoch: days) == nil) }
        #expect(CivilDate(year: 2000, month: 2, day: 29)?.dayOfYear == 60)
        #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
        #expect(CivilDate(year: 2026, month: 11, day: 22)?.weekday == 0)
    }

    @Test(arguments: [
        ("2021-06-01T10:00:00Z", "1622541600 UTC"), ("2021-06-01T10:00:00.5+02:00", "1622534400.500000000 +02:00"),
        ("2021-06-01t10:00z", "1622541600 UTC"), ("2021-06-01T10:00:00+02:00[Europe/Paris]", "1622534400 Europe/Paris"),
        ("2021-10-31T02:30:00+01:00[Europe/Paris]", "1635643800 Europe/Paris"),
        ("2021-06-01T10:00:00", "1622541600 local"),
        ("2021-06-01 10:00", "1622541600 local"), ("2021-06-01", "1622505600 local"), ("2021-06", "1622505600 local"),
        ("2021", "1609459200 local"), ("Tue, 01 Jun 2021 10:00:00 GMT", "1622541600 GMT"),
        ("Tue, 1 Jun 2021 10:00:00 +0200", "1622534400 +02:00"), ("1 Jun 2021 10:00:00 GMT", "1622541600 GMT"),
        ("Sunday, 06-Nov-94 08:49:37 GMT", "784111777 GMT"), ("Sun Nov  6 08:49:37 1994", "784111777 UTC"),
        ("Wed Nov 16 08:49:37 1994", "784975777 UTC"), ("-9999-01-01T00:00:00Z", "-377705116800 UTC"),
        ("9999-12-31T23:59:59.999999999Z", "253402300799.999999999 UTC"),
    ])
    func `a date is read in any of the usual forms`(text: String, expected: String) throws {
        let time = try DateTime(parsing: text)
        let digits = String(time.nanoseconds)
        let fraction = time.nanoseconds == 0 ? "" : "." + String(repeating: "0", count: 9 - digits.count) + digits
        #expect("\(time.seconds)\(fraction) \(time.zone?.name ?? "local")" == expected)
    }

    @Test(arguments: [
        ("", 0, "expected a date, found nothing"), ("2021-02-29", 10, "the month has no day 29"),
        ("2021-13-01", 5, "13 is not within 1 to 12"), ("2021-6-1", 5, "expected 2 digits"),
        ("2021-06-01T24:00:00", 11, "24 is not within 0 to 23"),
        ("2021-06-01T10:00:60", 17, "60 is not within 0 to 59"),
        ("2021-06-01T10:00:00 Z", 19, "expected 'Z' or an offset such as +02:00"),
        ("2021-06-01T10:00:00+19:00", 19, "expected 'Z' or an offset such as +02:00"),
        ("2021-06-01T10:00:00.1234567890Z", 20, "a fraction has one to nine digits"),
        ("9999-12-31T23:59:59-01:00", 0, "the date is beyond the years -9999 to 9999"),
        (String(repeating: "x", count: 129), 128, "a date is no longer than 128 bytes"),
        (
            String(repeating: "x", count: 128), 0,
            "expected a date such as 2026-11-22T10:30:00Z or Sun, 22 Nov 2026 10:30:00 GMT"
        ),
        ("yesterday", 0, "expected a date such as 2026-11-22T10:30:00Z or Sun, 22 Nov 2026 10:30:00 GMT"),
    ])
    func `a broken date is named with its place`(text: String, offset: Int, message: String) {
        #expect(throws: DateTimeError(offset: offset, message: message)) { try DateTime(parsing: text) }
    }

    @Test(arguments: [
        ("2021-06-01T10:00:00Z", "2021-06-01T12:00:00+02:00", "same"),
        ("2021-06-01T10:00:00Z", "2021-06-01T10:00:00+02:00", "after"),
        ("2021-06-01T10:00:00", "2021-06-01T10:00:00+02:00", "same"),
        ("2021-06-01", "2021-06-01T00:00:00.000000001Z", "before"),
    ])
    func `points in time are compared, and clocks where one has no zone`(left: String, right: String, order: String)
        throws
    {
        let (first, second) = (try DateTime(parsing: left), try DateTime(parsing: right))
        #expect((first < second ? "before" : first == second ? "same" : "after") == order)
    }

    @Test(arguments: [
        ("now", "2024-01-31T23:30:00Z"), ("3 days", "2024-02-03T23:30:00Z"), ("now\t+3 days", "2024-02-03T23:30:00Z"),
        ("-2 hours", "2024-01-31T21:30:00Z"), ("now -2 hours", "2024-01-31T21:30:00Z"),
        ("1 months", "2024-02-29T23:30:00Z"),
        ("13 months", "2025-02-28T23:30:00Z"), ("-2 months", "2023-11-30T23:30:00Z"),
        ("1 years", "2025-01-31T23:30:00Z"),
        ("45 MINUTES", "2024-02-01T00:15:00Z"), ("-1 seconds", "2024-01-31T23:29:59Z"),
        ("1 day", "2024-02-01T23:30:00Z"),
        ("2 weeks", "2024-02-14T23:30:00Z"), ("-25 months", "2021-12-31T23:30:00Z"),
    ])
    func `an offset moves a date on by the calendar`(offset: String, expected: String) throws {
        let time = try DateTime(parsing: "2024-01-31T23:30:00Z")
        #expect(try DateTimeShift(parsing: offset).applied(to: time)?.isoText == expected)
    }

    @Test(arguments: [
        ("soon", 0, "an offset is written as '3 days', '-2 hours', 'now' or 'now +3 days'"),
        ("then 3 days", 0, "an offset is written as '3 days', '-2 hours', 'now' or 'now +3 days'"),
        ("now + 3 days", 0, "an offset is written as '3 days', '-2 hours', 'now' or 'now +3 days'"),
        ("\t", 0, "an offset is written as '3 days', '-2 hours', 'now' or 'now +3 days'"),
        ("three days", 0, "an offset's amount is a whole number of 32 bits, such as 3 or -2"),
        ("99999999999 days", 0, "an offset's amount is a whole number of 32 bits, such as 3 or -2"),
        ("3 fortnights", 2, "an offset's unit is one of seconds, minutes, hours, days, weeks, months, years"),
    ])
    func `a broken offset says what one is`(offset: String, position: Int, message: String) {
        #expect(throws: DateTimeError(offset: position, message: message)) { try DateTimeShift(parsing: offset) }
    }

    @Test func `no offset leads beyond the years that are told apart, nor traps`() throws {
        for text in ["9999-12-31T23:59:59Z", "-9999-01-01T00:00:00Z", "2024-02-29T00:00:00Z"] {
            let time = try DateTime(parsing: text)
            for unit in DateTimeShift.Unit.allCases {
                for amount in [Int.min, -2_147_483_648, -1, 0, 1, 2_147_483_647, .max] {
                    let moved = DateTimeShift(amount: amount, unit: unit).applied(to: time)
                    if let moved { #expect(CivilDate.years.contains(moved.date.year)) }
                }
            }
            for truncation in DateTimeTruncation.allCases { _ = truncation.applied(to: time) }
        }
        #expect(DateTime(seconds: .max) == nil)
        #expect(DateTime(seconds: .min) == nil)
    }

    @Test(arguments: [
        ("first second of minute", "2024-02-10T13:14:00+02:00"), ("first minute of hour", "2024-02-10T13:00:00+02:00"),
        ("first hour of day", "2024-02-10T00:00:00+02:00"), ("first day of month", "2024-02-01T00:00:00+02:00"),
        ("FIRST_DAY_OF_NEXT_MONTH", "2024-03-01T00:00:00+02:00"), ("last day of month", "2024-02-29T00:00:00+02:00"),
        ("First day of year", "2024-01-01T00:00:00+02:00"), ("first day of next year", "2025-01-01T00:00:00+02:00"),
        ("last day of year", "2024-12-31T00:00:00+02:00"),
    ])
    func `a truncation cuts down by the zone's clock`(name: String, expected: String) throws {
        let time = try DateTime(parsing: "2024-02-10T13:14:15.5+02:00")
        #expect(try DateTimeTruncation(parsing: name).applied(to: time)?.isoText == expected)
    }

    @Test func `an unknown truncation lists those there are`() {
        let error = #expect(throws: DateTimeError.self) { try DateTimeTruncation(parsing: "first week") }
        #expect(
            error?.message.hasPrefix("a truncation is one of 'first second of minute', 'first minute of hour',") == true
        )
    }

    // MARK: Zones

    @Test(arguments: [
        ("UTC", 0), ("Z", 0), ("GMT", 0), ("+02:00", 7200), ("-0330", -12600), ("GMT+2", 7200), ("UTC-05:00", -18000),
        ("+5", 18000), ("Asia/Kolkata", 19800), ("Etc/GMT+3", -10800), ("JST", 32400),
    ])
    func `a zone is known by its name`(name: String, offset: Int) throws {
        #expect(try DateTimeZone(named: name).offset(at: 1_700_000_000) == offset)
    }

    @Test func `an offset is read in the forms that Java has, and in no other`() {
        var random = SplitMix(seed: 5)
        for _ in 0..<2000 {
            let pieces = ["0", "1", "00", "05", "18", "19", "59", "60", ":", ":", "+", "-", "/"]
            let text = (0..<random.below(6)).map { _ in random.pick(pieces) }.joined()
            let offset = random.pick(["+", "-", ""]) + text
            let match = offset.wholeMatch(
                of: /([+\-])(\d{1,2})(?::([0-5]\d)(?::([0-5]\d))?)?|([+\-])(\d\d)([0-5]\d)([0-5]\d)?/)?.output
            let sign = match.flatMap { $0.1 ?? $0.5 } == "-" ? -1 : 1
            let parts = match.map { [$0.2 ?? $0.6, $0.3 ?? $0.7, $0.4 ?? $0.8].map { $0.flatMap { Int($0) } ?? 0 } }
            let seconds = parts.map { sign * ($0[0] * 3600 + $0[1] * 60 + $0[2]) }
            let expected = seconds.flatMap { abs($0) <= 64_800 ? $0 : nil }
            #expect((try? DateTimeZone(named: offset))?.offset(at: 0) == expected, "\(offset)")
        }
    }

    @Test(arguments: [
        "Mars/Olympus", "", "../passwd", "/etc/passwd", "Europe", "tzdata.zi", "+25:00", "+1:2:3:4", "/Europe/Paris",
        "Europe/../Europe/Paris",
        "Europe/Paris\0", "Europe/./Paris", "Europe" + String(repeating: "/", count: 55) + "Paris",
    ])
    func `what is no zone is an error`(name: String) {
        let error = #expect(throws: DateTimeError.self) { try DateTimeZone(named: name) }
        #expect(
            error?.message
                == "there is no time zone '\(name.prefix(64))' in /usr/share/zoneinfo/; a zone is UTC, +02:00 or a region such as Europe/Paris"
        )
    }

    @Test(arguments: [
        // The clocks go on an hour at two, and back at three, now and after the file's last year.
        ("Europe/Paris", "2021-03-28T02:30:00", "2021-03-28T03:30:00+02:00"),
        ("Europe/Paris", "2021-10-31T02:30:00", "2021-10-31T02:30:00+02:00"),
        ("Europe/Paris", "2021-10-31T03:00:00", "2021-10-31T03:00:00+01:00"),
        ("Europe/Paris", "2060-07-01T00:00:00", "2060-07-01T00:00:00+02:00"),
        ("America/New_York", "2090-01-01T00:00:00", "2090-01-01T00:00:00-05:00"),
        ("Australia/Sydney", "2090-01-01T00:00:00", "2090-01-01T00:00:00+11:00"),
        ("Australia/Sydney", "2090-06-01T00:00:00", "2090-06-01T00:00:00+10:00"),
        ("Asia/Kolkata", "2026-01-01T00:00:00", "2026-01-01T00:00:00+05:30"),
        ("Europe/London", "1850-01-01T00:00:00", "1850-01-01T00:00:00Z"),
    ])
    func `a region's clock goes by its rules`(zone: String, local: String, expected: String) throws {
        let time = try DateTime(parsing: local).converted(to: try DateTimeZone(named: zone))
        #expect(time?.isoText == expected)
    }

    @Test func `days are counted by the clock, hours by time`() throws {
        let paris = try DateTimeZone(named: "Europe/Paris")
        let time = try #require(try DateTime(parsing: "2021-03-27T12:00:00").converted(to: paris))
        #expect(DateTimeShift(amount: 1, unit: .days).applied(to: time)?.isoText == "2021-03-28T12:00:00+02:00")
        #expect(DateTimeShift(amount: 24, unit: .hours).applied(to: time)?.isoText == "2021-03-28T13:00:00+02:00")
    }
}
