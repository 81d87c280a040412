// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiRegularExpressions

/// XMLUnit's placeholders: a text or an attribute of the expected document that stands for many.
struct XMLPlaceholders: Sendable {
    enum Placeholder: Sendable {
        case ignore, isNumber
        case isDateTime(String?)
        case matchesRegex(XMLPattern)
    }

    /// The placeholders of the expected document by their texts.
    private var known: [String: Placeholder] = [:]

    /// Finds the placeholders of a document.
    ///
    /// - Throws: if a delimiter is broken, or a placeholder is not known.
    init(_ options: XMLEquality.Options, in document: XMLDocument) throws(XMLError) {
        let opening = options.openingDelimiter ?? "\\$\\{"
        let closing = options.closingDelimiter ?? "\\}"
        let pattern = try Self.pattern(
            "^\\s*(?:\(opening))\\s*xmlunit\\.(?<name>\\w+)\\s*(?:\\((?<argument>.*)\\))?\\s*(?:\(closing))\\s*$",
            "a delimiter of placeholders")
        for node in document.nodes where node.value.contains("xmlunit.") {
            let text = node.value.trimmed
            guard known[text] == nil, let groups = pattern.groups(in: text) else { continue }
            known[text] = try Self.placeholder(groups[0] ?? "", groups[1])
        }
    }

    private static func pattern(_ text: String, _ name: String) throws(XMLError) -> XMLPattern {
        do throws(RegularExpression.Failure) {
            return try XMLPattern(text)
        } catch {
            throw XMLError(message: "\(name) is broken: \(error.message)")
        }
    }

    private static func placeholder(_ name: String, _ argument: String?) throws(XMLError) -> Placeholder {
        switch name {
        case "ignore": return .ignore
        case "isNumber": return .isNumber
        case "isDateTime": return .isDateTime(argument?.trimmed)
        case "matchesRegex":
            return .matchesRegex(try pattern(argument?.trimmed ?? "", "the placeholder xmlunit.matchesRegex"))
        default:
            throw XMLError(
                message: "the placeholder xmlunit.\(name) is not known: there are ignore, isNumber, isDateTime and "
                    + "matchesRegex")
        }
    }

    /// Whether a placeholder stands for all children, whatever they are.
    func stand(for wanted: [XMLItem]) -> Bool {
        wanted.count == 1 && wanted[0].kind == .text && isIgnore(wanted[0].text)
    }

    /// Whether an expected text stands for anything, also for nothing.
    func isIgnore(_ text: String) -> Bool {
        if case .ignore? = known[text] { true } else { false }
    }

    /// Whether a placeholder stands for a text.
    ///
    /// - Parameter allowance: pays for the steps of a pattern; it is empty afterwards if they did not suffice.
    func matches(_ expected: String, _ actual: String, _ allowance: inout Allowance) -> Bool {
        switch known[expected] {
        case nil: return false
        case .ignore: return true
        case .isNumber: return Self.isNumber(Array(actual.utf8))
        case .isDateTime(nil): return XMLDateTime.isISO(Array(actual.utf8))
        case .isDateTime(let format?): return XMLDateTime.matches(actual, format: format)
        case .matchesRegex(let pattern): return pattern.isFound(in: actual, &allowance)
        }
    }

    /// Digits with a sign, a fraction and an exponent.
    private static func isNumber(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }
        func takeSign() {
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        }
        takeSign()
        let whole = rest.prefix(while: isDigit)
        rest = rest[whole.endIndex...]
        var hasDigits = !whole.isEmpty
        if rest.first == UInt8(ascii: ".") {
            let fraction = rest.dropFirst().prefix(while: isDigit)
            hasDigits = !fraction.isEmpty
            rest = rest[fraction.endIndex...]
        }
        if hasDigits, let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            takeSign()
            let power = rest.prefix(while: isDigit)
            hasDigits = !power.isEmpty
            rest = rest[power.endIndex...]
        }
        return hasDigits && rest.isEmpty
    }
}

/// A regular expression that may match anywhere in a text.
struct XMLPattern: Sendable {
    private let expression: RegularExpression

    /// Steps of a match that is not paid for otherwise. 100,000.
    private static let steps = 100_000

    init(_ text: String) throws(RegularExpression.Failure) {
        expression = try RegularExpression(text, .xmlUnit)
    }

    func isFound(in text: String, _ allowance: inout Allowance) -> Bool {
        let outcome = RegularExpressionMatcher().match(expression, text, allowance: &allowance)
        if outcome == .exceedsLimit { allowance.giveUp() }
        return outcome == .matches
    }

    /// The texts of the first two named groups; nil if the pattern does not match.
    func groups(in text: String) -> [String?]? {
        let matcher = RegularExpressionMatcher(groups: 8)
        var allowance = Allowance(steps: Self.steps)
        guard matcher.match(expression, text, allowance: &allowance) == .matches, matcher.range(ofGroup: 0) != nil
        else {
            return nil
        }
        let bytes = Array(text.utf8)
        return (1...2).map { group in
            matcher.range(ofGroup: group).map { String(decoding: bytes[$0], as: UTF8.self) }
        }
    }
}

