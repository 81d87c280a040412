// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The tests that `docs/threat-model.md` names are there, each in the file of its suite: `` `Suite`: `name of a test` ``.
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

    @Test func `every test that the threat model names is there`() throws {
        let named = Self.named(in: try Self.text("docs/threat-model.md"))
        #expect(named.count >= 20)
        let names = try FileManager.default.subpathsOfDirectory(atPath: Self.root + "/Tests")
        let missing = try named.filter { suite, test in
            let texts = try names.filter { $0.hasSuffix("/\(suite).swift") }.map { try Self.text("Tests/\($0)") }
            return !texts.contains { $0.contains("func `\(test)`(") || $0.contains("func \(test)(") }
        }
        #expect(missing.map { "\($0.suite): \($0.test)" } == [])
    }
}
