// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import Testing

/// Every Swift example in `docs/networking` stands, line for line, in a file of these tests, where it is compiled and run.
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: Sample.fixtures).deletingLastPathComponent()
    private static let pages = files(in: "docs/networking", "md")
    private static let sources = files(in: "Tests/NetworkingKitTests", "swift").map(lines)

    @Test(arguments: pages)
    func everyExampleOfAPageIsCompiledHere(_ page: URL) {
        for example in Self.examples(in: page) {
            #expect(
                Self.sources.contains { Self.contains($0, example) },
                "\(page.lastPathComponent): no test has this example:\n\(example.joined(separator: "\n"))")
        }
    }

    private static func files(in folder: String, _ kind: String) -> [URL] {
        let names = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
        return (names?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".\(kind)") }.sorted().map {
            root.appendingPathComponent(folder).appendingPathComponent($0)
        }
    }

    /// The lines of a file without the white space around them, and without empty ones.
    private static func lines(_ file: URL) -> [String] {
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    private static func examples(in page: URL) -> [[String]] {
        var examples: [[String]] = []
        var current: [String]?
        for line in lines(page) {
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
