// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSecrets
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONPathPatternTests {
    @Test(arguments: [
        ("$.a", ["1"]), ("$.b.c", ["2"]), ("$['b']['c']", ["2"]), ("$[\"b\"].c", ["2"]), ("$.l[1]", ["4"]),
        ("$.l[*]", ["3", "4"]), ("$.b.*", ["2", "5"]),
        ("$..c", ["2", "6"]), ("$.none", []), ("$.l[9]", []), ("$..['c']", ["2", "6"]), ("$.l.0", []),
        ("$['it\\'s']", ["7"]),
    ])
    func `a path chooses values`(path: String, expected: [String]) throws {
        let node = try JSONParser.parse(#"{"a": 1, "b": {"c": 2, "d": 5}, "l": [3, 4], "e": [{"c": 6}], "it's": 7}"#)
        var found: [String] = []
        try JSONPathPattern(path).select(in: node) { found.append($0.number?.literal ?? "") }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("", 1, "expected '$'"), ("user", 1, "expected '$'"), ("$", 2, "expected '.' or '['"),
        ("$.", 3, "expected a name or '*'"), ("$.a.", 5, "expected a name or '*'"),
        ("$...a", 4, "expected a name or '*'"), ("$.a[", 5, "expected a number, '*' or a name in quotes"),
        ("$.a[b]", 5, "expected a number, '*' or a name in quotes"),
        ("$.a[1", 6, "expected ']'"), ("$['a", 5, "expected the quote that ends the name"),
        ("$a", 2, "expected '.' or '['"), ("$.a]", 4, "expected '.' or '['"),
    ])
    func `what is not a path is refused with the place and an example`(path: String, column: Int, message: String) {
        #expect(
            throws: JSONPathError.self,
            performing: { try JSONPathPattern(path) })
        do {
            _ = try JSONPathPattern(path)
        } catch {
            #expect(
                error.description
                    == "\"\(path)\" is not a JSON path: \(message) at character \(column); write a path such as $.user.email or $.items[*].token"
            )
        }
    }
}
