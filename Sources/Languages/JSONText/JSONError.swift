// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a text is not JSON, and at which byte.
package struct JSONError: Error, Equatable, Sendable {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}
