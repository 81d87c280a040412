// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiXMLText
import Testing

@Suite(.supervised) struct XMLDocumentTests {
    @Test func `names, namespaces, texts, comments and instructions are read and printed as they stand`() throws {
        let text = """
            <?target some data?><a xmlns="urn:a" xmlns:b="urn:b" b:x="1 &lt; 2" y="&#10;"><!-- c --><b:c>t &amp; u</b:c><![CDATA[<raw>]]><d/></a>
            """
        let document = try XMLDocument(parsing: text)
        #expect(document.printed(0) == text)
        let root = document.rootElement
        #expect(document.name(of: root) == XMLName(local: "a", namespace: "urn:a"))
        let attributes = document.attributes(of: root).map { document.name(of: $0).qualified }
        #expect(attributes.sorted() == ["b:x", "xmlns", "xmlns:b", "y"])
        let kinds = document.children(of: root).map { document.nodes[$0].kind }
        #expect(kinds == [.comment, .element, .cdata, .element])
        #expect(document.text(of: root) == "t & u<raw>")
    }

    @Test func `a text is printed with an element a line`() throws {
        let document = try XMLDocument(parsing: "<a><b i='1'><c>t</c>\n\n<d/></b><e> </e></a>")
        #expect(document.pretty(meter: nil) == "<a>\n  <b i=\"1\">\n    <c>t</c>\n    <d/>\n  </b>\n  <e/>\n</a>\n")
    }

    @Test func `a node's way names it among its like`() throws {
        let document = try XMLDocument(parsing: "<a><b/><c/><b x='1'>t</b></a>")
        let paths = document.nodes.indices.dropFirst().map { document.path(of: $0) }
        #expect(paths == ["/a", "/a/b[1]", "/a/c", "/a/b[2]", "/a/b[2]/@x", "/a/b[2]/text()"])
    }

    @Test func `encodings`() throws {
        let declared = Array("<?xml version='1.0' encoding='ISO-8859-1'?><a>".utf8) + [0xE9] + Array("</a>".utf8)
        #expect(try XMLDocument(parsing: declared).text(of: 0) == "é")
        let little: [UInt8] = [0xFF, 0xFE] + "<a>é</a>".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try XMLDocument(parsing: little).text(of: 0) == "é")
        let big = "<?xml version='1.0' encoding='UTF-16'?><a>é</a>".utf16.flatMap {
            [UInt8($0 >> 8), UInt8($0 & 0xFF)]
        }
        #expect(try XMLDocument(parsing: big).text(of: 0) == "é")
        // A string is what it is, whatever it says of itself.
        #expect(try XMLDocument(parsing: "<?xml version='1.0' encoding='UTF-16'?><a>é</a>").text(of: 0) == "é")
        #expect(try XMLDocument(parsing: [0xEF, 0xBB, 0xBF] + Array("<a/>".utf8)).nodes.count == 2)
    }

    @Test func `a prefix that nothing binds stays with the name`() throws {
        let document = try XMLDocument(parsing: "<p:a><q:b/></p:a>")
        #expect(document.name(of: document.rootElement) == XMLName(prefix: "p", local: "a"))
    }

    private static let broken: [(String, String)] = [
        ("", "the document is empty"),
        ("<a>\n  <b></a>", "line 2, column 10: Opening and ending tag mismatch: b line 2 and a"),
        ("{\"a\":1}", "line 1, column 1: the document does not begin with '<'"),
        ("<p:a><b></p:a>", "line 1, column 15: Opening and ending tag mismatch: b line 1 and p:a"),
        ("<a>&nbsp;</a>", "line 1, column 10: Entity 'nbsp' not defined"),
        ("<?xml version='1.0' encoding='UTF-7'?><a/>", ""),
    ]

    @Test(arguments: broken.dropLast())
    func `a text that is not XML says where and why`(text: String, message: String) {
        #expect(failure(Array(text.utf8)) == message)
    }

    @Test func `an encoding that could hide a document type is refused`() {
        let text = Array("<?xml version='1.0' encoding='UTF-7'?><a/>".utf8)
        #expect(
            failure(text)?.hasPrefix("line 1, column 1: the encoding utf-7 is not supported: there are UTF-8") == true)
    }
}

/// What is wrong with a text that is not XML.
func failure(_ bytes: [UInt8]) -> String? {
    do throws(XMLError) {
        _ = try XMLDocument(parsing: bytes)
        return nil
    } catch {
        return error.description
    }
}

func failure(_ text: String) -> String? { failure(Array(text.utf8)) }
