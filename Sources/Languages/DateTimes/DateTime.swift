// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A point in time with its zone, or a date and time of no zone.
package struct DateTime: Sendable {
    /// Seconds since the beginning of 1970 in UTC; of a local time, as if it were UTC.
    package let seconds: Int
    package let nanoseconds: Int
    /// Nil for a local time.
    package let zone: DateTimeZone?

    private static let limits = (-377_705_116_800)...253_402_300_799

    /// A point in time; nil beyond the years -9999 to 9999.
    package init?(seconds: Int, nanoseconds: Int = 0, zone: DateTimeZone? = .utc) {
        guard Self.limits.contains(seconds), (0..<1_000_000_000).contains(nanoseconds) else { return nil }
        if let zone, !Self.limits.contains(seconds + zone.offset(at: seconds)) { return nil }
        (self.seconds, self.nanoseconds, self.zone) = (seconds, nanoseconds, zone)
    }

    /// The time at which the clock of a zone shows a date and a time of day, or a local time; nil beyond the years
    /// -9999 to 9999.
    ///
    /// A time that a zone skips is moved on by the skipped span; if a time comes twice, the earlier one is meant.
    package init?(
        date: CivilDate, secondOfDay: Int = 0, nanoseconds: Int = 0, zone: DateTimeZone? = nil
    ) {
        guard (0..<86400).contains(secondOfDay) else { return nil }
        let local = date.daysSinceEpoch * 86400 + secondOfDay
        let instant = zone.map { local - $0.offset(atLocal: local) } ?? local
        self.init(seconds: instant, nanoseconds: nanoseconds, zone: zone)
    }

    /// Seconds that the zone's clock is ahead of UTC; nil for a local time.
    package var offset: Int? { zone?.offset(at: seconds) }

    /// Seconds since the beginning of 1970 by the zone's clock.
    var localSeconds: Int { seconds + (offset ?? 0) }

    package var date: CivilDate {
        // Within the limits there is one for every second.
        CivilDate(daysSinceEpoch: Self.floorDivide(localSeconds, 86400)) ?? CivilDate.epoch
    }

    package var secondOfDay: Int { localSeconds - Self.floorDivide(localSeconds, 86400) * 86400 }

    static func floorDivide(_ value: Int, _ divisor: Int) -> Int {
        let (quotient, rest) = value.quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The same point in time in another zone; a local time is taken for one of that zone. Nil beyond the years that are told apart.
    package func converted(to zone: DateTimeZone) -> DateTime? {
        if self.zone == nil {
            return DateTime(date: date, secondOfDay: secondOfDay, nanoseconds: nanoseconds, zone: zone)
        }
        return DateTime(seconds: seconds, nanoseconds: nanoseconds, zone: zone)
    }

    /// The time that the clock shows, without its zone.
    package var local: DateTime { DateTime(uncheckedLocal: localSeconds, nanoseconds) }

    private init(uncheckedLocal seconds: Int, _ nanoseconds: Int) {
        (self.seconds, self.nanoseconds, zone) = (seconds, nanoseconds, nil)
    }

    /// Milliseconds since the beginning of 1970.
    package var milliseconds: Int { seconds * 1000 + nanoseconds / 1_000_000 }
}

extension CivilDate {
    static let epoch = CivilDate(uncheckedYear: 1970, month: 1, day: 1)

    private init(uncheckedYear year: Int, month: Int, day: Int) {
        (self.year, self.month, self.day) = (year, month, day)
    }
}

extension DateTime: Comparable {
    /// Whether both are the same point in time; if one is local, whether both clocks show the same.
    package static func == (left: DateTime, right: DateTime) -> Bool {
        let (left, right) = comparable(left, right)
        return left == right
    }

    package static func < (left: DateTime, right: DateTime) -> Bool {
        let (left, right) = comparable(left, right)
        return left < right
    }

    private static func comparable(_ left: DateTime, _ right: DateTime) -> ((Int, Int), (Int, Int)) {
        if left.zone != nil, right.zone != nil {
            return ((left.seconds, left.nanoseconds), (right.seconds, right.nanoseconds))
        }
        return ((left.localSeconds, left.nanoseconds), (right.localSeconds, right.nanoseconds))
    }
}

/// Why a text is not a date, pattern, offset or zone, and at which byte.
package struct DateTimeError: Error, Equatable, Sendable {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

/// An amount of time to go on or back by, such as `3 days`.
package struct DateTimeShift: Equatable, Sendable {
    package enum Unit: String, CaseIterable, Sendable {
        case seconds, minutes, hours, days, weeks, months, years

        /// A unit by its name in any case, in the singular too; nil for none.
        package init?(name: String) {
            let lowered = name.lowercased()
            guard let unit = Unit(rawValue: lowered) ?? Unit(rawValue: lowered + "s") else { return nil }
            self = unit
        }
    }

    package let amount: Int
    package let unit: Unit

    package static let none = DateTimeShift(amount: 0, unit: .seconds)

    /// - Parameter amount: cut to 32 bits.
    package init(amount: Int, unit: Unit) {
        self.amount = min(max(amount, Int(Int32.min)), Int(Int32.max))
        self.unit = unit
    }

    /// Reads `now`, `3 days`, `-2 hours` or `now +3 days`.
    package init(parsing text: String) throws(DateTimeError) {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        if words.count == 1, words[0].lowercased() == "now" {
            self = .none
            return
        }
        let isLong = words.count == 3 && words[0].lowercased() == "now"
        guard words.count == 2 || isLong else {
            throw DateTimeError(
                offset: 0, message: "an offset is written as '3 days', '-2 hours', 'now' or 'now +3 days'")
        }
        let amountWord = words[words.count - 2]
        let unitWord = words[words.count - 1]
        guard let amount = Int32(amountWord) else {
            throw DateTimeError(
                offset: Self.position(of: amountWord, in: text),
                message: "an offset's amount is a whole number of 32 bits, such as 3 or -2")
        }
        guard let unit = Unit(name: String(unitWord)) else {
            let names = Unit.allCases.map(\.rawValue).joined(separator: ", ")
            throw DateTimeError(
                offset: Self.position(of: unitWord, in: text), message: "an offset's unit is one of \(names)")
        }
        self.init(amount: Int(amount), unit: unit)
    }

    private static func position(of word: Substring, in text: String) -> Int {
        text.utf8.distance(from: text.startIndex, to: word.startIndex)
    }

    /// A date and time moved on; nil beyond the years that are told apart.
    ///
    /// Days and longer units are counted by the zone's clock; a month that is too short gives its last day.
    package func applied(to time: DateTime) -> DateTime? {
        switch unit {
        case .seconds: return shifted(time, seconds: amount)
        case .minutes: return shifted(time, seconds: amount * 60)
        case .hours: return shifted(time, seconds: amount * 3600)
        case .days, .weeks:
            let days = time.date.daysSinceEpoch + amount * (unit == .weeks ? 7 : 1)
            return CivilDate(daysSinceEpoch: days).flatMap { time.with(date: $0) }
        case .months, .years:
            let date = time.date
            let months = date.year * 12 + date.month - 1 + amount * (unit == .years ? 12 : 1)
            let year = DateTime.floorDivide(months, 12)
            return CivilDate(year: year, month: months - year * 12 + 1, clampingDay: date.day)
                .flatMap { time.with(date: $0) }
        }
    }

    private func shifted(_ time: DateTime, seconds: Int) -> DateTime? {
        DateTime(seconds: time.seconds + seconds, nanoseconds: time.nanoseconds, zone: time.zone)
    }
}

extension DateTime {
    fileprivate func with(date: CivilDate) -> DateTime? {
        DateTime(date: date, secondOfDay: secondOfDay, nanoseconds: nanoseconds, zone: zone)
    }
}

/// WireMock's ways to cut a date and time down, such as `first day of month`.
package enum DateTimeTruncation: String, CaseIterable, Sendable {
    case firstSecondOfMinute = "first second of minute"
    case firstMinuteOfHour = "first minute of hour"
    case firstHourOfDay = "first hour of day"
    case firstDayOfMonth = "first day of month"
    case firstDayOfNextMonth = "first day of next month"
    case lastDayOfMonth = "last day of month"
    case firstDayOfYear = "first day of year"
    case firstDayOfNextYear = "first day of next year"
    case lastDayOfYear = "last day of year"

    /// Reads a truncation in any case, with spaces or underscores.
    package init(parsing text: String) throws(DateTimeError) {
        let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" })
        guard let truncation = DateTimeTruncation(rawValue: words.joined(separator: " ")) else {
            let names = Self.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw DateTimeError(offset: 0, message: "a truncation is one of \(names)")
        }
        self = truncation
    }

    /// A date and time cut down by its zone's clock; nil beyond the years that are told apart.
    package func applied(to time: DateTime) -> DateTime? {
        var date = time.date
        var second = time.secondOfDay
        switch self {
        case .firstSecondOfMinute: second -= second % 60
        case .firstMinuteOfHour: second -= second % 3600
        case .firstHourOfDay: second = 0
        case .firstDayOfMonth: (date.day, second) = (1, 0)
        case .lastDayOfMonth: (date.day, second) = (GregorianDay.days(in: date.month, of: date.year), 0)
        case .firstDayOfNextMonth:
            (date.day, second) = (1, 0)
            date.month += 1
            if date.month > 12 { (date.year, date.month) = (date.year + 1, 1) }
        case .firstDayOfYear: (date.month, date.day, second) = (1, 1, 0)
        case .firstDayOfNextYear: (date.year, date.month, date.day, second) = (date.year + 1, 1, 1, 0)
        case .lastDayOfYear: (date.month, date.day, second) = (12, 31, 0)
        }
        guard CivilDate.years.contains(date.year) else { return nil }
        return DateTime(date: date, secondOfDay: second, zone: time.zone)
    }
}
