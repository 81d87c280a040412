// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiLibXML2
import MockapiTestSupport
import MockapiXMLText
import Testing

/// Documents that would cost without end, or reach out.
@Suite(.supervised) struct XMLLimitTests {
    private static func withoutText(_ name: String) -> String {
        "the entity &\(name); has no text here: entities that lie elsewhere are not loaded"
    }
    private static let refusal = "a document type that declares entities with a text is not accepted"

    @Test func `entities that multiply are refused`() {
        var bomb = "<!DOCTYPE a [\n<!ENTITY e0 \"ha\">"
        for level in 1...30 { bomb += "<!ENTITY e\(level) \"&e\(level - 1);&e\(level - 1);\">" }
        #expect(failure(bomb + "]>\n<a>&e30;</a>") == "line 2, column 1: \(Self.refusal)")
    }

    @Test(arguments: [
        "<!-- c --><?pi?>\n<!DOCTYPE a [ <!-- ' --> <!ENTITY x '1'>]><a/>",
        "<!DOCTYPE a [<!ENTITY % SYSTEM '<!ENTITY y \"1\">'> %SYSTEM;]><a/>",
        "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://127.0.0.1:1/'> %x; <!ENTITY\ty\n'1'>]><a/>",
        "<!DOCTYPE a [<!ENTITY%x; y SYSTEM '1'>]><a/>", "<!DOCTYPE a [<!ENTITY y", "<!DOCTYPE a [<!ENTITY y'1'>]><a/>",
    ])
    func `entities are not declared`(text: String) throws {
        #expect(try #require(failure(text)).hasSuffix(Self.refusal))
        // Nor in UTF-16.
        let wide: [UInt8] = [0xFE, 0xFF] + text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        #expect(try #require(failure(wide)).hasSuffix(Self.refusal))
    }

    @Test func `an entity that lies elsewhere is not loaded`() throws {
        for type in [
            "<!ENTITY % x SYSTEM 'http://127.0.0.1:1/'> %x;",
            "<!ENTITY x PUBLIC '1' 'file:///2'>",
        ] {
            let document = try XMLDocument(parsing: "<!DOCTYPE a [\(type)]><a>1</a>")
            #expect(document.text(of: 0) == "1", "\(type)")
        }
        let general = "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]>"
        #expect(failure(general + "<a>&x;</a>")?.hasSuffix(Self.withoutText("x")) == true)
        #expect(failure(general + "<a b='&x;'/>") != nil)
        let unread = "<!DOCTYPE a [<!ENTITY % x SYSTEM 'http://127.0.0.1:1/'> %x;]>"
        for document in ["<a>1&y;</a>", "<a b='&y;'/>"] { #expect(failure(unread + document) != nil) }
    }

    @Test func `a document type is neither loaded nor in the way`() throws {
        let document = try XMLDocument(parsing: "<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a>1</a>")
        #expect(document.text(of: 0) == "1")
        let failed = failure("<!DOCTYPE a SYSTEM 'http://127.0.0.1:1/a.dtd'><a>&x;</a>")
        #expect(failed?.hasSuffix(Self.withoutText("x")) == true)
    }

    @Test func `elements nest as deep as they may`() throws {
        func nested(_ levels: Int) -> String {
            String(repeating: "<a>", count: levels) + String(repeating: "</a>", count: levels)
        }
        #expect(try XMLDocument(parsing: nested(256)).nodes.count == 257)
        #expect(failure(nested(257)) != nil)
        #expect(failure(nested(100_000)) != nil)
    }

    @Test func `an element has no more attributes than it may, whatever stands around it`() throws {
        func element(_ count: Int) -> String {
            "<a " + (0..<count).map { "a\($0)='>\"'" }.joined(separator: " ") + "/>"
        }
        let around = "<?p \" ?><!DOCTYPE r><r b='1'>\n\"it's\"<!-- \" < --><![CDATA[<x \" ]]>"
        #expect(try XMLDocument(parsing: around + element(1000) + "</r>").nodes.count > 1000)
        let refusal = "line 2, column 36: more than 1000 attributes of one element"
        #expect(failure(around + element(1001) + "</r>") == refusal)
        #expect(failure(element(100_000))?.hasSuffix("more than 1000 attributes of one element") == true)
        let added =
            "<!DOCTYPE a [<!ATTLIST a " + (0..<1001).map { "a\($0) CDATA '1'" }.joined(separator: " ") + ">]><a/>"
        #expect(failure(added)?.hasSuffix("a document type with more than 1000 texts is not accepted") == true)
    }

    @Test func `a document has no more nodes and bytes than it may`() {
        let many = "<a>" + String(repeating: "<b/>", count: XMLLimits.nodes) + "</a>"
        #expect(failure(many)?.hasSuffix("more than 500000 nodes") == true)
        #expect(
            failure([UInt8](repeating: 0x20, count: XMLLimits.bytes + 1)) == "the document has more than 16777216 bytes"
        )
    }

