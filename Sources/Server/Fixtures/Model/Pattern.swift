// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A regular expression as it was written (PCRE2; full match, dot matches newline), and where, for findings.
package struct Pattern: Hashable, Sendable {
    package var text: String
    package var place: Place

    package init(_ text: String, at place: Place) {
        self.text = text
        self.place = place
    }

    /// One that stands in no file.
    package init(_ text: String) {
        self.init(text, at: .nowhere)
    }
}
