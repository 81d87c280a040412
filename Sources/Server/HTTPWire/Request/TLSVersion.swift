// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The TLS that a connection has.
package enum TLSVersion: UInt8, Sendable {
    case tls12 = 2
    case tls13 = 3

    /// The name in logs and in the journal: `TLSv1.2` or `TLSv1.3`.
    package var name: String { self == .tls13 ? "TLSv1.3" : "TLSv1.2" }
}
