// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiXMLText
import Testing

@Suite(.supervised) struct XMLEqualityTests {
    /// Two documents, what is exempted or switched on, and the differences.
    struct Pair: Sendable, CustomTestStringConvertible {
        var expected: String
        var actual: String
        var options: [String]
        var differences: [String]

        init(_ expected: String, _ actual: String, _ options: String..., differ differences: [String] = []) {
            self.expected = expected
            self.actual = actual
            self.options = options
            self.differences = differences
        }

        var testDescription: String { "\(expected) \(actual) \(options.joined(separator: " "))" }
    }

    private func check(_ pair: Pair) throws {
        var options = XMLEquality.Options()
        for option in pair.options {
            if let comparison = XMLEquality.Comparison(rawValue: option) {
                options.exemptedComparisons.insert(comparison)
            } else if let awareness = XMLEquality.NamespaceAwareness(rawValue: option) {
                options.namespaceAwareness = awareness
            } else if option == "order" {
                options.ignoresOrderOfSameName = true
            } else {
                options.hasPlaceholders = true
            }
        }
        let equality = try XMLEquality(pair.expected, options: options)
        let actual = try XMLDocument(parsing: pair.actual)
        #expect(equality.differences(actual).map(\.description) == pair.differences)
        #expect(equality.matches(actual) == pair.differences.isEmpty)
    }

