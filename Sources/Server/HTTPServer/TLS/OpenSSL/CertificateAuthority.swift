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

    /// The development authority: a certificate that a person trusts once, and the key that signs servers' certificates.
    ///
    /// `@unchecked Sendable`: set by the initialiser and only read from then on.
    package final class CertificateAuthority: @unchecked Sendable {
        /// The file of the certificate in an authority's directory, which clients are to trust.
        package static let certificateName = "ca.pem"
        /// The file of the key, which stays here; 0600.
        package static let keyName = "ca-key.pem"
        /// How long the authority lasts. 10 years.
        private static let days = 3650

        /// The certificate's file.
        package let path: String
        let certificate: OpaquePointer
        let key: OpaquePointer

        private init(path: String, certificate: OpaquePointer, key: OpaquePointer) {
            self.path = path
            self.certificate = certificate
            self.key = key
        }

        deinit {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }

        /// The certificate in PEM.
        package var pem: String { PEM.text { PEM_write_bio_X509($0, certificate) } }

        /// The authority of a directory, made if there is none; the directory is made too, 0700.
        ///
        /// - Throws: `TLSError` if a file cannot be read or written, others can write to the directory, or the two files do not belong
        ///   together.
        package static func loadOrMake(in directory: String) throws(TLSError) -> CertificateAuthority {
            try PrivateFiles.makeDirectory(directory)
            // If two processes come first at once, one makes the authority and the other reads it.
            let lock = try lock(directory + "/lock")
            defer { withExtendedLifetime(lock) {} }
            let certificatePath = directory + "/" + certificateName
            let keyPath = directory + "/" + keyName
            if access(certificatePath, F_OK) != 0 || access(keyPath, F_OK) != 0 {
                try make(certificatePath, keyPath)
            }
            try PrivateFiles.restrict(keyPath)
            let certificate = try PEM.read(certificatePath) { PEM_read_bio_X509($0, nil, nil, nil) }
            let key: OpaquePointer
            do throws(TLSError) {
                key = try PEM.read(keyPath) { PEM_read_bio_PrivateKey($0, nil, nil, nil) }
            } catch {
                X509_free(certificate)
                throw error
            }
            let authority = CertificateAuthority(path: certificatePath, certificate: certificate, key: key)
            guard X509_check_private_key(certificate, key) == 1 else {
                ERR_clear_error()
                throw TLSError(
                    "\(certificatePath) and \(keyPath) do not belong together; remove both, and they are made again")
            }
            return authority
        }

        private static func lock(_ path: String) throws(TLSError) -> FileLock {
            do throws(SystemError) {
                let descriptor = open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
                return try FileLock(descriptor: try SystemError.check("open", descriptor), waits: true)
            } catch {
                throw TLSError("\(path) cannot be locked: \(error.words)")
            }
        }

        /// An authority that nobody can trust: it is in no file.
        static func unkept() throws(TLSError) -> CertificateAuthority {
            let key = try Certificate.makeKey()
            do throws(TLSError) {
                return CertificateAuthority(path: "", certificate: try selfSigned(key), key: key)
            } catch {
                EVP_PKEY_free(key)
                throw error
            }
        }

        private static func selfSigned(_ key: OpaquePointer) throws(TLSError) -> OpaquePointer {
            try Certificate.make(
                Certificate.Contents(
                    commonName: "mockapi development CA \(Machine.hostName)", days: days,
                    extensions: [
                        (NID_basic_constraints, "critical,CA:TRUE,pathlen:0"),
                        (NID_key_usage, "critical,keyCertSign,cRLSign"),
                        (NID_subject_key_identifier, "hash"),
                    ]),
                key: key, issuer: nil)
        }

        private static func make(_ certificatePath: String, _ keyPath: String) throws(TLSError) {
            let key = try Certificate.makeKey()
            defer { EVP_PKEY_free(key) }
            let certificate = try selfSigned(key)
            defer { X509_free(certificate) }
            try PrivateFiles.write(PEM.text { PEM_write_bio_PrivateKey($0, key, nil, nil, 0, nil, nil) }, to: keyPath)
            try PrivateFiles.write(PEM.text { PEM_write_bio_X509($0, certificate) }, to: certificatePath)
        }
    }
#endif
