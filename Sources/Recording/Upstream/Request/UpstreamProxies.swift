// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The proxies that requests go by, as the URLs of these, and the hosts that are asked without one.
package struct UpstreamProxies: Hashable, Sendable {
    /// For URLs without TLS; nil for none.
    package var plain: String?
    /// For URLs with TLS, which go through a tunnel (RFC 9110 §9.3.6); nil for none.
    package var secure: String?
    /// As `no_proxy` has them: names, which stand for those below them too, and addresses, with commas between.
    package var exceptions = ""

    package init(plain: String? = nil, secure: String? = nil, exceptions: String = "") {
        self.plain = plain
        self.secure = secure
        self.exceptions = exceptions
    }

    /// Without those that listen on ports of this machine: a proxy that listens there would ask itself for ever.
    package func leaving(out ports: [Int]) -> UpstreamProxies {
        func isOwn(_ url: String) -> Bool {
            let rest = url.utf8.firstRange(of: "://".utf8).map { url[$0.upperBound...] } ?? url[...]
            let authority = rest.prefix { $0 != "/" }
            let host = authority.lastIndex(ascii: "@").map { authority.suffix(behind: $0) } ?? authority
            guard let colon = host.lastIndex(ascii: ":"), let port = Int(host.suffix(behind: colon)) else {
                return false
            }
            let name = host[..<colon].lowercased()
            return ports.contains(port) && (name == "localhost" || name == "[::1]" || name.hasPrefix("127."))
        }
        return UpstreamProxies(
            plain: plain.flatMap { isOwn($0) ? nil : $0 }, secure: secure.flatMap { isOwn($0) ? nil : $0 },
            exceptions: exceptions)
    }

    package func proxy(isSecure: Bool) -> String? { isSecure ? secure : plain }

    /// The proxy that a URL is asked by; nil if its server is asked directly.
    package func proxy(for url: String) -> String? {
        guard let proxy = proxy(isSecure: url.lowercased().hasPrefix("https:")) else { return nil }
        return isExcepted(UpstreamTargets.host(of: url)) ? nil : proxy
    }

    /// Whether a host is asked without a proxy: an exception has its name or one above it, its address, or a range (`10.0.0.0/8`) with that.
    private func isExcepted(_ host: String) -> Bool {
        let address = UpstreamTargets.address(host)
        return exceptions.lowercased().split { $0 == "," || $0 == " " || $0 == "\t" }.contains { exception in
            if exception == "*" { return true }
            let parts = exception.split(ascii: "/", maxSplits: 1)
            if let address, let first = parts.first {
                let base = UpstreamTargets.address(String(first.filter { $0 != "[" && $0 != "]" }))
                let bits = parts.count == 2 ? Int(parts[1]) : address.count * 8
                guard let base, let bits, base.count == address.count, 0...address.count * 8 ~= bits else {
                    return false
                }
                return (0..<bits).allSatisfy { (address[$0 / 8] ^ base[$0 / 8]) & (0x80 >> UInt8($0 % 8)) == 0 }
            }
            var name = exception.drop { $0 == "." }
            if name.utf8.last == UInt8(ascii: ".") { name.removeLast() }
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
        }
    }
}
