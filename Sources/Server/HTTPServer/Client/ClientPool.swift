// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire
import MockapiSystemIO

/// The connections to one target, and the exchanges that wait for one.
///
/// `@unchecked Sendable`: it is touched on its loop only.
final class ClientPool: @unchecked Sendable {
    let target: ClientTarget
    let configuration: ClientConfiguration
    /// Nanoseconds without a byte after which a request ends; nil for any time.
    let idleLimit: UInt64?
    let loop: EventLoop
    /// Nothing to do; the last is the connection that finished last.
    private var idle: [ClientConnection] = []
    /// All connections, those that are being made too.
    private var count = 0
    private var waiting: [ClientExchange] = []
    private var unresolved: [ClientExchange] = []
    private var addresses: [ResolvedAddress] = []
    /// Until when the addresses are believed.
    private var addressesEnd: UInt64 = 0
    private var isReleased = false
    private var isFilling = false

    init(_ target: ClientTarget, _ configuration: ClientConfiguration, _ loop: EventLoop) {
        self.target = target
        self.configuration = configuration
        idleLimit = configuration.idleTimeout?.nanoseconds
        self.loop = loop
    }

    func start(_ exchange: ClientExchange) {
        exchange.pool = self
        if let connection = takeIdle(for: exchange) { return connection.begin(exchange) }
        guard count < configuration.maxConnections else { return waiting.append(exchange) }
        open(for: exchange)
    }

    /// Sends a request again on a new connection, after a kept one had been given up by the server.
    func retry(_ exchange: ClientExchange) {
        exchange.isRetried = true
        open(for: exchange)
    }

    private func takeIdle(for exchange: ClientExchange) -> ClientConnection? {
        if exchange.isIdempotent { return idle.popLast() }
        // A request that may be sent only once does not go by a connection that the server has ended, or is about to.
        let youngest = loop.now &- min(loop.now, ClientConfiguration.trustedTime.nanoseconds)
        while let connection = idle.last, connection.idleSince >= youngest {
            idle.removeLast()
            if ClientAddress.isQuiet(connection.descriptor) { return connection }
            connection.abandon()
        }
        return nil
    }

    // MARK: Connecting

    private func open(for exchange: ClientExchange) {
        count += 1
        let now = Clock.monotonic()
        exchange.attempts = 0
        exchange.refusals = 0
        exchange.refusal = nil
        exchange.connectDeadline = configuration.connectTimeout.map { now &+ $0.nanoseconds } ?? .max
        if now < addressesEnd { return attempt(exchange) }
        unresolved.append(exchange)
        guard unresolved.count == 1 else { return }
        ClientAddress.find(target, on: loop) { [self] in resolved($0) }
    }

    private func resolved(_ found: [ResolvedAddress]) {
        addresses = found
        let now = Clock.monotonic()
        addressesEnd = found.isEmpty ? 0 : now &+ ClientConfiguration.addressTime.nanoseconds
        let exchanges = unresolved
        unresolved = []
        for exchange in exchanges {
            if exchange.hasEnded {
                leave()
            } else if found.isEmpty {
                leave()
                exchange.fail(.unresolved(host: target.host))
            } else if now >= exchange.connectDeadline {
                leave()
                exchange.fail(.connectTimeout(host: target.host, port: target.port))
            } else {
                attempt(exchange)
            }
        }
    }

    /// Tries the next address for an exchange, which has a place among the connections.
    private func attempt(_ exchange: ClientExchange) {
        while true {
            let number = exchange.attempts
            exchange.attempts += 1
            do throws(SystemError) {
                let descriptor = try ClientAddress.connect(to: addresses[number % addresses.count])
                let connection = ClientConnection(descriptor, self, loop)
                do throws(SystemError) {
                    try loop.register(connection)
                } catch {
                    loop.close(connection)
                    throw error
                }
                // The last address has all the time there is, the others a part of it.
                let isLast = addresses.count == 1
                let part = ClientConfiguration.attemptTime.nanoseconds << UInt64(min(number / addresses.count, 10))
                let end = isLast ? UInt64.max : Clock.monotonic() &+ part
                return connection.connect(for: exchange, until: min(end, exchange.connectDeadline))
            } catch {
                guard refused(exchange, error) else { return }
            }
        }
    }

    /// A connection has not come about.
    ///
    /// - Parameter failure: nil if it has only taken too long.
    func connectFailed(_ exchange: ClientExchange, _ failure: SystemError?) {
        guard let failure else {
            exchange.refusals = 0
            exchange.refusal = nil
            guard Clock.monotonic() < exchange.connectDeadline else {
                leave()
                return exchange.fail(.connectTimeout(host: target.host, port: target.port))
            }
            return attempt(exchange)
        }
        if refused(exchange, failure) { attempt(exchange) }
    }

    /// - Returns: whether there is another address to be tried.
    private func refused(_ exchange: ClientExchange, _ failure: SystemError) -> Bool {
        exchange.refusals += 1
        // The failure of the first address is reported: others are there in case.
        let told = exchange.refusal ?? failure.description
        exchange.refusal = told
        if exchange.refusals < addresses.count { return true }
        // The name may lead elsewhere by the next time.
        addressesEnd = 0
        leave()
        exchange.fail(.unconnected(host: target.host, port: target.port, told))
        return false
    }

    /// A connection stands: its address is the one to be tried first.
    func connected(_ exchange: ClientExchange) {
        let index = (exchange.attempts - 1) % max(1, addresses.count)
        if index > 0, addresses.indices.contains(index) { addresses.swapAt(0, index) }
    }

    // MARK: Coming and going

    /// A connection has nothing to do.
    ///
    /// - Returns: false if it is to be closed.
    func takeBack(_ connection: ClientConnection) -> Bool {
        while let next = waiting.first {
            waiting.removeFirst()
            if next.hasEnded { continue }
            connection.begin(next)
            return true
        }
        guard !isReleased, idle.count < configuration.maxIdleConnections else { return false }
        idle.append(connection)
        return true
    }

    /// A connection is closed, or will not be made.
    func leave(_ connection: ClientConnection? = nil) {
        count -= 1
        if let connection { idle.removeAll { $0 === connection } }
        // One that cannot be made leaves too: the next is the turn of this very loop.
        guard !isFilling else { return }
        isFilling = true
        defer { isFilling = false }
        while count < configuration.maxConnections, let next = waiting.first {
            waiting.removeFirst()
            if !next.hasEnded { open(for: next) }
        }
    }

    /// An exchange has ended before it had a connection.
    func forget(_ exchange: ClientExchange) {
        if exchange.connection == nil { waiting.removeAll { $0 === exchange } }
    }

    func release() {
        isReleased = true
        let connections = idle
        idle = []
        for connection in connections { connection.abandon() }
    }
}
