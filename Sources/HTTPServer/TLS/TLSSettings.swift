// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where a server's certificates come from, and which clients it takes.
package struct TLSSettings: Sendable {
    package enum Identity: Sendable {
        /// A certificate, with its chain, and its key, both in PEM.
        case files(certificate: String, key: String)
        /// The development authority of a directory, made there where there is none; `names` says, once, what the server is called by, and
        /// `hosts` which names have a certificate of their own.
        case development(
            directory: String, names: @Sendable () -> [String], hosts: @Sendable () -> Set<String>)
    }

    /// What is wrong with a certificate of the development authority, so that clients refuse it.
    package enum Defect: Sendable {
        /// It was valid until a day ago.
        case expired
        /// It names another host than any that leads here.
        case otherHost
        /// It is signed by an authority that is made for it and kept nowhere.
        case unknownAuthority
    }

    package var identity: Identity
    /// Nil for a certificate as it should be.
    package var defect: Defect?
    /// A file of authorities in PEM; clients without a certificate of theirs are refused.
    package var clientCA: String?
    package var offersHTTP2 = true

    /// Whether a certificate can have a name, in lower case.
    package static func isName(_ name: String) -> Bool { LeafIssuer.isName(name) }

    package init(_ identity: Identity, clientCA: String? = nil, offersHTTP2: Bool = true) {
        self.identity = identity
        self.clientCA = clientCA
        self.offersHTTP2 = offersHTTP2
    }
}
