// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A variable of the environment that names a proxy, by which other tools would ask a service.
///
/// A service is asked without one: what lies between is not to change what is recorded.
enum ProxyVariable {
    /// The first that is set for a service that is not on this machine; nil for none.
    static func name(for origins: [UpstreamOrigin]) -> String? {
        for origin in origins where !isLocal(UpstreamOrigin.parts(origin.authority).host) {
            let own = origin.isSecure ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy", "HTTP_PROXY"]
            if let name = (own + ["all_proxy", "ALL_PROXY"]).first(where: isSet) {
                return name
            }
        }
        return nil
    }

    private static func isSet(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }

    private static func isLocal(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host.hasPrefix("127.") || host == "[::1]"
    }
}
