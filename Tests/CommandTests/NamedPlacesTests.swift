// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where the options of the commands are named, and the files that the documents name: read from the sources.
@Suite(.supervised) struct NamedPlacesTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// Lines of libraries that have an option of ours in a text; the numbers only shrink. A server says what its settings are called by
    /// `SettingNames`.
    private static let ours = [
        "Secrets": 2, "Recording": 11, "Verification": 9, "Running": 1, "Reports": 1, "Fixtures": 4,
    ]

    /// Files that name options of other programs, or of the program that they are.
    private static let others: Set = [
        "Server/StubMatching/Values/Confidential.swift",  // curl's, whose values are hidden
        "Server/HTTPServer/TLS/TLSError.swift",  // `swift build`'s
        "Contracts/Reports/ReportRequest.swift", "Contracts/Contract/Conversation/StepExchange.swift",  // curl's
        "Networking/NetworkingCore/NetNamespace.swift",  // curl's
        "Contracts/Verification/Comparing/GitTree.swift",  // git's
        "Contracts/MockServerTesting/MockServerTrait.swift",  // `swift test`'s
    ]

    @Test func `a library names no option of a command`() throws {
        let folder = Self.root + "/Sources/"
        var counts: [String: Int] = [:]
        var lines: [String] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() where path.hasSuffix(".swift")
        {
            let room = String(path.split(separator: "/")[1])
            guard !["mockapi", "articles"].contains(room), !Self.others.contains(path) else { continue }
            for line in try String(contentsOfFile: folder + path, encoding: .utf8).split(separator: "\n") {
                let line = line.drop { $0 == " " }
                guard !line.hasPrefix("//"), line.contains("\""), Self.namesOption(line) else { continue }
                counts[room, default: 0] += 1
                lines.append("\(path): \(line)")
            }
        }
        for (room, count) in counts where count > Self.ours[room, default: 0] {
            Issue.record(
                "\(room) names \(count) options:\n\(lines.filter { $0.contains("/\(room)/") }.joined(separator: "\n"))")
        }
    }

    /// Whether two hyphens and a letter stand in a line, not within a word.
    private static func namesOption(_ line: Substring) -> Bool {
        let bytes = Array(line.utf8)
        return bytes.indices.dropLast(2).contains { index in
            bytes[index] == UInt8(ascii: "-") && bytes[index + 1] == UInt8(ascii: "-")
                && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[index + 2])
                && (index == 0 || [" ", "\"", "'", "`", "("].contains(Character(UnicodeScalar(bytes[index - 1]))))
        }
    }

    /// The pages that lead to files of this repository.
    private static let pages =
        ["README.md", "CONTRIBUTING.md", "Benchmarks/README.md"]
        + ((try? FileManager.default.subpathsOfDirectory(atPath: root + "/docs")) ?? [])
        .filter { $0.hasSuffix(".md") }.map { "docs/" + $0 }

    @Test(arguments: pages) func `a page names files that are there`(page: String) throws {
        let text = try String(contentsOfFile: Self.root + "/" + page, encoding: .utf8)
        for word in text.split(separator: "`").map(String.init) where word.hasSuffix(".swift") && word.contains("/") {
            guard !word.contains(" "), !word.contains("*"), !word.contains("…") else { continue }
            let isThere = ["", "Sources/"].contains {
                FileManager.default.fileExists(atPath: Self.root + "/" + $0 + word)
            }
            #expect(isThere || Self.usersOwn.contains(word), "\(page) names \(word)")
        }
    }

    /// Files of a reader's own package.
    private static let usersOwn: Set<String> = []
}
