// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Every Swift example in `docs/networking` stands, line for line, in a file of these tests, where it is compiled and run.
@Suite(.supervised) struct DocumentationTests {
    private static let root = URL(fileURLWithPath: Sample.fixtures).deletingLastPathComponent().path
    private static let pages =
        ((try? FileManager.default.contentsOfDirectory(atPath: root + "/docs/networking")) ?? []).sorted()

    @Test(arguments: pages)
    func everyExampleOfAPageIsCompiledHere(_ page: String) {
        // The second is compiled as an app that belongs to the main actor.
        let missing = ["NetworkingKitTests", "MainActorTests", "ReadmeSnippet"].map { folder in
            DocumentedExamples(root: Self.root, page: "docs/networking/\(page)", folder: "Tests/\(folder)").missing
        }
        #expect(missing[0].filter { example in missing.allSatisfy { $0.contains(example) } } == [])
    }

    @Test func `the program of the library's page is one that is compiled`() throws {
        let program = try String(contentsOfFile: Self.root + "/Tests/ReadmeSnippet/main.swift", encoding: .utf8)
        let code = try #require(program.range(of: "import Foundation\n").map { program[$0.lowerBound...] })
        let page = try String(contentsOfFile: Self.root + "/docs/networking/index.md", encoding: .utf8)
        #expect(page.contains("```swift\n\(code)```\n"))
    }

    /// The text of each file of the library.
    private static func sources() throws -> [String] {
        try ["NetworkingCore", "NetworkingTargets", "NetworkingClient"].flatMap { module in
            let sources = root + "/Sources/Networking/" + module
            let files = FileManager.default.enumerator(atPath: sources)?.compactMap { $0 as? String } ?? []
            return try files.filter { $0.hasSuffix(".swift") }.map {
                try String(contentsOfFile: "\(sources)/\($0)", encoding: .utf8)
            }
        }
    }

    @Test func `the errors are four`() throws {
        let declaration = /(?m)^ *public (?:final )?(?:struct|class|enum) (\w+)[^{\n]*\bError\b/
        let errors = try Self.sources().flatMap { $0.matches(of: declaration).map { String($0.1) } }
        #expect(errors.sorted() == ["ClientError", "ProviderError", "RequestError", "ResponseError"])
    }

    @Test func everyPublicTypeIsListed() throws {
        let declaration = /(?m)^public (?:final )?(?:struct|class|enum|protocol) (\w+)/
        let types = try Self.sources().flatMap { $0.matches(of: declaration).map { $0.1 } }
        let page = try String(contentsOfFile: Self.root + "/docs/networking/api.md", encoding: .utf8)
        #expect(types.count > 50)
        #expect(types.filter { !page.contains("| `\($0)` |") } == [])
    }
}
