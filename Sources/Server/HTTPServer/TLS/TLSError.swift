// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Certificates or keys that cannot be used, in words that name the file and the way out.
package struct TLSError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The package is built without the trait `TLS`.
    package static let unbuilt = TLSError(
        "this build is without TLS: add the trait TLS to the package's dependency on mockapi, or to --traits of swift build"
    )

    package var description: String

    package init(_ description: String) {
        self.description = description
    }
}
