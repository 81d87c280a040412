// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiUpstream

extension UpstreamError {
    /// The failure and the way out, with the command-line options that are the way.
    package var told: String {
        options.isEmpty ? text : "\(text) (\(options))"
    }

    private var options: String {
        switch (kind, reason) {
        case (_, .untrustedCertificate): "--cacert FILE, --insecure"
        case (_, .clientCertificateRequired), (_, .clientCertificateRefused): "--cert FILE --key FILE"
        case (.timeout(.connect), _), (.timeout(.idle), _): "--timeout"
        case (.resolve, _): "--connect-to"
        default: ""
        }
    }
}