    private static let structure: [Pair] = [
        Pair("<a/>", "<?xml version='1.0'?>\n<a></a>"),
        Pair("<a><b/><c/></a>", "<a> <c/>\n<b/></a>"),
        Pair("<a>x</a>", "<a> <!-- c -->x\n</a>"),
        Pair("<a>x y</a>", "<a>x <![CDATA[y]]></a>"),
        Pair("<a>x y</a>", "<a>x  y</a>", differ: [#"/a/text(): expected "x y", got "x  y""#]),
        Pair("<a i='1' j=' 2'/>", "<a j='2' i='1'/>"),
        Pair("<a>t<b/>u</a>", "<a>t<b/>u</a>"),
        Pair(
            "<order><item id='1'/><item id='3'/></order>", "<order><item id='1'/><item id='4'/></order>",
            differ: [#"/order/item[2]/@id: expected "3", got "4""#]),
        Pair(
            "<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>",
            differ: [#"/a/b[1]/text(): expected "1", got "2""#, #"/a/b[2]/text(): expected "2", got "1""#]),
        Pair("<a><b>1</b><b>2</b></a>", "<a><b>2</b><b>1</b></a>", "order"),
        Pair("<a><b i='1'>x</b><b i='2'>x</b></a>", "<a><b i='2'>x</b><b i='1'>x</b></a>", "order"),
        Pair(
            "<a><b>1</b><b>3</b></a>", "<a><b>2</b><b>1</b></a>", "order",
            differ: [#"/a/b[2]/text(): expected "3", got "2""#]),
        Pair("<a><b/><c/></a>", "<a><b/><d/></a>", differ: ["/a/c: expected <c>, got <d>"]),
        Pair("<a><b/></a>", "<a/>", differ: ["/a/b: expected <b>, which is missing"]),
        Pair(
            "<a/>", "<a><b/><b/></a>",
            differ: ["/a/b[1]: got <b>, which is not expected", "/a/b[2]: got <b>, which is not expected"]),
        Pair(
            "<a i='1' k='3'/>", "<a i='2'/>",
            differ: [#"/a/@i: expected "1", got "2""#, #"/a/@k: expected "3", which is missing"#]),
        Pair("<a/>", "<a k='2'/>", differ: [#"/a/@k: got "2", which is not expected"#]),
        Pair("<one>H</one>", "<two>H</two>", differ: ["/one: expected <one>, got <two>"]),
        Pair("<?x y?><a/>", "<?x z?><a/>", differ: [#"/processing-instruction(): expected "y", got "z""#]),
    ]

    @Test(arguments: structure) func `what counts, and what does not`(_ pair: Pair) throws { try check(pair) }

    private static let exemptions: [Pair] = [
        Pair("<one>H</one>", "<two>H</two>", "ELEMENT_TAG_NAME"),
        Pair("<a>x</a>", "<a>y</a>", "TEXT_VALUE"),
        Pair("<a i='1'/>", "<a i='2'/>", "ATTR_VALUE"),
        Pair("<a i='1'/>", "<a i='1' j='2'/>", "ELEMENT_NUM_ATTRIBUTES"),
        Pair("<a i='1'/>", "<a j='1'/>", "ATTR_NAME_LOOKUP"),
        Pair("<a><b/></a>", "<a><b/><c/></a>", "CHILD_NODELIST_LENGTH"),
        Pair("<a><b/><c/></a>", "<a><b/></a>", "CHILD_NODELIST_LENGTH", "CHILD_LOOKUP"),
        Pair("<a><b/><c/></a>", "<a><b/></a>", "CHILD_LOOKUP", differ: ["/a: expected 2 children, got 1"]),
        Pair("<?x y?><a/>", "<?x z?><a/>", "PROCESSING_INSTRUCTION_DATA"),
        Pair("<?x y?><a/>", "<?w y?><a/>", "PROCESSING_INSTRUCTION_TARGET"),
        Pair("<a xmlns='urn:1'/>", "<a xmlns='urn:2'/>", "NAMESPACE_URI"),
        Pair("<p:a xmlns:p='urn:1'/>", "<q:a xmlns:q='urn:1'/>", "NAMESPACE_PREFIX"),
    ]

    @Test(arguments: exemptions) func `comparisons are exempted by name`(_ pair: Pair) throws { try check(pair) }

    private static let namespaces: [Pair] = [
        Pair("<p:a xmlns:p='urn:1' p:i='1'/>", "<q:a xmlns:q='urn:1' q:i='1'/>"),
        Pair(
            "<a xmlns='urn:1'/>", "<a xmlns='urn:2'/>",
            differ: [#"/a: expected the namespace "urn:1", got the namespace "urn:2""#]),
        Pair("<a xmlns='urn:1'/>", "<a/>", differ: [#"/a: expected the namespace "urn:1", got none"#]),
        Pair("<a/>", "<a xmlns='urn:1'/>"),
        Pair("<p:a xmlns:p='urn:1'/>", "<q:a xmlns:q='urn:2'/>", "LEGACY"),
        Pair("<p:a/>", "<q:a/>", "LEGACY"),
        Pair(
            "<a p:i='1' xmlns:p='u'/>", "<a q:i='1' xmlns:q='u'/>", "LEGACY",
            differ: [#"/a/@p:i: expected "1", which is missing"#]),
        Pair("<p:a xmlns:p='urn:1'/>", "<q:a xmlns:q='urn:1'/>", "NONE", differ: ["/p:a: expected <p:a>, got <q:a>"]),
        Pair("<a xmlns='urn:1'/>", "<a/>", "NONE", differ: [#"/a/@xmlns: expected "urn:1", which is missing"#]),
    ]

    @Test(arguments: namespaces) func `namespaces count in three ways`(_ pair: Pair) throws { try check(pair) }

    private static let placeholders: [Pair] = [
        Pair("<a>${xmlunit.ignore}</a>", "<a>1</a>"),
        Pair("<a>${xmlunit.ignore}</a>", "<a>1</a>", differ: [#"/a/text(): expected "${xmlunit.ignore}", got "1""#]),
        Pair("<a>${xmlunit.ignore}</a>", "<a><b/>c</a>"),
        Pair("<a i='${xmlunit.ignore}'/>", "<a/>"),
        Pair("<a>${xmlunit.isNumber}</a>", "<a>-12.5e3</a>"),
        Pair(
            "<a>${xmlunit.isNumber}</a>", "<a>1x</a>", differ: [#"/a/text(): expected "${xmlunit.isNumber}", got "1x""#]
        ),
        Pair("<a i='${xmlunit.isDateTime}'/>", "<a i='2020-01-31T15:00:00.25+01:00'/>"),
        Pair(
            "<a>${xmlunit.isDateTime}</a>", "<a>31.1.2020</a>",
            differ: [#"/a/text(): expected "${xmlunit.isDateTime}", got "31.1.2020""#]),
        Pair("<a>${xmlunit.isDateTime(dd.MM.yyyy 'at' HH:mm)}</a>", "<a>31.01.2020 at 23:59</a>"),
        Pair("<a>${xmlunit.matchesRegex(^\\d+$)}</a>", "<a>12</a>"),
        Pair(
            "<a>${xmlunit.matchesRegex(^(a|b)$)}</a>", "<a>c</a>",
            differ: [#"/a/text(): expected "${xmlunit.matchesRegex(^(a|b)$)}", got "c""#]),
    ]

    @Test(arguments: placeholders) func `placeholders stand for many texts, where they are switched on`(_ pair: Pair)
        throws
    {
        var pair = pair
        if !pair.differences.contains(where: { $0.contains("xmlunit.ignore") }) { pair.options.append("placeholders") }
        try check(pair)
    }

    @Test func `placeholders have delimiters of one's own`() throws {
        var options = XMLEquality.Options()
        options.hasPlaceholders = true
        options.openingDelimiter = "(#|%)\\{"
        options.closingDelimiter = "(\\})"
        let equality = try XMLEquality(
            "<a><b>#{xmlunit.isNumber}</b><c>%{xmlunit.matchesRegex(x)}</c></a>", options: options)
        #expect(equality.matches(try XMLDocument(parsing: "<a><b>1</b><c>axb</c></a>")))
        #expect(!equality.matches(try XMLDocument(parsing: "<a><b>a</b><c>axb</c></a>")))
    }

    @Test(
        arguments: [
            ("<a><b>", nil, "line 1, column 7: the element <b> is not closed"),
            (
                "<a>${xmlunit.isUUID}</a>", nil,
                "the placeholder xmlunit.isUUID is not known: there are ignore, isNumber, isDateTime and matchesRegex"
            ),
            (
                "<a>${xmlunit.matchesRegex(()}</a>", nil,
                "the placeholder xmlunit.matchesRegex is broken: missing closing parenthesis"
            ),
            ("<a/>", "(", "a delimiter of placeholders is broken: missing closing parenthesis"),
        ] as [(String, String?, String)])
    func `an expected document that is broken says why`(text: String, delimiter: String?, message: String) {
        var options = XMLEquality.Options()
        options.hasPlaceholders = true
        options.openingDelimiter = delimiter
        do throws(XMLError) {
            _ = try XMLEquality(text, options: options)
            Issue.record("it was accepted")
        } catch {
            #expect(error.description == message)
        }
    }

    @Test func `ten differences are told`() throws {
        let equality = try XMLEquality("<a/>")
        let many = "<a>" + String(repeating: "<b/>", count: 50) + "</a>"
        #expect(equality.differences(try XMLDocument(parsing: many)).count == XMLLimits.differences)
    }
}
