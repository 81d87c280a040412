// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL

    /// Makes keys and X.509 certificates (RFC 5280).
    enum Certificate {
        struct Contents {
            var commonName: String
            /// How many days ago it became valid.
            var since = 1
            /// For how many days from now it is.
            var days: Int
            /// OpenSSL's numbers and words for extensions, in order.
            var extensions: [(nid: Int32, value: String)]
        }

        /// A new key on the curve P-256.
        static func makeKey() throws(TLSError) -> OpaquePointer {
            guard let key = copenssl_generate_p256() else { throw TLSError("no key can be made\(TLSError.reason)") }
            return key
        }

        /// A certificate for a key.
        ///
        /// - Parameter issuer: the signer; nil for the key itself.
        static func make(
            _ contents: Contents, key: OpaquePointer, issuer: (certificate: OpaquePointer, key: OpaquePointer)?
        ) throws(TLSError) -> OpaquePointer {
            guard let certificate = X509_new() else { throw TLSError("no certificate can be made\(TLSError.reason)") }
            let day = 24 * 60 * 60
            X509_set_version(certificate, 2)
            setSerial(certificate)
            X509_gmtime_adj(X509_getm_notBefore(certificate), -contents.since * day)
            X509_gmtime_adj(X509_getm_notAfter(certificate), contents.days * day)
            let name = X509_get_subject_name(certificate)
            // A common name has 64 characters at most (RFC 5280, appendix A).
            let common = Array(contents.commonName.utf8.prefix(64))
            X509_NAME_add_entry_by_NID(name, NID_commonName, MBSTRING_UTF8, common, Int32(common.count), -1, 0)
            X509_set_issuer_name(certificate, issuer.map { X509_get_subject_name($0.certificate) } ?? name)
            X509_set_pubkey(certificate, key)
            var context = X509V3_CTX()
            X509V3_set_ctx(&context, issuer?.certificate ?? certificate, certificate, nil, nil, 0)
            for (nid, value) in contents.extensions {
                guard let piece = X509V3_EXT_conf_nid(nil, &context, nid, value) else {
                    X509_free(certificate)
                    throw TLSError("a certificate cannot have \"\(value)\"\(TLSError.reason)")
                }
                X509_add_ext(certificate, piece, -1)
                X509_EXTENSION_free(piece)
            }
            guard X509_sign(certificate, issuer?.key ?? key, EVP_sha256()) > 0 else {
                X509_free(certificate)
                throw TLSError("a certificate cannot be signed\(TLSError.reason)")
            }
            return certificate
        }

        /// A positive number of 127 random bits (RFC 5280 §4.1.2.2).
        private static func setSerial(_ certificate: OpaquePointer) {
            var bytes = [UInt8](repeating: 0, count: 16)
            RAND_bytes(&bytes, Int32(bytes.count))
            bytes[0] = bytes[0] & 0x7F | 0x40
            let number = BN_bin2bn(bytes, Int32(bytes.count), nil)
            BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate))
            BN_free(number)
        }
    }
#endif
