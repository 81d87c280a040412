// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer

extension SettingNames {
    /// The options of the commands that serve.
    static let options = SettingNames { setting, value in
        let option =
            switch setting {
            case .host: "--host"
            case .port: "--port"
            case .adminHosts: "--admin-host"
            case .maxHead: "--max-head"
            case .maxBody: "--max-body"
            case .writesFixtures: "--writable"
            case .allowsCORS: "--cors"
            case .corsOrigins: "--cors-origin"
            case .certificate: "--tls-cert"
            case .certificateNames: "--tls-name"
            case .clientAuthorities: "--client-ca"
            case .outgoing: "a start without --no-outgoing"
            case .requestLog: "--log-format text"
            }
        return value.map { "\(option) \($0)" } ?? option
    }
}
