// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A field line of a response, name and value as they were written, without CR, LF and NUL.
package struct HeaderLine: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
