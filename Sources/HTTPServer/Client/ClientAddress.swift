// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// An address that can be connected to.
struct ClientAddress: @unchecked Sendable {
    private var storage: sockaddr_storage
    private let length: socklen_t

    private init?(_ info: addrinfo) {
        guard let address = info.ai_addr, Int(info.ai_addrlen) <= MemoryLayout<sockaddr_storage>.size else {
            return nil
        }
        storage = sockaddr_storage()
        length = info.ai_addrlen
        withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
        }
    }

    /// Where names are looked up, which may take its time.
    private static let queue = DispatchQueue(label: "mockapi.resolver", attributes: .concurrent)

    /// Looks up the addresses of a target beside the loop, at once where it is an address itself.
    ///
    /// - Parameter found: called on the loop; with none where there is no address.
    static func find(_ target: ClientTarget, on loop: EventLoop, _ found: @escaping @Sendable ([ClientAddress]) -> Void)
    {
        let literal = resolve(target, flags: AI_NUMERICHOST)
        if !literal.isEmpty { return found(literal) }
        queue.async {
            let addresses = resolve(target, flags: 0)
            loop.execute { _ in found(addresses) }
        }
    }

    private static func resolve(_ target: ClientTarget, flags: Int32) -> [ClientAddress] {
        var hints = addrinfo()
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_flags = AI_NUMERICSERV | flags
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(target.host, String(target.port), &hints, &list) == 0, let first = list else { return [] }
        defer { freeaddrinfo(first) }
        var addresses: [ClientAddress] = []
        var next: UnsafeMutablePointer<addrinfo>? = first
        while let info = next {
            if let address = ClientAddress(info.pointee) { addresses.append(address) }
            next = info.pointee.ai_next
        }
        return addresses
    }

    /// Begins to connect, without waiting.
    ///
    /// - Returns: the descriptor, which is writable once the connection stands.
    func connect() throws(SystemError) -> Int32 {
        #if canImport(Glibc)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = try SystemError.check("socket", socket(Int32(storage.ss_family), kind, 0))
        Socket.makeNonBlocking(descriptor)
        Socket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        Socket.ignorePipeSignal(descriptor)
        var storage = storage
        let result = withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { systemConnect(descriptor, $0, length) }
        }
        if result == 0 || errno == EINPROGRESS || errno == EINTR { return descriptor }
        let failure = SystemError(call: "connect", code: errno)
        _ = close(descriptor)
        throw failure
    }

    /// Why a connection has not come about; 0 where it has.
    static func error(of descriptor: Int32) -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    /// Whether a connection that waits is as it was left: nothing has come, and the server has not ended it.
    static func isQuiet(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        while true {
            if recv(descriptor, &byte, 1, Int32(MSG_PEEK)) >= 0 { return false }
            if errno != EINTR { return errno == EAGAIN || errno == EWOULDBLOCK }
        }
    }
}

private func systemConnect(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}
