// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A setting of a server that a text names as the way out.
package enum ServerSetting: CaseIterable, Sendable {
    case host, port, adminHosts
    case maxHead, maxBody
    case writesFixtures
    case allowsCORS, corsOrigins
    /// The file of the certificate.
    case certificate
    /// The names that a certificate of the development authority has besides.
    case certificateNames
    /// The file of the authorities that sign the certificates of clients.
    case clientAuthorities
    /// The setting that lets the server reach others.
    case outgoing
    /// A log of text that has a line for each request.
    case requestLog
}

/// The names of a server's settings in the place that configures it: in Swift its members, on a command line its options.
package struct SettingNames: Sendable {
    private let text: @Sendable (ServerSetting, String?) -> String

    /// - Parameter text: the name of a setting, with the value if one is proposed.
    package init(_ text: @escaping @Sendable (_ setting: ServerSetting, _ value: String?) -> String) {
        self.text = text
    }

    package func callAsFunction(_ setting: ServerSetting, _ value: String? = nil) -> String { text(setting, value) }

    /// The members of `MockServer.Configuration`.
    package static let swift = SettingNames { setting, value in
        let quoted = value.map { "\"\($0)\"" }
        return switch setting {
        case .host: quoted.map { "host = \($0)" } ?? "host"
        case .port: value.map { "port = \($0)" } ?? "port"
        case .adminHosts: quoted.map { "\($0) in adminHosts" } ?? "adminHosts"
        case .maxHead: "maxHead"
        case .maxBody: "maxBody"
        case .writesFixtures: "writesFixtures = true"
        case .allowsCORS: "allowsCORS = true"
        case .corsOrigins: quoted.map { "\($0) in corsOrigins" } ?? "corsOrigins"
        case .certificate: "tls.certificate"
        case .certificateNames: quoted.map { "\($0) in tls.names" } ?? "tls.names"
        case .clientAuthorities: "tls.clientAuthorities"
        case .outgoing: "the trait Recording"
        case .requestLog: "logsRequests = true"
        }
    }
}
