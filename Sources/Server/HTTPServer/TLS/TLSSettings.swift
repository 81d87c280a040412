// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a server's certificates come from, and which clients it takes.
package struct TLSSettings: Sendable {
    package enum Identity: Sendable {
        /// A certificate, with its chain, and its key, both in PEM.
        case files(certificate: String, key: String)
        /// Both in one key store.
        case store(KeyStore)
        /// The development authority of a directory, made there if there is none; `names` gives, once, the server's names, and
        /// `hosts` which names have a certificate of their own.
        case development(
            directory: String, names: @Sendable () -> [String], hosts: @Sendable () -> Set<String>)
    }

    /// A defect of a certificate of the development authority, for which clients refuse it.
    package enum Defect: Sendable {
        /// It was valid until a day ago.
        case expired
        /// It names another host than any that leads here.
        case otherHost
        /// It is signed by an authority that is made for it and kept nowhere.
        case unknownAuthority
    }

    /// A file of PKCS#12 or of Java's format JKS, and its password.
    package struct KeyStore: Hashable, Sendable {
        package var path: String
        package var password: String
        /// The password of its key, if it has one of its own.
        package var keyPassword: String?

        package init(path: String, password: String, keyPassword: String? = nil) {
            self.path = path
            self.password = password
            self.keyPassword = keyPassword
        }
    }

    package var identity: Identity
    /// Nil for a certificate as it should be.
    package var defect: Defect?
    /// A file of authorities in PEM; clients without a certificate of theirs are refused.
    package var clientCA: String?
    /// The same in a key store.
    package var clientStore: KeyStore?
    package var offersHTTP2 = true
    /// Whether the development authority has certificates for all hosts, and not for those of `hosts` alone.
    package var namesAllHosts = false

    package init(_ identity: Identity, clientCA: String? = nil, offersHTTP2: Bool = true) {
        self.identity = identity
        self.clientCA = clientCA
        self.offersHTTP2 = offersHTTP2
    }
    // MARK: Names, in lower case

    /// Whether a certificate can have a name: that of a host, of those below one, or an address.
    package static func isName(_ name: String) -> Bool {
        if isAddress(name) {
            var bytes = (UInt64(0), UInt64(0))
            return inet_pton(name.contains(":") ? AF_INET6 : AF_INET, name, &bytes) == 1
        }
        return isHost(name.hasPrefix("*.") ? name.dropFirst(2) : name[...])
    }

    static func isHost(_ host: some StringProtocol) -> Bool {
        !host.isEmpty
            && host.utf8.allSatisfy {
                ASCII.isDigit($0) || $0 &- 0x61 < 26 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
                    || $0 == UInt8(ascii: "_")
            }
    }

    /// Whether a name is meant as an address: no host's has a colon, or nothing but digits and dots.
    static func isAddress(_ name: String) -> Bool {
        name.contains(":") || name.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
    }
}
