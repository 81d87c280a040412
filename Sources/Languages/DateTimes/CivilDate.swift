// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A day of the Gregorian calendar, carried on before its beginning; year 0 is 1 BC.
package struct CivilDate: Equatable, Sendable {
    package internal(set) var year: Int
    package internal(set) var month: Int
    package internal(set) var day: Int

    /// The years that are told apart. -9999 to 9999.
    package static let years = -9999...9999
    /// The days of these years, from the first of January 1970.
    private static let daysSinceEpoch = -4_371_587...2_932_896

    /// A day that exists; nil for any other.
    package init?(year: Int, month: Int, day: Int) {
        guard Self.years.contains(year), (1...12).contains(month),
            (1...GregorianDay.days(in: month, of: year)).contains(day)
        else {
            return nil
        }
        (self.year, self.month, self.day) = (year, month, day)
    }

    /// A day that exists, the month's last one if it is shorter; nil if year or month does not exist.
    package init?(year: Int, month: Int, clampingDay day: Int) {
        guard Self.years.contains(year), (1...12).contains(month), day >= 1 else { return nil }
        (self.year, self.month, self.day) = (year, month, min(day, GregorianDay.days(in: month, of: year)))
    }

    /// The day so many days behind the first of January 1970; nil beyond the years that are told apart.
    package init?(daysSinceEpoch days: Int) {
        guard Self.daysSinceEpoch.contains(days) else { return nil }
        let date = GregorianDay(daysSince1970: days)
        (year, month, day) = (date.year, date.month, date.day)
    }

    /// How many days it is behind the first of January 1970.
    package var daysSinceEpoch: Int { GregorianDay(year: year, month: month, day: day).daysSince1970 }

    /// 0 for Sunday to 6 for Saturday.
    package var weekday: Int { ((daysSinceEpoch + 4) % 7 + 7) % 7 }

    /// 1 for the first of January.
    package var dayOfYear: Int {
        (1..<month).reduce(day) { $0 + GregorianDay.days(in: $1, of: year) }
    }
}