    @Test(arguments: [
        "count(//*[count(//*[count(//*) > 1]) > 1])", "//*[contains(string(/), 'zz')]",
        "//*[preceding::*[following::*[preceding::*]]]", "//b[../b/../b[last()]]",
    ])
    func `an expression that visits without end is given up`(text: String) throws {
        let words = String(repeating: "<b>some words <c/></b>", count: 800)
        let document = try XMLDocument(parsing: "<a>\(words)</a>")
        let expression = try XPath(parsing: text)
        #expect(throws: XPathError(offset: 0, message: "the evaluation takes more than 176864 steps")) {
            try expression.evaluate(document)
        }
    }

    @Test func `an expression has no more parts than it may`() {
        #expect(
            xpathFailure(String(repeating: "(", count: 33) + "1")
                == "more than 32 expressions within one another, at byte 32")
        #expect(xpathFailure("1" + String(repeating: "+1", count: 600)) == "more than 256 operators, at byte 515")
        #expect(
            xpathFailure(String(repeating: "a", count: 20_000)) == "the expression has more than 16384 bytes, at byte 0"
        )
    }

    @Test func `documents that are compared in every order are given up`() throws {
        var options = XMLEquality.Options()
        options.ignoresOrderOfSameName = true
        func document(_ texts: [String]) -> String { "<a>" + texts.map { "<i>\($0)</i>" }.joined() + "</a>" }
        let texts = (0..<500).map(String.init)
        let reversed = try XMLDocument(parsing: document(texts.reversed()))
        #expect(try XMLEquality(document(texts), options: options).matches(reversed))
        // With placeholders every pair is compared.
        options.hasPlaceholders = true
        let equality = try XMLEquality(document(texts), options: options)
        let others = try XMLDocument(parsing: document(texts.map { "x" + $0 }))
        let message = "/: the documents are too large to be compared: more than 124048 pairs of nodes"
        #expect(equality.differences(others).map(\.description) == [message])
    }
}

/// What is wrong with an expression that cannot be compiled.
func xpathFailure(_ text: String, namespaces: [String: String] = [:]) -> String? {
    do throws(XPathError) {
        _ = try XPath(parsing: text, namespaces: namespaces)
        return nil
    } catch {
        return error.description
    }
}

/// Each in a process of its own, since a library is loaded once.
@Suite(.supervised) struct LibraryTests {
    @Test func `libxml2 is loaded by the first document, not before`() async {
        await #expect(processExitsWith: .success) {
            _ = try XPath(parsing: "//a")
            precondition(clibxml_is_loaded() == 0)
            _ = try XMLDocument(parsing: "<a/>")
            precondition(clibxml_is_loaded() == 1)
            precondition(clibxml_version() >= 20900)
        }
    }

    @Test func `without libxml2 a document says what to install`() async {
        await #expect(processExitsWith: .success) {
            clibxml_library_use("libabsent.so.2")
            do throws(XMLError) {
                _ = try XMLDocument(parsing: "<a/>")
                fatalError("there was a document")
            } catch {
                precondition(error.cause == .library)
                precondition(error.description.hasPrefix("libxml2 cannot be loaded: libabsent.so.2: "))
                #if os(Linux)
                    precondition(error.description.hasSuffix("; install libxml2: apt-get install libxml2"))
                #endif
            }
            precondition(XMLDocument.unavailable != nil)
        }
    }

    #if os(Linux)
        @Test func `a library that is no libxml2 is refused`() async {
            await #expect(processExitsWith: .success) {
                clibxml_library_use("libc.so.6")
                let text = XMLDocument.unavailable ?? ""
                precondition(text.hasPrefix("libxml2 has no xmlInitParser: "))
            }
        }
    #endif
}
