// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A text that is equal to another when its bytes are, as paths are and as `String` is not.
package struct ExactText: Hashable, Sendable {
    package let text: String

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    package func hash(into hasher: inout Hasher) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            hasher.combine(bytes: UnsafeRawBufferPointer($0))
        }
        if isDone == nil { Array(text.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}

extension String {
    /// Whether the bytes are the same: `==` takes a combining accent and its letter for the precomposed letter.
    package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
