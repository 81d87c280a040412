// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockapiHTTPSyntax
import MockapiProxy
import MockapiRunning
import MockapiUpstream

// The proxies that services are asked by.
extension UpstreamOptions {
    /// The word for no proxy, whatever the environment has.
    private static let noProxy = "none"
    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Those of `--proxy`, else those of the environment.
    var proxies: UpstreamProxies? {
        if let proxy {
            return proxy.lowercased() == Self.noProxy ? nil : UpstreamProxies(plain: proxy, secure: proxy)
        }
        let variables = ProxyVariables()
        let (plain, secure) = (variables.proxy(isSecure: false)?.url, variables.proxy(isSecure: true)?.url)
        guard plain != nil || secure != nil else { return nil }
        return UpstreamProxies(plain: plain, secure: secure, exceptions: variables.direct)
    }

    /// Throws if `--proxy` names none.
    func checkProxy() throws {
        guard let proxy, proxy.lowercased() != Self.noProxy else { return }
        let parts = proxy.utf8.firstRange(of: "://".utf8).map {
            (scheme: proxy[..<$0.lowerBound].lowercased(), rest: proxy[$0.upperBound...])
        }
        let authority = parts?.rest.prefix { $0 != "/" } ?? ""
        let host = authority.lastIndex(ascii: "@").map { authority.suffix(behind: $0) } ?? authority
        guard let parts, Self.schemes.contains(parts.scheme), !host.isEmpty, host.first != ":" else {
            // The text before an @ may be a password.
            throw ValidationError(
                "--proxy takes none, or a URL such as http://proxy.example:3128, of \(Self.schemes.joined(separator: ", "))"
            )
        }
    }

    /// The note on a proxy of the environment that services are asked by; nil if none is.
    ///
    /// - Parameter urls: those of the services, or their beginnings.
    func proxyNote(for urls: [String]) -> String? {
        guard proxy == nil else { return nil }
        let variables = ProxyVariables()
        let name = urls.lazy.compactMap { url -> String? in
            let url = url.lowercased()
            guard let scheme = url.firstRange(of: "://") else { return nil }
            let authority = url[scheme.upperBound...].prefix { !"/?#".contains($0) }
            let host = UpstreamOrigin.parts(String(authority)).host
            if variables.isDirect(host) { return nil }
            return variables.proxy(isSecure: url.hasPrefix("https:"))?.variable
        }.first
        return name.map {
            "requests to services go through the proxy that \($0) names, except for the hosts of no_proxy; --proxy none sends them directly"
        }
    }
}
