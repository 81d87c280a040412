// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONPlaceTests {
    @Test(arguments: [
        ("$.a", ["1"]), ("$.b.c", ["2"]), ("$['b']['c']", ["2"]), ("$[\"b\"].c", ["2"]), ("$.l[1]", ["4"]),
        ("$.l[*]", ["3", "4"]), ("$.b.*", ["2", "5"]),
        ("$..c", ["2", "6"]), ("$.none", []), ("$.l[9]", []), ("$..['c']", ["2", "6"]), ("$.l.0", []),
        ("$['it\\'s']", ["7"]), ("$['it's']", ["7"]), ("$['\\u0061']", ["1"]), ("$['\\ud83d\\ude00']", ["8"]),
        ("$.b[0]", []),
    ])
    func `a path chooses values`(path: String, expected: [String]) throws {
        #expect(try numbers(JSONPlace(path)) == expected)
    }

    @Test(arguments: [
        ("/a", ["1"]), ("/l/1", ["4"]), ("/l/*", ["3", "4"]), ("/b/*", ["2", "5"]), ("/**/c", ["2", "6"]),
        ("/it's", ["7"]), ("/l/9", []), ("/none", []),
    ])
    func `a pointer chooses values`(pointer: String, expected: [String]) throws {
        #expect(try numbers(JSONPlace(pointer: pointer)) == expected)
    }

    private func numbers(_ place: JSONPlace) throws -> [String] {
        let node = try JSONParser.parse(
            #"{"a": 1, "b": {"c": 2, "d": 5}, "l": [3, 4], "e": [{"c": 6}], "it's": 7, "😀": 8}"#)
        return place.values(in: node).compactMap { $0.number?.literal }
    }

    @Test(arguments: [
        ("", 1, "expected '$'"), ("user", 1, "expected '$'"),
        ("$.", 3, "expected a name or '*'"), ("$.a.", 5, "expected a name or '*'"),
        ("$...a", 4, "expected a name or '*'"), ("$.a[", 5, "expected a number, '*' or a name in quotes"),
        ("$.a[b]", 5, "expected a number, '*' or a name in quotes"),
        ("$.a[99999999999999999999]", 25, "expected a number, '*' or a name in quotes"),
        ("$['a','b']", 6, "expected ']'"), ("$['a' , 'b']", 6, "expected ']'"),
        ("$['\\u+041']", 6, "expected four hexadecimal digits"), ("$['\\u00']", 6, "expected four hexadecimal digits"),
        ("$['\\ud83d']", 10, "expected a surrogate pair of two escapes"),
        ("$.a[1", 6, "expected ']'"), ("$['a", 5, "expected the quote that ends the name"),
        ("$a", 2, "expected '.' or '['"), ("$.a]", 4, "expected '.' or '['"),
    ])
    func `what is not a path is refused with the place and an example`(path: String, column: Int, message: String) {
        let error = #expect(throws: JSONPlaceError.self) { try JSONPlace(path) }
        #expect(
            error?.description
                == "\"\(path)\" is not a JSON path: \(message) at character \(column); write a path such as $.user.email or $.items[*].token"
        )
    }

    @Test(arguments: [
        ("$..a..b", "$..a..b"), ("$..[*]", "$..[*]"), ("$.*", "$[*]"), ("$[\"a b\"][0]", "$['a b'][0]"),
        ("$..['a b']", "$..['a b']"), ("$", "$"),
    ])
    func `a path is written in one way`(path: String, written: String) throws {
        #expect(try JSONPlace(path).path == written)
    }

    @Test func `an escape of a pointer is seen under an accent`() {
        #expect(JSONPointer.appending("a~\u{301}b", to: "") == "/a~0\u{301}b")
        #expect(JSONPointer.tokens("/a~0\u{301}b/~01/m~1n/~2/x~") == ["a~\u{301}b", "~1", "m/n", "~2", "x~"])
        #expect(JSONPointer.tokens(strictly: "/~01") == ["~1"])
        #expect(JSONPointer.tokens(strictly: "/~2") == nil)
        #expect(JSONPointer.tokens(strictly: "/x~") == nil)
        #expect(JSONPointer.tokens(strictly: "a") == nil)
    }

    /// However many `..` there are, a value is visited once.
    @Test func `many depths choose each value once`() throws {
        var text = "1"
        for _ in 0..<60 { text = "{\"a\":\(text)}" }
        let place = try JSONPlace("$" + String(repeating: "..a", count: 30))
        #expect(place.values(in: try JSONParser.parse(text)).count == 31)
        let pointer = JSONPlace(pointer: String(repeating: "/a", count: 60))
        #expect(place.matches(pointer))
        #expect(!place.matches(JSONPlace(pointer: String(repeating: "/a", count: 60) + "/b")))
    }

    @Test func `an empty list and null may have a place another time`() throws {
        func isAbsent(_ path: String, _ text: String) throws -> Bool {
            try JSONPlace(path).isAbsent(from: JSONParser.parse(text))
        }
        #expect(try !isAbsent("$.a.b", #"{"a": null}"#))
        #expect(try !isAbsent("$.a[*].b", #"{"a": []}"#))
        #expect(try isAbsent("$.a.b", #"{"a": {"c": null}}"#))
        #expect(try isAbsent("$.a.b", #"{"a": 1}"#))
        #expect(try !isAbsent("$.a.b", #"{"a": {"b": 1}}"#))
        #expect(try !isAbsent("$..b", #"{"a": [{"c": []}]}"#))
        #expect(try isAbsent("$..b", #"{"a": [{"c": 1}]}"#))
    }

    @Test func `each of a list is what an index may be, and not what a name may be`() throws {
        let each = try JSONPlace("$.a[*]")
        #expect(try JSONPlace("$.a[0]").matches(each))
        #expect(JSONPlace(pointer: "/a/0").matches(each))
        #expect(try !JSONPlace("$.a.b").matches(each) && !JSONPlace("$.a[0]").matches(JSONPlace("$.b[*]")))
        #expect(try JSONPlace("$.a.b.c").isWithin(each) && !JSONPlace("$.a").isWithin(each))
        #expect(JSONPlace(pointer: "/a/0").matches(JSONPlace([.member("a"), .item(0)])))
        #expect(JSONPlace([.member("a"), .item(0)]).matches(JSONPlace(pointer: "/a/0")))
        #expect(!JSONPlace([.member("a"), .item(1)]).matches(JSONPlace(pointer: "/a/0")))
        #expect(!JSONPlace([.item(0)]).matches(JSONPlace([.member("0")])))
    }

    // MARK: Beside a slow way

    private static let names = [
        "a", "b", "0", "it's", "a.b", "x~y", "m/n", "\u{65}\u{301}", "\u{E9}", "\\", "\n", "\u{F}", "\u{10}", "\u{1F}",
        "", "*",
    ]

    private func place(_ random: inout SplitMix, patterns: Bool) -> JSONPlace {
        JSONPlace(
            (0..<Int.random(in: 0...4, using: &random)).map { _ in
                switch Int.random(in: 0..<(patterns ? 8 : 5), using: &random) {
                case 0...3: .member(Self.names.randomElement(using: &random) ?? "")
                case 4: .item(Int.random(in: 0...2, using: &random))
                case 5, 6: .every
                default: .anyDepth
                }
            })
    }

    private func document(_ random: inout SplitMix, depth: Int = 0) -> JSONNode {
        switch Int.random(in: 0..<(depth < 4 ? 5 : 1), using: &random) {
        case 1, 2:
            return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in document(&random, depth: depth + 1) })
        case 3, 4:
            let names = Self.names.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
            return JSONNode(
                .object(JSONObject(names.map { .init(name: $0, value: document(&random, depth: depth + 1)) })))
        default: return .integer(Int.random(in: 0...9, using: &random))
        }
    }

    /// Every value with the way to it.
    private func all(_ node: JSONNode, _ way: [JSONPlace.Step] = []) -> [(way: [JSONPlace.Step], node: JSONNode)] {
        let inner: [(JSONPlace.Step, JSONNode)] =
            switch node.value {
            case .array(let items): items.enumerated().map { (.item($0), $1) }
            case .object(let object): object.members.map { (.member($0.name), $0.value) }
            default: []
            }
        return [(way, node)] + inner.flatMap { all($1, way + [$0]) }
    }

    /// Whether a way is one of a pattern, by trying all that `..` may stand for.
    private func fits(_ pattern: ArraySlice<JSONPlace.Step>, _ way: ArraySlice<JSONPlace.Step>) -> Bool {
        guard let first = pattern.first else { return way.isEmpty }
        if first == .anyDepth {
            return (way.startIndex...way.endIndex).contains { fits(pattern.dropFirst(), way[$0...]) }
        }
        guard let step = way.first else { return false }
        let isSame =
            switch (first, step) {
            case (.every, _): true
            case (.member(let wanted), .member(let name)): Array(wanted.utf8) == Array(name.utf8)
            case (.item(let wanted), .item(let index)): wanted == index
            default: false
            }
        return isSame && fits(pattern.dropFirst(), way.dropFirst())
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `values and places are those that a slow way finds`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<20 {
            let node = document(&random)
            let pattern = place(&random, patterns: true)
            let ways = all(node)
            let expected = ways.filter { fits(pattern.steps[...], $0.way[...]) }
            #expect(
                pattern.values(in: node).map { JSONWriter.compact($0) } == expected.map { JSONWriter.compact($0.node) })
            for (way, _) in ways {
                let other = JSONPlace(way)
                #expect(pattern.matches(other) == fits(pattern.steps[...], way[...]))
                let isWithin = (0...way.count).contains { fits(pattern.steps[...], way[..<$0]) }
                #expect(pattern.contains(other) == isWithin)
                if !pattern.steps.contains(.anyDepth) { #expect(other.isWithin(pattern) == isWithin) }
            }
        }
    }

    @Test(arguments: 0..<200 as Range<UInt64>)
    func `a written place is read as the same`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        for _ in 0..<20 {
            let written = place(&random, patterns: true)
            // Of two depths in a row one says all.
            guard
                !zip(written.steps, written.steps.dropFirst()).contains(where: { $0 == .anyDepth && $1 == .anyDepth }),
                written.steps.last != .anyDepth
            else { continue }
            #expect(try JSONPlace(written.path) == written, "\(written.path)")
            let plain = place(&random, patterns: false)
            let node = document(&random)
            let byPath = plain.values(in: node).map { JSONWriter.compact($0) }
            #expect(try JSONPlace(plain.path).values(in: node).map { JSONWriter.compact($0) } == byPath)
            // A pointer does not tell an index from a name of digits, nor `*` from each.
            if plain.steps.allSatisfy({ if case .member(let name) = $0 { name != "0" && name != "*" } else { false } })
            {
                #expect(JSONPlace(pointer: plain.pointer).values(in: node).map { JSONWriter.compact($0) } == byPath)
            }
        }
    }
}
