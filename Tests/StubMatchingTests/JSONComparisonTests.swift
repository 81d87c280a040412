// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

@Suite(.supervised) struct JSONComparisonTests {
    private func index(
        _ expected: JSONNode, order: Bool = true, extra: Bool = false, dialect: FixtureSet.Dialect = .mockapi
    ) -> StubIndex {
        let matcher = ValueMatcher.equalToJSON(expected, ignoreArrayOrder: order, ignoreExtraElements: extra)
        let stub = Stub.make("a.stub.json", RequestPattern(url: .path("/a"), body: [.value(matcher)]))
        return StubIndex(FixtureSet(root: "/", dialect: dialect, stubs: [stub]))
    }

    private func match(_ index: StubIndex, _ body: JSONNode) -> MatchResult {
        index.match(.make("POST", "/a"), body: JSONWriter.compact(body), scratch: MatchScratch())
    }

    private func differences(_ index: StubIndex, _ body: JSONNode) -> [String] {
        index.nearMisses(for: .make("POST", "/a"), body: JSONWriter.compact(body), scratch: MatchScratch())
            .flatMap { $0.differences.map(\.text) }
    }

    private func object(_ number: Int, name: String = "a", more: KeyValuePairs<String, JSONNode> = [:]) -> JSONNode {
        let members: [(String, JSONNode)] = [
            ("active", .bool(true)), ("id", .integer(number)), ("name", .string(name)), ("tags", .array([.integer(1)])),
        ]
        return JSONNode(
            .object(
                JSONObject(
                    (members + more.map { ($0.key, $0.value) }).map { JSONObject.Member(name: $0.0, value: $0.1) })))
    }

    // Pairs looked at one by one are 25 million here.
    @Test func `values, names and texts of a body weigh what the manual says`() {
        let weights = JSONLimits.weights
        #expect([weights.value, weights.name, weights.text] == [88, 56, 32])
    }

