// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import TestSupport
import Testing
import WireSupport

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
}
