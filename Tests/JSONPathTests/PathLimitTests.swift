// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import Testing

/// What paths may cost, whoever wrote them and whatever they are put to.
///
/// No test can see how many patterns of a document are kept, which names are compared in pairs, and whether places are noted that nobody
/// asks for: all three save time alone.
@Suite(.supervised) struct PathLimitTests {
    private static func nested(_ depth: Int) throws -> JSONNode {
        let open = String(repeating: #"{"a":["#, count: depth / 2)
        return try JSONParser.parse(open + "1" + String(repeating: "]}", count: depth / 2))
    }

    private static func wide(_ count: Int) -> JSONNode {
        .array((0..<count).map { .object(["a": .integer($0), "b": .string(String(repeating: "a", count: 40))]) })
    }

    @Test(arguments: [
        "$..[?(@..[?(@..[?(@..x)])])]", "$..*..*..*..*", "$..[?@..[?@..[?@..[?@ == 1]]]]", "$[?@..a == $..a]",
        "$[?(@ in $[*])][?(@ in $[*])]", "$[?$[?$[?@.c]]]", "$[?(@.b =~ /(a*)*c/)]", "$[?search(@.b, '(a|aa)+c')]",
        "$..*[?count($..*) == 1]", "$[?count($..*) == 1]", "$[*]['a','a','a','a','a','a','a','a']..*[?$ == $]",
        "$.concat($..*, $..*).concat($..*, $..*)", "$[*,*,*,*,*,*][*,*,*,*,*,*][?$..c]",
    ])
    func `a path that takes too long is given up`(text: String) throws {
        guard let path = try? JSONPath(parsing: text) else { return }
        for root in [try Self.nested(500), Self.wide(2000)] {
            var allowance = Allowance(steps: 30_000)
            let nodes = try? path.nodes(in: root, allowance: &allowance)
            #expect(allowance.steps >= 0)
            if nodes == nil { #expect(allowance.steps == 0) }
        }
    }

    @Test func `giving up is an error of its own, and the budget is empty then`() throws {
        let path = try JSONPath(parsing: "$..[?(@..[?(@..[?(@..x)])])]")
        var allowance = Allowance(steps: 20_000)
        let root = try Self.nested(500)
        #expect(throws: JSONPathGaveUp()) { try path.nodes(in: root, allowance: &allowance) }
        #expect(allowance.steps == 0)
    }

    @Test func `a path is read up to its length, and so is a pattern of I-Regexp`() throws {
        let long = "$" + String(repeating: ".a", count: JSONPathLimits.bytes / 2)
        #expect(throws: JSONPathError(offset: 16384, message: "the path is longer than 16384 bytes")) {
            try JSONPath(parsing: long)
        }
        #expect(try JSONPath(parsing: String(long.dropLast(2))).isDefinite)
        #expect(try JSONPath(parsing: String(long.dropLast(2)) + "b").isDefinite)
        for (count, isPattern) in [(4096, true), (4097, false)] {
            let text = String(repeating: "a", count: count)
            var allowance = Allowance(steps: JSONPathLimits.steps)
            let nodes = try JSONPath(parsing: "$[?match(@, '\(text)')]").nodes(
                in: .array([.string(text)]), allowance: &allowance)
            #expect(nodes.count == (isPattern ? 1 : 0))
        }
    }

    @Test func `the deepest document is descended without recursion`() throws {
        let root = try Self.nested(510)
        var allowance = Allowance(steps: JSONPathLimits.steps)
        #expect(try JSONPath(parsing: "$..a").nodes(in: root, allowance: &allowance).count == 255)
        let located = try JSONPath(parsing: "$..*").located(in: root, allowance: &allowance)
        #expect(located.last?.location.count == 510)
    }

    // MARK: Random paths

    private struct Source: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ state >> 33
        }

        mutating func value(_ depth: Int) -> JSONNode {
            let names = ["a", "b", "c'", "", "é"]
            switch Int.random(in: 0..<(depth == 0 ? 5 : 9), using: &self) {
            case 0: return .null
            case 1: return .bool(Bool.random(using: &self))
            case 2: return .integer(Int.random(in: -2...3, using: &self))
            case 3, 4: return .string(names.randomElement(using: &self) ?? "")
            case 5, 6: return .array((0..<Int.random(in: 0..<4, using: &self)).map { _ in value(depth - 1) })
            default:
                let members = (0..<Int.random(in: 0..<4, using: &self)).map { _ in
                    JSONObject.Member(name: names.randomElement(using: &self) ?? "", value: value(depth - 1))
                }
                return JSONNode(.object(JSONObject(members)))
            }
        }

        static let parts = [
            "$", "@", ".a", ".b", "..", "..a", "[", "]", "[0]", "[-1]", "[1:]", "[::-1]", "[*]", ".*", "['a']",
            "['a','b']", "[?(", ")]",
            "[?", "(", ")", "@.a", "$.b", "==", " < ", " in ", "'a'", "1", "null", "['a']", "&&", "||", "!",
            ".length()", ".sum()",
            "length(", "match(", "count(", ",", "'", "\"", "\\", "/a.*/i", " =~ ", " ", "-", "é", "1e9", " size ", ":",
            "{", "}",
        ]

        mutating func path() -> String {
            let count = Int.random(in: 1...9, using: &self)
            return "$" + (0..<count).map { _ in Self.parts.randomElement(using: &self) ?? "" }.joined()
        }
    }

    @Test func `random paths over random documents do no harm, and what is found stands where it is said to`() throws {
        var source = Source(state: 9535)
        var read = 0
        for _ in 0..<1000 * Thoroughness.rounds(1, thorough: 50) {
            let root = source.value(4)
            for text in [source.path(), "$.a[?(@.a \(source.path()))]"] {
                guard let path = try? JSONPath(parsing: text) else { continue }
                read += 1
                var allowance = Allowance(steps: 20_000)
                _ = try? path.result(in: root, allowance: &allowance)
            }
            var allowance = Allowance(steps: JSONPathLimits.steps)
            for (location, node) in try JSONPath(parsing: "$..*").located(in: root, allowance: &allowance) {
                let path = try JSONPath(parsing: location.normalizedPath, dialect: .rfc9535)
                #expect(path.steps == location)
                #expect(try path.nodes(in: root, allowance: &allowance) == [node])
            }
        }
        #expect(read > 20)
    }
}
