// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Dates as HTTP writes them (RFC 9110 §5.6.7), in whole seconds since 1970.
package enum HTTPDate {
    private static let days = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The range that years of four digits can express: the first second of the year 0 to the last of 9999.
    private static let range = -62_167_219_200...253_402_300_799

    /// `Sun, 06 Nov 1994 08:49:37 GMT`; a time before the year 0 or after 9999 is the nearest that can be written.
    package static func format(_ moment: Int) -> String {
        let seconds = min(max(moment, range.lowerBound), range.upperBound)
        let day = Int((Double(seconds) / 86400).rounded(.down))
        let second = seconds - day * 86400
        let date = GregorianDay(daysSince1970: day)
        // 1 January 1970 was a Thursday.
        let weekday = ((day + 3) % 7 + 7) % 7
        return
            "\(days[weekday].prefix(3)), \(DateText.padded(date.day)) \(months[date.month - 1]) \(DateText.padded(date.year, 4)) "
            + "\(DateText.padded(second / 3600)):\(DateText.padded(second / 60 % 60)):\(DateText.padded(second % 60)) GMT"
    }

    /// Reads the three forms a recipient must accept; nil for anything else.
    ///
    /// - Parameter now: seconds since 1970, for the two-digit years of RFC 850.
    package static func parse(_ text: String, now: Int) -> Int? {
        let words = text.split(ascii: " ", omittingEmptySubsequences: true)
        if words.count == 6, words[5] == "GMT", days.contains(where: { words[0] == $0.prefix(3) + "," }) {
            return seconds(day: words[1], month: words[2], year: number(words[3], 4...4), time: words[4])
        }
        if words.count == 4, words[3] == "GMT", days.contains(where: { words[0] == $0 + "," }) {
            let parts = words[1].split(ascii: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, let short = number(parts[2], 2...2) else { return nil }
            return seconds(day: parts[0], month: parts[1], year: fullYear(short, now: now), time: words[2])
        }
        if words.count == 5, days.contains(where: { words[0] == $0.prefix(3) }) {
            return seconds(day: words[2], month: words[1], year: number(words[4], 4...4), time: words[3])
        }
        return nil
    }

    /// A two-digit year more than 50 years ahead is in the past (RFC 9110 §5.6.7).
    private static func fullYear(_ short: Int, now: Int) -> Int {
        let current = GregorianDay(daysSince1970: now / 86400).year
        let year = current / 100 * 100 + short
        return year > current + 50 ? year - 100 : year
    }

    /// So many digits, and nothing else: `Int` takes a sign.
    private static func number(_ word: Substring, _ lengths: ClosedRange<Int>) -> Int? {
        lengths.contains(word.utf8.count) && word.utf8.allSatisfy(ASCII.isDigit) ? Int(word) : nil
    }

    private static func seconds(day: Substring, month: Substring, year: Int?, time: Substring) -> Int? {
        let clock = time.split(ascii: ":", omittingEmptySubsequences: false)
        guard let year, let day = number(day, 1...2), let month = months.firstIndex(of: String(month)),
            (1...GregorianDay.days(in: month + 1, of: year)).contains(day), clock.count == 3,
            let hour = number(clock[0], 2...2), hour < 24, let minute = number(clock[1], 2...2), minute < 60,
            let second = number(clock[2], 2...2), second <= 60
        else { return nil }
        let days = GregorianDay(year: year, month: month + 1, day: day).daysSince1970
        return days * 86400 + hour * 3600 + minute * 60 + second
    }
}

/// A day of the proleptic Gregorian calendar.
package struct GregorianDay: Equatable, Sendable {
    package var year: Int
    package var month: Int
    package var day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    package static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    package static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Counts in years that start in March, so that the leap day is the last of its year.
    package init(daysSince1970: Int) {
        let shifted = daysSince1970 + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    package var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
