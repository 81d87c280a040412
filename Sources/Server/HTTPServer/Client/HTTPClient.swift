// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiEventLoops

/// The limits of a client.
package struct ClientConfiguration: Sendable {
    /// Until a connection stands; nil for as long as it takes.
    package var connectTimeout: Duration? = .seconds(10)
    /// Without a byte of the request or the response while neither is held; nil for as long as it likes.
    package var idleTimeout: Duration? = .seconds(60)
    /// Bytes of a response's heads, interim ones too. 256 KiB.
    package var maxHead = 256 * 1024
    /// Connections to one target; further requests wait for one. 128.
    package var maxConnections = 128
    /// Connections to one target that are kept for later requests. 64.
    package var maxIdleConnections = 64

    /// How long a connection is kept that has nothing to do: less than most servers do. 50 s.
    static let keepTime = Duration.seconds(50)
    /// How long a connection that has nothing to do is trusted with a request that may be sent once only. 1 s.
    static let trustedTime = Duration.seconds(1)
    /// How long the first addresses of a name are tried before the next is, longer each time round. 300 ms.
    static let attemptTime = Duration.milliseconds(300)
    /// How long the addresses of a name are believed. 60 s.
    static let addressTime = Duration.seconds(60)

    package init() {}
}

/// A client of HTTP/1.1 without TLS that lives on an event loop: no thread, task or timer of its own for a request.
///
/// Responses come as bytes, no redirect is followed and no coding undone. Requests use connections that are kept, one request at a time on each.
/// A request without a response because the server had given up a kept connection is sent again on a new one, once, if it is
/// idempotent or none of it had gone (RFC 9112 §9.3.1).
package final class HTTPClient: Sendable {
    package let loop: EventLoop
    private let pools: ClientPools

    package init(_ configuration: ClientConfiguration, on loop: EventLoop) {
        self.loop = loop
        pools = ClientPools(configuration, loop)
    }

    /// Closes the connections; exchanges under way go on to their ends.
    deinit {
        loop.execute { [pools] _ in pools.release() }
    }

    /// Sends a request; on the loop only.
    package func start(_ exchange: ClientExchange, to target: ClientTarget) {
        pools.pool(of: target).start(exchange)
    }
}

/// The pools of one client by their targets.
///
/// `@unchecked Sendable`: everything stored that varies is touched only on the loop.
final class ClientPools: @unchecked Sendable {
    let configuration: ClientConfiguration
    private let loop: EventLoop
    private var pools: [ClientTarget: ClientPool] = [:]

    init(_ configuration: ClientConfiguration, _ loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
    }

    func pool(of target: ClientTarget) -> ClientPool {
        if let pool = pools[target] { return pool }
        let pool = ClientPool(target, configuration, loop)
        pools[target] = pool
        return pool
    }

    func release() {
        for pool in pools.values { pool.release() }
        pools = [:]
    }
}
