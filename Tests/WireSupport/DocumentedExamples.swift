// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The Swift examples of a page, each of which has to stand, line for line, in a file of tests, where it is compiled and run.
package struct DocumentedExamples {
    private let examples: [[String]]
    private let sources: [[String]]

    /// - Parameters:
    ///   - root: the package's.
    ///   - page: the page, relative to it.
    ///   - folder: where the tests are, relative to it.
    package init(root: String, page: String, folder: String) {
        examples = Self.examples(in: "\(root)/\(page)")
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: "\(root)/\(folder)")) ?? []
        sources = names.filter { $0.hasSuffix(".swift") }.map { Self.lines("\(root)/\(folder)/\($0)") }
    }

    /// The examples that no test has.
    package var missing: [String] {
        examples.filter { example in !sources.contains { Self.contains($0, example) } }.map {
            $0.joined(separator: "\n")
        }
    }

    package var count: Int { examples.count }

    /// The lines of a file without the white space around them, and without empty ones.
    private static func lines(_ path: String) -> [String] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { $0.trimmingPrefix { $0.isWhitespace } }.map { line in
            String(line.reversed().drop { $0.isWhitespace }.reversed())
        }.filter { !$0.isEmpty }
    }

    private static func examples(in path: String) -> [[String]] {
        var examples: [[String]] = []
        var current: [String]?
        for line in lines(path) {
            if line == "```swift" {
                current = []
            } else if line == "```", let example = current {
                examples.append(example)
                current = nil
            } else {
                current?.append(line)
            }
        }
        return examples
    }

    private static func contains(_ lines: [String], _ example: [String]) -> Bool {
        guard let first = example.first else { return false }
        return lines.indices.contains { index in
            lines[index] == first && lines[index...].starts(with: example)
        }
    }
}
