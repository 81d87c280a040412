// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension DateTimeFormat {
    /// Reads a text as the format says; without a zone it is a local date and time, without a time midnight.
    ///
    /// - Throws: `DateTimeError` with the place in the text and the pattern's letters.
    package func parse(_ text: String) throws(DateTimeError) -> DateTime {
        switch kind {
        case .unix, .epoch:
            guard let count = Int(text), let time = Self.time(count, isSeconds: kind.isUnix) else {
                let unit = kind.isUnix ? "seconds" : "milliseconds"
                throw DateTimeError(
                    offset: 0, message: "expected the \(unit) since 1970, within the years -9999 to 9999")
            }
            return time
        case .pattern(let elements):
            var parser = FieldParser(text, self, elements)
            return try parser.document()
        }
    }

    private static func time(_ count: Int, isSeconds: Bool) -> DateTime? {
        if isSeconds { return DateTime(seconds: count) }
        let seconds = DateTime.floorDivide(max(count, -(1 << 60)), 1000)
        return DateTime(seconds: seconds, nanoseconds: (count - seconds * 1000) % 1000 * 1_000_000)
    }
}

extension DateTimeFormat.Kind {
    fileprivate var isUnix: Bool {
        if case .unix = self { true } else { false }
    }
}

/// Reads one text by a pattern.
private struct FieldParser {
    private let bytes: [UInt8]
    private let format: DateTimeFormat
    private let elements: [DateTimeFormat.Element]
    private var index = 0
    private var values = Values()

    /// The values that were read so far.
    private struct Values {
        var year, month, day, dayOfYear, weekday: Int?
        var yearOfEra, hour, halfDayHour, halfDay, minute, second, nanoseconds, quarter: Int?
        var isBeforeChrist = false
        var zone: DateTimeZone?
    }

    init(_ text: String, _ format: DateTimeFormat, _ elements: [DateTimeFormat.Element]) {
        bytes = Array(text.utf8)
        self.format = format
        self.elements = elements
    }

    mutating func document() throws(DateTimeError) -> DateTime {
        try read(elements[...])
        if index < bytes.count { throw failure("text behind the end of the date") }
        return try dateTime()
    }

    private func failure(_ message: String, at offset: Int? = nil) -> DateTimeError {
        DateTimeError(offset: offset ?? index, message: "\(message) (the pattern is \(format.text))")
    }

    /// Reads elements; a part in brackets is passed over if it does not fit.
    private mutating func read(_ elements: ArraySlice<DateTimeFormat.Element>) throws(DateTimeError) {
        var position = elements.startIndex
        while position < elements.endIndex {
            switch elements[position] {
            case .optionalStart:
                let close = Self.close(of: position, in: elements)
                let before = (index, values)
                do throws(DateTimeError) {
                    try read(elements[(position + 1)..<close])
                } catch {
                    (index, values) = before
                }
                position = min(close + 1, elements.endIndex)
                continue
            case .optionalEnd: break
            case .literal(let literal):
                let isHere = bytes[index...].starts(with: literal)
                guard isHere else { throw failure("expected '\(String(decoding: literal, as: UTF8.self))'") }
                index += literal.count
            case .field(let field, let count, let letter):
                var isAdjacent = false
                if position + 1 < elements.endIndex, case .field(let next, let nextCount, _) = elements[position + 1] {
                    isAdjacent = next.isNumeric(count: nextCount)
                }
                try read(field, count, letter, isAdjacent: isAdjacent)
            }
            position += 1
        }
    }

    private static func close(of start: Int, in elements: ArraySlice<DateTimeFormat.Element>) -> Int {
        var depth = 0
        for position in start..<elements.endIndex {
            if elements[position] == .optionalStart { depth += 1 }
            if elements[position] == .optionalEnd {
                depth -= 1
                if depth == 0 { return position }
            }
        }
        return elements.endIndex
    }

