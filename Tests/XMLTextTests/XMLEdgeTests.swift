// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import MockapiXMLText
import Testing

/// Expressions and documents at the edge of what there may be.
@Suite(.supervised) struct XMLEdgeTests {
    private static func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    private func value(_ expression: String, _ document: String = "<a/>") throws -> XPathResult {
        try XPath(parsing: expression).evaluate(try XMLDocument(parsing: document))
    }

    @Test func `a number is written with all of its digits, and read again`() throws {
        var random = SplitMix(seed: 8)
        for _ in 0..<400 {
            var digits = (0..<Int.random(in: 1...15, using: &random)).map { _ in
                "\(Int.random(in: 0...9, using: &random))"
            }.joined()
            digits =
                "\(Int.random(in: 1...9, using: &random))" + digits.dropFirst(2)
                + "\(Int.random(in: 1...9, using: &random))"
            let point = Int.random(in: -12...30, using: &random)
            let text =
                point <= 0
                ? "0." + Self.times("0", -point) + digits
                : point >= digits.utf8.count
                    ? digits + Self.times("0", point - digits.utf8.count)
                    : digits.prefix(point) + "." + digits.dropFirst(point)
            // Of a whole number below 2⁶³ all digits are written, also those that the literal does not have.
            if !(16...19).contains(text.utf8.count) || text.contains(".") {
                #expect(try value("string(\(text))") == .string(text))
                #expect(try value("string(-\(text))") == .string("-" + text))
            }
            #expect(try value("number('\(text)')") == .number(Double(text) ?? .nan))
            #expect(try value("number(' -\(text)\n')") == .number(-(Double(text) ?? .nan)))
        }
        for (text, number) in [
            (".5", 0.5), ("-.5", -0.5), ("5.", 5), ("-5.", -5), ("\t5\r", 5), ("00.50", 0.5), ("-0", 0), ("0", 0),
            ("9007199254740993", 9_007_199_254_740_992),
        ] { #expect(try value("number('\(text)')") == .number(number), "\(text)") }
        for text in [
            "", " ", "-", ".", "-.", "+1", "1e3", "1.2.3", "--1", "1-", "- 1", "0x1", "1,0", "/", ":", "NaN",
            "Infinity", "\u{B}5", "\u{C}5", "5\u{A0}", "1 2",
        ] {
            guard
                case .number(let number) = try XPath(parsing: "number('\(text)')").evaluate(
                    try XMLDocument(parsing: "<a/>"))
            else {
                Issue.record("no number")
                continue
            }
            #expect(number.isNaN, "\(text.debugDescription)")
        }
        for (expression, text) in [
            ("0 div 0", "NaN"), ("1 div 0", "Infinity"), ("-1 div 0", "-Infinity"), ("-0", "0"), ("3 - 3", "0"),
        ] {
            #expect(try value("string(\(expression))") == .string(text))
            #expect(try XPath(parsing: expression).texts(try XMLDocument(parsing: "<a/>")) == [text])
        }
    }

    @Test func `each byte stands where it may in an expression`() {
        func isRead(_ text: String) -> Bool { xpathFailure(text) == nil }
        for value in UInt8(0)..<0x80 {
            let sign = String(Unicode.Scalar(value))
            let isLetter = sign.wholeMatch(of: /[A-Za-z_]/) != nil
            let isDigit = sign.wholeMatch(of: /[0-9]/) != nil
            #expect(isRead("a\(sign)b") == (isLetter || isDigit || "-.*+|/=<>:".contains(sign)), "a\(sign)b")
            #expect(isRead("\(sign)") == (isLetter || isDigit || "*./".contains(sign)), "\(value)")
            #expect(isRead("1\(sign)") == (isDigit || sign == "." || value <= 0x20), "1\(sign)")
            #expect(isRead("1\(sign)1") == (isDigit || "+-*=<>.|".contains(sign)), "1\(sign)1")
            #expect(isRead("'\(sign)'") == (sign != "'"), "'\(sign)'")
        }
        #expect(isRead("é") && isRead("aé") && isRead("a:é") && isRead("\u{80}") && isRead("a\u{B7}"))
    }

    @Test(arguments: [
        "1.5", ".5", "5.", "a:b", "a:*", "@a:*", "a::b", "a:", ":a", "a: b", "child::a", "child ::a", "child:: a",
        "child::*", "child::a:*",
        "and", "or and or", "div div div", "* * *", "mod mod mod", "a and", "a or b and c", "not(a)", "not (a)",
        "node()", "node( )", "text(1)",
        "comment()", "processing-instruction('x')", "processing-instruction(x)", "processing-instruction()",
        "self::node()", "node", "a()", "true()",
        "true(1)", "count(a)", "count(a, b)", "concat(a)", "concat(a, b)", "concat(a, b, c, d)", "substring(a)",
        "substring(a, 1)", "substring(a, 1, 2)",
        "substring(a, 1, 2, 3)", "translate(a, b)", "last()", "last(1)", "lang()", "id()", "string()", "string(a, b)",
        "a[1]", "a[1", "a]", "a[]", "a[1][2]",
        "(a)", "(a", "a)", "()", "(a)[1]/b", "(a)//b", "(a)/", "/", "//", "//a", "/a/", "a//", "a//b", "a/b/", "..",
        ".", "./..", "...", "../a", ".a", "@a", "@", "@@a",
        "@a/b", "a/@b", "a/.", "a|b", "a|", "|a", "a = b", "a == b", "a != b", "a ! b", "a <= b", "a =< b", "a < b > c",
        "--a", "- - a", "-", "a--b", "a - b", "a -b",
        "a-b", "1 -1", "1-", "$a", "\"a\"", "\"a'b\"", "\"a", "''", "a 'b'", "1 2", "a b", "a,b", "ancestor-or-self::a",
        "following-sibling::a", "namespace::a", "x::a",
        "a::", "::a", "@child::a", "attribute::a", "self::.", "child::@a", "a/(b)", "a.b", "a-1", "a1", "1a", "_a",
        "-a", "a[b[c[1]]]", "1 div 2 mod 3", "1 div", "mod",
        "a mod b", "amod b", "2mod 2", "a*b", "a**", "***", "/*", "/ * 2", "/ = 1", "/ | a", "p:f()", "p:node()",
        "text()/a", "text()[1]", "a/text()", "//@*", "//.", "//..",
    ])
    func `an expression is read, or refused, as the grammar says`(text: String) throws {
        // What XPath 1.0 §2 and §3 have no derivation for.
        let refused: Set<String> = [
            "a::b", "a:", ":a", "a: b", "a and", "text(1)", "processing-instruction(x)", "a()", "true(1)",
            "count(a, b)", "concat(a)", "substring(a)",
            "substring(a, 1, 2, 3)", "translate(a, b)", "last(1)", "lang()", "id()", "string(a, b)", "a[1", "a]", "a[]",
            "(a", "a)", "()", "(a)/", "//", "/a/", "a//",
            "a/b/", "...", ".a", "@", "@@a", "a|", "|a", "a == b", "a ! b", "a =< b", "-", "1-", "$a", "\"a", "a 'b'",
            "1 2", "a b", "a,b", "namespace::a", "x::a", "a::",
            "::a", "@child::a", "self::.", "child::@a", "a/(b)", "1a", "1 div", "amod b", "/ * 2", "p:f()", "p:node()",
        ]
        #expect((xpathFailure(text) != nil) == refused.contains(text))
    }

    @Test(arguments: [
        ("concat(1)", "concat() takes 2 or more arguments, not 1, at byte 0"),
        ("substring(1)", "substring() takes 2 or 3 arguments, not 1, at byte 0"),
        ("1 + name(1, 2)", "name() takes 0 or 1 arguments, not 2, at byte 4"),
        ("true(1)", "true() takes 0 arguments, not 1, at byte 0"),
        ("a/ b[", "the expression ends too soon, at byte 4"), ("a + )", "a step of a path is expected, at byte 4"),
        ("p:f()", "there is no function p:f(), at byte 0"),
        ("a/x()", "there is no test x(), at byte 2"), ("text(1)", "')' is expected, at byte 5"),
        ("a[1 2", "']' is expected, at byte 4"), ("\u{A0}€ \\", "a character that no expression has here, at byte 6"),
    ])
    func `a mistake is at its byte`(text: String, message: String) { #expect(xpathFailure(text) == message) }

    @Test func `an expression has as many parts as it may`() {
        func nested(_ depth: Int) -> String { Self.times("(", depth - 1) + "1" + Self.times(")", depth - 1) }
        #expect(xpathFailure(nested(32)) == nil && xpathFailure(nested(33)) != nil)
        for (left, middle) in [
            ("1", "+1"), ("1", "*1"), ("1", " and 1"), ("1", " or 1"), ("1", "=1"), ("1", "<1"), ("a", "|a"),
            ("1", " div 1"), ("1", ">=1"), ("1", "!=1"), ("1", "-1"),
        ] {
            #expect(xpathFailure(left + Self.times(middle, 256)) == nil, "\(middle)")
            #expect(
                xpathFailure(left + Self.times(middle, 257))?.hasPrefix("more than 256 operators") == true, "\(middle)")
        }
        #expect(xpathFailure(Self.times("a", 16_384)) == nil && xpathFailure(Self.times("a", 16_385)) != nil)
        // What is closed is not within what comes behind it.
        #expect(xpathFailure("concat(" + Self.times("(1), ", 100) + "1)") == nil)
    }

    @Test func `axes from an attribute, from the document and across texts are those of the data model`() throws {
        let text = "<?x?><r><a i='1' j='2'>t<b/>u<![CDATA[v]]>w</a><c/></r><!--z-->"
        for (path, count) in [
            ("//@i/following::node()", 5), ("//@i/preceding::node()", 1), ("//@j/following-sibling::*", 0),
            ("//@j/preceding-sibling::node()", 0),
            ("//@i/..", 1), ("//@i/ancestor::node()", 3), ("//@i/ancestor-or-self::node()", 4),
            ("//@i/descendant-or-self::node()", 1), ("//@i/child::node()", 0),
            ("/..", 0), ("/preceding::node()", 0), ("/following::node()", 0), ("/following-sibling::node()", 0),
            ("/self::node()", 1), ("/ancestor-or-self::node()", 1),
            ("//a/text()", 2), ("//a/node()", 3), ("//b/following::text()", 1), ("//c/preceding::text()", 2),
            ("//c/preceding::node()", 5), ("//b/preceding::node()", 2),
            ("/node()", 3), ("/descendant::node()", 8), ("//@*", 2), ("//@node()", 2), ("//@text()", 0),
            ("//text()[2]", 1), ("//text()[. = 'uvw']", 1), ("//b/following-sibling::node()[1]", 1),
        ] {
            guard case .nodes(let nodes) = try value(path, text) else {
                Issue.record("no nodes")
                continue
            }
            #expect(nodes.count == count, "\(path)")
        }
        #expect(try value("string(//a/text()[2])", text) == .string("uvw"))
        // What is asked from within a text is asked of all of it.
        #expect(try value("string(//text()[. = 't']/following::text())", text) == .string("uvw"))
        #expect(try value("count(//text()[. = 'uvw']/following::node())", text) == .number(2))
    }

    @Test func `names are compared as they are written where no namespaces are given`() throws {
        let text = "<p:a xmlns:p='u' xmlns='v' p:i='1'><b i='2'/><q:b xmlns:q='u'/></p:a>"
        for (path, count) in [
            ("//a", 1), ("//p:a", 1), ("//q:a", 0), ("//p:*", 1), ("//q:*", 1), ("//b", 2), ("//q:b", 1), ("//p:b", 0),
            ("//@i", 2), ("//@p:i", 1), ("//@p:*", 1), ("//*", 3), ("//@*", 2),
            ("//xml:a", 0), ("//*[name() = 'p:a']", 1), ("//*[local-name() = 'b']", 2),
            ("//*[namespace-uri() = 'u']", 2), ("//*[name(@i) = 'p:i']", 1), ("//*[name(zz) = '']", 3),
        ] { #expect(try value("count(\(path))", text) == .number(Double(count)), "\(path)") }
        let given = ["p": "v"]
        for (path, count) in [
            ("//p:b", 1), ("//b", 0), ("//*", 3), ("//p:*", 1), ("//@i", 1), ("//@*", 2), ("//@xml:i", 0),
        ] {
            let found = try XPath(parsing: "count(\(path))", namespaces: given).evaluate(try XMLDocument(parsing: text))
            #expect(found == .number(Double(count)), "\(path)")
        }
    }

    @Test func `what is found is present, unless it is empty`() throws {
        for (expression, isPresent) in [
            ("/a", true), ("/b", false), ("'x'", true), ("''", false), ("1", true), ("0", false), ("0 div 0", false),
            ("-1", true), ("true()", true), ("false()", false),
        ] {
            #expect(try value(expression).isPresent == isPresent, "\(expression)")
            #expect(try value("boolean(\(expression))") == .boolean(isPresent), "\(expression)")
        }
    }

    // MARK: Documents

    @Test func `an encoding is looked for in a declaration of its usual length, and refused unless it is known`() {
        func refusal(_ declaration: String) -> Bool {
            failure(Array((declaration + "<a/>").utf8))?.contains("is not supported") == true
        }
        for name in ["UTF-7", "UTF-32", "EBCDIC-CP-US", "ISO-2022-JP", "iso_8859-1", "shift_jis", "windows-1251"] {
            #expect(refusal("<?xml version='1.0' encoding='\(name)'?>"), "\(name)")
            #expect(refusal("<?xml version=\"1.0\" encoding = \"\(name)\" standalone='yes'?>"), "\(name)")
        }
        for name in ["UTF-8", "utf8", "US-ASCII", "ascii", "ISO-8859-1", "iso-8859-15", "windows-1252", "CP1252"] {
            #expect(!refusal("<?xml version='1.0' encoding='\(name)'?>"), "\(name)")
        }
        // Without a name, without an end, and outside of a declaration.
        for declaration in [
            "<?xml version='1.0' encoding=UTF-7?>", "<?xml version='1.0' encoding='UTF-7?>",
            "<?xml version='1.0' encoding=", "<!-- encoding='UTF-7' -->", "<?xml version='1.0'?><?x encoding='UTF-7'?>",
            "<?xml version='1.0' encoding",
        ] {
            #expect(!refusal(declaration), "\(declaration)")
        }
    }

    @Test func `no encoding hides a document type: none behind a long declaration, and none that zeros show`() throws {
        // In UTF-7, where `+ADw-` is `<`.
        let hidden = "+ADwAIQ-DOCTYPE a +AFsAPAAh-ENTITY x '1'+AD4AXQA+-+ADw-a+AD4AJg-x+ADsAPA-/a+AD4-"
        func declaration(_ bytes: Int, _ encoding: String) -> String {
            let start = "<?xml version='1.0' encoding='\(encoding)'"
            return start + Self.times(" ", bytes - start.utf8.count - 2) + "?>"
        }
        for bytes in [50, 511, 512, 513, 514, 600, 5000] {
            let isLong = bytes > 512
            let message = failure(Array((declaration(bytes, "UTF-7") + hidden).utf8))
            #expect(message?.contains(isLong ? "longer than 512 bytes" : "is not supported") == true, "\(bytes)")
            #expect((failure(Array((declaration(bytes, "UTF-8") + "<a/>").utf8)) != nil) == isLong, "\(bytes)")
            #expect(((try? XMLDocument(parsing: declaration(bytes, "UTF-7") + "<a/>")) == nil) == isLong, "\(bytes)")
        }
        for padding in [0, 600] {
            let style = "<?xml-stylesheet href='data:\(Self.times("x", padding))' encoding='UTF-7'?><a/>"
            #expect(failure(Array(style.utf8)) == nil)
        }
        #expect(failure("<?xml version='1.0' encoding='UTF-7'")?.contains("is not supported") == false)
        let wide = "<!DOCTYPE a [<!ENTITY x '1'>]><a>&x;</a>".utf8.flatMap { byte -> [UInt8] in [0, 0, 0, byte] }
        #expect(failure(wide) == "line 1, column 1: the document does not begin with '<'")
        #expect(failure([0, 0, 0x3C, 0]) == "line 1, column 1: the document does not begin with '<'")
    }

    @Test(
        arguments: [
            ("x<a/>", "line 1, column 1: the document does not begin with '<'"),
            ("<a/><b/>", "line 1, column 5: Extra content at the end of the document"),
            ("<a i='1' i='2'/>", "line 1, column 15: Attribute i redefined"), ("   ", nil),
        ] as [(String, String?)])
    func `a mistake has its line and column`(text: String, message: String?) {
        let found = failure(text)
        #expect(message == nil ? found != nil : found == message)
    }

    @Test func `tags are told from what looks like tags`() throws {
        let most = (0..<1000).map { "a\($0)='>'" }.joined(separator: " ")
        for inner in [
            "<!-- <b \(most) x='1'> -->", "<![CDATA[<b \(most) x='1'>]]>", "<?p <b \(most) x='1'> ?>", "<?x?>",
            "<b \(most)/><b \(most)/>", "\(most) '",
        ] {
            let text = "<r>\(inner)</r>"
            #expect(throws: Never.self, "\(inner.prefix(20))") { try XMLDocument(parsing: text) }
        }
        for before in [
            "", "<!-- a -->", "<?p?>", "<![CDATA[<]]>", "<b/>", "<b></b>", "'", "\"", "<!---->", "<b i='&lt;!--'/>",
        ] {
            let text = "<r>\(before)<b \(most) x=\"1\"/></r>"
            #expect(failure(text)?.hasSuffix("more than 1000 attributes of one element") == true, "\(before)")
        }
        func typed(_ count: Int) -> String {
            "<!DOCTYPE a [<!ATTLIST a " + (0..<count).map { "a\($0) CDATA '1'" }.joined(separator: " ") + ">]><a/>"
        }
        #expect(
            failure(typed(1000)) == nil
                && failure(typed(1001)) == "line 1, column 1: a document type with more than 1000 texts is not accepted"
        )
    }

    @Test func `a document is read behind any prolog`() throws {
        for prolog in [
            "<!DOCTYPE a>", "<!DOCTYPE a [ ]>", "<!DOCTYPE a [<!-- > ]> <!ENTITY x '1'> -->]>",
            "<!DOCTYPE a [<?p ]> <!ENTITY x '1'> ?>]>", "<!DOCTYPE a SYSTEM \"]>[<!ENTITY x '1'>\">",
            "<!--<!DOCTYPE a [<!ENTITY x '1'>]>-->", "<?p <!DOCTYPE a [<!ENTITY x '1'>]> ?>",
            "<!DOCTYPE a [<!ENTITY x SYSTEM \"y\"> <!ENTITY % z PUBLIC 'p' \"y\">]>",
            "<!DOCTYPE a [<!ENTITY  %  z\n SYSTEM 'y' >]>", "<!---->", "<?p?>",
        ] { #expect(try XMLDocument(parsing: prolog + "<a>1</a>").text(of: 0) == "1", "\(prolog)") }
        for prolog in [
            "<!DOCTYPE a [<!-- --> <!ENTITY x '1'>]>", "<!DOCTYPE a [<?p?><!ENTITY x '1'>]>",
            "<!DOCTYPE a [<!ATTLIST a i CDATA \"\"><!ENTITY x '1'>]>", "<!DOCTYPE a SYSTEM '>' [<!ENTITY x '1'>]>",
            "<!DOCTYPE a [<!ELEMENT a ANY><!ENTITY x\t\"1\">]>", "<!DOCTYPE a [<!ENTITY % x '1'>]>",
            "<!DOCTYPE a [<!ENTITY SYSTEM '1'>]>", "<!--a--><?b?>  <!DOCTYPE a [<!ENTITY x '1'>]>",
            "<!DOCTYPE a [<!ENTITY x SYSTEM 'y'><!ENTITY z '1'>]>",
        ] {
            #expect(
                failure(prolog + "<a>1</a>")?.hasSuffix("entities with a text is not accepted") == true, "\(prolog)")
        }
    }

    @Test func `UTF-16 is told by its mark or by its zeros`() throws {
        func units(_ text: String, isBig: Bool) -> [UInt8] {
            text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        }
        for isBig in [true, false] {
            for mark in [[], isBig ? [0xFE, 0xFF] : [0xFF, 0xFE]] as [[UInt8]] {
                for count in [0, 1, 2038, 2039, 2040, 2041, 2042, 2043, 2044, 2045, 2046, 2047, 2048, 4100] {
                    let text = Self.times("x", count) + "😀é" + Self.times("😀", 10)
                    let document = try XMLDocument(
                        parsing: mark + units("<a>\(text)</a>", isBig: isBig), meter: Meter(.max))
                    #expect(document.text(of: 0) == text, "\(isBig) \(mark) \(count)")
                }
            }
        }
        // Half a unit at the end does not count.
        #expect(try XMLDocument(parsing: units("<a/>", isBig: false) + [0x20]).nodes.count == 2)
        for bytes in [[0xFE], [0xFF], [0x3C], [0xFE, 0x3C], [0xFF, 0x3C], [0, 0], [0, 0x3C]] as [[UInt8]] {
            #expect(failure(bytes) != nil)
        }
    }
}
