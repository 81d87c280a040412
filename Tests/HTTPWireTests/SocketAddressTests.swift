// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

@Suite(.supervised) struct SocketAddressTests {
    /// The address of a family, port 8080, in network order.
    private static func address(_ family: Int32, _ bytes: [UInt8]) -> SocketAddress {
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(family)
        withUnsafeMutableBytes(of: &storage) { raw in
            (raw[2], raw[3]) = (0x1F, 0x90)
            for (place, byte) in bytes.enumerated() { raw[(family == AF_INET6 ? 8 : 4) + place] = byte }
        }
        return SocketAddress(storage)
    }

    private static let zeros = [UInt8](repeating: 0, count: 10)

    @Test(arguments: [
        (AF_INET, [127, 0, 0, 1], "127.0.0.1:8080", true), (AF_INET, [127, 255, 3, 9], "127.255.3.9:8080", true),
        (AF_INET, [192, 0, 2, 127], "192.0.2.127:8080", false), (AF_INET, [0, 0, 0, 0], "0.0.0.0:8080", false),
        (AF_INET6, zeros + [0, 0, 0, 0, 0, 1], "[::1]:8080", true),
        (AF_INET6, zeros + [0, 0, 0, 0, 0, 2], "[::2]:8080", false),
        (AF_INET6, [0x20, 1] + zeros + [0, 0, 0, 1], "[2001::1]:8080", false),
        // IPv4-mapped IPv6 addresses, and others that look like them.
        (AF_INET6, zeros + [255, 255, 127, 0, 0, 1], "127.0.0.1:8080", true),
        (AF_INET6, zeros + [255, 255, 192, 0, 2, 1], "192.0.2.1:8080", false),
        (AF_INET6, zeros + [255, 254, 127, 0, 0, 1], "[::fffe:7f00:1]:8080", false),
        (AF_INET6, [1] + zeros + [255, 127, 0, 0, 1], "[100::ff:7f00:1]:8080", false),
    ])
    func `an address is told in text, and one of IPv4 as such`(
        family: Int32, bytes: [UInt8], text: String, isLoopback: Bool
    ) {
        let address = Self.address(family, bytes)
        #expect(address.authority == text && address.port == 8080)
        #expect(address.isLoopback == isLoopback)
        #expect(address.isIPv6 == text.hasPrefix("["))
        #expect(!SocketAddress.none.isLoopback && SocketAddress.none.authority == "0.0.0.0:0")
    }
}
