// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The kinds of tests of a stub that took more work than they may: they count as not passed, as do their negations.
package struct GivenUp: OptionSet, Hashable, Sendable {
    package let rawValue: UInt16

    package init(rawValue: UInt16) { self.rawValue = rawValue }

    package static let pattern = GivenUp(rawValue: 1)
    /// A comparison of JSON.
    package static let comparison = GivenUp(rawValue: 1 << 1)
    package static let path = GivenUp(rawValue: 1 << 2)
    package static let schema = GivenUp(rawValue: 1 << 3)
    package static let xPath = GivenUp(rawValue: 1 << 4)
    package static let xml = GivenUp(rawValue: 1 << 5)
    package static let graphQL = GivenUp(rawValue: 1 << 6)
    package static let digest = GivenUp(rawValue: 1 << 7)
    package static let form = GivenUp(rawValue: 1 << 8)
    package static let parts = GivenUp(rawValue: 1 << 9)
    /// A text that is looked for or compared, a path template, a number, a date.
    package static let text = GivenUp(rawValue: 1 << 10)

    /// The subject of the test, in a word; if there are several, the word that says most.
    package var noun: String {
        let nouns: KeyValuePairs<GivenUp, String> = [
            .pattern: "pattern", .comparison: "comparison of JSON", .path: "JSON path", .schema: "JSON Schema",
            .xPath: "XPath", .xml: "XML document", .graphQL: "GraphQL query", .digest: "digest", .form: "form",
            .parts: "multipart body",
        ]
        return nouns.first { contains($0.key) }?.value ?? "text"
    }

    /// The same with its article.
    package var words: String { (noun.hasPrefix("X") ? "an " : "a ") + noun }
}

/// A stub, by its place in the set, that did not match because tests of its were given up.
package struct ExceedingStub: Hashable, Sendable {
    package let stub: Int
    package internal(set) var tests: GivenUp

    package init(stub: Int, _ tests: GivenUp) {
        self.stub = stub
        self.tests = tests
    }
}
