// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A value with its secrets replaced.
package struct Redaction<Value: Sendable>: Sendable {
    package var value: Value
    /// The placeholders that stand in the value now, in their order, repeats left out; empty if it was left as it is.
    package var placeholders: [String]

    package init(_ value: Value, placeholders: [String] = []) {
        self.value = value
        self.placeholders = placeholders
    }

    package var isRedacted: Bool { !placeholders.isEmpty }
}
