// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import JSONText

/// A matcher of one value that is there, in a type of its own; StubMatching says how it is compiled.
///
/// A new one is such a type with its `LeafKind` here, and its tester in StubMatching.
package protocol LeafMatcher: Sendable {
    /// The operator of the fixture format.
    var key: String { get }
    /// The expected value, as a miss shows it.
    var operand: LeafOperand { get }
    /// The texts that two matchers share which ask the same, beside their operators.
    var identity: [String] { get }
    /// The only value that matches, in one spelling; nil where several do.
    var only: String? { get }
}

extension LeafMatcher {
    package var only: String? { nil }
}

/// The expectation of a matcher, in a form that a miss can show.
package enum LeafOperand: Sendable {
    /// A text, which is put between quotes.
    case text(String, note: String = "")
    /// A number or JSON, as it is.
    case plain(String)
}

/// A kind of leaf matcher in the fixture format: its keys, and how it is read.
struct LeafKind: Sendable {
    typealias Read =
        @Sendable (inout StubFileReader, _ name: String, _ operand: Cursor, _ whole: Cursor) -> (any LeafMatcher)?

    var operators: [String]
    /// With the options that may stand beside the operators.
    var keys: [ObjectKey]
    let read: Read

    var options: [String] { keys.map(\.name).filter { !operators.contains($0) } }

    static let all: [LeafKind] = [schema, xml, dates, pathTemplate, numbers, caselessPattern]
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
    package var identity: [String] { [canonical] }
    package var only: String? { relation == .equal ? canonical : nil }

