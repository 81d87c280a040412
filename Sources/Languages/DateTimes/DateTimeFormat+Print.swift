// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

extension DateTime {
    /// The date and time as WireMock's `{{now}}` prints it: `2026-11-22T10:30:00Z`, or with the offset of the zone.
    package var isoText: String {
        let day = DateTimeFormat.padded(date.year, 4) + "-" + DateTimeFormat.padded(date.month, 2)
        return day + "-" + DateTimeFormat.padded(date.day, 2) + "T" + clockText + offsetText
    }

    private var clockText: String {
        let second = secondOfDay
        let hours = DateTimeZone.twoDigits(second / 3600)
        return "\(hours):\(DateTimeZone.twoDigits(second / 60 % 60)):\(DateTimeZone.twoDigits(second % 60))"
    }

    private var offsetText: String {
        guard let offset else { return "" }
        return offset == 0 ? "Z" : DateTimeZone.text(ofOffset: offset)
    }
}

extension DateTimeFormat {
    /// Writes a date and time; a local one is taken for one of UTC if its zone is asked for.
    package func text(of time: DateTime) -> String {
        switch kind {
        case .unix: return String(time.milliseconds / 1000)
        case .epoch: return String(time.milliseconds)
        case .pattern(let elements):
            var output: [UInt8] = []
            for element in elements {
                switch element {
                case .literal(let bytes): output += bytes
                case .field(let field, let count, _): output += text(of: field, count, time).utf8
                case .optionalStart, .optionalEnd: break
                }
            }
            return String(decoding: output, as: UTF8.self)
        }
    }

    /// Digits with zeros in front up to a width, behind the sign.
    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(abs(value))
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private func text(of field: Field, _ count: Int, _ time: DateTime) -> String {
        let second = time.secondOfDay
        let hour = second / 3600
        switch field {
        case .hour: return Self.padded(hour, count)
        case .clockHour: return Self.padded(hour == 0 ? 24 : hour, count)
        case .halfDayHour: return Self.padded(hour % 12, count)
        case .clockHalfDayHour: return Self.padded(hour % 12 == 0 ? 12 : hour % 12, count)
        case .minute: return Self.padded(second / 60 % 60, count)
        case .second: return Self.padded(second % 60, count)
        case .halfDay: return DateTimeNames.halfDays[hour / 12]
        case .millisecond: return Self.padded(time.nanoseconds / 1_000_000, count)
        case .fraction: return String(Self.padded(time.nanoseconds, 9).prefix(count))
        case .nanosecond: return Self.padded(time.nanoseconds, count)
        case .milliOfDay: return Self.padded(second * 1000 + time.nanoseconds / 1_000_000, count)
        case .nanoOfDay: return Self.padded(second * 1_000_000_000 + time.nanoseconds, count)
        case .zoneName, .offsetPlain, .offsetOrZ, .offsetNoZ, .offsetGMT, .zoneIdentifier:
            return zoneText(field, count, time)
        default: return dateText(field, count, time.date)
        }
    }

    private func dateText(_ field: Field, _ count: Int, _ date: CivilDate) -> String {
        switch field {
        case .era:
            return count == 4 && letters == .dateTimeFormatter
                ? (date.year > 0 ? "Anno Domini" : "Before Christ")
                : DateTimeNames.eras[date.year > 0 ? 1 : 0]
        case .yearOfEra: return yearText(date.year > 0 ? date.year : 1 - date.year, count)
        case .year: return yearText(date.year, count)
        case .weekYear: return yearText(date.weekOfYear.year, count)
        case .quarter:
            let quarter = (date.month + 2) / 3
            if count == 3 { return "Q\(quarter)" }
            if count == 4 { return ["1st", "2nd", "3rd", "4th"][quarter - 1] + " quarter" }
            return Self.padded(quarter, count)
        case .month:
            let name = DateTimeNames.months[date.month - 1]
            if count == 5, letters == .dateTimeFormatter { return String(name.prefix(1)) }
            return count < 3 ? Self.padded(date.month, count) : count == 3 ? DateTimeNames.short(name) : name
        case .day: return Self.padded(date.day, count)
        case .dayOfYear: return Self.padded(date.dayOfYear, count)
        case .weekOfYear: return Self.padded(date.weekOfYear.week, count)
        case .weekOfMonth: return Self.padded(date.weekOfMonth, count)
        case .weekdayInMonth: return Self.padded((date.day - 1) / 7 + 1, count)
        case .weekdayText:
            let name = DateTimeNames.weekdays[date.weekday]
            if count == 5, letters == .dateTimeFormatter { return String(name.prefix(1)) }
            return count < 4 ? DateTimeNames.short(name) : name
        case .weekdayNumber: return Self.padded(date.weekday == 0 ? 7 : date.weekday, count)
        case .localWeekday:
            return count < 3 ? Self.padded(date.weekday + 1, count) : dateText(.weekdayText, count, date)
        default: return ""
        }
    }

