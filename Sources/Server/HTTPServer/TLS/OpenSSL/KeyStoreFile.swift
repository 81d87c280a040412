// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL

    /// The contents of a file of PKCS#12 (RFC 7292): a key with its certificate, and other certificates.
    final class KeyStoreFile {
        private let path: String
        private var key: OpaquePointer?
        private var certificate: OpaquePointer?
        /// The chain, or the authorities of a file without a key.
        private var others: OpaquePointer?

        /// - Throws: `TLSError` if the file cannot be read, or not with this password.
        init(_ store: TLSSettings.KeyStore) throws(TLSError) {
            path = store.path
            guard let bio = BIO_new_file(path, "r") else {
                throw TLSError("the key store \(path) cannot be read\(TLSError.reason)")
            }
            defer { BIO_free(bio) }
            guard let content = d2i_PKCS12_bio(bio, nil) else {
                throw TLSError("the key store \(path) is not in PKCS#12\(TLSError.reason)")
            }
            defer { PKCS12_free(content) }
            guard PKCS12_parse(content, store.password, &key, &certificate, &others) == 1 else {
                throw TLSError("the key store \(path) has another password, or cannot be read\(TLSError.reason)")
            }
        }

        deinit {
            EVP_PKEY_free(key)
            X509_free(certificate)
            copenssl_certificates_free(others)
        }

        private func forEachOther(_ body: (OpaquePointer) -> Void) {
            guard let others else { return }
            for place in 0..<max(0, copenssl_certificates_count(others)) {
                if let certificate = copenssl_certificates_at(others, place) { body(certificate) }
            }
        }

        /// Gives a context the key and its certificate to serve with.
        func serve(_ context: OpaquePointer) throws(TLSError) {
            guard let key, let certificate else {
                throw TLSError("the key store \(path) has no private key with its certificate")
            }
            guard SSL_CTX_use_certificate(context, certificate) == 1, SSL_CTX_use_PrivateKey(context, key) == 1 else {
                throw TLSError("the key of the key store \(path) cannot be used\(TLSError.reason)")
            }
            forEachOther { _ = copenssl_ctx_add_chain_cert(context, $0) }
        }

        /// Adds the authorities to a context: it takes clients that any certificate of the file has signed.
        func addAuthorities(to context: OpaquePointer) throws(TLSError) {
            guard let trusted = SSL_CTX_get_cert_store(context) else { return }
            var count = 0
            forEachOther { authority in
                if X509_STORE_add_cert(trusted, authority) == 1, SSL_CTX_add_client_CA(context, authority) == 1 {
                    count += 1
                }
            }
            if let certificate, X509_STORE_add_cert(trusted, certificate) == 1,
                SSL_CTX_add_client_CA(context, certificate) == 1
            {
                count += 1
            }
            guard count > 0 else { throw TLSError("the key store \(path) has no certificate of an authority") }
        }
    }
#endif
