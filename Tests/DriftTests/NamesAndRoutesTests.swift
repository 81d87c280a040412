// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// Names that are data, routes that are one but for identifiers, and values of header lines, held against regular expressions.
@Suite(.supervised) struct NamesAndRoutesTests {
    // MARK: Names

    private static func isIdentifier(_ name: String) -> Bool {
        if name.wholeMatch(of: /[0-9]+|\*|\/.*|[^@]+@.*/) != nil { return true }
        let formats: StringFormats = [.uuid, .date, .dateTime, .localDateTime, .uri, .email]
        if !StringFormatTests.expected(name).isDisjoint(with: formats) { return true }
        if name.wholeMatch(of: /[0-9]{4}-W?[0-9]+/) != nil { return true }
        return name.wholeMatch(of: /[0-9A-Fa-f]{8,}/) != nil && name.contains(/[0-9]/)
    }

    private static let names = [
        "", "7", "007", "7a", "*", "**", "/", "/a/b", "a/b", "@type", "a@b", "@", "2026-11", "2026-W47", "2026-11-20",
        "2026-11-20T10:00:00Z", "2026-11-20 10:00", "20261-1", "2026-", "2026-a", "abcdefab", "abcdef1", "abcdefa1",
        "ABCDEF01", "abcdefg1", "12345678", "urn:a:b", "https://a/b", "ann@b.cd", "name", "user_17abc", "en", "pt-BR",
        "0b2c7e3c-6a53-4f6e-9a59-5f0c8d6f6a01",
    ]

