// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText
import MockapiMetering
import MockapiTestSupport
import Testing

/// The operators of Jayway's filters, each between any two values.
@Suite(.supervised) struct JaywayOperatorTests {
    private static let values = [
        "null", "true", "false", "0", "1", "1.0", "2", #""""#, #""1""#, #""a""#, #""ab""#, #""aab""#, "[]", "[1]",
        #"["1"]"#, #"[1,"a",2]"#, #"["a","ab"]"#,
        "[[1],null]", "{}", #"{"a":1}"#,
    ]

    /// By Jayway's rules `1` equals `"1"`.
    private static func areEqual(_ left: JSONNode, _ right: JSONNode) -> Bool {
        switch (left.value, right.value) {
        case (.number(let number), .string(let text)), (.string(let text), .number(let number)):
            Double(text) == number.double
        default: left == right
        }
    }

    private static func holds(_ left: JSONNode, _ word: String, _ right: JSONNode) -> Bool {
        func all(_ some: [JSONNode], in list: [JSONNode]) -> [JSONNode] {
            some.filter { one in list.contains { areEqual($0, one) } }
        }
        let size: Int? =
            switch left.value {
            case .string(let text): text.utf16.count
            case .array(let items): items.count
            case .object(let object): object.members.count
            default: nil
            }
        switch word {
        case "in": return !all([left], in: right.array ?? []).isEmpty
        case "nin": return all([left], in: right.array ?? []).isEmpty
        case "contains":
            if let text = left.string, let part = right.string { return part.isEmpty || text.contains(part) }
            return left.array.map { !all([right], in: $0).isEmpty } ?? false
        case "size": return left.object == nil && size != nil && size == right.number?.integer
        case "empty": return right.bool != nil && size.map { ($0 == 0) == right.bool } ?? false
        default: break
        }
        guard let left = left.array, let right = right.array else { return false }
        switch word {
        case "subsetof": return all(left, in: right).count == left.count
        case "all": return all(right, in: left).count == right.count
        case "anyof": return !all(left, in: right).isEmpty
        default: return all(left, in: right).isEmpty
        }
    }

    private static func selects(_ left: String, _ word: String, _ right: String) throws -> Bool {
        var allowance = Allowance(steps: JSONPathLimits.steps)
        let path = try JSONPath(parsing: "$[?(@.v \(word) $.w)]", dialect: .jayway)
        // What is compared with stands in the document, where it may be of any kind.
        let document = try JSONParser.parse(#"{"v": \#(left), "w": \#(right)}"#)
        return try !path.nodes(in: document, allowance: &allowance).isEmpty
    }

    @Test(arguments: ["in", "nin", "contains", "size", "empty", "subsetof", "all", "anyof", "noneof"])
    func `an operator holds between two values where its words do`(word: String) throws {
        for left in Self.values {
            for right in Self.values {
                let expected = Self.holds(try JSONParser.parse(left), word, try JSONParser.parse(right))
                #expect(try Self.selects(left, word, right) == expected, "\(left) \(word) \(right)")
            }
        }
    }

    @Test func `a text is found in another wherever it stands`() throws {
        var random = SplitMix(seed: 13)
        for round in 0..<1200 {
            // Two letters, so that a beginning comes again within the part.
            let letters = round % 4 == 0 ? ["a", "a", "b", "é"] : ["a", "b"]
            let texts = [14, 7].map { most in (0..<random.below(most)).map { _ in random.pick(letters) }.joined() }
            let expected = texts[1].isEmpty || texts[0].contains(texts[1])
            #expect(try Self.selects("\"\(texts[0])\"", "contains", "\"\(texts[1])\"") == expected, "\(texts)")
        }
    }
}
