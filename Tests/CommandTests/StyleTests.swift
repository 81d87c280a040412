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
            name: "is no …", words: ["is no ", "are no "],
            beside: ["there ", "There "], behind: ["more", "longer", "less", "one", "such", "way", "higher"]),
        Habit(name: "anew", words: ["anew"], texts: 1),
        Habit(
            name: "where, for if",
            words: [
                "where there is", "where there are", "Where there", "where it is left out", "where it is missing",
                "where that is more", "where that is less", "where that is shorter", "where it has", "where they have",
                "where none is", "where nothing is", "where one is", "where this is not", "where that is not",
            ]),
        Habit(
            name: "who, of a program",
            words: [
                "client who", "clients who", "server who", "command who", "program who", "proxy who", "service who",
                "process who", "browser who", "library who", "caller who",
            ]),
        Habit(
            name: "tell, for report",
            words: [
                "is told", "are told", "was told", "been told", "be told", "told otherwise", "told back", "tells of",
                "tell of", "tells what", "tells which", "tells how", "tells where", "tell nothing", "tells nothing",
                "telling name", "telling names",
            ], behind: [" apart", " from"], comments: 1),
        Habit(
            name: "of which",
            words: ["of which", "Of which"],
            beside: [
                "each ", "one ", "first ", "second ", "later ", "all ", "most ", "several ", "none ", "path ", "query ",
            ], comments: 3),
        Habit(
            name: "what, as a subject",
            words: [
                "What is wrong", "what is wrong", "What is left", "what is left", "What is sent", "What is asked",
                "what is asked", "What comes", "What came", "What it has", "what it is given", "What was", "What has",
                "what is served", "What is served", "what is recorded", "What nothing", "what nothing",
                "what no fixture", "what no stub",
            ], comments: 85),
        Habit(
            name: "has it done",
            words: [
                "has it wait", "has them wait", "has it sent", "has the fixtures read", "has the client",
                "has its client", "has clients", "has the command", "has the whole", "has the work", "have it read",
            ], comments: 1),
        Habit(
            name: "answer, for a response",
            words: [
                "the answer", "an answer of", "its answer", "every answer", "no answer", "last answer", "first answer",
                "recorded answer", "live answer", "each answer", "each of the answers", "all answers", "of answers",
                "in answers", "answers are", "answers of stubs", "answers of plain", "answers under way",
                "answers without", "answers that are",
            ], comments: 1),
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
