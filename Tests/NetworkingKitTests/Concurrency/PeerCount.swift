// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many descriptors of this process are connected to a port of 127.0.0.1.
func descriptors(connectedTo port: Int) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").compactMap(Int32.init).count { descriptor in
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET)
            && Int(in_port_t(bigEndian: address.sin_port)) == port
    }
}
