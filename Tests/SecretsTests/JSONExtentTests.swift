// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockapiSecrets

@Suite(.supervised) struct JSONExtentTests {
    private static func text(_ random: inout SplitMix, depth: Int = 0) -> String {
        let spaces = ["", "", "", " ", "\n", "\r\n\t"]
        func space() -> String { random.pick(spaces) }
        switch random.below(depth < 3 ? 8 : 5) {
        case 0: return random.pick(["true", "false", "null"])
        case 1: return random.pick(["0", "-1.5e+3", "17"])
        case 2...4: return "\"\(random.pick(["", "a", "\\\"", "\\\\", "}", "],", "\\u007d", "é\\n"]))\""
        case 5, 6:
            let members = (0..<random.below(4)).map { number in
                "\(space())\"\(random.pick(["n", "\\\"", "}"]))\(number)\"\(space()):\(space())"
                    + text(&random, depth: depth + 1) + space()
            }
            return "{\(members.joined(separator: ","))}"
        default:
            let items = (0..<random.below(4)).map { _ in space() + text(&random, depth: depth + 1) + space() }
            return "[\(items.joined(separator: ","))]"
        }
    }

    private static func nodes(_ node: JSONNode) -> [JSONNode] {
        [node] + (node.array ?? node.object?.members.map(\.value) ?? []).flatMap(nodes)
    }

    @Test func `a value that is cut at its end is read alone as it was in its text`() throws {
        var random = SplitMix(seed: 13)
        for _ in 0..<400 {
            let text = Array(Self.text(&random).utf8)
            for node in Self.nodes(try JSONParser.parse(text)) {
                let end = text.withUnsafeBufferPointer { JSONExtent.end(of: node.offset, in: $0) }
                let alone = try JSONParser.parse(Array(text[node.offset..<end]))
                #expect(alone == node, "\(String(decoding: text, as: UTF8.self)) at \(node.offset)")
                #expect(text[end - 1] > 0x20)
                guard node.string != nil else { continue }
                let string = text.withUnsafeBufferPointer { JSONExtent.string(at: node.offset, in: $0) }
                #expect(string.end == end && string.isEscaped == text[node.offset..<end].contains(0x5C))
            }
        }
    }
}
