// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Something that a test expected of its requests, and whether it came true.
package struct VerificationResult: Sendable {
    package let name: String
    /// Nil if it did.
    package let failure: VerificationFailure?

    package init(name: String, failure: VerificationFailure?) {
        self.name = name
        self.failure = failure
    }
}
