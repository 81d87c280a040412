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

    /// The contents of a key store, in PKCS#12 (RFC 7292) or JKS: a key with its certificate, and other certificates.
    final class KeyStoreFile {
        /// Bytes of the largest file that is read. 16 MiB.
        private static let sizeLimit = 16 * 1024 * 1024

        private let path: String
        private var key: OpaquePointer?
        private var certificate: OpaquePointer?
        /// The chain behind the certificate; all certificates of PKCS#12 without a key.
        private var chain: [OpaquePointer] = []
        /// The certificates of JKS that belong to no key.
        private var authorities: [OpaquePointer] = []

        /// - Throws: `TLSError` if the file cannot be read, or not with this password.
        init(_ store: TLSSettings.KeyStore) throws(TLSError) {
            path = store.path
            let bytes = try Self.read(path)
            if JavaKeyStore.isOne(bytes) {
                let java = try JavaKeyStore(bytes, store)
                try take(java.key, java.chain.first, java.chain.dropFirst())
                for bytes in java.authorities { authorities.append(try readCertificate(bytes)) }
            } else {
                try read(bytes, store.password)
            }
        }

        deinit {
            EVP_PKEY_free(key)
            X509_free(certificate)
            for certificate in chain + authorities { X509_free(certificate) }
        }

        /// Reads PKCS#12, in the old ciphers of `keytool` of Java 8, too, if OpenSSL's provider for them is installed.
        private func read(_ bytes: [UInt8], _ password: String) throws(TLSError) {
            // They are for this file alone, and for no connection.
            guard let library = OSSL_LIB_CTX_new() else {
                throw TLSError("the key store \(path) cannot be read\(TLSError.reason)")
            }
            defer { OSSL_LIB_CTX_free(library) }
            let providers = ["default", "legacy"].compactMap { (name: String) in OSSL_PROVIDER_load(library, name) }
            defer { for provider in providers { OSSL_PROVIDER_unload(provider) } }
            ERR_clear_error()
            var store = PKCS12_init_ex(NID_pkcs7_data, library, nil)
            defer { PKCS12_free(store) }
            let isRead = bytes.withUnsafeBytes { buffer in
                guard let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count)) else { return false }
                defer { BIO_free(bio) }
                return d2i_PKCS12_bio(bio, &store) != nil
            }
            guard isRead else { throw TLSError("the key store \(path) is not in PKCS#12 or JKS\(TLSError.reason)") }
            ERR_clear_error()
            var (key, certificate, others): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
            defer {
                EVP_PKEY_free(key)
                X509_free(certificate)
                copenssl_certificates_free(others)
            }
            guard PKCS12_parse(store, password, &key, &certificate, &others) == 1 else {
                let isLocked = ERR_GET_REASON(ERR_peek_last_error()) == PKCS12_R_MAC_VERIFY_FAILURE
                ERR_clear_error()
                if isLocked { throw TLSError("the key store \(path) has another password") }
                throw TLSError(
                    "the key store \(path) is in a cipher that OpenSSL does not read any more, or is damaged; \(Self.rewriting(path))"
                )
            }
            let places = others.map { 0..<max(0, copenssl_certificates_count($0)) } ?? 0..<0
            let chain = places.compactMap { place in
                Self.bytes(copenssl_certificates_at(others, place)) { i2d_X509($0, $1) }
            }
            try take(
                Self.bytes(key) { i2d_PrivateKey($0, $1) }, Self.bytes(certificate) { i2d_X509($0, $1) }, chain[...])
        }

        /// The DER that a function of OpenSSL writes of an object.
        private static func bytes(
            _ object: OpaquePointer?,
            _ write: (OpaquePointer, UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> Int32
        ) -> [UInt8]? {
            guard let object else { return nil }
            return [UInt8](unsafeUninitializedCapacity: Int(max(0, write(object, nil)))) { buffer, count in
                var start = buffer.baseAddress
                count = Int(max(0, write(object, &start)))
            }
        }

        /// Makes OpenSSL's objects of a key and of certificates in DER.
        private func take(_ key: [UInt8]?, _ own: [UInt8]?, _ others: ArraySlice<[UInt8]>) throws(TLSError) {
            certificate = try own.map { (bytes) throws(TLSError) in try readCertificate(bytes) }
            for bytes in others { chain.append(try readCertificate(bytes)) }
            guard let key else { return }
            self.key = Self.object(key) { d2i_AutoPrivateKey(nil, $0, $1) }
            guard self.key != nil else {
                throw TLSError("the key of the key store \(path) cannot be read\(TLSError.reason)")
            }
        }

        private func readCertificate(_ bytes: [UInt8]) throws(TLSError) -> OpaquePointer {
            guard let certificate = Self.object(bytes, { d2i_X509(nil, $0, $1) }) else {
                throw TLSError("a certificate of the key store \(path) cannot be read\(TLSError.reason)")
            }
            return certificate
        }

        /// The object that a function of OpenSSL reads from DER.
        private static func object(
            _ bytes: [UInt8], _ read: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
        ) -> OpaquePointer? {
            bytes.withUnsafeBufferPointer { buffer in
                var start = buffer.baseAddress
                return read(&start, buffer.count)
            }
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
            if bytes.starts(with: [0xCE, 0xCE, 0xCE, 0xCE]) {
                throw TLSError("the key store \(path) is in JCEKS, not in PKCS#12 or JKS; \(rewriting(path))")
            }
            return bytes
        }

        /// The way to a file that can be read.
        private static func rewriting(_ path: String) -> String {
            "this makes one that is read: keytool -importkeystore -srckeystore \(path) -destkeystore store.p12 -deststoretype pkcs12"
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
            let authorities = authorities + chain + [certificate].compactMap(\.self)
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
