// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A regular expression as it was written (full match, dot matches newline), and its place, for findings.
package struct Pattern: Hashable, Sendable {
    package var text: String
    package var place: Place
    /// Whether it is in Java's language, like the patterns of WireMock's mappings, rather than in PCRE2's.
    package var isJava = false

    package init(_ text: String, at place: Place, isJava: Bool = false) {
        self.text = text
        self.place = place
        self.isJava = isJava
    }

    /// One that stands in no file.
    package init(_ text: String) {
        self.init(text, at: .nowhere)
    }
}