    private func yearText(_ year: Int, _ count: Int) -> String {
        count == 2 ? Self.padded(abs(year) % 100, 2) : Self.padded(year, count)
    }

    private func zoneText(_ field: Field, _ count: Int, _ time: DateTime) -> String {
        let zone = time.zone ?? .utc
        let offset = zone.offset(at: time.seconds)
        let isSimple = letters == .simpleDateFormat
        switch field {
        case .zoneName:
            if let name = zone.abbreviation(at: time.seconds) {
                return count < 4 ? name : Self.longNames[name] ?? name
            }
            return isSimple ? "GMT" + DateTimeZone.text(ofOffset: offset) : DateTimeZone.text(ofOffset: offset)
        case .zoneIdentifier: return zone.name
        case .offsetPlain:
            if isSimple || count < 4 { return Self.offsetText(offset, hasColon: false, isShort: false) }
            if count == 4 { return offset == 0 ? "GMT" : "GMT" + DateTimeZone.text(ofOffset: offset) }
            return offset == 0 ? "Z" : DateTimeZone.text(ofOffset: offset)
        case .offsetOrZ, .offsetNoZ:
            if field == .offsetOrZ, offset == 0 { return "Z" }
            // SimpleDateFormat leaves the minutes out, whatever they are.
            if isSimple, count == 1 { return String(DateTimeZone.text(ofOffset: offset).prefix(3)) }
            return Self.offsetText(offset, hasColon: count == 3 || count == 5, isShort: count == 1)
        case .offsetGMT:
            if offset == 0 { return "GMT" }
            let text = DateTimeZone.text(ofOffset: offset)
            if count == 4 { return "GMT" + text }
            let minutes = abs(offset) / 60 % 60
            return "GMT" + text.prefix(1) + String(abs(offset) / 3600)
                + (minutes == 0 ? "" : ":" + Self.padded(minutes, 2))
        default: return ""
        }
    }

    private static func offsetText(_ offset: Int, hasColon: Bool, isShort: Bool) -> String {
        let minutes = offset - offset % 60
        let text = DateTimeZone.text(ofOffset: minutes, separator: hasColon ? ":" : "")
        return isShort && minutes % 3600 == 0 ? String(text.prefix(3)) : text
    }

    private static let longNames = [
        "UTC": "Coordinated Universal Time", "GMT": "Greenwich Mean Time", "CET": "Central European Standard Time",
        "CEST": "Central European Summer Time", "BST": "British Summer Time", "EST": "Eastern Standard Time",
        "EDT": "Eastern Daylight Time", "CST": "Central Standard Time", "CDT": "Central Daylight Time",
        "MST": "Mountain Standard Time", "MDT": "Mountain Daylight Time", "PST": "Pacific Standard Time",
        "PDT": "Pacific Daylight Time",
    ]
}

extension CivilDate {
    /// The week that the day is in and the year that this week belongs to; weeks begin on Sunday, the first has the first of January in it.
    var weekOfYear: (year: Int, week: Int) {
        let start = dayOfYear - 1 - weekday
        let last = GregorianDay.isLeap(year) ? 366 : 365
        // The days from the week's Sunday to the end of the year: if the next year begins within the week, it is that year's first.
        if start + 6 >= last { return (year + 1, 1) }
        return (year, DateTime.floorDivide(start + 6, 7) + 1)
    }

    /// The week of the month, which is 1 from the first of it to the first Saturday.
    var weekOfMonth: Int {
        let firstWeekday = ((weekday - (day - 1)) % 7 + 7) % 7
        return (day - 1 + firstWeekday) / 7 + 1
    }
}
