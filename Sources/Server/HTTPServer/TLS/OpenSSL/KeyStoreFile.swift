// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL
    import MockapiSystemIO

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Darwin)
        import Darwin
    #endif

    /// The contents of a file of PKCS#12 (RFC 7292): a key with its certificate, and other certificates.
    final class KeyStoreFile {
        /// Bytes of the largest file that is read. 16 MiB.
        private static let sizeLimit = 16 * 1024 * 1024

        private let path: String
        private var key: OpaquePointer?
        private var certificate: OpaquePointer?
        /// The chain, or the authorities of a file without a key.
        private var others: OpaquePointer?

        /// - Throws: `TLSError` if the file cannot be read, or not with this password.
        init(_ store: TLSSettings.KeyStore) throws(TLSError) {
            path = store.path
            let bytes = try Self.read(path)
            let parsed = bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return d2i_PKCS12(nil, &start, buffer.count)
            }
            guard let parsed else { throw TLSError("the key store \(path) is not in PKCS#12\(TLSError.reason)") }
            defer { PKCS12_free(parsed) }
            ERR_clear_error()
            guard PKCS12_parse(parsed, store.password, &key, &certificate, &others) == 1 else {
                let isLocked = ERR_GET_REASON(ERR_peek_last_error()) == PKCS12_R_MAC_VERIFY_FAILURE
                ERR_clear_error()
                if isLocked { throw TLSError("the key store \(path) has another password") }
                throw TLSError(
                    "the key store \(path) is in a cipher that OpenSSL does not read any more, or is damaged; \(Self.rewriting(path))"
                )
            }
        }

        deinit {
            EVP_PKEY_free(key)
            X509_free(certificate)
            copenssl_certificates_free(others)
        }

        private static func read(_ path: String) throws(TLSError) -> [UInt8] {
            let bytes: [UInt8]
            do throws(SystemError) {
                bytes = try FileReader.read(path, limit: sizeLimit + 1).bytes
            } catch {
                let words = error.code == EINVAL ? "it is not a regular file" : error.words
                throw TLSError("the key store \(path) cannot be read: \(words)")
            }
            guard bytes.count <= sizeLimit else {
                throw TLSError("the key store \(path) has more than \(sizeLimit) bytes")
            }
            // Java's own formats, JKS and JCEKS.
            if bytes.starts(with: [0xFE, 0xED, 0xFE, 0xED]) || bytes.starts(with: [0xCE, 0xCE, 0xCE, 0xCE]) {
                throw TLSError("the key store \(path) is in a format of Java's own, not in PKCS#12; \(rewriting(path))")
            }
            return bytes
        }

        /// The way to a file that can be read.
        private static func rewriting(_ path: String) -> String {
            "this makes one that is read: keytool -importkeystore -srckeystore \(path) -destkeystore store.p12 -deststoretype pkcs12"
        }

        private var chain: [OpaquePointer] {
            guard let others else { return [] }
            return (0..<max(0, copenssl_certificates_count(others))).compactMap { copenssl_certificates_at(others, $0) }
        }

        /// Gives a context the key and its certificate to serve with.
        func serve(_ context: OpaquePointer) throws(TLSError) {
            guard let key, let certificate else {
                throw TLSError("the key store \(path) has no private key with its certificate")
            }
            guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1 else {
                throw TLSError("the key of the key store \(path) cannot be used\(TLSError.reason)")
            }
            for certificate in chain where copenssl_ctx_add_chain_cert(context, certificate) != 1 {
                throw TLSError("a certificate of the key store \(path) cannot be used\(TLSError.reason)")
            }
        }

        /// Adds the authorities to a context: it takes clients that any certificate of the file has signed.
        func addAuthorities(to context: OpaquePointer) throws(TLSError) {
            let authorities = chain + [certificate].compactMap(\.self)
            guard !authorities.isEmpty else {
                throw TLSError("the key store \(path) has no certificate of an authority")
            }
            for authority in authorities {
                guard let trusted = SSL_CTX_get_cert_store(context), X509_STORE_add_cert(trusted, authority) == 1,
                    SSL_CTX_add_client_CA(context, authority) == 1
                else { throw TLSError("an authority of the key store \(path) cannot be used\(TLSError.reason)") }
            }
        }
    }
#endif
