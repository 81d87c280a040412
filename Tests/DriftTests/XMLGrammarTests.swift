// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiXMLText
import Testing

@testable import MockapiDrift

/// Texts of XML with and without flaws, held against libxml2 and the grammar's own words.
@Suite(.supervised) struct XMLGrammarTests {
    private static func flaw(_ text: String) -> String? {
        guard let document = MockapiDrift.XMLDocument.parse(Array(text.utf8)) else { return "not XML" }
        return document.names.flaw
            ?? document.names.entity.map { "the entity \($0), which a document type may declare" }
    }

    // MARK: Documents

    private static let declarations = [
        "", "<?xml version=\"1.0\"?>", "<?xml version='1.1'?>", "<?xml version = \"1.0\" encoding=\"UTF-8\"?>",
        "<?xml version=\"1.0\" standalone=\"no\"?>", "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>",
        "<?xml?>", "<?xml ?>", "<?xml encoding=\"UTF-8\"?>", "<?xml version=\"1.0\"encoding=\"UTF-8\"?>",
        "<?xml version=\"1.0\" standalone=\"maybe\"?>", "<?xml version=1.0?>", "<?xml version=\"2.0\"?>",
        " <?xml version=\"1.0\"?>", "<?XML version=\"1.0\"?>", "<?xml version=\"1.0\" version=\"1.0\"?>",
        "<?xml version=\"1.0\" standalone=\"yes\" encoding=\"UTF-8\"?>", "<?xml version=\"1.0\" x=\"y\"?>",
        "<?xml version \"1.0\"?>", "<?xml version=\"1.0?>", "<?xml version=\"1.0\">",
    ]
    private static let miscellaneous = [
        "", "\n", "<!-- a -->", "<!---->", "<?p q?>", "<?p?>", "<!-- a--b -->", "<!-- a --->", "<??>", "<? p?>",
        "<?1?>", "<!-->", "<!-- a", "<?p q", "x", "&amp;",
    ]
    private static let types = [
        "", "<!DOCTYPE r>", "<!DOCTYPE r SYSTEM \"a>b\">", "<!DOCTYPE r [<!ELEMENT r ANY>]>",
        "<!DOCTYPE r [<!-- ]> ' -->]>", "<!DOCTYPE r [", "<!doctype r>", "<!DOCTYPE r SYSTEM 'x>",
        "<!DOCTYPE r [<!-- ]>",
    ]
    private static let contents = [
        "x", "&amp;", "&lt;&gt;&quot;&apos;", "&#65;", "&#x41;", "<![CDATA[<]]>", "\t", "<e/>", "<e />", "<e a='1'/>",
        "<e a=\"1\" b='2'></e>", "<e\na = '&lt;'\n></e >", "<p:e xmlns:p='u' p:a='' a=''/>", "<e xmlns='u'/>", "é<é/>",
        "<e xml:lang='x'/>", "<_e-1.2/>", "<!-- & < -->", "<?p <&?>", "]]", "&#x10FFFF;", "&#9;",
        "&#0;", "&#xD800;", "&#;", "&#x;", "&;", "& ", "&a", "&amp", "&amp ;", "&no;", "&1;", "&a b;", "<![CDATA[",
        "]]>",
        "\u{1}", "<e a='1'b='2'/>", "<e a='1' a='2'/>", "<e a='<'/>", "<e a='&'/>", "<e a='\u{2}'/>", "<e a=1/>",
        "<e a/>", "<e a='1/>", "<e a=/>", "<1e/>", "<-e/>", "< e/>", "<e></ e>", "<e></f>", "<e/ >", "<e", "<e/",
        "<e$/>", "<e ='1'/>", "<e 1='1'/>", "<!DOCTYPE r>", "</r>", "<e>", "<!a>", "&#1;", "&#xFFFE;", "&#x110000;",
        "<e a='1", "<>", "</>", "&#4294967296;", "&#-1;", "&#+65;", "&#x-41;", "&#65", "&é;", "<e a = >",
        "<e a='1'\u{1}/>",
    ]

    @Test func `a text has a flaw where libxml2 takes no document from it`() {
        var random = SplitMix(seed: 41)
        var whole = 0
        for round in 0..<Thoroughness.rounds(1500, thorough: 60_000) {
            // Most parts are as they should be, so that others are seen.
            func pick(_ parts: [String], sound: Int, _ random: inout SplitMix) -> String {
                random.chance(88) ? parts[random.below(sound)] : random.pick(parts)
            }
            var text = round % 7 == 0 ? "\u{FEFF}" : ""
            text += pick(Self.declarations, sound: 6, &random) + pick(Self.miscellaneous, sound: 6, &random)
            text += pick(Self.types, sound: 5, &random) + pick(Self.miscellaneous, sound: 6, &random) + "<r>"
            for _ in 0..<random.below(4) { text += pick(Self.contents, sound: 22, &random) }
            text +=
                "</r>" + pick(Self.miscellaneous, sound: 6, &random)
                + random.pick(["", "", "", "", "", "", "<r/>", "x"])
            let isWhole = (try? MockapiXMLText.XMLDocument(parsing: Array(text.utf8))) != nil
            whole += isWhole ? 1 : 0
            #expect((Self.flaw(text) == nil) == isWhole, "\(Self.flaw(text) ?? "no flaw"): \(text)")
        }
        #expect(whole > 300, "\(whole)")
    }

