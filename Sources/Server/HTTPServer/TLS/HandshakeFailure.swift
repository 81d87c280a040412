// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a TLS handshake came to nothing, or a connection to no request.
package struct HandshakeFailure: Equatable, Sendable {
    package enum Cause: Equatable, Sendable {
        /// The client says why it goes no further.
        case alert(Alert)
        case noCommonVersion
        case noCommonCipher
        /// In ALPN (RFC 7301).
        case noCommonProtocol
        /// The client has none of the certificate that it is asked for.
        case noClientCertificate
        /// The client's certificate is refused, for a reason in OpenSSL's words: `certificate has expired`.
        case refusedClientCertificate(String)
        /// The client ended the connection without a word.
        case closed
        case tooSlow
        /// The handshake was well, but for the name that the client asked for, and no request followed.
        case unservedName
        /// In OpenSSL's words.
        case other(String)
    }

    /// The alert that a client has sent (RFC 8446 §6.2).
    package struct Alert: Equatable, Sendable {
        package static let unknownAuthority = Alert(number: 48)

        package let number: UInt8

        package init(number: UInt8) {
            self.number = number
        }

        /// Whether it is the server's certificate that is not taken.
        package var isOfCertificate: Bool { 42...46 ~= number || number == 48 }

        /// As the RFC has it: `unknown_ca`.
        package var name: String {
            switch number {
            case 40: "handshake_failure"
            case 42: "bad_certificate"
            case 43: "unsupported_certificate"
            case 44: "certificate_revoked"
            case 45: "certificate_expired"
            case 46: "certificate_unknown"
            case 48: "unknown_ca"
            case 70: "protocol_version"
            case 71: "insufficient_security"
            case 80: "internal_error"
            case 90: "user_canceled"
            case 112: "unrecognized_name"
            default: "alert \(number)"
            }
        }
    }

    package let cause: Cause
    /// The name that the client asked for (RFC 6066 §3).
    package let serverName: String?

    package init(_ cause: Cause, serverName: String? = nil) {
        self.cause = cause
        self.serverName = serverName
    }
}
