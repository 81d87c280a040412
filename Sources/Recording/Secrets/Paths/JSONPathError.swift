// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a text is not a JSON path, and the way out.
package struct JSONPathError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    /// Counted from 1, in bytes.
    package var column: Int
    package var message: String

    package var description: String {
        "\"\(path)\" is not a JSON path: \(message) at character \(column); write a path such as $.user.email or $.items[*].token"
    }
}
