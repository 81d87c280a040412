// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A key of an object in a stub file.
struct ObjectKey: Sendable {
    /// How the reader treats the key.
    enum Standing: Sendable {
        case known
        /// A part of the format's words that changes the match or the response, and that is not built yet;
        /// `instead` does the same, or most of it, and is built.
        case notYet(instead: String)
        /// Read in WireMock roots only; with the format's own word for it if there is one.
        case wireMock(insteadOf: String?)
    }

    var name: String
    var value: ValueShape
    var standing: Standing
    /// The description that editors show beside the key: a sentence or two.
    var text: String

    init(_ name: String, _ value: ValueShape, _ text: String) {
        self.init(name, value, .known, text)
    }

    /// A key that is written, too.
    init(_ name: KeyName, _ value: ValueShape, _ text: String) {
        self.init(name.rawValue, value, .known, text)
    }

    private init(_ name: String, _ value: ValueShape, _ standing: Standing, _ text: String) {
        self.name = name
        self.value = value
        self.standing = standing
        self.text = text
    }

    static func notYet(_ name: String, _ instead: String) -> ObjectKey {
        ObjectKey(name, .anything, .notYet(instead: instead), "")
    }

    static func wireMock(_ name: String, _ value: ValueShape, insteadOf word: String? = nil) -> ObjectKey {
        ObjectKey(name, value, .wireMock(insteadOf: word), "")
    }

    /// Whether the key is a word of the fixture format itself.
    var isKnown: Bool {
        if case .known = standing { true } else { false }
    }
}
