// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The names and addresses of this machine in its network.
package enum Machine {
    /// Its name, as it was given; empty if it has none.
    package static var hostName: String {
        var name = [CChar](repeating: 0, count: 256)
        guard gethostname(&name, name.count - 1) == 0 else { return "" }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The name, that without its domain, and its form in multicast DNS (RFC 6762 §3).
    package static var names: [String] {
        let name = hostName.lowercased()
        guard let label = name.split(ascii: ".").first else { return [] }
        return [name, String(label), label + ".local"]
    }

    /// The addresses of its interfaces that are up, in text; those that mean nothing without their interface (RFC 4291 §2.5.6) are left out.
    package static var addresses: [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var addresses: [String] = []
        var next = list
        while let interface = next?.pointee {
            next = interface.ifa_next
            guard interface.ifa_flags & UInt32(IFF_UP) != 0, let address = interface.ifa_addr else { continue }
            let isIPv6 = Int32(address.pointee.sa_family) == AF_INET6
            guard isIPv6 || Int32(address.pointee.sa_family) == AF_INET else { continue }
            var storage = sockaddr_storage()
            let size = isIPv6 ? MemoryLayout<sockaddr_in6>.size : MemoryLayout<sockaddr_in>.size
            withUnsafeMutableBytes(of: &storage) {
                $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: size))
            }
            let text = SocketAddress(storage).host
            if !text.hasPrefix("fe80:"), !addresses.contains(text) { addresses.append(text) }
        }
        return addresses
    }
}
