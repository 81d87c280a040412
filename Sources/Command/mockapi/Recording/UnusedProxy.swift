// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy
import MockapiRunning

/// A proxy that the environment names, by which other tools would ask a service.
///
/// A service is asked without one: what lies between is not to change what is recorded.
enum UnusedProxy {
    /// The first variable that names one for a service that is not on this machine; nil for none.
    static func variable(for origins: [UpstreamOrigin]) -> String? {
        let variables = ProxyVariables()
        return origins.lazy.filter { !isLocal(UpstreamOrigin.parts($0.authority).host) }
            .compactMap { variables.first(isSecure: $0.isSecure) }.first
    }

    private static func isLocal(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
    }
}
