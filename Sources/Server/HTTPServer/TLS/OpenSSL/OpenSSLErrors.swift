// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if TLS
    import CMockapiOpenSSL

    extension TLSError {
        /// OpenSSL's last words, behind a colon; empty if it has none.
        static var reason: String {
            let code = ERR_peek_last_error()
            ERR_clear_error()
            guard code != 0, let text = ERR_reason_error_string(code) else { return "" }
            return ": " + String(cString: text)
        }
    }

    extension HandshakeFailure.Cause {
        /// The cause that OpenSSL gives for a failed handshake; nil if it gives none.
        ///
        /// - Parameter verification: the result of checking the client's certificate (`SSL_get_verify_result`).
        static func last(_ verification: Int) -> HandshakeFailure.Cause? {
            let code = ERR_peek_last_error()
            guard code != 0 else { return nil }
            defer { ERR_clear_error() }
            let reason = ERR_GET_REASON(code)
            // Alerts of the other side are counted from here.
            if reason > SSL_AD_REASON_OFFSET, let number = UInt8(exactly: reason - SSL_AD_REASON_OFFSET) {
                return .alert(HandshakeFailure.Alert(number: number))
            }
            switch reason {
            case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW, SSL_R_WRONG_VERSION_NUMBER,
                SSL_R_WRONG_SSL_VERSION:
                return .noCommonVersion
            case SSL_R_NO_SHARED_CIPHER: return .noCommonCipher
            case SSL_R_NO_APPLICATION_PROTOCOL: return .noCommonProtocol
            case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE: return .noClientCertificate
            case SSL_R_CERTIFICATE_VERIFY_FAILED:
                return .refusedClientCertificate(
                    X509_verify_cert_error_string(verification).map { String(cString: $0) } ?? "error \(verification)")
            default: return .other(ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)")
            }
        }
    }
#endif
