// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering
import MockapiTestSupport
import MockapiWireSupport
import MockapiXMLText
import Testing

/// Expressions at random with their results by libxml2's own XPath, which Python calls.
@Suite(.supervised) struct XPathReferenceTests {
    /// The numbers of nodes as the reference counts them: without declarations of namespaces, and each text once.
    private static func places(_ document: XMLDocument) -> [Int: Int] {
        let counted = document.nodes.indices.filter {
            document.nodes[$0].kind != .namespace && !document.nodes[$0].isContinuation
        }
        return Dictionary(uniqueKeysWithValues: counted.enumerated().map { ($0.element, $0.offset) })
    }

    private static func shown(_ result: XPathResult, _ places: [Int: Int]) -> String {
        switch result {
        case .nodes(let nodes): (["nodes"] + nodes.map { places[$0].map(String.init) ?? "?" }).joined(separator: " ")
        case .boolean(let value): "boolean \(value)"
        case .number(let number): "number \(number.isNaN ? "nan" : number == 0 ? "0.0" : "\(number)")"
        case .string(let text): "string \(text)"
        }
    }

    @Test func `expressions at random have the results that libxml2 has`() async throws {
        let seed = Thoroughness.rounds(17, thorough: .random(in: 0..<1 << 31))
        let rounds = Thoroughness.rounds(90, thorough: 2000)
        let end = try await Command(python: "xpaths.py", ["\(seed)", "\(rounds)"]).end()
        try #require(end.code == 0, "\(end.errors)")
        var document = try XMLDocument(parsing: "<a/>")
        var (text, places, count) = ("", [Int: Int](), 0)
        for line in end.output.split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if parts[0] == "document" {
                text = parts[1]
                document = try XMLDocument(parsing: text)
                places = Self.places(document)
                continue
            }
            let path = try XPath(parsing: parts[0], namespaces: ["p": "urn:p", "q": "urn:q"])
            var allowance = Allowance(units: .max)
            let result = Self.shown(try path.evaluate(document, allowance: &allowance), places)
            if result != parts[1] { Issue.record("\(parts[0]) makes \(result), not \(parts[1]), of \(text)") }
            count += 1
        }
        #expect(count > rounds * 25)
    }
}
