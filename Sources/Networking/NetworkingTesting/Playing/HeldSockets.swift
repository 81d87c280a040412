// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServer
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// The client's end of a connection, if it is in this process.
///
/// A process that is started while a connection is open may get its socket, which URLSession on Linux does not prevent. A socket that the client closes
/// then stays open until that process ends, and the server cannot see that it was closed.
final class HeldSockets: Sendable {
    /// The ports that connections come from, as far as this process had a socket for each.
    private let ports = Mutex<Set<UInt16>>([])

    /// Remembers where the requests to a target came from, if that was here.
    func note(_ journal: [JournalEntry], _ target: String) {
        let found = Self.ports(of: journal, target).intersection(Self.own)
        ports.withLock { $0.formUnion(found) }
    }

    /// Whether all sockets that were noted are closed here; false if none was.
    func isClosed(_ journal: [JournalEntry], _ target: String) -> Bool {
        let noted = Self.ports(of: journal, target).intersection(ports.withLock { $0 })
        return !noted.isEmpty && noted.isDisjoint(with: Self.own)
    }

    private static func ports(of journal: [JournalEntry], _ target: String) -> Set<UInt16> {
        Set(
            journal.filter { $0.target == target }.compactMap { entry in
                entry.peer.split(separator: ":").last.flatMap { UInt16($0) }
            })
    }

    /// The local ports of all sockets of this process.
    private static var own: Set<UInt16> {
        let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/fd")) ?? []
        return Set(descriptors.compactMap { Int32($0) }.compactMap(port))
    }

    private static func port(_ descriptor: Int32) -> UInt16? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
                guard getsockname(descriptor, address, &length) == 0 else { return nil }
                switch Int32(address.pointee.sa_family) {
                case AF_INET:
                    return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        $0.pointee.sin_port.bigEndian
                    }
                case AF_INET6:
                    return address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        $0.pointee.sin6_port.bigEndian
                    }
                default: return nil
                }
            }
        }
    }
}
