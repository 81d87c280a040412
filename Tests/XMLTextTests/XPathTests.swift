// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiXMLText
import Testing

@Suite(.supervised) struct XPathTests {
    private static let shop = """
        <!-- top --><shop xmlns:x="urn:x" xml:lang="en-GB">\
        <item id="1" x:code="k"><name>Tea</name><price>3.50</price><x:tag>hot</x:tag></item>\
        <item id="2"><name>Coffee</name><price>4</price><tags><tag>a</tag><tag>b</tag></tags></item>\
        <item id="3" sale="true"><name>Mi<![CDATA[lk]]> 1</name><price>1.25</price><tags/></item>\
        <?note here?><nested><nested>deep</nested></nested></shop>
        """

    private static let found: [(String, [String])] = [
        ("/shop/item/@id", ["1", "2", "3"]),
        ("//item[price > 3]/name/text()", ["Tea", "Coffee"]),
        ("//item[2]/name", ["<name>Coffee</name>"]),
        ("//item[last()]/@sale", ["true"]),
        ("//item[@id='3']/name/text()", ["Milk 1"]),
        ("(//name)[2]", ["<name>Coffee</name>"]),
        ("//tags/tag[position() = 2]", ["<tag>b</tag>"]),
        ("//item[name = 'Tea']/following-sibling::item/@id", ["2", "3"]),
        ("//item[3]/preceding-sibling::item[1]/@id", ["2"]),
        ("//nested[not(nested)]/ancestor::*[1]/..", ["shop"]),
        ("//tags/tag/preceding::name[1]", ["<name>Coffee</name>"]),
        ("//item[1]/following::tag", ["<tag>a</tag>", "<tag>b</tag>"]),
        ("//processing-instruction('note')", ["<?note here?>"]),
        ("/comment()", ["<!-- top -->"]),
        ("//item[.//tag]/@id | //item[1]/@id", ["1", "2"]),
        ("//item/@*[name() = 'x:code']", ["k"]),
        ("//missing", []),
        ("count(//item[@id mod 2 = 1])", ["2"]),
        ("sum(//price) div 2", ["4.375"]),
        ("string(//item[2])", ["Coffee4ab"]),
        ("normalize-space('  a  b ')", ["a b"]),
        ("substring('12345', 1.5, 2.6)", ["234"]),
        ("substring('12345', 0 div 0)", [""]),
        ("translate('--aaa--', 'abc-', 'ABC')", ["AAA"]),
        ("concat(substring-before('a/b', '/'), substring-after('a/b', '/'), true(), 1 div 0)", ["abtrueInfinity"]),
        ("starts-with('abc', 'ab') and contains('abc', '')", ["true"]),
        ("round(-2.5) - -1", ["-1"]),
        ("0.0000001", ["0.0000001"]),
        ("1000000000000000000000", ["1000000000000000000000"]),
        ("//price = 4 and not(//price = 5)", ["true"]),
        ("count(//item[lang('en')])", ["3"]),
        ("string-length('äöü') * 2 mod 4", ["2"]),
        ("div", []),
    ]

    @Test(arguments: found) func `expressions find what XPath 1.0 says`(expression: String, texts: [String]) throws {
        let document = try XMLDocument(parsing: Self.shop)
        let found = try XPath(parsing: expression).texts(document)
        if expression.hasSuffix("/..") {
            #expect(found.map { String($0.dropFirst().prefix(4)) } == texts)
        } else {
            #expect(found == texts)
        }
    }

    private static let soap = "<s:a xmlns:s='urn:s' xmlns='urn:d'><b s:i='1'>x</b></s:a>"

    @Test(arguments: [
        // Without namespaces a name is a local name, and a prefix is what is written.
        ("/a/b", [:], 1), ("/s:a", [:], 1), ("/t:a", [:], 0), ("//@i", [:], 1),
        // With them a name without a prefix has no namespace.
        ("/a", ["p": "urn:s"], 0), ("/p:a", ["p": "urn:s"], 1), ("/p:a/q:b", ["p": "urn:s", "q": "urn:d"], 1),
        ("//p:*", ["p": "urn:s"], 1), ("//@p:i", ["p": "urn:s"], 1), ("//@i", ["p": "urn:s"], 0),
        ("//*[local-name() = 'b' and namespace-uri() = 'urn:d']", ["p": "urn:s"], 1),
    ])
    func `names mean namespaces where these are given`(expression: String, namespaces: [String: String], count: Int)
        throws
    {
        let document = try XMLDocument(parsing: Self.soap)
        let found = try XPath(parsing: expression, namespaces: namespaces).evaluate(document)
        guard case .nodes(let nodes) = found else {
            Issue.record("no nodes")
            return
        }
        #expect(nodes.count == count)
        #expect(found.isPresent == (count > 0))
    }

    @Test(arguments: [
        ("", "the expression ends too soon, at byte 0"),
        ("//item[", "the expression ends too soon, at byte 6"),
        ("//item]", "the end of the expression is expected, at byte 6"),
        ("//\\\\&&", "a character that no expression has here, at byte 2"),
        ("'abc", "a string that does not end, at byte 0"),
        ("size(//a)", "there is no function size(), at byte 0"),
        ("count()", "count() takes 1 arguments, not 0, at byte 0"),
        ("$a", "variables are not known here, at byte 0"),
        ("sideways::a", "there is no axis sideways, at byte 0"),
        ("namespace::a", "the axis namespace is not supported, at byte 0"),
    ])
    func `an expression that cannot be compiled says where and why`(text: String, message: String) {
        #expect(xpathFailure(text) == message)
    }

    @Test func `a prefix that is not among the namespaces is an error`() {
        let message = "the prefix q is not among the namespaces, at byte 1"
        #expect(xpathFailure("/q:a", namespaces: ["p": "urn:p"]) == message)
    }

    @Test func `a value where nodes are needed is an error`() throws {
        let document = try XMLDocument(parsing: "<a/>")
        let message = "a set of nodes is needed, but the expression has another value"
        #expect(throws: XPathError(offset: 0, message: message)) { try XPath(parsing: "count('a')").evaluate(document) }
    }
}
