// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiGraphQLText
import MockapiTestSupport
import Testing

/// Which documents ask for the same, and what is none.
@Suite(.supervised) struct GraphQLDocumentTests {
    @Test(arguments: [
        ("{ a b }", "{b,a}"), ("{ a }", "query { a }"), ("{ a }", "\u{FEFF}{\r\n\ta # why\r}\n"),
        ("{ a(x: 1, y: 2) }", "{ a(y:2 x:1) }"), ("{ a(o: {x: 1, y: [1, 2]}) }", "{ a(o: {y: [1 2] x: 1}) }"),
        (#"{ a(s: "q\u0022\n") }"#, #"{ a(s: "q\"\u000A") }"#),
        (#"{ a(s: "x\n  y") }"#, "{ a(s: \"\"\"\n\n    x\n      y\n    \n\"\"\") }"),
        (#"{ a(s: "\"\"\"") }"#, #"{ a(s: """\"""""") }"#), (#"{ a(s: "\ud83d\ude00") }"#, "{ a(s: \"😀\") }"),
        ("query Q($a: Int, $b: [ID!]! = [1]) { f }", "query Q($b:[ID!]!=[1],$a:Int){f}"),
        ("query Q { ...F } fragment F on T { a b }", "fragment F on T { b a } query Q { ...F }"),
        ("{ a @x @y(b: 1, a: 2) }", "{ a @y(a: 2, b: 1) @x }"),
        ("{ ... on T { a } ... @include(if: $v) { b } }", "{...@include(if:$v){b}...on T{a}}"),
        ("type A { x: Int, y: [Int!] }", "type A {\n  x : Int\n  y : [ Int! ]\n}"),
    ])
    func `documents that ask for the same are equal`(left: String, right: String) throws {
        let (first, second) = (try GraphQLDocument(parsing: left), try GraphQLDocument(parsing: right))
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
    }

    @Test(arguments: [
        ("{ a }", "{ b }"), ("{ a }", "mutation { a }"), ("{ a }", "query Q { a }"), ("{ a }", "{ a: a }"),
        ("{ a(x: 1) }", "{ a(x: 2) }"),
        ("{ a(x: 1) }", "{ a(x: 1.0) }"), ("{ a(x: \"1\") }", "{ a(x: 1) }"), ("{ a(x: [1, 2]) }", "{ a(x: [2, 1]) }"),
        ("{ a(x: E) }", "{ a(x: \"E\") }"), ("{ a(x: null) }", "{ a }"), ("{ a { b } }", "{ a b }"),
        ("{ a { b c } }", "{ a { b } c }"),
        ("{ ...F }", "{ ... on F { a } }"), ("{ a @x }", "{ a }"), ("query($a: Int) { a }", "query($a: Int!) { a }"),
        ("{ a(s: \"x y\") }", "{ a(s: \"x  y\") }"), ("{ ab }", "{ a b }"), ("{ a a }", "{ a }"),
        ("type A { x: Int }", "type A { y: Int }"),
        ("{ a(s: \"é\") }", "{ a(s: \"e\u{301}\") }"),
    ])
    func `documents that ask for something else differ`(left: String, right: String) throws {
        #expect(try GraphQLDocument(parsing: left) != GraphQLDocument(parsing: right))
    }

    @Test func `operations are told by name`() throws {
        let text = "query A { a } mutation B { b } { c } subscription C { d } fragment F on T { e } type Q { f: Int }"
        #expect(try GraphQLDocument(parsing: text).operationNames == ["A", "B", "C"])
    }

    @Test func `words are no keywords where they are names`() throws {
        let text =
            "query query($on: Int) { query(fragment: true, type: on) on: null fragment { mutation } } fragment type on on { type }"
        let document = try GraphQLDocument(parsing: text)
        #expect(document.operationNames == ["query"])
    }

    @Test(arguments: [
        "\"a schema\" schema { query: Q } extend schema @d { mutation: M }", "scalar Date @specifiedBy(url: \"u\")",
        "\"\"\"\nwhat it is\n\"\"\"\ntype A implements B & C @k(fields: \"id\") { \"f\" a(x: Int = 1): [A!]! @deprecated }",
        "union U = | A | B enum E { A B } input I { a: Int = 1 } directive @d(a: Int) repeatable on FIELD | QUERY",
    ])
    func `definitions of types are read`(text: String) throws {
        #expect(try GraphQLDocument(parsing: text) == GraphQLDocument(parsing: text + "\n"))
    }

    @Test(arguments: [
        ("", 1, 1, "the document is empty"), ("# only\n", 2, 1, "the document is empty"),
        ("{", 1, 2, "expected a field, found the end of the document"), ("{}", 1, 2, "expected a field, found '}'"),
        ("{ a }\n}", 2, 1, "expected a query, a mutation, a subscription or a fragment, found '}'"),
        ("{\r\n  a(\r\n  )\r\n}", 3, 3, "expected an argument's name, found ')'"),
        ("{ a(x: .) }", 1, 8, "'.' is not a sign; '...' spreads a fragment"),
        ("{ a(x: 01) }", 1, 8, "a number with a zero in front"), ("{ a(x: 1a) }", 1, 9, "'a' right behind a number"),
        ("{ a(x: 1.) }", 1, 8, "a number without digits"), ("{ a(x: \"b) }", 1, 8, "a string that does not end"),
        ("{ a(x: \"b\n\") }", 1, 8, "a string that does not end in its line"),
        ("{ a(x: \"\"\"b) }", 1, 8, "a block string that does not end"),
        (#"{ a(x: "\q") }"#, 1, 9, "an unknown escape in a string"),
        (#"{ a(x: "\ud800") }"#, 1, 9, "half a surrogate pair"),
        ("query($a: Int = $b) { a }", 1, 17, "a variable cannot stand in a default value"),
        ("query(a: Int) { a }", 1, 7, "expected '$', found 'a'"),
        ("fragment on on T { a }", 1, 10, "a fragment cannot be called 'on'"),
        ("fragment F { a }", 1, 12, "expected 'on' and a type, found '{'"),
        ("query Q", 1, 8, "expected '{', found the end of the document"), ("{ a ; }", 1, 5, "';' cannot stand here"),
        ("type A { x: Int", 1, 16, "expected '}', found the end of the document"),
        ("type A )", 1, 8, "')' without its opening bracket"),
        ("\"what\" { a }", 1, 8, "expected a definition of a type, found '{'"),
        ("{ é }", 1, 3, "'é' cannot stand here"),
    ])
    func `a broken document is named with line and column`(text: String, line: Int, column: Int, message: String) {
        #expect(throws: GraphQLError(line: line, column: column, message: message)) {
            try GraphQLDocument(parsing: text)
        }
    }

    @Test func `a document is read up to its size and its depth`() throws {
        let large = "{ a #" + String(repeating: "x", count: GraphQLDocument.maximumBytes) + "\n}"
        let error = #expect(throws: GraphQLError.self) { try GraphQLDocument(parsing: large) }
        #expect(error?.message == "the document is longer than 262144 bytes")
        for (open, close) in [("{a", "}"), ("[", "]"), ("{f:", "}")] {
            func text(_ depth: Int) -> String {
                let nested =
                    String(repeating: open, count: depth) + (open == "{a" ? "" : "1")
                    + String(repeating: close, count: depth)
                return open == "{a" ? nested : "{ a(x: \(nested)) }"
            }
            #expect(throws: Never.self) { try GraphQLDocument(parsing: text(199)) }
            let error = #expect(throws: GraphQLError.self) { try GraphQLDocument(parsing: text(50_000)) }
            #expect(error?.message == "more than 200 levels within each other")
        }
        let types = "query($a: " + String(repeating: "[", count: 10_000)
        #expect(throws: GraphQLError.self) { try GraphQLDocument(parsing: types) }
        #expect(throws: GraphQLError.self) {
            try GraphQLDocument(parsing: "type A " + String(repeating: "{", count: 10_000))
        }
    }

    @Test func `random tokens do no harm, and what is normalized stays so`() {
        let parts = [
            "{", "}", "(", ")", "[", "]", "a", "b: ", "$c", ":", "...", "on", "T", "query", "mutation Q",
            "fragment F on T", "@d", "=", "!", "1",
            "-1.5e3", "\"s\"", "\"\"\" b \"\"\"", "\"", "#c\n", ",", " ", "\\", "type", "|", "&", "{ a }", "(x: 1)",
            "é", "\u{1}",
        ]
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<Thoroughness.rounds(5000, thorough: 1_000_000) {
            let count = Int.random(in: 1...12, using: &generator)
            let text = (0..<count).compactMap { _ in parts.randomElement(using: &generator) }.joined(separator: " ")
            guard let document = try? GraphQLDocument(parsing: text) else { continue }
            let again = try? GraphQLDocument(parsing: document.normalizedText)
            #expect(again == document, "\(text)")
        }
    }
}