    private var canonical: String {
        var bytes: [UInt8] = []
        number.appendCanonical(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension LeafKind {
    fileprivate static let numbers = LeafKind(
        operators: NumberPattern.Relation.allCases.map(\.rawValue),
        keys: [
            ObjectKey("equalToNumber", .number, "A number that the value equals, `1.0` and `1` alike."),
            ObjectKey("greaterThanNumber", .number, "A number that the value is greater than."),
            ObjectKey("greaterThanEqualNumber", .number, "A number that the value equals or is greater than."),
            ObjectKey("lessThanNumber", .number, "A number that the value is less than."),
            ObjectKey("lessThanEqualNumber", .number, "A number that the value equals or is less than."),
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
}

extension LeafKind {
    fileprivate static let pathTemplate = LeafKind(
        operators: ["matchesPathTemplate"],
        keys: [
            ObjectKey(
                "matchesPathTemplate", .string, "A path with variables that the value fits, as in `urlPathTemplate`.")
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
    package var identity: [String] { [pattern.text] }
}

extension LeafKind {
    fileprivate static let caselessPattern = LeafKind(
        operators: ["matchesIgnoringCase"],
        keys: [
            ObjectKey(
                "matchesIgnoringCase", .string, "A pattern (PCRE2) that the whole value matches, letters in any case.")
        ]
    ) { reader, _, operand, _ in
        operand.node.string.map { CaselessPattern(Pattern($0, at: reader.place(of: operand))) }
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
}

extension LeafKind {
    private static let now = "A date and time, or `now` with an offset, such as `now -3 days`"
    private static let truncation = ", such as `first second of minute`, `first hour of day` or `last day of month`."
    private static let units = ["seconds", "minutes", "hours", "days", "months", "years"]

    fileprivate static let dates = LeafKind(
        operators: DateTimePattern.Relation.allCases.map(\.rawValue),
        keys: [
            ObjectKey("before", .string, now + "; the value is earlier."),
            ObjectKey("after", .string, now + "; the value is later."),
            ObjectKey("equalToDateTime", .string, now + "; the value is the same moment."),
            ObjectKey(
                "actualFormat", .string,
                "Beside a date: the form of the value, as Java's DateTimeFormatter has it, or `unix` or `epoch`."),
            ObjectKey("expectedOffset", .integer(.min ... .max), "Beside a date: what is added to it."),
            ObjectKey("expectedOffsetUnit", .choice(units), "Beside a date: the unit of `expectedOffset`."),
            ObjectKey("truncateExpected", .string, "Beside a date: what it is cut to" + truncation),
            ObjectKey("truncateActual", .string, "Beside a date: what the value is cut to" + truncation),
            ObjectKey("applyTruncationLast", .boolean, "Beside a date: it is cut after the offset is added."),
        ]
    ) { reader, name, operand, whole in
        guard let relation = DateTimePattern.Relation(rawValue: name), let text = operand.node.string else {
            return nil
        }
        var pattern = DateTimePattern(relation, reader.expression(text, at: operand))
        pattern.actualFormat = reader.option("actualFormat", in: whole)
        pattern.offset = whole["expectedOffset"]?.node.number?.integer
        pattern.offsetUnit = whole["expectedOffsetUnit"]?.node.string
        pattern.truncateExpected = reader.option("truncateExpected", in: whole)
        pattern.truncateActual = reader.option("truncateActual", in: whole)
        pattern.truncatesLast = whole["applyTruncationLast"]?.node.bool ?? false
        return pattern
    }
}

// MARK: JSON Schema

/// A JSON Schema that a value has to meet.
package struct SchemaPattern: LeafMatcher {
    package var schema: JSONNode
    /// `V4`, `V6`, `V7`, `V201909` or `V202012`; nil where the file does not say.
    package var version: String?
    package var place: Place

    package init(_ schema: JSONNode, version: String?, at place: Place) {
        self.schema = schema
        self.version = version
        self.place = place
    }

    package var key: String { "matchesJsonSchema" }
    package var operand: LeafOperand { .plain(text) }
    package var identity: [String] { [text, version ?? ""] }
    private var text: String { String(decoding: JSONWriter.compact(schema), as: UTF8.self) }
}

extension LeafKind {
    fileprivate static let schema = LeafKind(
        operators: ["matchesJsonSchema"],
        keys: [
            ObjectKey(
                "matchesJsonSchema", .either([.freeObject, .boolean, .string]),
                "A JSON Schema that the value meets: as JSON, or as a string that holds the JSON text."),
            ObjectKey(
                "schemaVersion", .choice(["V4", "V6", "V7", "V201909", "V202012"]),
                "Beside `matchesJsonSchema`: the draft where the schema names none; `V202012` is the default."),
        ]
    ) { reader, _, operand, whole in
        var schema = operand.node
        if let text = operand.node.string {
            do throws(JSONError) {
                schema = try JSONParser.parse(text)
            } catch {
                reader.report(.error, "this string is no JSON: \(error.message)", at: operand)
                return nil
            }
        }
        return SchemaPattern(schema, version: whole["schemaVersion"]?.node.string, at: reader.place(of: operand))
    }
}

// MARK: XML

/// XML that a value has to equal.
package struct XMLPattern: LeafMatcher {
    package var expected: Expression
    package var enablesPlaceholders = false
    /// The patterns of what placeholders stand between; nil for `${` and `}`.
    package var openingDelimiter: Expression?
    package var closingDelimiter: Expression?
    /// The kinds of differences that do not count, as XMLUnit names them.
    package var exemptedComparisons: [String] = []
    package var ignoresOrderOfSameNode = false
    /// `STRICT`, `LEGACY` or `NONE`; nil where the file does not say.
    package var namespaceAwareness: String?

    package init(_ expected: Expression) { self.expected = expected }

    package var key: String { "equalToXml" }
    package var operand: LeafOperand { .text(expected.text) }
    package var identity: [String] {
        let parts = [expected, openingDelimiter, closingDelimiter].map { $0?.text ?? "" }
        let options = "\(enablesPlaceholders) \(ignoresOrderOfSameNode) \(namespaceAwareness ?? "")"
        return parts + [options] + exemptedComparisons.sorted()
    }
}

extension LeafKind {
    /// The kinds of differences that XMLUnit tells.
    private static let xmlComparisons = [
        "XML_VERSION", "XML_STANDALONE", "XML_ENCODING", "HAS_DOCTYPE_DECLARATION", "DOCTYPE_NAME",
        "DOCTYPE_PUBLIC_ID", "DOCTYPE_SYSTEM_ID", "SCHEMA_LOCATION", "NO_NAMESPACE_SCHEMA_LOCATION", "NODE_TYPE",
        "NAMESPACE_PREFIX", "NAMESPACE_URI", "TEXT_VALUE", "PROCESSING_INSTRUCTION_TARGET",
        "PROCESSING_INSTRUCTION_DATA", "ELEMENT_TAG_NAME", "ELEMENT_NUM_ATTRIBUTES", "ATTR_VALUE",
        "ATTR_VALUE_EXPLICITLY_SPECIFIED", "CHILD_NODELIST_LENGTH", "CHILD_NODELIST_SEQUENCE", "CHILD_LOOKUP",
        "ATTR_NAME_LOOKUP",
    ]

    fileprivate static let xml = LeafKind(
        operators: ["equalToXml"],
        keys: [
            ObjectKey("equalToXml", .string, "XML that the value equals, white space around texts aside."),
            ObjectKey(
                "enablePlaceholders", .boolean,
                "Beside `equalToXml`: texts such as `${xmlunit.ignore}` stand for more than themselves."),
            ObjectKey(
                "placeholderOpeningDelimiterRegex", .string,
                "Beside `equalToXml`: what placeholders begin with, a pattern."
            ),
            ObjectKey(
                "placeholderClosingDelimiterRegex", .string,
                "Beside `equalToXml`: what placeholders end with, a pattern."),
            ObjectKey(
                "exemptedComparisons", .list(.choice(xmlComparisons), minimum: 0),
                "Beside `equalToXml`: kinds of differences that do not count, as XMLUnit names them."),
            ObjectKey(
                "ignoreOrderOfSameNode", .boolean, "Beside `equalToXml`: elements of one name in any order."),
            ObjectKey(
                "namespaceAwareness", .choice(["STRICT", "LEGACY", "NONE"]),
                "Beside `equalToXml`: how namespaces count."),
        ]
    ) { reader, _, operand, whole in
        guard let text = operand.node.string else { return nil }
        var pattern = XMLPattern(reader.expression(text, at: operand))
        pattern.enablesPlaceholders = whole["enablePlaceholders"]?.node.bool ?? false
        pattern.openingDelimiter = reader.option("placeholderOpeningDelimiterRegex", in: whole)
        pattern.closingDelimiter = reader.option("placeholderClosingDelimiterRegex", in: whole)
        pattern.exemptedComparisons = (whole["exemptedComparisons"]?.elements ?? []).compactMap(\.node.string)
        pattern.ignoresOrderOfSameNode = whole["ignoreOrderOfSameNode"]?.node.bool ?? false
        pattern.namespaceAwareness = whole["namespaceAwareness"]?.node.string
        return pattern
    }
}