    @Test(.timeLimit(.minutes(1)), arguments: [false, true])
    func `a long list matches in any order, or misses, without looking at each pair`(extra: Bool) {
        let count = 5000
        let index = index(.array((0..<count).map { object($0) }), extra: extra)
        let more: KeyValuePairs<String, JSONNode> = extra ? ["more": .null] : [:]
        let reversed = (0..<count).reversed().map { object($0, more: more) }
        #expect(match(index, .array(reversed)).outcome == .stub(0))
        var changed = reversed
        changed[5] = object(count - 6, name: "b", more: more)
        #expect(
            match(index, .array(changed))
                == MatchResult(outcome: .none))
    }

    @Test(.timeLimit(.minutes(1))) func `a long list costs no memory for each pair`() {
        let index = index(.array((0..<1000).map { .integer($0) }), extra: true, dialect: .wireMock)
        let body = JSONNode.array(Array(repeating: .integer(1), count: 200_000))
        #expect(match(index, body).outcome == .none)
        #expect(
            differences(index, .array(Array(repeating: .integer(1), count: 40_000)))
                == ["body: expected an element 0 in any place, found none"])
    }

    @Test func `the element that has no partner is told, or the count`() throws {
        let index = index(try JSONParser.parse(#"[{"a":1},{"a":2},{"a":3}]"#))
        #expect(
            differences(index, try JSONParser.parse(#"[{"a":3},{"a":1},{"a":4}]"#))
                == [#"body: expected an element {"a":2} in any place, found none"#])
        #expect(
            differences(index, try JSONParser.parse(#"[{"a":3},{"a":1}]"#))
                == ["body: expected 3 elements, found 2 elements"])
    }

    @Test(.timeLimit(.minutes(1))) func `a comparison that takes too many steps is given up and told`() throws {
        let one = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-string}"]}"#
        let other = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-number}"]}"#
        let list = Array(repeating: one, count: 600) + Array(repeating: other, count: 600)
        let expected = "[" + list.joined(separator: ",") + "]"
        let fits = Array(repeating: #"{"a":[[1],2]}"#, count: 601) + Array(repeating: #"{"a":[[1],"x"]}"#, count: 599)
        let body = try JSONParser.parse("[" + fits.joined(separator: ",") + "]")
        let index = index(try JSONParser.parse(expected))
        #expect(
            match(index, body) == MatchResult(outcome: .none, exceeding: [.init(stub: 0, .comparison)]))
        let texts = differences(index, body)
        #expect(texts.count == 1)
        #expect(texts[0].hasSuffix(", found a value that takes more than 200000 steps to compare"))
    }

    @Test func `what was given up does not match when it is negated`() throws {
        let one = #"{"a":[["${json-unit.any-number}"],"${json-unit.any-string}"]}"#
        let expected = "[" + Array(repeating: one, count: 600).joined(separator: ",") + "]"
        let body = "[" + Array(repeating: #"{"a":[[1],2]}"#, count: 600).joined(separator: ",") + "]"
        let json = ValueMatcher.equalToJSON(
            try JSONParser.parse(expected), ignoreArrayOrder: true, ignoreExtraElements: false)
        let pattern = ValueMatcher.matches(Pattern("(a+)+[bc]"))
        let stubs = [
            Stub.make("a.stub.json", RequestPattern(url: .path("/a"), body: [.value(.not(json))])),
            Stub.make("b.stub.json", RequestPattern(url: .path("/b"), body: [.value(.not(pattern))])),
        ]
        let index = StubIndex(FixtureSet(root: "/", stubs: stubs))
        // The first element has no partner: that is found at once, and proves that the negation holds.
        #expect(index.match(.make("POST", "/a"), body: Array(body.utf8), scratch: MatchScratch()).outcome == .stub(0))
        let long = Array(repeating: UInt8(ascii: "a"), count: 40)
        let result = index.match(.make("POST", "/b"), body: long, scratch: MatchScratch())
        #expect(result == MatchResult(outcome: .none, exceeding: [.init(stub: 1, .pattern)]))
    }

    @Test func `a large body is not compared in detail`() throws {
        let index = index(try JSONParser.parse(#"{"a":1}"#))
        let body = JSONNode.object(["a": .string(String(repeating: "x", count: 1_240_000))])
        #expect(
            differences(index, body)
                == [#"body: expected equalToJson {"a":1}, found a body of 1.2 MB (not compared in detail)"#])
    }

    @Test func `members of one name count once, by the last`() throws {
        let index = index(try JSONParser.parse(#"{"a":1,"é":2,"a":3}"#))
        #expect(match(index, try JSONParser.parse(#"{"é":2,"a":3}"#)).outcome == .stub(0))
        #expect(match(index, try JSONParser.parse(#"{"é":2,"a":5,"a":3.0}"#)).outcome == .stub(0))
        #expect(match(index, try JSONParser.parse(#"{"e\u0301":2,"a":3}"#)).outcome == .none)
        #expect(match(index, try JSONParser.parse(#"{"é":2,"a":1}"#)).outcome == .none)
    }

    @Test(arguments: 0..<8) func `comparing agrees with trying every order`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        var equals = 0
        for round in 0..<400 {
            let order = Bool.random(using: &random)
            let extra = Bool.random(using: &random)
            let dialect: FixtureSet.Dialect = Bool.random(using: &random) ? .wireMock : .mockapi
            let actual = value(3, placeholders: false, &random)
            let expected = round % 2 == 0 ? value(3, placeholders: true, &random) : changed(actual, &random)
            let naive = NaiveJSON(
                ignoresArrayOrder: order, ignoresExtraElements: extra, ignoresExtraItems: extra && dialect == .wireMock)
            let index = index(expected, order: order, extra: extra, dialect: dialect)
            let isEqual = match(index, actual).outcome == .stub(0)
            if isEqual { equals += 1 }
            let texts = differences(index, actual)
            let values =
                "\(String(decoding: JSONWriter.compact(expected), as: UTF8.self)), "
                + "\(String(decoding: JSONWriter.compact(actual), as: UTF8.self)), \(naive)"
            #expect(isEqual == naive.equal(expected, actual), "\(values)")
            #expect(texts.isEmpty == isEqual, "\(values)")
        }
        #expect(equals > 40)
    }

    private func value(_ depth: Int, placeholders: Bool, _ random: inout SplitMix) -> JSONNode {
        let scalars = ["1", "1.0", "10e-1", "2", "null", "true", #""a""#, #""b""#]
        let signs = ["any-string}", "any-number}", "ignore}", "ignore-element}"]
        switch Int.random(in: 0..<(depth == 0 ? 2 : 6), using: &random) {
        case 0 where placeholders: return .string("${json-unit.\(signs[Int.random(in: 0..<4, using: &random)])")
        case 0, 1: return (try? JSONParser.parse(scalars[Int.random(in: 0..<8, using: &random)])) ?? .null
        case 2, 3:
            return .array(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in
                    value(depth - 1, placeholders: placeholders, &random)
                })
        default:
            let names = ["a", "b", "c", "a"].prefix(Int.random(in: 0...4, using: &random))
            return JSONNode(
                .object(
                    JSONObject(
                        names.map { .init(name: $0, value: value(depth - 1, placeholders: placeholders, &random)) })))
        }
    }

    /// A value in another order, now and then with less in it, or with something that stands for more.
    private func changed(_ node: JSONNode, _ random: inout SplitMix) -> JSONNode {
        switch node.value {
        case .array(let elements):
            var elements = elements.map { changed($0, &random) }.shuffled(using: &random)
            if Int.random(in: 0..<4, using: &random) == 0, !elements.isEmpty { elements.removeLast() }
            return .array(elements)
        case .object(let object):
            var members = object.members.map {
                JSONObject.Member(name: $0.name, value: changed($0.value, &random))
            }
            if Set(members.map(\.name)).count == members.count { members.shuffle(using: &random) }
            if Int.random(in: 0..<4, using: &random) == 0, !members.isEmpty { members.removeLast() }
            return JSONNode(.object(JSONObject(members)))
        case .string where Int.random(in: 0..<4, using: &random) == 0: return .string("${json-unit.any-string}")
        case .number where Int.random(in: 0..<4, using: &random) == 0: return .string("#{json-unit.any-number}")
        default: return node
        }
    }
}
