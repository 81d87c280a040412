// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Each promise of `docs/threat-model.md` has tests, which `docs/threat-model-tests.md` names by its number: `` `Suite`: `name of a test` ``, in the file of
/// the suite.
@Suite(.supervised) struct ThreatModelTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Every other part of a line stands between back-ticks; a suite is one that a colon and another such follow.
    private static func named(in page: String) -> [(suite: String, test: String)] {
        page.split(separator: "\n").flatMap { line -> [(suite: String, test: String)] in
            let parts = line.split(separator: "`", omittingEmptySubsequences: false)
            return stride(from: 1, to: parts.count - 2, by: 2).compactMap { index -> (suite: String, test: String)? in
                guard parts[index].hasSuffix("Tests"), parts[index + 1] == ": " else { return nil }
                return (String(parts[index]), String(parts[index + 2]))
            }
        }
    }

    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    /// The first cells of a page's tables that are the number of a promise, such as `C12`, with the tests in the same line.
    private static func numbered(_ path: String) throws -> [String: Int] {
        let lines = try text(path).split(separator: "\n").filter { $0.starts(with: /\| [A-Z][0-9]+ \|/) }
        let rows = lines.map { (String($0.dropFirst(2).prefix { $0 != " " }), named(in: String($0)).count) }
        return Dictionary(rows, uniquingKeysWith: +)
    }

    @Test func `each promise has a test`() throws {
        let promises = try Self.numbered("docs/threat-model.md")
        let tests = try Self.numbered("docs/threat-model-tests.md")
        #expect(promises.count >= 80)
        #expect(promises.keys.sorted() == tests.keys.sorted())
        #expect(tests.filter { $0.value == 0 }.keys.sorted() == [])
    }

    @Test func `every test that the threat model names is there`() throws {
        let named = Self.named(in: try Self.text("docs/threat-model-tests.md"))
        #expect(named.count >= 120)
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/Tests")
        let missing = try named.filter { suite, test in
            let texts = try names.filter { $0.hasSuffix("/\(suite).swift") }.map { try Self.text("Tests/\($0)") }
            return !texts.contains { $0.contains("func `\(test)`(") || $0.contains("func \(test)(") }
        }
        #expect(missing.map { "\($0.suite): \($0.test)" } == [])
    }
}