/// Dates and times as placeholders take them.
enum XMLDateTime {
    /// A date of ISO 8601, perhaps with a time and an offset.
    static func isISO(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self)
        let date = "yyyy-MM-dd"
        guard bytes.count > 10 else { return matches(text, format: date) }
        guard bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return false }
        guard matches(String(decoding: bytes[..<10], as: UTF8.self), format: date) else { return false }
        var time = bytes[11...]
        if time.last == UInt8(ascii: "Z") {
            time = time.dropLast()
        } else if let sign = time.lastIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) {
            let offset = String(decoding: time[(sign + 1)...], as: UTF8.self)
            guard ["HH:mm", "HHmm", "HH"].contains(where: { matches(offset, format: $0) }) else { return false }
            time = time[..<sign]
        }
        if let point = time.firstIndex(of: UInt8(ascii: ".")) {
            let fraction = time[(point + 1)...]
            guard !fraction.isEmpty, fraction.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) else { return false }
            time = time[..<point]
        }
        let plain = String(decoding: time, as: UTF8.self)
        return matches(plain, format: "HH:mm:ss") || matches(plain, format: "HH:mm")
    }

    /// Whether a text is of a format in Java's letters: `y M d H h m s S a E X Z z` and quoted texts.
    static func matches(_ text: String, format: String) -> Bool {
        var rest = Array(text.utf8)[...]
        let letters = Array(format.utf8)
        var index = 0
        while index < letters.count {
            let letter = letters[index]
            if letter == UInt8(ascii: "'") {
                let end = letters[(index + 1)...].firstIndex(of: letter) ?? letters.count
                let quoted = end == index + 1 ? [letter] : Array(letters[(index + 1)..<end])
                guard rest.starts(with: quoted) else { return false }
                rest = rest.dropFirst(quoted.count)
                index = end + 1
                continue
            }
            guard (letter | 0x20) &- UInt8(ascii: "a") < 26 else {
                guard rest.popFirst() == letter else { return false }
                index += 1
                continue
            }
            let run = letters[index...].prefix { $0 == letter }.count
            index += run
            let isAdjacent = index < letters.count && (letters[index] | 0x20) &- UInt8(ascii: "a") < 26
            guard take(letter, run, isAdjacent, &rest) else { return false }
        }
        return rest.isEmpty
    }

    /// Takes the text that one letter of a format, `count` times, stands for.
    private static func take(_ letter: UInt8, _ count: Int, _ isAdjacent: Bool, _ rest: inout ArraySlice<UInt8>) -> Bool
    {
        let range: ClosedRange<Int>
        switch letter {
        case UInt8(ascii: "y"), UInt8(ascii: "u"), UInt8(ascii: "Y"): range = 0...9999
        case UInt8(ascii: "M"), UInt8(ascii: "L"): range = 1...12
        case UInt8(ascii: "d"): range = 1...31
        case UInt8(ascii: "H"): range = 0...23
        case UInt8(ascii: "k"): range = 1...24
        case UInt8(ascii: "h"): range = 1...12
        case UInt8(ascii: "K"): range = 0...11
        case UInt8(ascii: "m"), UInt8(ascii: "s"): range = 0...59
        case UInt8(ascii: "S"): range = 0...999_999_999
        case UInt8(ascii: "D"): range = 1...366
        case UInt8(ascii: "X"), UInt8(ascii: "Z"), UInt8(ascii: "z"):
            if rest.first == UInt8(ascii: "Z") || rest.starts(with: "UTC".utf8) || rest.starts(with: "GMT".utf8) {
                rest = rest.dropFirst(rest.first == UInt8(ascii: "Z") ? 1 : 3)
                return true
            }
            guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else {
                return false
            }
            let offset = rest.prefix { $0 &- UInt8(ascii: "0") < 10 || $0 == UInt8(ascii: ":") }
            rest = rest[offset.endIndex...]
            return offset.count >= 2
        default: range = -1 ... -1
        }
        if range.upperBound < 0 || (count > 2 && range == 1...12) {
            // A word: a month, a day of the week, am or pm, an era.
            let word = rest.prefix { ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 >= 0x80 }
            rest = rest[word.endIndex...]
            return !word.isEmpty
        }
        let most =
            isAdjacent ? count : max(count, letter == UInt8(ascii: "S") ? 9 : letter == UInt8(ascii: "y") ? 4 : 2)
        let digits = rest.prefix(most).prefix { $0 &- UInt8(ascii: "0") < 10 }
        rest = rest[digits.endIndex...]
        return !digits.isEmpty && digits.count >= min(count, 2)
            && range.contains(digits.reduce(0) { $0 * 10 + Int($1 - 48) })
    }
}
