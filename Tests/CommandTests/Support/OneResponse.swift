// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A listener on 127.0.0.1 that gives its first connection the same bytes whatever it asks, or never takes one.
final class OneResponse: Sendable {
    let port: Int
    private let listener: Int32

    struct Failure: Error {
        let call: String
        let code: Int32
    }

    init() throws {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        listener = socket(AF_INET, kind, 0)
        // A command that another test starts at this moment must not hold the port.
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | getsockname(descriptor, $0, &length)
            }
        }
        guard result == 0, listen(listener, 1) == 0 else { throw Failure(call: "bind", code: errno) }
        port = Int(in_port_t(bigEndian: address.sin_port))
    }

    /// Waits for a connection, reads what comes first, and answers.
    func answer(_ text: String) throws {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { throw Failure(call: "accept", code: errno) }
        defer { close(connection) }
        var request = [UInt8](repeating: 0, count: 4096)
        _ = recv(connection, &request, request.count, 0)
        let bytes = Array(text.utf8)
        guard write(connection, bytes, bytes.count) == bytes.count else { throw Failure(call: "write", code: errno) }
    }

    deinit {
        close(listener)
    }
}
