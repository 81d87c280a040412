// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
package import MockapiUpstream

/// Scheme, host and port of a live service, and the lines that identify the sender.
package struct UpstreamOrigin: Hashable, Sendable, CustomStringConvertible {
    /// Such as `https://api.example.com`: no slash at its end, no port that is the scheme's own, no credentials.
    package let text: String
    package let isSecure: Bool
    /// The value of Authorization if the URL had credentials and the client sends none.
    package let authorization: String?
    /// Sent with each request to it that has no field of the name.
    package var fields: [UpstreamField] = []
    /// Whether it sees the host by which the client has called, in the place of its own.
    package var keepsHost = false

    /// - Parameter url: `http` or `https`, a host, perhaps a port and credentials; no path but `/`.
    package init(_ url: String) throws(ProxyError) {
        guard let (isSecure, rest) = Self.scheme(of: url) else {
            throw ProxyError("\(Self.shown(url)) is not an upstream: write http:// or https:// before its host")
        }
        let end = rest.utf8.firstIndex { "/?#\\".utf8.contains($0) } ?? rest.endIndex
        let sign = rest[..<end].lastIndex(ascii: "@")
        let authority = rest[(sign.map { rest.utf8.index(after: $0) } ?? rest.startIndex)..<end].lowercased()
        guard Authority.isValid(Array(authority.utf8)[...], allowsEmpty: false, allowsAnyPort: true) else {
            throw ProxyError(
                "\(Self.shown(url)) is not an upstream: write a host behind the scheme, and perhaps a colon and a port")
        }
        guard rest[end...].isEmpty || rest[end...] == "/" else {
            throw ProxyError(
                "\(Self.shown(url)) has more than a host: leave out the rest, and request it by its path")
        }
        let (host, port) = Self.parts(authority)
        guard port.isEmpty || Int(port).map({ (1...65535).contains($0) }) == true else {
            throw ProxyError("\(Self.shown(url)) has port \(port): write one from 1 to 65535")
        }
        let isUsual = port.isEmpty || Int(port) == (isSecure ? 443 : 80)
        text = (isSecure ? "https://" : "http://") + host + (isUsual ? "" : ":" + port)
        self.isSecure = isSecure
        authorization = sign.map { sign in
            let credentials = PercentCoding.decode(rest[..<sign].utf8)
            return "Basic " + Base64.text(of: credentials)
        }
    }

    package var description: String { text }

    /// Whether requests to it are sent with more than the client has sent.
    package var adds: Bool { authorization != nil || !fields.isEmpty }

    private static func scheme(of url: String) -> (isSecure: Bool, rest: Substring)? {
        for (scheme, isSecure) in [("http://", false), ("https://", true)]
        where url.lowercased().hasPrefix(scheme) {
            return (isSecure, url.dropFirst(scheme.count))
        }
        return nil
    }

    /// Host, an IPv6 address in its brackets, and port.
    package static func parts(_ authority: String) -> (host: String, port: String) {
        let bracket = authority.lastIndex(ascii: "]") ?? authority.startIndex
        guard let colon = authority[bracket...].lastIndex(ascii: ":") else { return (authority, "") }
        return (String(authority[..<colon]), String(authority.suffix(behind: colon)))
    }

    /// A URL for an error text: the part before an `@` may be a password, the part after a `?` a token.
    private static func shown(_ url: String) -> String {
        var text = url[..<(url.utf8.firstIndex { "?#".utf8.contains($0) } ?? url.endIndex)]
        if let sign = text.lastIndex(ascii: "@") {
            let scheme = text.utf8.firstRange(of: "://".utf8).map { text[..<$0.upperBound] } ?? ""
            text = scheme + text.suffix(behind: sign)
        }
        return "\"\(text)\""
    }
}

extension UpstreamOrigin {
    /// Host and port as a Host line has them.
    package var authority: String { String(text.dropFirst(isSecure ? 8 : 7)) }

    /// A host as it is connected to, an IPv6 address without its brackets.
    package static func withoutBrackets(_ host: String) -> String {
        host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    }
}

/// Why something cannot be an upstream, and the way out.
package struct ProxyError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
