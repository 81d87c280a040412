// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Every Swift example of the pages about tests stands in a file of these tests.
@Suite(.supervised) struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    @Test(arguments: ["docs/testing.md", "docs/contract/networking.md"])
    func everyExampleOfAPageIsCompiledHere(_ page: String) {
        let examples = DocumentedExamples(root: Self.root, page: page, folder: "Tests/MockServerTestingTests")
        #expect(examples.count > 0)
        #expect(examples.missing == [])
    }

    @Test(arguments: [
        ("Server/MockServer/MockServer.docc", "Tests/MockServerTestingTests/Examples/Jobs.swift"),
        (
            "Contracts/MockServerTesting/MockServerTesting.docc",
            "Tests/MockServerTestingTests/Examples/TestingExample.swift"
        ),
        ("Networking/NetworkingKit/NetworkingKit.docc", "Tests/ReadmeSnippet/main.swift"),
    ]) func `each line of a tutorial's code is compiled here, in its order`(catalog: String, source: String) throws {
        let folder = "\(Self.root)/Sources/\(catalog)/Resources"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".swift") }
        #expect(names.count >= 3)
        for name in names {
            var lines = try Self.lines("\(Self.root)/\(source)")[...]
            for line in try Self.lines("\(folder)/\(name)") {
                let place = try #require(lines.firstIndex(of: line), "\(name): \(line)")
                lines = lines[(place + 1)...]
            }
        }
    }

    private static func lines(_ path: String) throws -> [Substring] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        return lines.map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    @Test func `the way of a request in CONTRIBUTING is that of the code`() throws {
        let page = try String(contentsOfFile: Self.root + "/CONTRIBUTING.md", encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| `") && $0.contains(".swift` |") }
        #expect(rows.count == 9)
        for row in rows {
            let cells = row.split(separator: "|").map { $0.filter { $0 != "`" && $0 != " " } }
            let source = try String(contentsOfFile: "\(Self.root)/Sources/\(cells[2])", encoding: .utf8)
            #expect(source.contains("func \(cells[1])("), "\(cells[1]) is not in \(cells[2])")
            #expect(cells[2].contains("/\(cells[0])/"))
        }
    }
}
