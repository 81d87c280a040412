// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

// MARK: JSON Schema

/// A JSON Schema that a value has to meet.
package struct SchemaPattern: LeafMatcher {
    package var schema: JSONNode
    /// `V4`, `V6`, `V7`, `V201909` or `V202012`; nil if the file does not say.
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
    package func write(to object: inout ObjectWriter) {
        // Anything but a schema's object and a Boolean is read of a text alone.
        let operand = schema.object != nil || schema.bool != nil ? schema : .string(text)
        object.add(contentsOf: StubWriter.jsonSchema(operand, version: version))
    }
}

extension LeafKind {
    static let schema = LeafKind(
        operators: ["matchesJsonSchema"],
        keys: [
            ObjectKey(
                .matchesJsonSchema, .either([.freeObject, .boolean, .string]),
                "A JSON Schema that the value meets: as JSON, or as a string that holds the JSON text."),
            ObjectKey(
                .schemaVersion, .choice(["V4", "V6", "V7", "V201909", "V202012"]),
                "Beside `matchesJsonSchema`: the draft if the schema names none; `V202012` is the default."),
        ]
    ) { reader, _, operand, whole in
        var schema = operand.node
        if let text = operand.node.string {
            do throws(JSONError) {
                schema = try JSONParser.parse(text)
            } catch {
                reader.report(.error, "this string is not JSON: \(error.message)", at: operand)
                return nil
            }
        }
        return SchemaPattern(schema, version: whole[.schemaVersion]?.node.string, at: reader.place(of: operand))
    }
}

// MARK: XML

/// XML that a value has to equal.
package struct XMLPattern: LeafMatcher {
    package var expected: Expression
    package var enablesPlaceholders = false
    /// The patterns of the placeholders' delimiters; nil for `${` and `}`.
    package var openingDelimiter: Expression?
    package var closingDelimiter: Expression?
    /// The kinds of differences that do not count, as XMLUnit names them.
    package var exemptedComparisons: [String] = []
    package var ignoresOrderOfSameNode = false
    /// `STRICT`, `LEGACY` or `NONE`; nil if the file does not say.
    package var namespaceAwareness: String?

    package init(_ expected: Expression) { self.expected = expected }

    package var key: String { "equalToXml" }
    package var operand: LeafOperand { .text(expected.text) }
    package var identity: [String] {
        let parts = [expected, openingDelimiter, closingDelimiter].map { $0?.text ?? "" }
        let options = "\(enablesPlaceholders) \(ignoresOrderOfSameNode) \(namespaceAwareness ?? "")"
        return parts + [options] + exemptedComparisons.sorted()
    }
    package func write(to object: inout ObjectWriter) {
        object.add(operator: self, .string(expected.text))
        object.add(.enablePlaceholders, if: enablesPlaceholders)
        object.add(.placeholderOpeningDelimiterRegex, text: openingDelimiter?.text)
        object.add(.placeholderClosingDelimiterRegex, text: closingDelimiter?.text)
        object.add(.exemptedComparisons, texts: exemptedComparisons)
        object.add(.ignoreOrderOfSameNode, if: ignoresOrderOfSameNode)
        object.add(.namespaceAwareness, text: namespaceAwareness)
    }
}

extension LeafKind {
    /// The kinds of differences that XMLUnit knows.
    private static let xmlComparisons = [
        "XML_VERSION", "XML_STANDALONE", "XML_ENCODING", "HAS_DOCTYPE_DECLARATION", "DOCTYPE_NAME",
        "DOCTYPE_PUBLIC_ID", "DOCTYPE_SYSTEM_ID", "SCHEMA_LOCATION", "NO_NAMESPACE_SCHEMA_LOCATION", "NODE_TYPE",
        "NAMESPACE_PREFIX", "NAMESPACE_URI", "TEXT_VALUE", "PROCESSING_INSTRUCTION_TARGET",
        "PROCESSING_INSTRUCTION_DATA", "ELEMENT_TAG_NAME", "ELEMENT_NUM_ATTRIBUTES", "ATTR_VALUE",
        "ATTR_VALUE_EXPLICITLY_SPECIFIED", "CHILD_NODELIST_LENGTH", "CHILD_NODELIST_SEQUENCE", "CHILD_LOOKUP",
        "ATTR_NAME_LOOKUP",
    ]

    static let xml = LeafKind(
        operators: ["equalToXml"],
        keys: [
            ObjectKey(.equalToXml, .string, "XML that the value equals, white space around texts aside."),
            ObjectKey(
                .enablePlaceholders, .boolean,
                "Beside `equalToXml`: texts such as `${xmlunit.ignore}` are placeholders."),
            ObjectKey(
                .placeholderOpeningDelimiterRegex, .string,
                "Beside `equalToXml`: what placeholders begin with, a pattern."
            ),
            ObjectKey(
                .placeholderClosingDelimiterRegex, .string,
                "Beside `equalToXml`: what placeholders end with, a pattern."),
            ObjectKey(
                .exemptedComparisons, .list(.choice(xmlComparisons), minimum: 0),
                "Beside `equalToXml`: kinds of differences that do not count, as XMLUnit names them."),
            ObjectKey(
                .ignoreOrderOfSameNode, .boolean, "Beside `equalToXml`: elements of one name in any order."),
            ObjectKey(
                .namespaceAwareness, .choice(["STRICT", "LEGACY", "NONE"]),
                "Beside `equalToXml`: how namespaces count."),
        ]
    ) { reader, _, operand, whole in
        guard let text = operand.node.string else { return nil }
        var pattern = XMLPattern(reader.expression(text, at: operand))
        pattern.enablesPlaceholders = whole[.enablePlaceholders]?.node.bool ?? false
        pattern.openingDelimiter = reader.option(.placeholderOpeningDelimiterRegex, in: whole)
        pattern.closingDelimiter = reader.option(.placeholderClosingDelimiterRegex, in: whole)
        pattern.exemptedComparisons = (whole[.exemptedComparisons]?.elements ?? []).compactMap(\.node.string)
        pattern.ignoresOrderOfSameNode = whole[.ignoreOrderOfSameNode]?.node.bool ?? false
        pattern.namespaceAwareness = whole[.namespaceAwareness]?.node.string
        return pattern
    }
}
