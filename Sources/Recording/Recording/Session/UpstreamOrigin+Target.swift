// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiProxy
import MockapiUpstream

extension UpstreamOrigin {
    /// The target to connect to if requests go in HTTP/1.1 without TLS; nil if they do not.
    func plainTarget(_ options: SessionOptions) -> ClientTarget? {
        guard !isSecure, options.protocol(for: self) == .http1, options.upstream.timeouts.whole == nil,
            options.upstream.proxies?.plain == nil
        else {
            return nil
        }
        let (name, digits) = UpstreamOrigin.parts(authority)
        let host = UpstreamOrigin.withoutBrackets(name)
        let port = digits.isEmpty ? 80 : Int(digits) ?? 80
        let route = options.upstream.connectTo.first { route in
            route.host.map { UpstreamOrigin.withoutBrackets($0).lowercased() == host } ?? true
                && route.port.map { $0 == port } ?? true
        }
        guard let route else { return ClientTarget(host: host, port: port) }
        return ClientTarget(host: UpstreamOrigin.withoutBrackets(route.toHost), port: route.toPort)
    }
}
