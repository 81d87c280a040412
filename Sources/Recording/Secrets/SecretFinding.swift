// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A secret in bytes that are, or are about to be, on disk; the secret itself is not revealed.
package struct SecretFinding: Hashable, Sendable {
    /// The kind of secret, for instance "a JSON Web Token".
    package var kind: String
    /// Counted from 1.
    package var line: Int
    /// Counted from 1, in bytes.
    package var column: Int

    package init(kind: String, line: Int, column: Int) {
        self.kind = kind
        self.line = line
        self.column = column
    }
}
