// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pages of the manual: how long one may be, and that the index leads to each.
@Suite(.supervised) struct ManualTests {
    private static let docs =
        URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path + "/docs/"

    /// What is looked up and not read, and may be longer.
    private static let reference: Set<String> = ["fixture-format.md", "options.md", "recording-rules.md"]

    private static func pages() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: docs).filter { $0.hasSuffix(".md") }.sorted()
    }

    private static func text(_ page: String) throws -> String {
        try String(contentsOfFile: docs + page, encoding: .utf8)
    }

    @Test func `a page that is read has 2,300 words at most`() throws {
        let pages = try Self.pages().filter { !Self.reference.contains($0) && !$0.hasPrefix("contract/") }
        #expect(pages.count > 40)
        for page in pages {
            let words = try Self.text(page).split { $0.isWhitespace }.filter {
                $0.contains { $0.isLetter || $0.isNumber }
            }
            #expect(words.count <= 2300, "\(page)")
        }
    }

    @Test func `the index leads to each page in two clicks`() throws {
        let pages = try Set(Self.pages())
        let first = try Self.links(of: "index.md")
        let second = try first.intersection(pages).flatMap { try Self.links(of: $0) }
        #expect(pages.subtracting(first).subtracting(second).subtracting(["index.md"]).sorted() == [])
    }

    /// The pages that a page leads to, by their paths below docs/.
    private static func links(of page: String) throws -> Set<String> {
        let folder = URL(fileURLWithPath: "/" + page).deletingLastPathComponent()
        let targets = try text(page).matches(of: /\]\(([^)#\s]+\.md)/).map { String($0.output.1) }
        return Set(targets.map { String(folder.appendingPathComponent($0).standardized.path.dropFirst()) })
    }
}
