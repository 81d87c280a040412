// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiJSONText

/// A kind of leaf matcher in the fixture format: its keys, and how it is read.
struct LeafKind: Sendable {
    typealias Read =
        @Sendable (inout StubFileReader, _ name: String, _ operand: Cursor, _ whole: Cursor) -> (any LeafMatcher)?

    var operators: [String]
    /// With the options that may stand beside the operators.
    var keys: [ObjectKey]
    let read: Read

    var options: [String] { keys.map(\.name).filter { !operators.contains($0) } }

    static let all: [LeafKind] = [schema, xml, dates, pathTemplate, numbers, caselessPattern, digest]
}

// MARK: Numbers

/// A number that a value has to stand to in some way, exactly at any size.
package struct NumberPattern: LeafMatcher {
    /// The raw values are the keys of the fixture format.
    package enum Relation: String, CaseIterable, Sendable {
        case equal = "equalToNumber"
        case greater = "greaterThanNumber"
        case greaterOrEqual = "greaterThanEqualNumber"
        case less = "lessThanNumber"
        case lessOrEqual = "lessThanEqualNumber"
    }

    package var relation: Relation
    package var number: JSONNumber

    package init(_ relation: Relation, _ number: JSONNumber) {
        self.relation = relation
        self.number = number
    }

    package var key: String { relation.rawValue }
    package var operand: LeafOperand { .plain(number.literal) }
    package var identity: [String] { [number.canonicalText] }
    package var only: String? { relation == .equal ? number.canonicalText : nil }
    package func write(to object: inout ObjectWriter) { object.add(operator: self, JSONNode(.number(number))) }
}

extension LeafKind {
    fileprivate static let numbers = LeafKind(
        operators: NumberPattern.Relation.allCases.map(\.rawValue),
        keys: [
            ObjectKey(.equalToNumber, .number, "A number that the value equals, `1.0` and `1` alike."),
            ObjectKey(.greaterThanNumber, .number, "A number that the value is greater than."),
            ObjectKey(.greaterThanEqualNumber, .number, "A number that the value equals or is greater than."),
            ObjectKey(.lessThanNumber, .number, "A number that the value is less than."),
            ObjectKey(.lessThanEqualNumber, .number, "A number that the value equals or is less than."),
        ]
    ) { _, name, operand, _ in
        guard let relation = NumberPattern.Relation(rawValue: name), let number = operand.node.number else {
            return nil
        }
        return NumberPattern(relation, number)
    }
}

// MARK: Path templates

/// A path with variables that a value has to fit, as `URLMatcher.pathTemplate` has it.
package struct PathTemplatePattern: LeafMatcher {
    package var template: String

    package init(_ template: String) { self.template = template }

    package var key: String { "matchesPathTemplate" }
    package var operand: LeafOperand { .text(template) }
    package var identity: [String] { [template] }
    package func write(to object: inout ObjectWriter) { object.add(operator: self, .string(template)) }
}

extension LeafKind {
    fileprivate static let pathTemplate = LeafKind(
        operators: ["matchesPathTemplate"],
        keys: [
            ObjectKey(
                .matchesPathTemplate, .string, "A path with variables that the value fits, as in `urlPathTemplate`.")
        ]
    ) { reader, _, operand, _ in
        guard let text = operand.node.string else { return nil }
        reader.checkTemplate(text, at: operand)
        return PathTemplatePattern(text)
    }
}

// MARK: Patterns in any case

/// A pattern that a whole value has to match, its letters in any case.
package struct CaselessPattern: LeafMatcher {
    package var pattern: Pattern

    package init(_ pattern: Pattern) { self.pattern = pattern }

    package var key: String { "matchesIgnoringCase" }
    package var operand: LeafOperand { .text(pattern.text) }
    package var identity: [String] { [pattern.text, pattern.isJava ? "Java" : "PCRE2"] }
    package func write(to object: inout ObjectWriter) { object.add(operator: self, .string(pattern.text)) }
}

extension LeafKind {
    fileprivate static let caselessPattern = LeafKind(
        operators: ["matchesIgnoringCase"],
        keys: [
            ObjectKey(
                .matchesIgnoringCase, .string, "A pattern (PCRE2) that the whole value matches, letters in any case.")
        ]
    ) { reader, _, operand, _ in
        operand.node.string.map {
            CaselessPattern(Pattern($0, at: reader.place(of: operand), isJava: reader.isWireMock))
        }
    }
}

// MARK: Media types

/// A media type that a Content-Type line must name, in whichever spelling (RFC 9110 §8.3.1).
package struct MediaTypePattern: LeafMatcher {
    /// As it is written.
    package let text: String
    /// The one form of all its spellings.
    package let form: String

    /// The same matcher, for the value of a header line, named in lower case: of Content-Type, `equalTo` compares media types.
    package static func matcher(_ matcher: ValueMatcher, ofHeader name: String) -> ValueMatcher {
        guard name == "content-type" else { return matcher }
        switch matcher {
        case .equalTo(let text, caseInsensitive: false):
            return MediaType.form(of: text).map { .leaf(MediaTypePattern(text: text, form: $0)) } ?? matcher
        case .and(let matchers): return .and(matchers.map { self.matcher($0, ofHeader: name) })
        case .or(let matchers): return .or(matchers.map { self.matcher($0, ofHeader: name) })
        case .not(let matcher): return .not(self.matcher(matcher, ofHeader: name))
        default: return matcher
        }
    }

    package var key: String { KeyName.equalTo.rawValue }
    package var operand: LeafOperand { .text(text) }
    package var identity: [String] { [form] }
    package var only: String? { form }
    package func write(to object: inout ObjectWriter) { object.add(operator: self, .string(text)) }
}

