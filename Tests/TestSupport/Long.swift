// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Testing

/// A long argument of a test, which is shown by its beginning: the runner prints an argument whole, each time the test begins.
package struct Long<Value: Collection & Sendable>: Sendable, CustomTestStringConvertible {
    package let value: Value

    package init(_ value: Value) {
        self.value = value
    }

    package var testDescription: String {
        let start = value.prefix(48)
        let shown = (start as? Substring).map { String($0) } ?? "\(Array(start))"
        return start.count < value.count ? "\(shown)… (\(value.count))" : shown
    }
}
