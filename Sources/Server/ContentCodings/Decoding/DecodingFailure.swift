// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why content could not be brought back from its codings.
package struct DecodingFailure: Error, Hashable, Sendable {
    package enum Reason: Hashable, Sendable {
        /// The bytes are not of their coding; with the message of its library.
        case broken(String)
        /// The bytes stop before the coding's own end.
        case truncated
        /// They make more bytes than the caller allows.
        case tooLarge(limit: Int)
    }

    /// The value of Content-Encoding.
    package var codings: String
    package var reason: Reason

    package init(codings: String, reason: Reason) {
        self.codings = codings
        self.reason = reason
    }
}

extension DecodingFailure: CustomStringConvertible {
    package var description: String {
        switch reason {
        case .broken(let text): "the content is not \(codings) as it says: \(text)"
        case .truncated: "the content is not \(codings) as it says: it ends early"
        case .tooLarge(let limit): "the content makes more than \(limit) bytes without its coding \(codings)"
        }
    }
}