// MARK: Digests

/// The digest that a value's bytes must have.
package struct DigestPattern: LeafMatcher {
    /// SHA-256 (FIPS 180-4) in lower-case hexadecimal digits.
    package var text: String

    package init(_ text: String) { self.text = text.lowercased() }

    package var key: String { "sha256" }
    package var operand: LeafOperand { .text(text) }
    package var identity: [String] { [text] }
    package var only: String? { text }
    package func write(to object: inout ObjectWriter) { object.add(operator: self, .string(text)) }
}

extension LeafKind {
    fileprivate static let digest = LeafKind(
        operators: ["sha256"],
        keys: [
            ObjectKey(
                .sha256, .string,
                "The SHA-256 of the value's bytes in 64 hexadecimal digits, of a picture for instance.")
        ]
    ) { reader, _, operand, _ in
        guard let text = operand.node.string else { return nil }
        if text.utf8.count != 2 * SHA256.count || text.utf8.contains(where: { ASCII.hexValue($0) == nil }) {
            reader.report(.error, "a SHA-256 has 64 hexadecimal digits, as sha256sum prints them", at: operand)
        }
        return DigestPattern(text)
    }
}

// MARK: Dates

/// A condition on a date and time.
package struct DateTimePattern: LeafMatcher {
    /// The raw values are the keys of the fixture format.
    package enum Relation: String, CaseIterable, Sendable {
        case before, after
        case equal = "equalToDateTime"
    }

    package var relation: Relation
    /// A date and time, or `now` with an offset: `now -3 days`.
    package var expected: Expression
    /// The form of the values that are compared; nil for those that are known.
    package var actualFormat: Expression?
    package var offset: Int?
    package var offsetUnit: String?
    package var truncateExpected: Expression?
    package var truncateActual: Expression?
    /// Whether truncation comes behind the offset.
    package var truncatesLast = false

    package init(_ relation: Relation, _ expected: Expression) {
        self.relation = relation
        self.expected = expected
    }

    package var key: String { relation.rawValue }
    package var operand: LeafOperand {
        .text(expected.text, note: offset.map { " with an offset of \($0) \(offsetUnit ?? "days")" } ?? "")
    }
    package var identity: [String] {
        let parts = [expected, actualFormat, truncateExpected, truncateActual].map { $0?.text ?? "" }
        return parts + ["\(offset ?? 0) \(offsetUnit ?? "") \(truncatesLast)"]
    }
    package func write(to object: inout ObjectWriter) {
        object.add(operator: self, .string(expected.text))
        object.add(.actualFormat, text: actualFormat?.text)
        object.add(.expectedOffset, number: offset)
        object.add(.expectedOffsetUnit, text: offsetUnit)
        object.add(.truncateExpected, text: truncateExpected?.text)
        object.add(.truncateActual, text: truncateActual?.text)
        object.add(.applyTruncationLast, if: truncatesLast)
    }
}

extension LeafKind {
    private static let now = "A date and time, or `now` with an offset, such as `now -3 days`"
    private static let truncation = ", such as `first second of minute`, `first hour of day` or `last day of month`."
    private static let units = ["seconds", "minutes", "hours", "days", "months", "years"]

    fileprivate static let dates = LeafKind(
        operators: DateTimePattern.Relation.allCases.map(\.rawValue),
        keys: [
            ObjectKey(.before, .string, now + "; the value is earlier."),
            ObjectKey(.after, .string, now + "; the value is later."),
            ObjectKey(.equalToDateTime, .string, now + "; the value is the same moment."),
            ObjectKey(
                .actualFormat, .string,
                "Beside a date: the form of the value, as Java's DateTimeFormatter has it, or `unix` or `epoch`."),
            ObjectKey(.expectedOffset, .integer(.min ... .max), "Beside a date: the offset that is added to it."),
            ObjectKey(.expectedOffsetUnit, .choice(units), "Beside a date: the unit of `expectedOffset`."),
            ObjectKey(.truncateExpected, .string, "Beside a date: the unit that it is truncated to" + truncation),
            ObjectKey(.truncateActual, .string, "Beside a date: the unit that the value is truncated to" + truncation),
            ObjectKey(.applyTruncationLast, .boolean, "Beside a date: it is cut after the offset is added."),
        ]
    ) { reader, name, operand, whole in
        guard let relation = DateTimePattern.Relation(rawValue: name), let text = operand.node.string else {
            return nil
        }
        var pattern = DateTimePattern(relation, reader.expression(text, at: operand))
        pattern.actualFormat = reader.option(.actualFormat, in: whole)
        pattern.offset = whole[.expectedOffset]?.node.number?.integer
        pattern.offsetUnit = whole[.expectedOffsetUnit]?.node.string
        pattern.truncateExpected = reader.option(.truncateExpected, in: whole)
        pattern.truncateActual = reader.option(.truncateActual, in: whole)
        pattern.truncatesLast = whole[.applyTruncationLast]?.node.bool ?? false
        return pattern
    }
}
