// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiEventLoops
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where a target is, and how to connect to it.
enum ClientAddress {
    /// Where names are looked up, which may take its time.
    private static let queue = DispatchQueue(label: "mockapi.resolver", attributes: .concurrent)

    /// Looks up the addresses of a target beside the loop, at once if it is an address itself.
    ///
    /// - Parameter found: called on the loop; with none if there is no address.
    static func find(
        _ target: ClientTarget, on loop: EventLoop, _ found: @escaping @Sendable ([ResolvedAddress]) -> Void
    ) {
        let literal = Socket.resolve(host: target.host, port: target.port, flags: AI_NUMERICHOST)
        if !literal.isEmpty { return found(literal) }
        queue.async {
            let addresses = Socket.resolve(host: target.host, port: target.port, flags: 0)
            let all = addresses + loopback(of: target, beside: addresses)
            loop.execute { _ in found(all) }
        }
    }

    /// The addresses of this machine that the system leaves out for `localhost` and names below it (RFC 6761 §6.3), whatever family a server there
    /// listens on.
    private static func loopback(of target: ClientTarget, beside known: [ResolvedAddress]) -> [ResolvedAddress] {
        let name = target.host.lowercased()
        guard name == "localhost" || name.hasSuffix(".localhost") else { return [] }
        return ["127.0.0.1", "::1"].flatMap { Socket.resolve(host: $0, port: target.port, flags: AI_NUMERICHOST) }
            .filter { address in !known.contains { $0.family == address.family } }
    }

    /// Begins to connect, without waiting.
    ///
    /// - Returns: the descriptor, which is writable once the connection stands.
    static func connect(to address: ResolvedAddress) throws(SystemError) -> Int32 {
        let descriptor = try SystemError.check("socket", socket(address.family, Socket.stream, 0))
        Socket.makeNonBlocking(descriptor)
        Socket.setOption(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
        Socket.ignorePipeSignal(descriptor)
        let result = address.withPointer { systemConnect(descriptor, $0, $1) }
        if result == 0 || errno == EINPROGRESS || errno == EINTR { return descriptor }
        let failure = SystemError(call: "connect", code: errno)
        _ = close(descriptor)
        throw failure
    }

    /// Why a connection has not come about; 0 if it has.
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
