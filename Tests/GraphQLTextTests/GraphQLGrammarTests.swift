// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiGraphQLText
import MockapiTestSupport
import Testing

/// What the grammar of GraphQL allows and refuses, byte by byte, and where a mistake is.
@Suite(.supervised) struct GraphQLGrammarTests {
    @Test func `each byte stands where it may in a document, a name, a number and a string`() {
        func isRead(_ text: String) -> Bool { (try? GraphQLDocument(parsing: text)) != nil }
        for value in UInt8(0)..<0x80 {
            let sign = String(Unicode.Scalar(value))
            let isLetter = sign.wholeMatch(of: /[A-Za-z_]/) != nil
            let isDigit = sign.wholeMatch(of: /[0-9]/) != nil
            let isIgnored = " \t\n\r,".unicodeScalars.contains(Unicode.Scalar(value))
            #expect(isRead("{\(sign)x}") == (isLetter || isIgnored), "\(value)")
            #expect(
                isRead("{a\(sign)x}") == (isLetter || isDigit || isIgnored || sign == ":" || sign == "@"), "\(value)")
            #expect(isRead("{a(x: 1\(sign))}") == (isDigit || isIgnored), "\(value)")
            #expect(
                isRead("{a(x: \"\(sign)\")}") == (value >= 0x20 && sign != "\"" && sign != "\\" || sign == "\t"),
                "\(value)")
            #expect(isRead("{a(x: \"\"\"\(sign)b\"\"\")}") == (value >= 0x20 || isIgnored), "\(value)")
            #expect(isRead("{a(x: \"\\\(sign)\")}") == "bfnrt/\\\"".contains(sign), "\(value)")
            #expect(isRead("{a(x: \"\\u00\(sign)a\")}") == (sign.wholeMatch(of: /[0-9A-Fa-f]/) != nil), "\(value)")
        }
    }

    @Test(arguments: [
        ("0", true), ("-0", true), ("10", true), ("-1", true), ("0.0", true), ("1.50", true), ("1e5", true),
        ("1E5", true),
        ("1e+5", true), ("1e-05", true), ("-1.5e3", true), ("0e0", true), ("-", false), ("+1", false), ("00", false),
        ("-01", false), (".5", false), ("1.", false), ("1.e1", false), ("1e", false), ("1e+", false), ("1.5.1", false),
        ("1..2", false), ("1_0", false), ("0x1", false), ("1e5e", false), ("1e5.0", false), ("--1", false),
        ("1-", false),
        ("12345678901234567890123", true),
    ])
    func `numbers are what the grammar says`(number: String, isNumber: Bool) {
        #expect(((try? GraphQLDocument(parsing: "{a(x: \(number))}")) != nil) == isNumber)
    }

    /// A block string, and the value of it.
    @Test(arguments: [
        ("", ""), ("a", "a"), (" a ", " a "), ("\n a\n  b", "a\n b"), ("a\n  b\n c", "a\n b\nc"),
        ("\n\n  a\n\n\n", "a"),
        ("  \n\t\n  a\n \n  b", "a\n\nb"), ("\n\ta\n  b", "a\n b"), ("\ra\r\n b\rc", "a\n b\nc"),
        ("\n    a\n\n    b\n  ", "a\n\nb"),
        ("   ", ""), ("\n   a\n  \n  b", " a\n\nb"), (#"\""" "" x"#, #"""" "" x"#), ("\\n", "\\n"),
        ("\n  a\n      \n  b", "a\n    \nb"),
        ("  a\n  b", "  a\nb"), ("a\r\n\r\nb", "a\n\nb"), ("a\n\r\nb", "a\n\nb"), ("a\r", "a"),
    ])
    func `a block string stands for its lines without the space that they share`(block: String, value: String) throws {
        let escaped = value.map { ["\"": "\\\"", "\n": "\\n", "\\": "\\\\"][String($0)] ?? String($0) }.joined()
        #expect(
            try GraphQLDocument(parsing: "{a(x: \"\"\"\(block)\"\"\")}")
                == GraphQLDocument(parsing: "{a(x: \"\(escaped)\")}"))
    }

    @Test(arguments: [
        ("[", "{a(x: ", "1", "]", ")}", 199), ("{f:", "{a(x: ", "1", "}", ")}", 199), ("{a", "", "", "}", "", 200),
        ("...{", "{", "a", "}", "}", 199), ("[", "query($a: ", "T", "]", ") {a}", 200),
        ("(", "type A ", "a", ")", "", 200),
        ("{", "type A ", "", "}", "", 200), ("[", "type A {x:", "T", "]", "}", 199),
    ])
    func `parts nest 200 deep and no deeper`(
        open: String, before: String, inner: String, close: String, behind: String, most: Int
    ) {
        func message(_ depth: Int) -> String? {
            let text =
                before + String(repeating: open, count: depth) + inner + String(repeating: close, count: depth) + behind
            do throws(GraphQLError) {
                _ = try GraphQLDocument(parsing: text)
                return nil
            } catch {
                return error.message
            }
        }
        #expect(message(most) == nil && message(most + 1) == "more than 200 levels within each other")
    }

    @Test func `what is closed is not within what comes behind it`() throws {
        let many = String(repeating: "[1] {f: [1]} ", count: 300)
        let types = String(repeating: "$a: [[T]] ", count: 300)
        let selections = String(repeating: "a {b} ", count: 300)
        #expect(throws: Never.self) { try GraphQLDocument(parsing: "query(\(types)) {a(x: [\(many)]) \(selections)}") }
    }

    @Test func `a document has 256 KiB and no more`() {
        func document(_ bytes: Int) -> String { "{a #" + String(repeating: "x", count: bytes - 6) + "\n}" }
        #expect(throws: Never.self) { try GraphQLDocument(parsing: document(262_144)) }
        #expect(throws: GraphQLError(line: 1, column: 262_145, message: "the document is longer than 262144 bytes")) {
            try GraphQLDocument(parsing: "{a}" + String(repeating: " ", count: 262_142))
        }
    }

    @Test(arguments: [
        ("{\r\r\na\n\n ;", 5, 2, "';' cannot stand here"),
        ("{\r", 2, 1, "expected a field, found the end of the document"),
        ("{\r\n", 2, 1, "expected a field, found the end of the document"),
        ("{a\r;", 2, 1, "';' cannot stand here"),
        ("{a\n\r;", 3, 1, "';' cannot stand here"), ("{\u{1}", 1, 2, "U+1 cannot stand here"),
        ("{ \u{7F}", 1, 3, "U+7F cannot stand here"),
        ("{\u{A0}", 1, 2, "'\u{A0}' cannot stand here"), ("{😀", 1, 2, "'😀' cannot stand here"),
        ("{a(x: 1\u{1})}", 1, 8, "U+1 cannot stand here"),
        ("{a(x: 1.5.)}", 1, 10, "'.' right behind a number"), ("{a(x: 0_)}", 1, 8, "'_' right behind a number"),
        ("{a(x: -)}", 1, 7, "a number without digits"), ("{a(x: 1e)}", 1, 7, "a number without digits"),
        (#"{a(x: "\ud83d\ud83d")}"#, 1, 8, "half a surrogate pair"),
        (#"{a(x: "\ud83dx")}"#, 1, 8, "half a surrogate pair"),
        (#"{a(x: "\udc00")}"#, 1, 8, "half a surrogate pair"),
        (#"{a(x: "\u12")}"#, 1, 8, "expected four hexadecimal digits"),
        (#"{a(x: "\ud83d\u12")}"#, 1, 8, "expected four hexadecimal digits"),
        ("{a(x: \"\\u000é\")}", 1, 8, "expected four hexadecimal digits"),
        (#"{a(x: "\"#, 1, 8, "a string that does not end"), (#"{a(x: "a\""#, 1, 7, "a string that does not end"),
        ("{a(x: \"a\rb\")}", 1, 7, "a string that does not end in its line"),
        ("{a(x: \"a\u{2}\")}", 1, 9, "a control character in a string"),
        (#"{a(x: """a""#, 1, 7, "a block string that does not end"),
        (#"{a(x: """a\""")}"#, 1, 7, "a block string that does not end"),
        ("{a(x: \"\"\"a\u{2}\"\"\")}", 1, 11, "a control character in a string"),
        ("{a:}", 1, 4, "expected a field, found '}'"), ("{a(x 1)}", 1, 6, "expected ':', found a number"),
        ("{a(x: :)}", 1, 7, "expected a value, found ':'"),
        ("{a(x: 1", 1, 8, "expected an argument's name, found the end of the document"),
        ("{a(x: {1: 2})}", 1, 8, "expected a field's name, found a number"),
        ("{a(x: {a 2})}", 1, 10, "expected ':', found a number"),
        ("{a(x: $1)}", 1, 8, "expected a variable's name, found a number"),
        ("{a @1}", 1, 5, "expected a directive's name, found a number"),
        ("{... on}", 1, 8, "expected a type, found '}'"),
        ("{...\"a\"}", 1, 5, "expected '{', found a string"), ("{... on T}", 1, 10, "expected '{', found '}'"),
        ("{a ...}", 1, 7, "expected '{', found '}'"),
        ("query($a Int) {a}", 1, 10, "expected ':', found 'Int'"),
        ("query($a: [Int) {a}", 1, 15, "expected ']', found ')'"),
        ("query($a: ) {a}", 1, 11, "expected a type, found ')'"), ("query() {a}", 1, 7, "expected '$', found ')'"),
        ("query($a: T @d(x: $b)) {a}", 1, 19, "a variable cannot stand in a default value"),
        ("query($a: T = [{x: $b}]) {a}", 1, 20, "a variable cannot stand in a default value"),
        ("{a(x: ...)}", 1, 7, "expected a value, found '...'"),
        ("fragment 1 on T {a}", 1, 10, "expected a fragment's name, found a number"),
        ("a {b}", 1, 1, "expected a query, a mutation, a subscription or a fragment, found 'a'"),
        ("type A { x: (]", 1, 14, "']' without its opening bracket"),
        ("type A [", 1, 9, "expected ']', found the end of the document"),
        ("type \"a\"", 1, 6, "expected what is defined, found a string"),
        ("schema", 1, 7, "expected what is defined, found the end of the document"),
        ("\"a\" query {a}", 1, 5, "expected a definition of a type, found 'query'"),
    ])
    func `a mistake is named where it stands`(text: String, line: Int, column: Int, message: String) {
        do throws(GraphQLError) {
            _ = try GraphQLDocument(parsing: text)
            Issue.record("it was read")
        } catch {
            #expect(error == GraphQLError(line: line, column: column, message: message))
        }
    }

    @Test func `definitions of types end where the next begins`() throws {
        for (text, count) in [
            ("type A { x: Int } query { a }", 2), ("scalar A fragment F on T { a }", 2),
            ("scalar A subscription { a }", 2),
            ("scalar A mutation { a }", 2), ("scalar A \"about\" scalar B", 2), ("scalar type scalar B", 2),
            ("extend schema @a type B", 2),
            ("type query { type: Int }", 1), ("type A { x(type: Int, query: [fragment]): T } enum B { a }", 2),
            ("union U = A | B", 1),
        ] {
            #expect(try GraphQLDocument(parsing: text).normalizedText.split(separator: "\n").count == count, "\(text)")
        }
    }
}
