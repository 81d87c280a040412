// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension DateTime {
    /// Reads a date and time in any of the forms that WireMock's matchers take: ISO 8601 with and without a zone, a date, a month or a year
    /// alone, and those of HTTP (RFC 9110 §5.6.7), which are RFC 1123's, RFC 1036's and asctime's.
    ///
    /// - Throws: `DateTimeError`, of the ISO 8601 form if the text begins with a digit.
    package init(parsing text: String) throws(DateTimeError) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first else { throw DateTimeError(offset: 0, message: "expected a date, found nothing") }
        if bytes.count > 128 { throw DateTimeError(offset: 128, message: "a date is no longer than 128 bytes") }
        if first &- UInt8(ascii: "0") < 10 || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            // RFC 1123 may begin with the day of the month.
            if let time = try? HTTPDates.rfc1123Short?.parse(text) {
                self = time
                return
            }
            var parser = ISOParser(bytes: bytes)
            self = try parser.document()
            return
        }
        for format in HTTPDates.formats {
            if let time = try? format.parse(text) {
                self = time.zone == nil ? time.converted(to: .utc) ?? time : time
                return
            }
        }
        throw DateTimeError(
            offset: 0, message: "expected a date such as 2026-11-22T10:30:00Z or Sun, 22 Nov 2026 10:30:00 GMT")
    }
}

private enum HTTPDates {
    static let rfc1123Short = try? DateTimeFormat(parsing: "d MMM yyyy HH:mm[:ss] z", letters: .dateTimeFormatter)

    private static let patterns: [(String, DateTimeFormat.Letters)] = [
        ("EEE, d MMM yyyy HH:mm[:ss] z", .dateTimeFormatter),
        // Years of two digits are the nearest ones (RFC 9110 §5.6.7).
        ("EEEE, dd-MMM-yy HH:mm:ss z", .simpleDateFormat),
        ("EEE MMM dd HH:mm:ss yyyy", .dateTimeFormatter),
        ("EEE MMM  d HH:mm:ss yyyy", .dateTimeFormatter),
    ]
    static let formats = patterns.compactMap { try? DateTimeFormat(parsing: $0, letters: $1) }
}

/// Reads ISO 8601 as `java.time` does, strictly.
private struct ISOParser {
    let bytes: [UInt8]
    var index = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(DateTimeError) -> DateTime {
        let date = try date()
        if index == bytes.count { return try time(date, 0, 0, nil) }
        guard take("T") || take("t") || take(" ") else { throw failure("expected 'T' and the time") }
        var second = try number(2, 0...23) * 3600
        guard take(":") else { throw failure("expected ':' and the minutes") }
        second += try number(2, 0...59) * 60
        var nanoseconds = 0
        if take(":") {
            second += try number(2, 0...59)
            if take(".") || take(",") { nanoseconds = try fraction() }
        }
        guard let (offset, region) = try zone() else { return try time(date, second, nanoseconds, nil) }
        // The offset says which point in time is meant, the region how its clocks go.
        let result = try time(date, second, nanoseconds, offset)
        guard let region else { return result }
        return result.converted(to: region) ?? result
    }

    private func time(
        _ date: CivilDate, _ second: Int, _ nanoseconds: Int, _ zone: DateTimeZone?
    ) throws(DateTimeError) -> DateTime {
        guard let time = DateTime(date: date, secondOfDay: second, nanoseconds: nanoseconds, zone: zone) else {
            throw failure("the date is beyond the years -9999 to 9999", at: 0)
        }
        return time
    }

    private mutating func date() throws(DateTimeError) -> CivilDate {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        let year = try number(4, 0...9999) * (isNegative ? -1 : 1)
        var month = 1
        var day = 1
        if take("-") {
            month = try number(2, 1...12)
            if take("-") { day = try number(2, 1...31) }
        }
        guard let date = CivilDate(year: year, month: month, day: day) else {
            throw failure("the month has no day \(day)")
        }
        return date
    }

    private mutating func zone() throws(DateTimeError) -> (offset: DateTimeZone, region: DateTimeZone?)? {
        if index == bytes.count { return nil }
        let start = index
        while index < bytes.count, bytes[index] != UInt8(ascii: "[") { index += 1 }
        let text = String(decoding: bytes[start..<index], as: UTF8.self)
        let hasForm = text.lowercased() == "z" || text.hasPrefix("+") || text.hasPrefix("-")
        guard hasForm, let offset = DateTimeZone.plain(text) else {
            throw failure("expected 'Z' or an offset such as +02:00", at: start)
        }
        if index == bytes.count { return (offset, nil) }
        guard bytes.last == UInt8(ascii: "]") else { throw failure("expected ']' behind the zone", at: bytes.count) }
        let name = String(decoding: bytes[(index + 1)..<(bytes.count - 1)], as: UTF8.self)
        do throws(DateTimeError) {
            return (offset, try DateTimeZone(named: name))
        } catch {
            throw DateTimeError(offset: index + 1, message: error.message)
        }
    }

    private mutating func fraction() throws(DateTimeError) -> Int {
        let start = index
        let digits = bytes[index...].prefix { $0 &- UInt8(ascii: "0") < 10 }
        guard (1...9).contains(digits.count) else { throw failure("a fraction has one to nine digits", at: start) }
        index = digits.endIndex
        return (0..<9).reduce(0) { $0 * 10 + ($1 < digits.count ? Int(digits[start + $1] &- UInt8(ascii: "0")) : 0) }
    }

    private mutating func number(_ count: Int, _ range: ClosedRange<Int>) throws(DateTimeError) -> Int {
        let start = index
        var value = 0
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10, index - start < count {
            value = value * 10 + Int(bytes[index] &- UInt8(ascii: "0"))
            index += 1
        }
        guard index - start == count else { throw failure("expected \(count) digits", at: start) }
        guard range.contains(value) else {
            throw failure("\(value) is not within \(range.lowerBound) to \(range.upperBound)", at: start)
        }
        return value
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private func failure(_ message: String, at offset: Int? = nil) -> DateTimeError {
        DateTimeError(offset: offset ?? index, message: message)
    }
}
