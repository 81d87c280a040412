// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiDrift

/// What is known does not depend on the order in which it became known.
@Suite(.supervised) struct SamplePropertyTests {
    /// A value of few kinds, so that samples agree and disagree.
    static func value(_ random: inout SplitMix, _ depth: Int) -> JSONNode {
        switch Int.random(in: 0..<(depth > 2 ? 7 : 10), using: &random) {
        case 0: return .null
        case 1: return .bool(true)
        case 2:
            return JSONNode(
                .number(
                    JSONNumber(literal: ["1", "2.5", "1.0", "9007199254740993"].randomElement(using: &random) ?? "1")))
        case 3: return .string(["open", "closed", "gone"].randomElement(using: &random) ?? "")
        case 4: return .string("2026-11-2\(Int.random(in: 0...9, using: &random))")
        case 5: return .string("2026-11-20T10:00:0\(Int.random(in: 0...9, using: &random))Z")
        case 6: return .string("redacted.response.x")
        case 7: return .array((0..<Int.random(in: 0...3, using: &random)).map { _ in value(&random, depth + 1) })
        default:
            let names = ["a", "b", "type", "next", "17"].filter { _ in Bool.random(using: &random) }
            return JSONNode(.object(JSONObject(names.map { .init(name: $0, value: value(&random, depth + 1)) })))
        }
    }

    /// The same with its members and items in another order.
    private static func shuffled(_ node: JSONNode, _ random: inout SplitMix) -> JSONNode {
        switch node.value {
        case .array(let elements):
            var items: [JSONNode] = []
            for element in elements { items.append(shuffled(element, &random)) }
            // What may be a tuple has its order.
            return .array(Set(items.map { Kinds.of($0) }).count > 1 ? items : items.shuffled(using: &random))
        case .object(let object):
            var members: [JSONObject.Member] = []
            for member in object.members {
                members.append(.init(name: member.name, value: shuffled(member.value, &random)))
            }
            return JSONNode(.object(JSONObject(members.shuffled(using: &random))))
        default: return node
        }
    }

    private static let lines = [
        "ETag: \"a\"", "ETag: W/\"a\"", "Vary: Accept", "Vary: Accept, Origin", "Cache-Control: no-store",
        "Cache-Control: max-age=1", "Link: </b>; rel=next", "Allow: GET", "Allow: GET, POST", "X-A: 1", "X-A: 2",
        "Set-Cookie: a=1", "Set-Cookie: b=1; Secure", "Content-Language: de", "Location: /a/17", "Location: /b",
    ]

    private static func sample(_ node: JSONNode, _ headers: [String]) -> ResponseSample {
        let fields = (["Content-Type: application/json"] + headers).map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
        }
        return ResponseSample(status: 200, headers: fields, body: JSONWriter.compact(node))
    }

    /// Level, id and place of each finding.
    private static func verdict(_ recorded: [ResponseSample], _ live: [ResponseSample]) -> Set<String> {
        var comparison = ResponseComparison(recorded: recorded)
        for index in comparison.recorded.indices { comparison.recorded[index].index = index }
        return Set(
            comparison.compare(live).findings.map {
                "\($0.level.rawValue) \($0.id.rawValue) \($0.pointer.lowercased())"
            })
    }

    @Test func `no verdict depends on the order of samples, lines, members or items`() {
        var random = SplitMix(seed: 2026)
        for round in 0..<400 {
            func samples() -> [ResponseSample] {
                (0..<Int.random(in: 1...3, using: &random)).map { _ in
                    let members = ["a", "b", "c"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.map {
                        name in
                        JSONObject.Member(name: name, value: Self.value(&random, 0))
                    }
                    let headers = Self.lines.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
                    return Self.sample(JSONNode(.object(JSONObject(members))), headers)
                }
            }
            func reordered(_ samples: [ResponseSample]) -> [ResponseSample] {
                samples.shuffled(using: &random).map { sample in
                    var other = sample
                    if let node = try? JSONParser.parse(sample.body) {
                        other.body = JSONWriter.pretty(Self.shuffled(node, &random))
                    }
                    return other
                }
            }
            let (recorded, live) = (samples(), samples())
            let first = Self.verdict(recorded, live)
            let second = Self.verdict(reordered(recorded), reordered(live))
            #expect(first == second, "round \(round): \(first.symmetricDifference(second).sorted())")
            #expect(Self.verdict(recorded, recorded).isEmpty, "round \(round)")
        }
    }

    @Test func `what came is known once it is a sample`() {
        var random = SplitMix(seed: 5)
        for round in 0..<400 {
            let (old, new) = (Self.value(&random, 0), Self.value(&random, 0))
            let (recorded, live) = (Self.sample(old, []), Self.sample(new, []))
            for answer in [recorded, live] {
                let found = Self.verdict([recorded, live], [answer]).filter { !$0.hasPrefix("info property-removed") }
                #expect(found.isEmpty, "round \(round)")
            }
        }
    }
}
