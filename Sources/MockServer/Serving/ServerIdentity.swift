// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPServer

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The names a server goes by.
struct ServerIdentity: Sendable {
    /// Host and port as the server's own URL has them.
    let authority: String
    /// Whether other machines can reach the server.
    let isReachable: Bool
    private let names: Set<String>

    /// - Parameter host: the host the server was told to listen on.
    init(host: String, address: SocketAddress) {
        let wildcard = ["0.0.0.0", "::"].contains(address.host)
        isReachable = !address.isLoopback
        authority = wildcard ? "127.0.0.1:\(address.port)" : address.authority
        var names: Set = ["localhost", host.lowercased()]
        var name = [CChar](repeating: 0, count: 256)
        if gethostname(&name, name.count - 1) == 0 {
            names.insert(
                String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased())
        }
        self.names = names
    }

    /// Whether a request names the server itself: by an IP address, by `localhost` or a name below it, by the name of the machine or the one
    /// it was told to listen on, or not at all.
    func isNamed(by head: borrowing RequestHead) -> Bool {
        let authority = head.authority
        guard !authority.isEmpty else { return true }
        let first = head.bytes[Int(authority.start)]
        if first == UInt8(ascii: "[") { return true }
        let host = Authority.host(head.bytes[authority.range])
        // Only an IPv4 address ends in a digit: no top-level domain does (RFC 3696 §2).
        if ASCII.isDigit(first), host.allSatisfy({ ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }) { return true }
        let name = String(decoding: host, as: UTF8.self).lowercased()
        return names.contains(name) || name.hasSuffix(".localhost")
    }

    /// The URL a client reaches the server by, without a slash at its end: `http://127.0.0.1:8080`.
    func base(for head: borrowing RequestHead) -> String {
        (head.isSecure ? "https://" : "http://") + (head.authority.isEmpty ? authority : head.string(head.authority))
    }
}
