// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Another place to connect to than the URL says; Host and the name in TLS stay those of the URL.
package struct UpstreamRoute: Hashable, Sendable {
    /// nil for any host.
    package var host: String?
    /// nil for any port.
    package var port: Int?
    package var toHost: String
    package var toPort: Int

    package init(host: String? = nil, port: Int? = nil, toHost: String, toPort: Int) {
        self.host = host
        self.port = port
        self.toHost = toHost
        self.toPort = toPort
    }

    /// The line libcurl takes: HOST:PORT:CONNECT-TO-HOST:CONNECT-TO-PORT.
    var line: String {
        let port = port.map(String.init) ?? ""
        return "\(Self.bracketed(host ?? "")):\(port):\(Self.bracketed(toHost)):\(toPort)"
    }

    /// An IPv6 address in brackets.
    private static func bracketed(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