    // MARK: Names and references

    @Test func `a name is one by the grammar, with one colon at most`() {
        let signs = ["a", "Z", "_", "é", "0", "9", ":", ".", "-", "/", ";", "@", "[", "`", "{", " ", "$"]
        let grammar = /[A-Za-z_é][A-Za-z_é0-9.\-]*(?::[A-Za-z_é0-9.\-]*)?/
        for first in signs {
            for second in [""] + signs {
                for third in [""] + signs {
                    for end in ["", "b", ":"] {
                        let text = first + second + third + end
                        let isName = text.wholeMatch(of: grammar) != nil
                        #expect(XMLProlog.isName(Array(text.utf8)) == isName, "\(text)")
                    }
                }
            }
        }
        #expect(!XMLProlog.isName([]) && !XMLProlog.isName("xmlns:".utf8) && XMLProlog.isName("xmlns:a".utf8))
        #expect(XMLProlog.isName("xmlns".utf8))
    }

    @Test func `a reference stands for a character that a text may have`() {
        let edges = [0, 9, 10, 13, 0x20, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFD, 0xFFFE, 0xFFFF, 0x1_0000, 0x10_FFFF]
        for value in Set(edges.flatMap { [$0 - 1, $0, $0 + 1] }) where value >= 0 {
            let isCharacter =
                [9, 10, 13].contains(value)
                || [0x20...0xD7FF, 0xE000...0xFFFD, 0x1_0000...0x10_FFFF].contains { $0.contains(value) }
            let hexadecimal = String(value, radix: 16)
            for digits in ["\(value)", "00\(value)", "x" + hexadecimal, "x" + hexadecimal.uppercased()] {
                #expect(XMLProlog.isCharacter(digits[...]) == isCharacter, "\(digits)")
            }
        }
        for digits in [
            "", "x", "+65", "-65", "x+41", "X41", "4G", "xg", " 65", "65 ", "4294967361", "6/5", "6:5", "x4:",
        ] {
            #expect(!XMLProlog.isCharacter(digits[...]), "\(digits)")
        }
    }

    @Test(arguments: [
        ("<r>&a b;</r>", "a & that begins no reference"), ("<r>&</r>", "a & that begins no reference"),
        ("<r>&#xD800;</r>", "the reference &#xD800; to no character"),
        ("<r>&no;</r>", "the entity &no; which is declared nowhere"), ("<r>a]]>b</r>", "]]> in a text"),
        ("<r a='<'/>", "a < in the attribute a"), ("<r a='1'b='2'/>", "no space in front of the attribute b"),
        ("<r a='1' a='2'/>", "the attribute a twice"), ("<r 1='1'/>", "the attribute 1, which is not a name"),
        ("<1r/>", "an element whose name begins with a sign or a digit"),
        ("<-r/>", "an element whose name begins with a sign or a digit"),
        ("<r$/>", "an element whose name has a sign that no name has"), ("<r></ r>", "a space in front of a name"),
        ("<!DOCTYPE r><r>&no;</r>", "the entity no, which a document type may declare"),
        ("<p:r/>", "the prefix p, which is declared nowhere"),
        ("<r p:a='1'/>", "the prefix p, which is declared nowhere"),
        ("<r>\u{1F}</r>", "a control character"), ("<r\u{1}/>", "a control character"),
        ("<!doctype r><r/>", "a <! that begins no document type"), ("<!-- a--b --><r/>", "-- in a comment"),
        ("<!-- a---><r/>", "-- in a comment"), ("<??><r/>", "an instruction without a name"),
        ("<?a:b c?><r/>", "an instruction without a name"),
        ("\n<?xml version='1.0'?><r/>", "a declaration that does not stand first"),
        ("<?XML version='1.0'?><r/>", "a declaration that does not stand first"),
        ("<?xml version='2.0'?><r/>", "XML of the version 2.0"),
        ("<?xml version='1.0' encoding='EBCDIC'?><r/>", "the encoding EBCDIC, in which it is not"),
        ("<?xml version='1.0' a='b'?><r/>", "a declaration with a"), ("<?xml?><r/>", "a malformed declaration"),
        ("<?xml version='1.0' standalone='1'?><r/>", "a malformed declaration"), ("<r>", "not XML"),
        ("x<r/>", "not XML"),
        ("<r/><r/>", "not XML"), ("<![CDATA[a]]><r/>", "not XML"), ("<r/><!DOCTYPE r>", "not XML"),
    ]) func `a flaw has words of its own`(text: String, expected: String) {
        #expect(Self.flaw(text) == expected)
    }

    @Test func `elements within each other are read to 256 levels`() {
        for (depth, isRead) in [(256, true), (257, false)] {
            let text = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
            #expect((Self.flaw(text) == nil) == isRead)
        }
    }
}
