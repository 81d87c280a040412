// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The system calls on TCP sockets, as the server needs them.
enum Socket {
    /// The result of a call that does not wait.
    enum Transfer {
        case bytes(Int)
        case wouldBlock
        /// The peer sends no more.
        case ended
        case failed
    }

    /// A socket that listens, with the option that connections inherit from it: no delay.
    ///
    /// - Throws: `SystemError`, for a name that cannot be resolved with `call` `getaddrinfo`.
    static func listen(host: String, port: Int, backlog: Int32) throws(SystemError) -> Int32 {
        guard let address = resolve(host: host, port: port, flags: AI_PASSIVE).first else {
            throw SystemError(call: "getaddrinfo", code: EADDRNOTAVAIL)
        }
        let descriptor = try SystemError.check("socket", socket(address.family, stream, 0))
        do throws(SystemError) {
            makeNonBlocking(descriptor)
            // The port of a server that has just ended is free at once; a port in use is still an error.
            setOption(descriptor, SOL_SOCKET, SO_REUSEADDR)
            setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
            ignorePipeSignal(descriptor)
            _ = try SystemError.check("bind", address.withPointer { bind(descriptor, $0, $1) })
            _ = try SystemError.check("listen", systemListen(descriptor, backlog))
        } catch {
            _ = close(descriptor)
            throw error
        }
        return descriptor
    }

    /// The kind of TCP's sockets.
    static var stream: Int32 {
        #if canImport(Glibc)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    /// The addresses of a host, in the system's order; none if there are none. A name may take its time.
    static func resolve(host: String, port: Int, flags: Int32) -> [ResolvedAddress] {
        var hints = addrinfo()
        hints.ai_socktype = stream
        hints.ai_flags = AI_NUMERICSERV | flags
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        return sequence(first: first) { $0.pointee.ai_next }.compactMap { ResolvedAddress($0.pointee) }
    }

    static func setOption(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
        var on: Int32 = 1
        setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    static func localAddress(_ descriptor: Int32) -> SocketAddress {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        withUnsafeMutablePointer(to: &storage) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return SocketAddress(storage)
    }

    static func receive(_ descriptor: Int32, into space: UnsafeMutableRawBufferPointer) -> Transfer {
        uninterrupted { recv(descriptor, space.baseAddress, space.count, 0) }
    }

    /// - Parameter hasMore: true if more follows at once, so that a short packet waits for it.
    static func send(_ descriptor: Int32, _ bytes: UnsafeBufferPointer<UInt8>, hasMore: Bool) -> Transfer {
        uninterrupted { systemSend(descriptor, bytes, hasMore: hasMore) }
    }

    /// Sends pieces from different places by one call.
    static func send(_ descriptor: Int32, _ pieces: UnsafeMutableBufferPointer<iovec>, hasMore: Bool) -> Transfer {
        var message = msghdr()
        message.msg_iov = pieces.baseAddress
        message.msg_iovlen = .init(pieces.count)
        return uninterrupted { systemSend(descriptor, &message, hasMore: hasMore) }
    }

    /// The result of a call, which is made again if a signal interrupted it: no event would come for it later.
    static func uninterrupted(_ call: () -> Int) -> Transfer {
        while true {
            let result = call()
            if result > 0 { return .bytes(result) }
            if result == 0 { return .ended }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .wouldBlock }
            if errno != EINTR { return .failed }
        }
    }

    /// Judges an accept that gave no connection: whether there are no more, or just this one came to nothing.
    ///
    /// - Throws: `SystemError` if the process has no descriptor or the system no memory left.
    static func isLastOfBatch() throws(SystemError) -> Bool {
        switch errno {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: throw SystemError(call: "accept", code: errno)
        // The client has gone already, or a signal came: others may wait after it.
        case ECONNABORTED, EINTR: return false
        default: return true
        }
    }

    /// Makes the close of the socket throw away waiting bytes and reset the connection.
    static func resetAtClose(_ descriptor: Int32) {
        var setting = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &setting, socklen_t(MemoryLayout<linger>.size))
    }

    /// Ends our output; the peer may still send.
    static func finishSending(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = shutdown(descriptor, Int32(SHUT_WR))
        #else
            _ = shutdown(descriptor, SHUT_WR)
        #endif
    }
}

private func systemListen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
    listen(descriptor, backlog)
}

/// An address that can be bound to, or connected to.
struct ResolvedAddress: Sendable {
    private var storage = sockaddr_storage()
    private let length: socklen_t

    init?(_ info: addrinfo) {
        guard let address = info.ai_addr, Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else {
            return nil
        }
        length = info.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
        }
    }

    var family: Int32 { Int32(storage.ss_family) }

    func withPointer(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
