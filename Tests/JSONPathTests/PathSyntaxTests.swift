// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiTestSupport
import Testing

/// The grammar byte by byte, in both dialects.
@Suite(.supervised) struct PathSyntaxTests {
    private static let dialects = [JSONPath.Dialect.rfc9535, .jayway]

    private func failure(_ path: String, _ dialect: JSONPath.Dialect) -> JSONPathError? {
        do {
            _ = try JSONPath(parsing: path, dialect: dialect)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a name behind a dot has the bytes that its dialect lets it have`() {
        for byte in UInt8(0x20)..<0x7F {
            let sign = String(Unicode.Scalar(byte))
            let isLetter = sign.contains(/[A-Za-z_]/)
            let isDigit = sign.contains(/[0-9]/)
            let isOther = !" .[](){}*,?<>=!~&|'\"".contains(sign)
            // A name alone, in front of another, and behind one; a dot and a star are what they are elsewhere.
            #expect((failure("$.\(sign)", .rfc9535) == nil) == (isLetter || sign == "*"), "\(sign)")
            #expect((failure("$.\(sign)b", .rfc9535) == nil) == (isLetter || sign == "."), "\(sign)")
            #expect((failure("$.a\(sign)b", .rfc9535) == nil) == (isLetter || isDigit || sign == "."), "\(sign)")
            #expect((failure("$.\(sign)", .jayway) == nil) == (isOther || sign == "*"), "\(sign)")
            #expect((failure("$.\(sign)b", .jayway) == nil) == (isOther || sign == "."), "\(sign)")
            #expect((failure("$.a\(sign)b", .jayway) == nil) == (isOther || sign == "."), "\(sign)")
            // A word ends where no letter, digit or underscore follows.
            let isWord = isLetter || isDigit
            #expect((failure("$[?@.a==true\(sign)&&@.b]", .rfc9535) == nil) == (sign == " "), "\(sign)")
            #expect(!isWord || failure("$[?@.a==null\(sign)]", .rfc9535) != nil, "\(sign)")
            #expect((failure("$[?@.a==1\(sign)]", .rfc9535) == nil) == (isDigit || sign == " "), "\(sign)")
            #expect((failure("$[1\(sign)]", .rfc9535) == nil) == (isDigit || " :".contains(sign)), "\(sign)")
        }
        for dialect in Self.dialects {
            #expect(failure("$.\u{1F}", dialect) != nil && failure("$.\u{7F}", dialect) != nil)
            #expect(failure("$.é\u{80}☺", dialect) == nil)
            #expect(failure("$['\u{20}']", dialect) == nil && failure("$['\u{1F}']", dialect) != nil)
        }
    }

    @Test func `what is found in a wrong place is shown, a control character by its number`() {
        for byte in UInt8(0)..<0x80 where !"\t\n\r .[".utf8.contains(byte) {
            let sign = String(Unicode.Scalar(byte))
            let name = byte < 0x20 || byte == 0x7F ? "U+\(String(byte, radix: 16, uppercase: true))" : sign
            let error = JSONPathError(offset: 1, message: "expected '.' or '[', found '\(name)'")
            #expect(failure("$\(sign)x", .rfc9535) == error)
        }
        #expect(failure("$☺x", .rfc9535)?.message == "expected '.' or '[', found '☺'")
        #expect(failure("$.", .rfc9535)?.message == "expected a name, '*' or '[', found the end of the path")
    }

    @Test func `paths are equal by their text and their dialect`() throws {
        let paths = try ["$.a", "$.b", "$.é", "$.e\u{301}"].flatMap { text in
            try Self.dialects.map { try JSONPath(parsing: text, dialect: $0) }
        }
        for (number, path) in paths.enumerated() { #expect(paths.indices.filter { paths[$0] == path } == [number]) }
    }

    private static let hard = [
        #"$['\ud83d\ude00', "\u00e9\"'\\\/\b\f\n\r\t"] [ -1 , 0 : 10 : 2 , ::-1, * ]..['a'] ..* .b"#,
        #"$[?(@.a =~ /x\/[()'"]y/i && (!(@['b'] in [1, -2.5e+3, 'c', null, {'d': [true, {}]}]) || !!@.e))].length()"#,
        #"$[?@.a == 'b' && !(length(@.c) >= 3 || count(@..*) != 1) && match(@.d, $.e[?@ < -0.5].f)]"#,
        #"$.a.concat($.b, "x", 1.5, [2]).index(-1)"#, #" a.b-c[?(@ ~ /x/ == "y)" )].keys() "#,
        #"$[?('a' === @ , (1) )]"#,
    ]

    @Test func `each beginning and each change of a path is read or refused at a place of it`() {
        let paths =
            Self.hard
            + JaywayTests.tables.values.flatMap {
                $0.lines.split(separator: "\n").compactMap { $0.split(separator: " => ").first.map(String.init) }
            }
        for (number, path) in paths.enumerated() {
            let characters = Array(path)
            for dialect in Self.dialects {
                for end in characters.indices {
                    var texts = [String(characters[..<end])]
                    if number < Self.hard.count {
                        for sign in "()[]{}'\"\\/~,.u0 " {
                            texts.append(String(characters[..<end]) + String(sign) + String(characters[(end + 1)...]))
                        }
                    }
                    for text in texts {
                        guard let error = failure(text, dialect) else { continue }
                        #expect((0...text.utf8.count).contains(error.offset), "\(error) in \(text)")
                    }
                }
            }
        }
    }

    /// Something that nests, `n` deep within a filter, with the levels that a filter around it takes.
    private static let nestings:
        [(name: String, dialect: JSONPath.Dialect, outer: Int, text: @Sendable (Int) -> String)] = [
            ("parentheses", .rfc9535, 1, { repeated("(", $0) + "@.a" + repeated(")", $0) }),
            ("negations", .rfc9535, 1, { repeated("!(", $0) + "@.a" + repeated(")", $0) }),
            ("filters", .rfc9535, 1, { repeated("@[?", $0) + "@.a" + repeated("]", $0) }),
            ("functions", .rfc9535, 1, { repeated("length(", $0) + "@" + repeated(")", $0) + "==1" }),
            ("lists", .jayway, 2, { "(@.a in " + repeated("[", $0) + repeated("]", $0) + ")" }),
            ("objects", .jayway, 2, { "(@.a == " + repeated("{'a':", $0 - 1) + "{}" + repeated("}", $0 - 1) + ")" }),
            ("double negations", .jayway, 2, { "(" + repeated("!", $0 + 1) + "@.a)" }),
            (
                "Jayway's functions", .jayway, 2,
                { "(@.sum(" + repeated("[", $0 - 1) + repeated("]", $0 - 1) + ") == 1)" }
            ),
        ]

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test func `64 levels may be nested, whatever they are and whatever stood before them`() {
        let message = "more than 64 filters, parentheses and lists within each other"
        for (name, dialect, outer, text) in Self.nestings {
            for depth in 60...68 {
                let error = failure("$[?\(text(depth))]", dialect)
                #expect(error.map { $0.message == message } ?? true, "\(name): \(error?.message ?? "")")
                #expect((error == nil) == (depth + outer <= 64), "\(name) \(depth)")
            }
            // A depth that would take a long stack is refused as well.
            if name != "objects" { #expect(failure("$[?\(text(2000))]", dialect)?.message == message) }
            // Each gives its level back.
            let before = Self.repeated("\(text(1)) && ", 70)
            for depth in [62, 63] {
                let path = "$[?(\(before)\(Self.nestings[0].text(depth)))]"
                #expect((failure(path, dialect) == nil) == (depth == 62), "\(name) before \(depth)")
            }
        }
    }
}
