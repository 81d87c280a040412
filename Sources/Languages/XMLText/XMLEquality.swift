// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiMetering

/// An expected XML document, and the differences that another may have and still count as equal; any thread may compare.
///
/// The rules are those of WireMock's `equalToXml`: white space around texts and comments do not count, elements of
/// different names may come in any order, and of the namespace's prefix only the namespace counts.
package struct XMLEquality: Sendable {
    /// How namespaces count.
    package enum NamespaceAwareness: String, Sendable {
        /// Elements and attributes by namespace and local name, declarations not at all.
        case strict = "STRICT"
        /// Elements by local name and by the default namespace alone, attributes by the name as it is written.
        case legacy = "LEGACY"
        /// Elements and attributes by the name as it is written, declarations as attributes.
        case none = "NONE"
    }

    /// The things that can differ, by XMLUnit's names.
    package enum Comparison: String, CaseIterable, Sendable {
        case elementTagName = "ELEMENT_TAG_NAME"
        case schemaLocation = "SCHEMA_LOCATION"
        case noNamespaceSchemaLocation = "NO_NAMESPACE_SCHEMA_LOCATION"
        case nodeType = "NODE_TYPE"
        case namespaceURI = "NAMESPACE_URI"
        case textValue = "TEXT_VALUE"
        case instructionTarget = "PROCESSING_INSTRUCTION_TARGET"
        case instructionData = "PROCESSING_INSTRUCTION_DATA"
        case attributeCount = "ELEMENT_NUM_ATTRIBUTES"
        case attributeValue = "ATTR_VALUE"
        case childCount = "CHILD_NODELIST_LENGTH"
        case childLookup = "CHILD_LOOKUP"
        case attributeLookup = "ATTR_NAME_LOOKUP"
        // Never counted, so that exempting them changes nothing.
        case namespacePrefix = "NAMESPACE_PREFIX"
        case attributeIsExplicit = "ATTR_VALUE_EXPLICITLY_SPECIFIED"
        case childSequence = "CHILD_NODELIST_SEQUENCE"
        case hasDocumentType = "HAS_DOCTYPE_DECLARATION"
        case documentTypeName = "DOCTYPE_NAME"
        case documentTypePublic = "DOCTYPE_PUBLIC_ID"
        case documentTypeSystem = "DOCTYPE_SYSTEM_ID"
        case version = "XML_VERSION"
        case standalone = "XML_STANDALONE"
        case encoding = "XML_ENCODING"
    }

    package struct Options: Sendable {
        package var exemptedComparisons: Set<Comparison> = []
        package var ignoresOrderOfSameName = false
        package var namespaceAwareness = NamespaceAwareness.strict
        package var hasPlaceholders = false
        /// Regular expressions of a placeholder's delimiters; nil for `${` and `}`.
        package var openingDelimiter: String?
        package var closingDelimiter: String?

        package init() {}
    }

    let expected: XMLDocument
    let options: Options
    let placeholders: XMLPlaceholders?

    /// Reads the expected document.
    ///
    /// - Throws: `XMLError` if it, a delimiter or a placeholder is broken.
    package init(_ expected: String, options: Options = Options()) throws(XMLError) {
        self.expected = try XMLDocument(parsing: expected)
        self.options = options
        placeholders = options.hasPlaceholders ? try XMLPlaceholders(options, in: self.expected) : nil
    }

    /// How a document compares with the expected one.
    package enum Outcome {
        case equal
        case different
        /// It takes more comparisons than `XMLLimits` allows, or than the meter has.
        case givenUp
    }

    package func outcome(_ actual: XMLDocument, meter: Meter? = nil) -> Outcome {
        var comparer = XMLComparer(self, actual, most: 0, meter)
        return comparer.compare() ? .equal : comparer.isGivenUp ? .givenUp : .different
    }

    /// Whether a document counts as equal; false also if that was given up.
    package func matches(_ actual: XMLDocument, meter: Meter? = nil) -> Bool {
        outcome(actual, meter: meter) == .equal
    }

    /// The differences of a document from the expected one; empty if there are none.
    package func differences(
        _ actual: XMLDocument, most: Int = XMLLimits.differences, meter: Meter? = nil
    ) -> [XMLDifference] {
        var comparer = XMLComparer(self, actual, most: most, meter)
        return comparer.compare() ? [] : comparer.differences
    }
}

/// One thing in which two documents differ.
package struct XMLDifference: Equatable, Sendable {
    /// The place in the expected document, such as `/order/item[2]/@id`.
    package var path: String
    package var message: String

    package init(path: String, message: String) {
        self.path = path
        self.message = message
    }
}

extension XMLDifference: CustomStringConvertible {
    package var description: String { "\(path): \(message)" }
}
