// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL
    import Synchronization
    import MockapiSystemIO

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The OpenSSL context that all TLS connections of a server share: certificates by name, protocols, tickets.
    ///
    /// `@unchecked Sendable`: the OpenSSL object is set up by the initialiser and counted and locked by OpenSSL from then on.
    package final class TLSContext: @unchecked Sendable {
        package static let isBuilt = true

        let pointer: OpaquePointer
        private let authority: LeafIssuer?
        private let offersHTTP2: Bool

        /// - Throws: `TLSError` if a file cannot be used.
        package init(_ settings: TLSSettings) throws(TLSError) {
            guard let pointer = SSL_CTX_new(TLS_server_method()) else {
                throw TLSError("TLS cannot be set up\(TLSError.reason)")
            }
            self.pointer = pointer
            offersHTTP2 = settings.offersHTTP2
            copenssl_ctx_set_min_tls12(pointer)
            copenssl_ctx_set_mode(pointer, Int(SSL_MODE_RELEASE_BUFFERS))
            copenssl_ctx_refuse_renegotiation(pointer)
            // Tickets hold all that resuming a session needs; nothing is kept here.
            copenssl_ctx_keep_no_sessions(pointer)
            // One server's tickets are not another's (SSL_CTX_set_session_id_context, needed if clients have certificates).
            SSL_CTX_set_session_id_context(pointer, "mockapi", 7)
            switch settings.identity {
            case .files(let certificate, let key):
                authority = nil
                try Self.use(pointer, certificate: certificate, key: key)
            case .store(let store):
                authority = nil
                try KeyStoreFile(store).serve(pointer)
            case .development(let directory, let names, let hosts):
                let signer =
                    settings.defect == .unknownAuthority
                    ? try CertificateAuthority.unkept() : try CertificateAuthority.loadOrMake(in: directory)
                let issuer = LeafIssuer(
                    signer, names: names(), defect: settings.defect, hosts: settings.namesAllHosts ? nil : hosts)
                authority = issuer
                try issuer.use(for: pointer, names: issuer.ownNames)
            }
            if let file = settings.clientCA { try Self.requireClients(pointer, from: file) }
            if let store = settings.clientStore {
                try KeyStoreFile(store).addAuthorities(to: pointer)
                Self.requireClients(pointer)
            }
            let data = Unmanaged.passUnretained(self).toOpaque()
            SSL_CTX_set_alpn_select_cb(pointer, Self.chooseProtocol, data)
            if authority != nil {
                copenssl_ctx_set_servername_callback(pointer, Self.chooseCertificate)
                copenssl_ctx_set_servername_argument(pointer, data)
            }
        }

        deinit {
            SSL_CTX_free(pointer)
        }

        /// Why clients will not accept the certificate today: it has expired, or is not valid yet; nil if neither holds.
        package var datesProblem: String? {
            guard let certificate = SSL_CTX_get0_certificate(pointer) else { return nil }
            if let end = X509_get0_notAfter(certificate), X509_cmp_current_time(end) < 0 { return "has expired" }
            if let start = X509_get0_notBefore(certificate), X509_cmp_current_time(start) > 0 {
                return "is not valid yet"
            }
            return nil
        }

        private static func use(_ context: OpaquePointer, certificate: String, key: String) throws(TLSError) {
            try checkReadable(certificate, "the certificate")
            try checkReadable(key, "the private key")
            // OpenSSL would ask at the terminal for the passphrase of a key.
            SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
            guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
                throw TLSError(
                    "the certificate \(certificate) is not in PEM, or cannot be read\(TLSError.reason)")
            }
            guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
                throw TLSError(
                    "the private key \(key) is not in PEM without a passphrase, cannot be read, or does not belong to \(certificate)\(TLSError.reason)"
                )
            }
            guard SSL_CTX_check_private_key(context) == 1 else {
                throw TLSError(
                    "the private key \(key) does not belong to the certificate \(certificate)\(TLSError.reason)")
            }
        }

        /// Reports a file that is not there, or is not for this user, in the system's words: OpenSSL has none for it.
        private static func checkReadable(_ file: String, _ name: String) throws(TLSError) {
            guard access(file, R_OK) != 0 else { return }
            throw TLSError("\(name) \(file) cannot be read: \(SystemError.lastWords)")
        }

        /// Whether a file of authorities can be used.
        ///
        /// - Throws: `TLSError` if it cannot.
        package static func checkAuthorities(_ file: String) throws(TLSError) {
            guard let context = SSL_CTX_new(TLS_server_method()) else { return }
            defer { SSL_CTX_free(context) }
            try requireClients(context, from: file)
        }

        /// Whether a file of PKCS#12 has authorities that can be used.
        ///
        /// - Throws: `TLSError` if it has none.
        package static func checkAuthorities(_ store: TLSSettings.KeyStore) throws(TLSError) {
            guard let context = SSL_CTX_new(TLS_server_method()) else { return }
            defer { SSL_CTX_free(context) }
            try KeyStoreFile(store).addAuthorities(to: context)
        }

        private static let authorities = "the file of client authorities"

        /// Asks every client for a certificate that an authority of the file has signed.
        private static func requireClients(_ context: OpaquePointer, from file: String) throws(TLSError) {
            try checkReadable(file, Self.authorities)
            guard SSL_CTX_load_verify_locations(context, file, nil) == 1, let names = SSL_load_client_CA_file(file)
            else {
                throw TLSError(
                    "\(Self.authorities) \(file) has no certificate in PEM, or cannot be read\(TLSError.reason)")
            }
            SSL_CTX_set_client_CA_list(context, names)
            requireClients(context)
        }

        private static func requireClients(_ context: OpaquePointer) {
            // An intermediate authority of the file is enough: the root need not be there.
            X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(context), UInt(X509_V_FLAG_PARTIAL_CHAIN))
            SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nil)
        }

        /// Chooses HTTP/2 before HTTP/1.1, as far as the client offers them (RFC 7301).
        private static let chooseProtocol:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
                UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
            ) -> Int32 = { _, chosen, chosenCount, offered, offeredCount, data in
                guard let data, let offered else { return SSL_TLSEXT_ERR_NOACK }
                let context = Unmanaged<TLSContext>.fromOpaque(data).takeUnretainedValue()
                let names: [StaticString] = context.offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
                for name in names {
                    var index = 0
                    while index < Int(offeredCount) {
                        let count = Int(offered[index])
                        guard index + 1 + count <= Int(offeredCount) else { break }
                        if count == name.utf8CodeUnitCount,
                            (0..<count).allSatisfy({ offered[index + 1 + $0] == name.utf8Start[$0] })
                        {
                            chosen?.pointee = offered + index + 1
                            chosenCount?.pointee = UInt8(count)
                            return SSL_TLSEXT_ERR_OK
                        }
                        index += 1 + count
                    }
                }
                // No offered protocol is spoken here (RFC 7301 §3.2).
                return SSL_TLSEXT_ERR_ALERT_FATAL
            }

        /// A certificate for the host that the client names, if a fixture has it (RFC 6066 §3).
        private static let chooseCertificate:
            @convention(c) (
                OpaquePointer?, UnsafeMutablePointer<Int32>?, UnsafeMutableRawPointer?
            ) -> Int32 = { ssl, _, data in
                guard let ssl, let data, let name = SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name) else {
                    return SSL_TLSEXT_ERR_NOACK
                }
                let context = Unmanaged<TLSContext>.fromOpaque(data).takeUnretainedValue()
                context.authority?.use(for: ssl, host: String(cString: name).lowercased())
                return SSL_TLSEXT_ERR_OK
            }
    }
#endif
