// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why something cannot be recorded, and the way out.
package struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