    private mutating func read(
        _ field: DateTimeFormat.Field, _ count: Int, _ letter: UInt8, isAdjacent: Bool
    ) throws(DateTimeError) {
        let name = String(decoding: repeatElement(letter, count: count), as: UTF8.self)
        func number(_ range: ClosedRange<Int>, isYear: Bool = false) throws(DateTimeError) -> Int {
            try self.number(range, count, name, isAdjacent: isAdjacent, isYear: isYear)
        }
        switch field {
        case .era: values.isBeforeChrist = try choice(["BC", "Before Christ", "AD", "Anno Domini"], name) < 2
        case .yearOfEra:
            let start = index
            let year = try number(0...9999, isYear: true)
            values.yearOfEra = index - start == 2 && count == 2 ? century(year) : year
        case .year, .weekYear: values.year = try number(-9999...9999, isYear: true)
        case .month:
            values.month = count < 3 ? try number(1...12) : try choice(DateTimeNames.months, name, hasShort: true) + 1
        case .quarter:
            if count < 3 {
                values.quarter = try number(1...4)
            } else if count == 3 {
                values.quarter = try choice(["Q1", "Q2", "Q3", "Q4"], name) + 1
            } else {
                values.quarter = try choice(["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"], name) + 1
            }
        case .day: values.day = try number(1...31)
        case .dayOfYear: values.dayOfYear = try number(1...366)
        case .weekOfYear: _ = try number(0...54)
        case .weekOfMonth, .weekdayInMonth: _ = try number(0...6)
        case .weekdayNumber: values.weekday = try number(1...7) % 7
        case .localWeekday where count < 3: values.weekday = try number(1...7) - 1
        case .weekdayText, .localWeekday: values.weekday = try choice(DateTimeNames.weekdays, name, hasShort: true)
        case .halfDay: values.halfDay = try choice(DateTimeNames.halfDays, name)
        case .hour: values.hour = try number(0...23)
        case .clockHour: values.hour = try number(1...24) % 24
        case .halfDayHour: values.halfDayHour = try number(0...11)
        case .clockHalfDayHour: values.halfDayHour = try number(1...12) % 12
        case .minute: values.minute = try number(0...59)
        case .second: values.second = try number(0...59)
        case .millisecond: values.nanoseconds = try number(0...999) * 1_000_000
        case .fraction: values.nanoseconds = try fraction(count, name)
        case .nanosecond: values.nanoseconds = try number(0...999_999_999)
        case .milliOfDay: set(nanoOfDay: try number(0...86_399_999) * 1_000_000)
        case .nanoOfDay: set(nanoOfDay: try number(0...86_399_999_999_999))
        case .zoneName, .offsetPlain, .offsetOrZ, .offsetNoZ, .offsetGMT, .zoneIdentifier:
            values.zone = try zone(field, name)
        }
    }

    private mutating func set(nanoOfDay: Int) {
        let second = nanoOfDay / 1_000_000_000
        (values.hour, values.minute, values.second) = (second / 3600, second / 60 % 60, second % 60)
        values.nanoseconds = nanoOfDay % 1_000_000_000
    }

    /// A year of two digits: `java.time` counts from 2000, `SimpleDateFormat` looks for the nearest, which is without a clock 1970 to 2069.
    private func century(_ year: Int) -> Int {
        format.letters == .simpleDateFormat && year >= 70 ? 1900 + year : 2000 + year
    }

    private mutating func number(
        _ range: ClosedRange<Int>, _ count: Int, _ name: String, isAdjacent: Bool, isYear: Bool
    ) throws(DateTimeError) -> Int {
        let start = index
        var isNegative = false
        if isYear, index < bytes.count, bytes[index] == UInt8(ascii: "-") || bytes[index] == UInt8(ascii: "+") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        let isExact = isAdjacent || (format.letters == .dateTimeFormatter && count == 2)
        let most = isExact ? min(count, 15) : 15
        let least = format.letters == .dateTimeFormatter || isExact ? count : 1
        let first = index
        var value = 0
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10, index - first < most {
            value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
            index += 1
        }
        if isNegative { value = -value }
        guard index - first >= least else {
            index = start
            throw failure("expected \(least == 1 ? "digits" : "\(least) digits") for \(name)")
        }
        guard range.contains(value) else {
            throw failure(
                "\(value) is not a value of \(name), which goes from \(range.lowerBound) to \(range.upperBound)",
                at: start
            )
        }
        return value
    }