    @Test func `an identifier is what the rules for one say`() {
        for name in Self.names {
            #expect(MapKeys.isIdentifier(name) == Self.isIdentifier(name), "\(name)")
            if !name.isEmpty, Self.isIdentifier(name) { #expect(MapKeys.areKeys([name]), "\(name)") }
        }
    }

    @Test func `names are keys if all are of one kind, and enough of it`() {
        for (names, isMap) in [
            ([], false), (["name"], false), (["7", "8"], true), (["7", "name"], false), (["EUR"], false),
            (["EUR", "USD"], true), (["EUR", "XXY"], false), (["de", "fr"], false), (["de", "fr", "zz"], false),
            (["de", "fr", "ja"], true), (["id", "to", "is"], false), (["id", "to", "fr"], true), (["pt-BR"], true),
            (["zh_Hans", "en-US"], true), (["pt-BR", "de"], false), (["pt-BRASIL", "en-US"], false),
            (["pt-B", "en-US"], false),
            (["en-a1-bb"], true), (["en-ab-bb"], true), (["en-ab-bb-cc"], false), (["en-é12"], false),
            (["US", "CH"], false), (["US", "CH", "AT"], true), (["US", "CH", "at"], false),
            (["usr_8f3k2", "usr_8f3k3"], true), (["usr_8f3k", "usr_8f3l"], false), (["usr_8f3k2", "org_8f3k3"], false),
            (["usr_8f3k2", "usr_abcde"], false), (["usr_8f3k2", "usr_8f-k3"], false),
            (["usr-8f3k2", "usr-8f3k3"], true),
            (["usr_8f3k2"], false), (["_8f3k2", "_8f3k3"], true), (["abc123x", "abc123y"], false),
        ] as [([String], Bool)] {
            #expect(MapKeys.areKeys(names) == isMap, "\(names)")
            #expect(MapKeys.areKeys(names.reversed()) == isMap, "\(names)")
            if isMap { for name in names { #expect(MapKeys.isKey(name), "\(name)") } }
        }
        #expect(MapKeys.areKeys(["de", "fr"], least: 2) && MapKeys.areKeys(["US", "CH"], least: 2))
        #expect(!MapKeys.isKey("name") && MapKeys.isKey("a1") && MapKeys.isKey("US") && MapKeys.isKey("de"))
    }

    @Test func `an object of many members is a map if its names are keys, and beyond 4,096 members whatever they are`()
    {
        func members(_ count: Int, _ name: (Int) -> String) -> [String] {
            let facts = ObjectFacts()
            let members = (0..<count).map { JSONObject.Member(name: name($0), value: .integer(1)) }
            let object = JSONObject(members)
            facts.add(object, JSONNode(.object(object)), sample: 0, folded: nil)
            return facts.members.keys
        }
        for (count, isMap) in [(256, false), (257, true)] {
            #expect((members(count) { "\($0)" } == ["*"]) == isMap)
            #expect(members(count) { "name\($0)" }.count == count)
        }
        #expect(members(4096) { "name\($0)" }.count == 4096)
        #expect(members(4097) { "name\($0)" } == ["*"])
    }

    // MARK: Routes

    @Test func `two locations are one route if their segments differ in identifiers alone`() {
        let segments = [
            "users", "17", "18", "v1", "v2", "v", "v12", "v123", "a1b", "a12b", "b21a", "abcd", "abc", "0",
            "redacted.x", "ab:c", ":",
            "550e8400-e29b-41d4-a716-446655440000",
        ]
        func isIdentifier(_ text: String) -> Bool {
            text.wholeMatch(of: /[0-9]+|(?=.*[0-9]).{4,}|redacted\.x/) != nil
        }
        for one in segments {
            for other in segments {
                let isRoute = one == other || isIdentifier(one) && isIdentifier(other) || one == "redacted.x"
                for (start, end) in [("/a/", ""), ("https://h.example/a/", "/b?x=1&y"), ("", "#f"), ("a/", "?q=/1")] {
                    let (left, right) = (RouteShape(start + one + end), RouteShape(start + other + end))
                    #expect(left.isRoute(of: right) == isRoute, "\(start + one + end) \(other)")
                }
            }
        }
        for (one, other, isRoute) in [
            ("/a", "/a/", true), ("/a", "/a/b", false), ("/a?x=1", "/a?x=2", true), ("/a?x=1", "/a?y=1", false),
            ("/a?x=1&y=2", "/a?y=1&x=2", true), ("/a?x", "/a", false), ("/a#f", "/a#g", true), ("//h/a", "/h/a", true),
        ] {
            #expect(RouteShape(one).isRoute(of: RouteShape(other)) == isRoute, "\(one) \(other)")
        }
        for (text, origin) in [
            ("HTTPS://A.example:8/b", "https://a.example:8"), ("https://a?x", "https://a"), ("https://a", "https://a"),
            ("/go?to=https://a/b", nil), ("/go#https://a/b", nil), ("a/https://b", nil), ("mailto:a", nil),
        ] as [(String, String?)] {
            #expect(RouteShape(text).origin == origin, "\(text)")
        }
    }

    // MARK: Header lines

    @Test func `a list is parted by its separators outside of quotes and angles`() {
        var random = SplitMix(seed: 8)
        let members = ["a", "\"b, c; d\"", "</e,f>; rel=\"g, h\"", "<i>", "j=\"<\"", "k l", "m=\"n\""]
        for _ in 0..<300 {
            let known = (0..<random.below(5)).map { _ in random.pick(members) }
            var lines: [String] = [""]
            for member in known {
                let space = random.pick(["", " ", "\t "])
                if random.chance(30) { lines.append("") }
                lines[lines.count - 1] += random.pick(["", ",", " , ,"]) + space + member + space + ","
            }
            #expect(HeaderValues.list(lines) == known, "\(lines)")
        }
    }

    @Test func `parameters, relations, schemes and directives are read as they are written`() {
        let (head, parameters) = HeaderValues.parameters("Text/X ; A=b;c = \"d;e\" ; f")
        #expect(head == "Text/X" && parameters == ["a": "b", "c": "d;e", "f": ""])
        #expect(HeaderValues.relations(["</a>; rel=\"Next last\", <b>; rel=prev", "<c>"]) == ["next", "last", "prev"])
        #expect(HeaderValues.schemes(["Basic realm=\"a, b\", Bearer", "DIGEST"]) == ["basic", "bearer", "digest"])
        #expect(HeaderValues.schemes(["a=b, Basic x=\"y\""]) == ["basic"])
        #expect(
            HeaderValues.directives(["Max-Age = 5, no-store", "private=\"a,b\""])
                == ["max-age": "5", "no-store": "", "private": "\"a,b\""])
        for (text, expected) in [
            ("", ""), (" ", ""), ("a", "a"), (" \ta b\t ", "a b"), ("\n", "\n"),
        ] {
            #expect(HeaderValues.trimmed(text) == expected)
        }
        for (text, expected) in [("x=\"", "\""), ("x=\"\"", ""), ("x=\"a\"", "a"), ("x=a\"", "a\""), ("x=\"a", "\"a")] {
            #expect(HeaderValues.parameters("h;" + text).parameters == ["x": expected], "\(text)")
        }
        #expect(HeaderValues.parameters("h; =x; y=").parameters == ["": "x", "y": ""])
        #expect(HeaderValues.directives(["=5, a="]) == ["": "5", "a": ""])
        let cookie = HeaderValues.Cookie("a=1; Path=/X; HttpOnly; Max-Age=5; SameSite=Lax")
        #expect(cookie?.name == "a" && cookie?.text == "httponly; path=/x; samesite=lax")
        #expect(
            HeaderValues.Cookie("a") == nil && HeaderValues.Cookie("=a") == nil
                && HeaderValues.Cookie("a=")?.name == "a")
    }
}
