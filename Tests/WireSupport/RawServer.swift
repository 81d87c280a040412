// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket that listens on a port of 127.0.0.1, with blocking calls.
package final class RawServer: Sendable {
    private let descriptor: Int32
    package let port: Int

    package init() throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        guard descriptor >= 0 else { throw WireError.system(call: "socket", code: errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        var limit = timeval(tv_sec: .init(WireClient.patience), tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        guard result else { throw WireError.system(call: "bind", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    package var base: String { "http://127.0.0.1:\(port)" }

    package func accept() throws -> RawPeer {
        try BlockingThreads.check()
        let peer = systemAccept(descriptor)
        guard peer >= 0 else { throw WireError.system(call: "accept", code: errno) }
        return RawPeer(peer)
    }

    /// Accepts one connection, reads the head of one request and sends a response, after which the connection ends.
    ///
    /// - Returns: the head's lines.
    package func answer(_ text: String) async throws -> [String] {
        try await blocking {
            let peer = try self.accept()
            let head = try peer.head()
            try peer.send(text)
            return head
        }
    }
}

private func systemAccept(_ descriptor: Int32) -> Int32 {
    accept(descriptor, nil, nil)
}
