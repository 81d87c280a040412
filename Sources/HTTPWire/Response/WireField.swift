// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A field line to be sent: name and value as they go on the wire.
package struct WireField: Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
