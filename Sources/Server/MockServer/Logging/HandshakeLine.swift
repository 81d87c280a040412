// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiSystemIO

/// A log line about a TLS handshake that failed, with advice.
struct HandshakeLine {
    let connection: ConnectionInfo
    /// Nanoseconds since 1970.
    let time: UInt64
    let explanation: String

    /// - Parameter isDevelopment: whether the certificate is one of the development authority.
    init(_ failure: HandshakeFailure, connection: ConnectionInfo, isDevelopment: Bool, _ names: SettingNames) {
        self.connection = connection
        time = Clock.wall()
        explanation = Self.words(failure, isDevelopment, names)
    }

    private static func words(_ failure: HandshakeFailure, _ isDevelopment: Bool, _ names: SettingNames) -> String {
        let name = failure.serverName.map(shown)
        let trust =
            isDevelopment
            ? "have it trust the file that mockapi ca prints"
            : "have it trust the authority that has signed the file of \(names(.certificate))"
        let naming =
            isDevelopment ? "serve with \(names(.certificateNames, name ?? ""))" : "take a certificate that has it"
        switch failure.cause {
        case .alert(let alert) where alert == .unknownAuthority:
            return "the client does not trust the certificate (\(alert.name)): \(trust)"
        case .alert(let alert) where alert.isOfCertificate:
            let asked = name.map { ", or the certificate lacks the name \($0) that it asks for: \(naming)" } ?? ""
            return "the client does not accept the certificate (\(alert.name)): \(trust)" + asked
        case .alert(let alert): return "the client broke it off (\(alert.name))"
        case .noCommonVersion: return "the client speaks neither TLS 1.2 nor 1.3"
        case .noCommonCipher: return "the client and this server have no cipher in common"
        case .noCommonProtocol: return "the client speaks neither h2 nor http/1.1 by ALPN"
        case .noClientCertificate: return "the client has no certificate, which \(names(.clientAuthorities)) asks for"
        case .refusedClientCertificate(let reason):
            return "the client's certificate is not accepted by the authorities of "
                + "\(names(.clientAuthorities)): \(reason)"
        case .closed:
            return
                "the client closed the connection in the middle of it; one that does not trust the certificate does so: "
                + trust
        case .tooSlow: return "the client did not go on with it in time"
        case .unservedName:
            return
                "the client went away without a request: the certificate lacks the name \(name ?? "") that it asked for: "
                + naming
        case .other(let reason): return reason
        }
    }

    /// A name as it is shown: a client may send one of any length.
    private static func shown(_ name: String) -> String { String(name.prefix(100)).printable }
}
