// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The part of a server that lives on one loop: its connections there and their handler.
final class ServerShard: LoopResident {
    let loop: EventLoop
    let handler: any RequestHandler
    let configuration: ServerConfiguration
    let idleTimeout: UInt64
    let headTimeout: UInt64
    let lingerTimeout: UInt64
    /// Memory for the requests of HTTP/2 connections.
    let streams = HTTP2StreamPool()
    /// Where parts of files wait to be encrypted; used within one call. 64 KiB.
    let fileSpace = UnsafeMutableRawBufferPointer.allocate(
        byteCount: ServerConfiguration.recordBatch, alignment: 16)
    /// Where the pieces of a send are listed; used within one call. As many as a send of the largest batch of frames has.
    let pieces = UnsafeMutableBufferPointer<iovec>.allocate(capacity: 64)
    private let server: HTTPServer
    private var listeners: [Listener] = []
    @exclusivity(unchecked) private var connections: [UInt64: Connection] = [:]
    @exclusivity(unchecked) private var spareBuffers: [RequestBuffers] = []
    @exclusivity(unchecked) private var wakeEndIsDue = false
    @exclusivity(unchecked) private(set) var isStopping = false
    private var stopped: [() -> Void] = []

    /// Request buffers kept for the next requests. 64: as many connections as are likely to be in mid-request at once.
    private static let sparesLimit = 64

    init(server: HTTPServer, loop: EventLoop) {
        self.server = server
        self.loop = loop
        configuration = server.configuration
        idleTimeout = configuration.idleTimeout.nanoseconds
        headTimeout = min(idleTimeout, ServerConfiguration.headTimeout.nanoseconds)
        lingerTimeout = ServerConfiguration.lingerTimeout.nanoseconds
        handler = server.makeHandler(loop)
        super.init()
    }

    deinit {
        fileSpace.deallocate()
        pieces.deallocate()
    }

    var tls: TLSProvider? { server.tls }
    var date: DateLine { server.date ?? loop.date }

    /// How often a connection looks at its deadline: as often as its shortest one, so that none is met late.
    var checkInterval: UInt64 { headTimeout }

    func listen(_ socket: Int32) {
        let listener = Listener(descriptor: socket, server: server, loop: loop)
        listeners.append(listener)
        // The set refuses a descriptor only if the system is out of memory; the listener then hears nothing.
        try? loop.register(listener)
        if isStopping { closeListeners() }
    }

    private func closeListeners() {
        for listener in listeners { loop.close(listener) }
        listeners = []
    }

    /// Takes over a connection that has been accepted.
    func adopt(_ descriptor: Int32, _ peer: SocketAddress) {
        if connections.count >= server.connectionsPerLoop { evict() }
        let id = HTTPServer.connectionCounter.wrappingAdd(1, ordering: .relaxed).newValue
        let connection = Connection(
            descriptor: descriptor, info: ConnectionInfo(id: id, peer: peer), shard: self, loop: loop)
        do throws(SystemError) {
            try loop.register(connection)
            connections[connection.token] = connection
            connection.start()
            if isStopping { connection.finish() }
        } catch {
            loop.close(connection)
            loop.load.wrappingSubtract(1, ordering: .relaxed)
        }
    }

    /// Forgets a connection that has closed itself.
    func remove(_ connection: Connection) {
        connections[connection.token] = nil
        loop.load.wrappingSubtract(1, ordering: .relaxed)
        if isStopping, connections.isEmpty { finishStop() }
    }

    /// Closes the connections that have waited longest for their clients, a thirty-second of all, at least one.
    ///
    /// Those between requests or in the middle of one go before those that wait for a response.
    func evict() {
        guard !connections.isEmpty else { return }
        let victims = connections.values
            .map { (isResponding: $0.isResponding, since: $0.lastServed, connection: $0) }
            // Connections that were served in one batch of events have the same time; the older one has waited longer.
            .sorted {
                ($0.isResponding ? 1 : 0, $0.since, $0.connection.info.id)
                    < ($1.isResponding ? 1 : 0, $1.since, $1.connection.info.id)
            }
        for victim in victims.prefix(max(1, connections.count / 32)) { victim.connection.abort() }
    }

    func takeBuffers() -> RequestBuffers {
        spareBuffers.popLast() ?? RequestBuffers(limits: configuration.limits)
    }

    func giveBack(_ buffers: RequestBuffers) {
        if spareBuffers.count < Self.sparesLimit { spareBuffers.append(buffers) }
    }

    /// Makes the loop call `endWake` when the events at hand are done.
    func noteWork() {
        guard !wakeEndIsDue else { return }
        wakeEndIsDue = true
        loop.callAtEndOfWake(self)
    }

    override func endWake() {
        wakeEndIsDue = false
        handler.endWake()
    }

    // MARK: Stopping

    func stop(by deadline: UInt64, completion: @escaping () -> Void) {
        isStopping = true
        stopped.append(completion)
        closeListeners()
        for connection in Array(connections.values) { connection.finish() }
        if connections.isEmpty { return finishStop() }
        loop.schedule(stopTimer(), at: deadline)
    }

    func whenStopped(_ completion: @escaping () -> Void) {
        stopped.append(completion)
        if connections.isEmpty { finishStop() }
    }

    private func stopTimer() -> Channel {
        let timer = StopTimer(shard: self, loop: loop)
        loop.registerTimer(timer)
        return timer
    }

    fileprivate func abortAll() {
        for connection in Array(connections.values) { connection.abort() }
    }

    private func finishStop() {
        handler.endWake()
        loop.removeShard(of: server)
        let completions = stopped
        stopped = []
        for completion in completions { completion() }
    }
}

/// Cuts the rest of a shard when the grace of a stop is over.
private final class StopTimer: Channel {
    private weak var shard: ServerShard?

    init(shard: ServerShard, loop: EventLoop) {
        self.shard = shard
        super.init(descriptor: -1, loop: loop)
    }

    override func due(now: UInt64) {
        loop.unregisterTimer(self)
        shard?.abortAll()
    }
}
