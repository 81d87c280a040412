// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// Documents of a random type: what another of the type is, is no drift, and what breaks the type is.
@Suite(.supervised) struct DriftPropertyTests {
    private indirect enum Kind {
        case integer, fraction, bool, text, dateTime, uuid
        case list(Kind)
        case object([(name: String, kind: Kind)])

        static func any(_ random: inout SplitMix, depth: Int) -> Kind {
            switch Int.random(in: 0..<(depth > 3 ? 6 : 9), using: &random) {
            case 0: .integer
            case 1: .fraction
            case 2: .bool
            case 3: .text
            case 4: .dateTime
            case 5: .uuid
            case 6: .list(any(&random, depth: depth + 1))
            default:
                .object(
                    (0..<Int.random(in: 1...4, using: &random)).map { index in
                        ("member\("abcd".dropFirst(index).prefix(1))", any(&random, depth: depth + 1))
                    })
            }
        }

        func value(_ random: inout SplitMix) -> JSONNode {
            func digits(_ count: Int) -> String {
                String((0..<count).map { _ in "0123456789abcdef".randomElement(using: &random) ?? "0" })
            }
            switch self {
            case .integer: return .integer(Int.random(in: -1000...1000, using: &random))
            case .fraction:
                return JSONNode(.number(JSONNumber(literal: "\(Int.random(in: 0...99, using: &random)).5")))
            case .bool: return .bool(Bool.random(using: &random))
            case .text: return .string("text \(digits(6))")
            case .dateTime:
                return .string(
                    "20\(Int.random(in: 10...26, using: &random))-11-\(Int.random(in: 10...28, using: &random))T10:00:00Z"
                )
            case .uuid: return .string([8, 4, 4, 4, 12].map(digits).joined(separator: "-"))
            case .list(let kind):
                return .array((0..<Int.random(in: 1...4, using: &random)).map { _ in kind.value(&random) })
            case .object(let members):
                let shuffled = members.shuffled(using: &random)
                return JSONNode(
                    .object(JSONObject(shuffled.map { .init(name: $0.name, value: $0.kind.value(&random)) })))
            }
        }
    }

    private func judge(_ old: JSONNode, _ new: [UInt8]) -> [DriftFinding] {
        let lines = [("Content-Type", "application/json")]
        return ResponseComparison(
            recorded: [ResponseSample(status: 200, headers: lines, body: JSONWriter.compact(old))]
        ).compare([ResponseSample(status: 200, headers: lines, body: new)]).findings
    }

    @Test func `a document that is written otherwise, re-ordered or another of its type is no drift`() {
        var random = SplitMix(seed: 21)
        for _ in 0..<300 {
            let kind = Kind.object([("root", Kind.any(&random, depth: 0))])
            let document = kind.value(&random)
            #expect(judge(document, JSONWriter.pretty(document)).isEmpty)
            let other = kind.value(&random)
            let found = judge(document, JSONWriter.compact(other)).filter { $0.level > .info }
            #expect(
                found.isEmpty,
                "\(found.map(\.text)) \(String(decoding: JSONWriter.compact(document) + JSONWriter.compact(other), as: UTF8.self))"
            )
        }
    }

    @Test func `one mutation of the list of what breaks is always told`() {
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            let kind = Kind.object([("root", Kind.any(&random, depth: 0)), ("id", .integer)])
            let document = kind.value(&random)
            guard var members = document.object?.members else { continue }
            let index = Int.random(in: 0..<members.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: members.remove(at: index)
            case 1: members[index].value = .null
            case 2: members[index].value = Self.other(than: members[index].value)
            default:
                guard members[index].value.number?.integer != nil else { continue }
                members[index].value = JSONNode(.number(JSONNumber(literal: "7.25")))
            }
            let found = judge(document, JSONWriter.compact(JSONNode(.object(JSONObject(members)))))
            #expect(found.contains { $0.level == .breaking }, "\(found.map(\.text))")
        }
    }

    /// A value of another type.
    private static func other(than node: JSONNode) -> JSONNode {
        switch node.value {
        case .bool: .string("true")
        case .string: .bool(true)
        case .number: .string("1")
        case .array: .object(["a": .bool(true)])
        default: .array([.bool(true)])
        }
    }
}
