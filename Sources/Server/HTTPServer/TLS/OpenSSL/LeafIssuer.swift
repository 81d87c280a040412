// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL
    import Synchronization

    /// Makes the certificates of a server, signed by the development authority, and keeps them for the next connections.
    ///
    /// `@unchecked Sendable`: the leaves are behind a lock, the rest is set once.
    final class LeafIssuer: @unchecked Sendable {
        /// A certificate; connections that use it count as its owners too.
        ///
        /// `@unchecked Sendable`: it is only read once it is made, and OpenSSL's count of owners is atomic.
        private struct Leaf: @unchecked Sendable {
            let certificate: OpaquePointer
        }

        /// The names that every server has.
        private static let commonNames = ["localhost", "127.0.0.1", "::1"]
        /// Names in the server's own certificate; more are left out. 100.
        private static let namesLimit = 100
        /// Browsers take no certificate of a server that lasts longer than 398 days.
        private static let days = 397

        /// Certificates that are kept; beyond it they are made again. 1,000: names below `.localhost`, or all, are the client's to choose.
        private static let limit = 1_000

        /// The name in a certificate that is for another host (RFC 2606 §2).
        private static let otherHost = "elsewhere.invalid"

        private let authority: CertificateAuthority
        private let defect: TLSSettings.Defect?
        private let hosts: (@Sendable () -> Set<String>)?
        /// The names in the certificate for a client that does not ask for another.
        let ownNames: [String]
        private let key: OpaquePointer?
        private let leaves = Mutex<[String: Leaf]>([:])

        /// - Parameters:
        ///   - names: the server's other names, each a name, a name behind `*.`, or an address.
        ///   - hosts: the other hosts that have a certificate; nil for all.
        init(
            _ authority: CertificateAuthority, names: [String], defect: TLSSettings.Defect? = nil,
            hosts: (@Sendable () -> Set<String>)?
        ) {
            self.authority = authority
            self.defect = defect
            var own = Self.commonNames
            for name in names.lazy.map({ $0.lowercased() }) where TLSSettings.isName(name) && !own.contains(name) {
                own.append(name)
            }
            ownNames = defect == .otherHost ? [Self.otherHost] : Array(own.prefix(Self.namesLimit))
            self.hosts = hosts
            key = try? Certificate.makeKey()
        }

        deinit {
            leaves.withLock { for leaf in $0.values { X509_free(leaf.certificate) } }
            EVP_PKEY_free(key)
        }

        /// Makes a certificate for names, which a context then gives to every client.
        func use(for context: OpaquePointer, names: [String]) throws(TLSError) {
            let certificate = try make(names)
            defer { X509_free(certificate) }
            guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1,
                copenssl_ctx_add_chain_cert(context, authority.certificate) == 1
            else { throw TLSError("the server's certificate cannot be used\(TLSError.reason)") }
        }

        /// Gives one connection the certificate of a host, if the host has one.
        func use(for connection: OpaquePointer, host: String) {
            guard !ownNames.contains(host), isServed(host), let key else { return }
            leaves.withLock { leaves in
                if leaves[host] == nil, let certificate = try? make([host]) {
                    if leaves.count >= Self.limit {
                        for leaf in leaves.values { X509_free(leaf.certificate) }
                        leaves.removeAll()
                    }
                    leaves[host] = Leaf(certificate: certificate)
                }
                guard let leaf = leaves[host] else { return }
                SSL_use_certificate(connection, leaf.certificate)
                SSL_use_PrivateKey(connection, key)
            }
        }

        private func isServed(_ host: String) -> Bool {
            TLSSettings.isHost(host) && (host.hasSuffix(".localhost") || hosts?().contains(host) ?? true)
        }

        private func make(_ names: [String]) throws(TLSError) -> OpaquePointer {
            guard let key else { throw TLSError("no key can be made") }
            let alternatives = names.map { name in
                TLSSettings.isAddress(name) ? "IP:\(name)" : "DNS:\(name)"
            }
            return try Certificate.make(
                Certificate.Contents(
                    commonName: names[0], since: defect == .expired ? Self.days : 1,
                    days: defect == .expired ? -1 : Self.days,
                    extensions: [
                        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
                        (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, alternatives.joined(separator: ",")),
                        (NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid"),
                    ]),
                key: key, issuer: (authority.certificate, authority.key))
        }
    }
#endif
