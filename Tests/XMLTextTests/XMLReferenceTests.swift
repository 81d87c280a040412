// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import MockapiXMLText
import Testing

/// Documents at random in many encodings, with their nodes and what they are written as, by expat: Python keeps them as a tree, and finds
/// names, namespaces and ways in it.
@Suite(.supervised) struct XMLReferenceTests {
    private static func bytes(_ hex: Substring) -> [UInt8] {
        let digits = hex.utf8.map { $0 < 0x40 ? $0 - 0x30 : $0 - 0x57 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// The nodes as the reference has them.
    private static func rows(_ document: XMLDocument) -> String {
        document.nodes.indices.dropFirst().map { node in
            let (name, about) = (document.name(of: node), document.nodes[node])
            let path = document.path(of: node)
            let parts: [String] =
                switch about.kind {
                case .namespace: ["namespace", path, about.value, ""]
                case .attribute: ["attribute", path, about.value, name.namespace ?? "None"]
                default:
                    [
                        "\(about.kind)", path, name.local, name.prefix ?? "None", name.namespace ?? "None", about.value,
                        "\(about.isContinuation)",
                    ]
                }
            return parts.joined(separator: "\u{3}")
        }.joined(separator: "\u{4}")
    }

    @Test func `documents at random are read as expat reads them, and written as they stand`() async throws {
        let seed = Thoroughness.rounds(17, thorough: .random(in: 0..<1 << 31))
        let rounds = Thoroughness.rounds(250, thorough: 10_000)
        let end = try await Command(python: "documents.py", ["\(seed)", "\(rounds)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var count = 0
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: " ", omittingEmptySubsequences: false).map(Self.bytes)
            let document: XMLDocument
            do {
                document = try XMLDocument(parsing: parts[0])
            } catch {
                Issue.record("\(String(decoding: parts[0], as: UTF8.self)) is refused: \(error)")
                continue
            }
            let results = [
                document.printed(0), document.pretty(meter: nil) ?? "", document.transformed(meter: nil) ?? "",
                document.transformed(keepsBlanks: true, sortsAttributes: true, meter: nil) ?? "",
                document.transformed(isIndented: false, sortsAttributes: true, meter: nil) ?? "",
                document.normalised(), document.normalised(isSorted: true),
                Self.rows(document),
            ]
            for (result, wanted) in zip(results, parts.dropFirst()) where !result.utf8.elementsEqual(wanted) {
                Issue.record("\(result) is not \(String(decoding: wanted, as: UTF8.self))")
            }
            count += 1
        }
        #expect(count == rounds)
    }
}
