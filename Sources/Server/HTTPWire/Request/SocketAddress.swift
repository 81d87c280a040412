// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// An IPv4 or IPv6 address with a port.
package struct SocketAddress: Hashable, Sendable, BitwiseCopyable {
    /// The address in network order; an IPv4 address is in the first four bytes of `high`.
    private var high: UInt64 = 0
    private var low: UInt64 = 0
    package var port: UInt16 = 0
    package var isIPv6 = false

    /// The address of nobody: `0.0.0.0:0`.
    package static let none = SocketAddress()

    private init() {}

    package init(_ storage: sockaddr_storage) {
        var storage = storage
        isIPv6 = Int32(storage.ss_family) == AF_INET6
        withUnsafeBytes(of: &storage) { bytes in
            // Family, then port, in both; the address stands behind the flow label in IPv6.
            port = UInt16(bigEndian: bytes.load(fromByteOffset: 2, as: UInt16.self))
            if isIPv6 {
                high = bytes.load(fromByteOffset: 8, as: UInt64.self)
                low = bytes.load(fromByteOffset: 16, as: UInt64.self)
                // `::ffff:192.0.2.1`, as a client of IPv4 has it on a socket of both (RFC 4291 §2.5.5.2): bytes as they came.
                if high == 0, low & 0xFFFF_FFFF == 0xFFFF_0000 {
                    isIPv6 = false
                    (high, low) = (low >> 32, 0)
                }
            } else {
                high = UInt64(bytes.load(fromByteOffset: 4, as: UInt32.self))
            }
        }
    }

    /// The address in text, IPv6 without brackets.
    package var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        // The bytes stand as they came: both kinds of machines that Swift runs on are little-endian.
        var address = (high, low)
        _ = inet_ntop(isIPv6 ? AF_INET6 : AF_INET, &address, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Whether only this machine reaches it: `127.0.0.0/8` (RFC 1122 §3.2.1.3) or `::1` (RFC 4291 §2.5.3).
    package var isLoopback: Bool { isIPv6 ? host == "::1" : high & 0xFF == 127 }

    /// `127.0.0.1:8080`, `[::1]:8080`.
    package var authority: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
