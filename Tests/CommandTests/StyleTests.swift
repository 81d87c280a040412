// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What of docs/style.md a machine can find, in the texts of `Sources`, in their comments and in the documents.
@Suite(.supervised) struct StyleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// A habit, and how often it stands in texts, documents and comments at most: the numbers only shrink.
    struct Habit: Sendable, CustomTestStringConvertible {
        let name: String
        let words: [String]
        /// Where these stand around the words, they are as they should be.
        var beside: [String] = []
        var behind: [String] = []
        var texts = 0
        var pages = 0
        var comments = 0
        var testDescription: String { name }

        /// How often it stands in a line.
        func count(in line: Substring) -> Int {
            words.reduce(0) { count, word in
                count
                    + line.ranges(of: word).count { found in
                        let before = line[..<found.lowerBound]
                        let after = line[found.upperBound...]
                        let isWhole =
                            !(before.last?.isLetter ?? false)
                            && (word.hasSuffix(" ") || !(after.first?.isLetter ?? false))
                        return isWhole && !beside.contains(where: before.hasSuffix)
                            && !behind.contains(where: after.hasPrefix)
                    }
            }
        }
    }

    static let habits = [
        Habit(
            name: "is no …", words: ["is no "], beside: ["there ", "There "],
            behind: ["more", "longer", "less", "one", "such", "way"]),
        Habit(name: "anew", words: ["anew"], texts: 1),
        Habit(
            name: "where there is none", words: ["where there is none", "where there are none"]),
        Habit(
            name: "who, of a program",
            words: [
                "client who", "clients who", "server who", "command who", "program who", "proxy who", "service who",
            ]),
        Habit(
            name: "is told, of what is reported", words: ["is told", "are told"],
            behind: [" apart", " from", " to", " of", " otherwise", " which", " what", " how", " by"], texts: 11,
            pages: 1, comments: 15),
        Habit(
            name: "answer, for a response",
            words: [
                "the answer", "an answer", "its answer", "every answer", "no answer", "last answer", "first answer",
                "recorded answer", "live answer",
            ], texts: 0, pages: 1, comments: 0),
    ]

    @Test(arguments: habits) func `a habit of style becomes no more frequent`(habit: Habit) throws {
        var found: [String: [String]] = [:]
        for (kind, path, line) in try Self.lines.get() where habit.count(in: line) > 0 {
            found[kind, default: []].append("\(path): \(line)")
        }
        for (kind, limit) in [("text", habit.texts), ("page", habit.pages), ("comment", habit.comments)] {
            let lines = found[kind] ?? []
            #expect(lines.count <= limit, "\(kind)s:\n\(lines.joined(separator: "\n"))")
        }
    }

    /// The lines of texts, pages and comments, each with the file that it stands in.
    private static let lines = Result {
        var lines: [(kind: String, path: String, line: Substring)] = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: root + "/Sources").sorted()
        where path.hasSuffix(".swift") {
            let text = try String(contentsOfFile: root + "/Sources/" + path, encoding: .utf8)
            for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) {
                let isComment = line.hasPrefix("//")
                if isComment || line.contains("\"") { lines.append((isComment ? "comment" : "text", path, line)) }
            }
        }
        // Pages that are made by a command, or name tests, have the words of what they show.
        let pages = try FileManager.default.subpathsOfDirectory(atPath: root + "/docs").sorted().filter {
            $0.hasSuffix(".md") && !$0.hasPrefix("contract/") && !["style.md", "threat-model-tests.md"].contains($0)
        }
        for path in pages.map({ "docs/" + $0 }) + ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
            let text = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
            lines += text.split(separator: "\n").map { ("page", path, $0) }
        }
        return lines
    }
}
