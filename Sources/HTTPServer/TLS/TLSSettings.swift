// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where a server's certificates come from, and which clients it takes.
package struct TLSSettings: Sendable {
    package enum Identity: Sendable {
        /// A certificate, with its chain, and its key, both in PEM.
        case files(certificate: String, key: String)
        /// The development authority of a directory, made there where there is none; `hosts` says which names have a certificate beside
        /// the server's own.
        case development(directory: String, hosts: @Sendable () -> Set<String>)
    }

    package var identity: Identity
    /// A file of authorities in PEM; clients without a certificate of theirs are refused.
    package var clientCA: String?
    package var offersHTTP2 = true

    package init(_ identity: Identity, clientCA: String? = nil, offersHTTP2: Bool = true) {
        self.identity = identity
        self.clientCA = clientCA
        self.offersHTTP2 = offersHTTP2
    }
}
