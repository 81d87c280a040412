// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The habits of docs/style.md that a machine can find, in the texts of `Sources`, in their comments and in the documents.
@Suite(.supervised) struct StyleTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

    /// A habit, and how often it stands in texts, documents and comments at most: the numbers only shrink.
    struct Habit: Sendable, CustomTestStringConvertible {
        let name: String
        let words: [String]
        /// If these stand around the words, they are as they should be.
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
            name: "is no …",
            words: [
                "is no ", "are no ", "is none", "are none",
            ],
            beside: ["there ", "There "],
            behind: ["more", "longer", "less", "one", "such", "way", "higher"], texts: 15, pages: 1),
        Habit(
            name: "anew",
            words: [
                "anew", "afresh",
            ], texts: 1),
        Habit(
            name: "where, for if",
            words: [
                "where there is", "where there are", "Where there", "where it is left out", "where it is missing",
                "where that is more", "where that is less", "where that is shorter", "where it has", "where they have",
                "where none is", "where nothing is", "where one is", "where this is not", "where that is not",
                "nil where", "Nil where", "false where", "Throws where", "; throws where", "Throws: where",
                "even where", "at once where", "where need be", "where nobody", "where neither", "where its status",
                "where processors", "where that cannot", "where not all", "where a signal", "where these are",
                "where that may", "where it is too", "where it is not", "where it is none", "where it does not",
                "where they are not",
            ]),
        Habit(
            name: "who, of a program",
            words: [
                "client who", "clients who", "server who", "command who", "program who", "proxy who", "service who",
                "process who", "browser who", "library who", "caller who", "who asks", "Who asks", "those who",
                "Those who", "all who", "one who", "whoever", "Whoever", "whom", "Whom",
            ]),
        Habit(
            name: "tell, for report",
            words: [
                "is told", "are told", "was told", "been told", "be told", "told otherwise", "told back", "tells of",
                "tell of", "tells what", "tells which", "tells how", "tells where", "tell nothing", "tells nothing",
                "telling name", "telling names", "Told", "Tells of", "Telling", "told once", "told of",
            ],
            behind: [" apart", " from"]),
        Habit(
            name: "of which",
            words: [
                "of which", "Of which", "of whom", "Of whom",
            ]),
        Habit(
            name: "what, as a subject",
            words: [
                "What is", "What was", "What are", "What has", "What a", "What the", "What an", "What it", "What one",
                "What no", "What nothing", "What they", "What there", "What comes", "What came", "what is", "what was",
                "what are", "what were", "what has", "what have", "what comes", "what came", "what it", "what there",
                "what stands", "what follows", "what else", "what belongs", "what no", "what nothing", "what one",
                "what tells", "what may", "what can", "what they", "nil for what", "with what", "of what", "for what",
                "in what", "than what",
            ], texts: 32, pages: 27),
        Habit(
            name: "has it done",
            words: [
                "has it wait", "has them wait", "has it sent", "has the fixtures read", "has the client",
                "has its client", "has clients", "has the command", "has the whole", "has the work", "have it read",
                "Has the", "Has a", "Has an", "Has all", "Has every", "Has its", "Has work", "has curl send",
            ], pages: 2),
        Habit(
            name: "answer, for a response",
            words: [
                "answer", "answers", "answered", "answering", "Answer", "Answers", "Answered", "Answering",
                "unanswered",
            ], texts: 147, pages: 24, comments: 1),
        Habit(
            name: "one, and the verb first",
            words: [
                "such a one", "such an one", "such one", "such ones", "that is to say", "Of these", "Of those",
                "Of them", "Of several", "Of two", "Measured are", "Compared are", "Read are", "Here stand",
                "Here stands", "In it lie", "In it stand", "By the loop",
            ]),
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
