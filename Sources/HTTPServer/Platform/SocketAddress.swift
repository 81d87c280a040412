// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable {
    /// In text, IPv6 without brackets.
    package var host: String
    package var port: Int
    package var isIPv6: Bool

    /// `127.0.0.1:8080`, `[::1]:8080`.
    package var authority: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package init(host: String, port: Int, isIPv6: Bool) {
        self.host = host
        self.port = port
        self.isIPv6 = isIPv6
    }

    init(_ storage: sockaddr_storage) {
        var storage = storage
        isIPv6 = Int32(storage.ss_family) == AF_INET6
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        var port: UInt16 = 0
        let isIPv6 = isIPv6
        withUnsafeMutablePointer(to: &storage) { pointer in
            if isIPv6 {
                pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { address in
                    port = address.pointee.sin6_port
                    _ = inet_ntop(AF_INET6, &address.pointee.sin6_addr, &text, socklen_t(text.count))
                }
            } else {
                pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { address in
                    port = address.pointee.sin_port
                    _ = inet_ntop(AF_INET, &address.pointee.sin_addr, &text, socklen_t(text.count))
                }
            }
        }
        host = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        self.port = Int(UInt16(bigEndian: port))
    }
}
