// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A way to write dates and times: a pattern of Java's, or a count since 1970.
package struct DateTimeFormat: Sendable {
    /// Whose letters a pattern is made of.
    package enum Letters: Sendable {
        /// `java.text.SimpleDateFormat`, which templates print with.
        case simpleDateFormat
        /// `java.time.format.DateTimeFormatter`, which matchers and `parseDate` read with.
        case dateTimeFormatter
    }

    enum Kind: Sendable {
        /// Seconds since 1970.
        case unix
        /// Milliseconds since 1970.
        case epoch
        case pattern([Element])
    }

    enum Element: Sendable, Equatable {
        case literal([UInt8])
        case field(Field, count: Int, letter: UInt8)
        /// Up to the matching `optionalEnd` the text may be missing.
        case optionalStart
        case optionalEnd
    }

    /// The field that a letter of a pattern stands for.
    enum Field: Sendable {
        case era, yearOfEra, year, weekYear, quarter, month, day, dayOfYear, weekOfYear, weekOfMonth
        case weekdayInMonth, weekdayText, weekdayNumber, localWeekday, halfDay
        case hour, clockHour, halfDayHour, clockHalfDayHour, minute, second, fraction, millisecond
        case nanosecond, milliOfDay, nanoOfDay
        case zoneName, offsetPlain, offsetOrZ, offsetNoZ, offsetGMT, zoneIdentifier

        /// Whether it is written in digits, so that digits next to it need a width.
        func isNumeric(count: Int) -> Bool {
            switch self {
            case .era, .weekdayText, .halfDay, .zoneName, .offsetPlain, .offsetOrZ, .offsetNoZ, .offsetGMT,
                .zoneIdentifier:
                false
            case .month, .quarter, .localWeekday: count < 3
            default: true
            }
        }
    }

    package let text: String
    package let letters: Letters
    let kind: Kind

    /// Bytes of a pattern. 256.
    package static let maximumBytes = 256

    /// Reads a pattern, or the names `unix` and `epoch` in any case.
    ///
    /// - Throws: `DateTimeError` with the place of a letter that means nothing.
    package init(parsing text: String, letters: Letters) throws(DateTimeError) {
        self.text = text
        self.letters = letters
        switch text.lowercased() {
        case "unix": kind = .unix
        case "epoch": kind = .epoch
        default: kind = .pattern(try Self.elements(of: text, letters))
        }
    }

    private static func elements(of text: String, _ letters: Letters) throws(DateTimeError) -> [Element] {
        let bytes = Array(text.utf8)
        if bytes.count > maximumBytes {
            throw DateTimeError(offset: maximumBytes, message: "the pattern is longer than \(maximumBytes) bytes")
        }
        var elements: [Element] = []
        var literal: [UInt8] = []
        var depth = 0
        var index = 0
        func flush() {
            if !literal.isEmpty { elements.append(.literal(literal)) }
            literal = []
        }
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "'") {
                index = try quoted(bytes, from: index, letters, into: &literal)
            } else if (byte | 0x20) &- UInt8(ascii: "a") < 26 {
                flush()
                let count = bytes[index...].prefix { $0 == byte }.count
                guard let field = field(byte, count: count, letters) else {
                    let letter = String(decoding: repeatElement(byte, count: count), as: UTF8.self)
                    throw DateTimeError(
                        offset: index,
                        message: "'\(letter)' stands for nothing in a pattern; text stands between single quotes")
                }
                elements.append(.field(field, count: count, letter: byte))
                index += count
            } else if letters == .dateTimeFormatter, byte == UInt8(ascii: "[") {
                flush()
                elements.append(.optionalStart)
                depth += 1
                index += 1
            } else if letters == .dateTimeFormatter, byte == UInt8(ascii: "]") {
                guard depth > 0 else { throw DateTimeError(offset: index, message: "']' without '[' in a pattern") }
                flush()
                elements.append(.optionalEnd)
                depth -= 1
                index += 1
            } else if letters == .dateTimeFormatter, "{}#".utf8.contains(byte) {
                let character = Character(Unicode.Scalar(byte))
                throw DateTimeError(
                    offset: index,
                    message: "'\(character)' stands for nothing in a pattern; put it between single quotes")
            } else {
                literal.append(byte)
                index += 1
            }
        }
        flush()
        // Java closes the brackets that are open at the end.
        elements += repeatElement(.optionalEnd, count: depth)
        return elements
    }

    /// Reads a text in single quotes and gives its end; a doubled quote is one quote, and so is an empty text.
    private static func quoted(
        _ bytes: [UInt8], from start: Int, _ letters: Letters, into literal: inout [UInt8]
    ) throws(DateTimeError) -> Int {
        let quote = UInt8(ascii: "'")
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == quote {
                // To SimpleDateFormat, two quotes are a quote and do not begin a text.
                let isPair = index > start + 1 || letters == .dateTimeFormatter
                guard isPair, bytes[(index + 1)...].first == quote else {
                    if index == start + 1 { literal.append(quote) }
                    return index + 1
                }
                index += 1
            }
            literal.append(bytes[index])
            index += 1
        }
        throw DateTimeError(offset: start, message: "a quote in a pattern that is not closed")
    }

    private static func field(_ letter: UInt8, count: Int, _ letters: Letters) -> Field? {
        let isSimple = letters == .simpleDateFormat
        if count > 19 { return nil }
        switch Unicode.Scalar(letter) {
        case "G": return .era
        case "y": return .yearOfEra
        case "Y": return .weekYear
        case "M", "L": return isSimple || count < 6 ? .month : nil
        case "d": return isSimple || count < 3 ? .day : nil
        case "D": return isSimple || count < 4 ? .dayOfYear : nil
        case "w": return .weekOfYear
        case "W": return .weekOfMonth
        case "F": return .weekdayInMonth
        case "E": return .weekdayText
        case "u": return isSimple ? .weekdayNumber : .year
        case "a": return .halfDay
        case "H": return .hour
        case "k": return .clockHour
        case "K": return .halfDayHour
        case "h": return .clockHalfDayHour
        case "m": return .minute
        case "s": return .second
        case "S": return isSimple ? .millisecond : count <= 9 ? .fraction : nil
        case "z": return .zoneName
        case "Z": return isSimple || count < 6 ? .offsetPlain : nil
        case "X": return count < (isSimple ? 4 : 6) ? .offsetOrZ : nil
        default: break
        }
        if isSimple { return nil }
        switch Unicode.Scalar(letter) {
        case "Q", "q": return count < 6 ? .quarter : nil
        case "e", "c": return count < 6 ? .localWeekday : nil
        case "n": return .nanosecond
        case "A": return .milliOfDay
        case "N": return .nanoOfDay
        case "x": return count < 6 ? .offsetNoZ : nil
        case "O": return count == 1 || count == 4 ? .offsetGMT : nil
        case "V": return count == 2 ? .zoneIdentifier : nil
        case "v": return count == 1 || count == 4 ? .zoneName : nil
        default: return nil
        }
    }
}

/// English names, as Java's patterns have them for the locale of the United States.
enum DateTimeNames {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
    static let halfDays = ["AM", "PM"]
    static let eras = ["BC", "AD"]

    static func short(_ name: String) -> String { String(name.prefix(3)) }
}
