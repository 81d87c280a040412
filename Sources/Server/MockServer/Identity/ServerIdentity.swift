// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The names a server goes by.
struct ServerIdentity: Sendable {
    /// Host and port as the server's own URL has them.
    let authority: String
    /// Whether other machines can reach the server.
    let isReachable: Bool
    /// The addresses and the port that others reach it by.
    let reachedBy: [String]
    private let port: Int
    /// The ports that clients may use as their proxy, and the addresses that lead to these.
    private let proxyPorts: [Int]
    private let addresses: Set<String>
    private let names: Set<String>
    /// Further names that the admin API is asked by.
    private let adminNames: Set<String>
    /// The URL by which clients know the server; nil for the one that they name.
    private let publicURL: PublicURL?
    /// Whether the forwarding lines of a proxy in front are believed.
    let trustsForwarded: Bool

    /// - Parameters:
    ///   - host: the host that the server should listen on.
    ///   - adminHosts: further names that the admin API is asked by.
    ///   - publicURL: the URL that clients know the server by.
    ///   - trustsForwarded: whether the forwarding lines of a proxy in front are believed.
    ///   - proxyPorts: the ports that clients may use as their proxy.
    init(
        host: String, address: SocketAddress, adminHosts: [String] = [], publicURL: String? = nil,
        trustsForwarded: Bool = false, proxyPorts: [Int] = []
    ) {
        self.publicURL = publicURL.flatMap { PublicURL($0) }
        self.trustsForwarded = trustsForwarded
        let wildcard = ["0.0.0.0", "::"].contains(address.host)
        isReachable = !address.isLoopback
        reachedBy =
            wildcard
            ? Machine.addresses.filter { !$0.hasPrefix("127.") && $0 != "::1" }.map {
                $0.contains(":") ? "[\($0)]:\(address.port)" : "\($0):\(address.port)"
            } : [address.authority]
        authority = wildcard ? "127.0.0.1:\(address.port)" : address.authority
        port = Int(address.port)
        self.proxyPorts = proxyPorts
        addresses = proxyPorts.isEmpty ? [] : Set(Machine.addresses + [address.host, "0.0.0.0", "::", "::1"])
        names = Set(
            ["localhost", host.lowercased(), Machine.hostName.lowercased(), self.publicURL?.host ?? ""]
                .filter { !$0.isEmpty })
        adminNames = Set(adminHosts.map { $0.lowercased() })
    }

    /// Whether a request names the server itself: by an IP address, by `localhost` or a name below it, by the name of the machine or the one
    /// it should listen on, or not at all.
    func isNamed(by head: borrowing RequestHead) -> Bool {
        head.authority.isEmpty || isName(head.bytes[head.authority.range])
    }

    /// Whether a request that comes as to a proxy is for the server itself: it has an address or a name of the server's, and a port of its.
    func isAsked(by head: borrowing RequestHead) -> Bool {
        guard isNamed(by: head), !head.authority.isEmpty else { return head.authority.isEmpty }
        let authority = head.bytes[head.authority.range]
        let host = Self.host(of: authority)
        let isAddress = authority.first == UInt8(ascii: "[") || !hasName(host)
        guard !isAddress || addresses.contains(host) || host.hasPrefix("127.") else { return false }
        return Self.port(of: authority, isSecure: head.isSecure).map(proxyPorts.contains) ?? false
    }

    /// Whether the admin API responds under the name that a request has: a name of the server's, or a name that was added to them.
    ///
    /// A page whose own name leads to this machine is of the same origin to its browser, whatever else is asked of that (DNS rebinding).
    func isAdministered(by head: borrowing RequestHead) -> Bool {
        if isNamed(by: head) { return true }
        return !adminNames.isEmpty && adminNames.contains(Self.host(of: head.bytes[head.authority.range]))
    }

    /// Whether an origin (RFC 6454 §7) is the server's own: the one a request was sent to, or one of the server's names with its port.
    func isOwn(_ origin: ArraySlice<UInt8>, for head: borrowing RequestHead) -> Bool {
        let scheme = origin.prefix { $0 != ASCII.colon }
        let rest = origin.dropFirst(scheme.count)
        let isSecure = scheme.map(ASCII.lowercased) == Array("https".utf8)
        guard rest.starts(with: "://".utf8), isSecure || scheme.map(ASCII.lowercased) == Array("http".utf8) else {
            return false
        }
        let authority = rest.dropFirst(3)
        guard !authority.isEmpty else { return false }
        let asked = head.bytes[head.authority.range]
        // Behind a proxy that undoes TLS the schemes differ, and the texts are the same.
        if authority.map(ASCII.lowercased) == asked.map(ASCII.lowercased) { return true }
        let port = Self.port(of: authority, isSecure: isSecure)
        if !asked.isEmpty, Self.host(of: authority) == Self.host(of: asked),
            port == Self.port(of: asked, isSecure: head.isSecure)
        {
            return true
        }
        return port == self.port && isName(authority)
    }

    private func isName(_ authority: ArraySlice<UInt8>) -> Bool {
        guard let first = authority.first else { return false }
        if first == UInt8(ascii: "[") { return true }
        let host = Authority.host(authority)
        // Only an IPv4 address ends in a digit: no top-level domain does (RFC 3696 §2).
        if ASCII.isDigit(first), host.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) { return true }
        return hasName(String(decoding: host, as: UTF8.self).lowercased())
    }

    private func hasName(_ name: String) -> Bool { names.contains(name) || name.hasSuffix(".localhost") }

    private static func host(of authority: ArraySlice<UInt8>) -> String {
        String(decoding: Authority.host(authority), as: UTF8.self).lowercased()
    }

    private static func port(of authority: ArraySlice<UInt8>, isSecure: Bool) -> Int? {
        guard let colon = authority.lastIndex(of: ASCII.colon),
            !authority[colon...].contains(UInt8(ascii: "]"))
        else { return isSecure ? 443 : 80 }
        return Int(String(decoding: authority[(colon + 1)...], as: UTF8.self))
    }

    /// Bytes of a host and port that a URL is written with; beyond them nothing has a name (RFC 1035 §2.3.4). 1 KiB.
    private static let authorityLimit = 1024

    /// The URL a client reaches the server by, without a slash at its end: `http://127.0.0.1:8080`.
    func base(for head: borrowing RequestHead) -> String {
        if let publicURL { return publicURL.text }
        // It is written wherever the response has an origin.
        let isNamed = 1...Self.authorityLimit ~= head.authority.count
        let own = isNamed ? head.string(head.authority) : authority
        if trustsForwarded {
            let forwarding = Forwarding(head)
            return
                "\(forwarding.scheme ?? (head.isSecure ? "https" : "http"))://\(forwarding.authority ?? own)\(forwarding.prefix)"
        }
        return (head.isSecure ? "https://" : "http://") + own
    }

    /// The client of a request: the address that it came from, or the address that the proxy in front names.
    func client(of head: borrowing RequestHead, from peer: String) -> String {
        trustsForwarded ? Forwarding(head).client ?? peer : peer
    }
}