    private mutating func fraction(_ count: Int, _ name: String) throws(DateTimeError) -> Int {
        var value = 0
        for position in 0..<9 {
            var digit = 0
            if position < count {
                guard index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 else {
                    throw failure("expected \(count == 1 ? "a digit" : "\(count) digits") for \(name)")
                }
                digit = Int(bytes[index] &- UInt8(ascii: "0"))
                index += 1
            }
            value = value * 10 + digit
        }
        return value
    }

    /// Reads one of some names in any case, the longest that fits.
    private mutating func choice(
        _ names: [String], _ letters: String, hasShort: Bool = false
    ) throws(DateTimeError) -> Int {
        for (position, name) in names.enumerated() where take(name) { return position }
        if hasShort {
            for (position, name) in names.enumerated() where take(DateTimeNames.short(name)) { return position }
        }
        throw failure("expected \(hasShort ? DateTimeNames.short(names[0]) : names[0]) or the like for \(letters)")
    }

    private mutating func take(_ name: String) -> Bool {
        let rest = bytes[index...].prefix(name.utf8.count)
        guard rest.count == name.utf8.count, zip(rest, name.utf8).allSatisfy({ ($0 | 0x20) == ($1 | 0x20) }) else {
            return false
        }
        index += rest.count
        return true
    }

    private mutating func zone(_ field: DateTimeFormat.Field, _ letters: String) throws(DateTimeError) -> DateTimeZone {
        let start = index
        let isName = field == .zoneName || field == .zoneIdentifier
        let name = bytes[index...].prefix { ZoneRules.nameBytes.contains($0) || $0 == UInt8(ascii: ":") }
        index = name.endIndex
        let text = String(decoding: name, as: UTF8.self)
        if let zone = DateTimeZone.plain(text), isName || format.letters == .simpleDateFormat || text.first != "U" {
            return zone
        }
        if isName {
            if let offset = Self.abbreviations[text.uppercased()], let zone = DateTimeZone(offset: offset * 3600) {
                return zone
            }
            if let zone = try? DateTimeZone(named: text) { return zone }
        }
        index = start
        throw failure("expected \(isName ? "a time zone" : "an offset such as +02:00") for \(letters)")
    }

    private static let abbreviations = [
        "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8, "PDT": -7, "CET": 1, "CEST": 2,
        "BST": 1, "EET": 2, "EEST": 3, "WET": 0, "WEST": 1, "JST": 9,
    ]

    // MARK: The result

    private func dateTime() throws(DateTimeError) -> DateTime {
        var second = (values.minute ?? 0) * 60 + (values.second ?? 0)
        if let hour = values.hour {
            second += hour * 3600
        } else if let hour = values.halfDayHour {
            second += (hour + 12 * (values.halfDay ?? 0)) * 3600
        }
        let nanoseconds = values.nanoseconds ?? 0
        let time = DateTime(date: try date(), secondOfDay: second, nanoseconds: nanoseconds, zone: values.zone)
        guard let time else { throw failure("the date is beyond the years -9999 to 9999", at: 0) }
        return time
    }

    private func date() throws(DateTimeError) -> CivilDate {
        var year = values.year
        if let yearOfEra = values.yearOfEra { year = values.isBeforeChrist ? 1 - yearOfEra : yearOfEra }
        guard let year else { throw failure("the text has no year", at: 0) }
        var date: CivilDate?
        if let dayOfYear = values.dayOfYear {
            let first = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch
            date = first.flatMap { CivilDate(daysSinceEpoch: $0 + dayOfYear - 1) }
            if date?.year != year { date = nil }
        } else {
            // As Java does, a day that the month has not becomes its last.
            let month = values.month ?? values.quarter.map { $0 * 3 - 2 } ?? 1
            date = CivilDate(year: year, month: month, clampingDay: values.day ?? 1)
        }
        guard let date else { throw failure("there is no such day", at: 0) }
        if let weekday = values.weekday, values.day != nil, weekday != date.weekday,
            format.letters == .dateTimeFormatter
        {
            throw failure("this day is a \(DateTimeNames.weekdays[date.weekday])", at: 0)
        }
        return date
    }
}
