// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// One part of a request that does not meet a stub's condition, in words and values that can be printed.
package struct Difference: Hashable, Sendable {
    /// The part as the fixture format names it: `method`, `urlPath`, `queryParameters.page[number]`, `headers.Accept`, `body`; `path` for
    /// a plain file, `body /items/3/price` for a place in a JSON body.
    package var field: String
    package var expected: String
    package var actual: String
    /// A summary of the difference; empty if the values speak for themselves.
    package var note: String
    /// Whether both sides are plain values, told apart with `≠`.
    package var isPlain: Bool
    /// Whether both sides are states of a scenario.
    private var isState = false

    /// Whether it is one of the body.
    package var isOfBody: Bool { field == "body" || field.hasPrefix("body ") }

    init(_ field: String, _ expected: String, _ actual: String, note: String = "", isPlain: Bool = false) {
        self.field = field.printable
        self.expected = expected.printable
        self.actual = actual.printable
        self.note = note.isEmpty && Self.isSameText(expected, actual) ? Self.otherForm : note.printable
        self.isPlain = isPlain
    }

    /// The message on texts that look the same and are not: an accent is part of its letter in one, and behind it in the other.
    static let otherForm = "only the Unicode form differs: NFC and NFD"

    /// Whether the expected text ends in the text that was found, but for the form of its characters.
    private static func isSameText(_ expected: String, _ actual: String) -> Bool {
        guard !actual.utf8.allSatisfy({ $0 < 0x80 }), expected.hasSuffix(actual) else { return false }
        return !expected.utf8.suffix(actual.utf8.count).elementsEqual(actual.utf8)
    }

    /// A scenario that is in another state than a stub needs.
    package init(scenario name: String, needed: String, state: String) {
        self.init("scenario \"\(name)\"", "\"\(needed)\"", "\"\(state)\"")
        isState = true
    }

    /// `urlPath: /api/contents ≠ /api/content`, or `headers.Accept: expected equalTo "a", found nothing`.
    package var text: String {
        if isState { return "\(field): is in \(actual), the stub needs \(expected)" }
        let values = isPlain ? "\(expected) ≠ \(actual)" : "expected \(expected), found \(actual)"
        return "\(field): \(values)\(note.isEmpty ? "" : " (\(note))")"
    }
}
