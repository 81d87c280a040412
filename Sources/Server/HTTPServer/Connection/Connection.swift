// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire

/// One client's connection: the shell of a session, with its socket, its TLS and its deadlines.
///
///     ready ─▶ read ─▶ session.nextEvent()* ─▶ handler.respond(to:) ─▶ session.send(…) ─▶ flush
///
/// `+Input` reads and finds out which protocol the client speaks, `+Session` takes the session's events to the handler, `+Output`
/// sends, `+Deadlines` watches the time. The protocols themselves stand in `HTTP1Session` and `HTTP2Session`.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each request.
final class Connection: Channel {
    enum State: Equatable {
        /// Requests are read and get responses.
        case open
        /// The last response is on its way; nothing more is read.
        case finishing(SessionEnding)
        /// We have sent all; the client's remaining bytes are thrown away (`SessionEnding.linger`).
        case lingering
        case closed
    }

    /// The protocol that the client speaks.
    enum Dialect {
        /// The first bytes will decide.
        case unknown
        /// The session is that of the buffers.
        case http1
        case http2(HTTP2Session)
    }

    @exclusivity(unchecked) var info: ConnectionInfo
    let shard: ServerShard
    @exclusivity(unchecked) var state = State.open
    @exclusivity(unchecked) var dialect = Dialect.unknown
    @exclusivity(unchecked) var tls: TLSStream?
    /// The host and port that a tunnel was opened to; empty without one.
    @exclusivity(unchecked) var tunnel: [UInt8] = []
    /// Held while anything is under way.
    @exclusivity(unchecked) var buffers: RequestBuffers?
    @exclusivity(unchecked) var deadlines: ConnectionDeadlines
    /// When the last request got its response; when the connection came, before the first. Monotonic.
    @exclusivity(unchecked) var lastServed: UInt64
    /// The system has reported that the client has ended its side: reading goes on until that end is seen.
    @exclusivity(unchecked) var endIsNear = false
    /// The client sends no more.
    @exclusivity(unchecked) var peerHasFinished = false
    /// Reading stopped with bytes possibly left in the socket.
    @exclusivity(unchecked) var hasUnread = false
    /// Bytes that were thrown away while lingering.
    @exclusivity(unchecked) var discarded = 0

    /// Bytes read in one turn before other connections have theirs. 256 KiB.
    static let bytesPerTurn = 256 * 1024
    /// Nanoseconds for which a client that sends without a pause is read before other connections have their turn. 1 ms.
    static let turn: UInt64 = 1_000_000
    /// Responses in one turn before other connections have theirs.
    static let requestsPerTurn = 128
    /// Bytes thrown away while lingering before the connection is cut. 64 MiB: a client that sends all before it reads sees the response.
    static let lingerLimit = 64 * 1024 * 1024

    init(descriptor: Int32, info: ConnectionInfo, shard: ServerShard, loop: EventLoop) {
        self.info = info
        self.shard = shard
        lastServed = loop.now
        deadlines = ConnectionDeadlines(idle: loop.now + shard.idleTimeout)
        super.init(descriptor: descriptor, loop: loop)
    }

    var http2: HTTP2Session? {
        if case .http2(let session) = dialect { session } else { nil }
    }

    /// Whether a response is on its way to the client.
    var isResponding: Bool {
        if let buffers, !buffers.output.isEmpty || buffers.http1.isResponding { return true }
        return http2?.hasStreams ?? false
    }

    func takeBuffers() -> RequestBuffers {
        if let buffers { return buffers }
        let buffers = shard.takeBuffers()
        prepare(buffers)
        self.buffers = buffers
        return buffers
    }

    /// Gives the session that it has from now on the facts of the connection.
    func prepare(_ buffers: RequestBuffers) {
        buffers.http1.begin(
            .init(
                isSecure: tls != nil, allowsUpgrade: tls == nil && shard.configuration.speaksHTTP2,
                isDraining: shard.isStopping, clientHasEnded: endIsNear || peerHasFinished,
                tunnel: tunnel))
    }

    /// Gives the buffers back if nothing is under way.
    func release(_ buffers: RequestBuffers) {
        guard buffers.isIdle else { return }
        shard.giveBack(buffers)
        self.buffers = nil
    }

    // MARK: Events of the loop

    /// Watches the deadlines; the bytes that came with the connection are the loop's first event of it.
    func start() {
        check(at: loop.now + shard.checkInterval)
    }

    override func ready(_ event: PollEvent) {
        tls?.mayHaveMore = true
        if event.isWritable, let buffers, hasPending(buffers) { flush(buffers) }
        if event.hasEnded {
            endIsNear = true
            noteClientEnd()
        }
        if event.isReadable, state != .closed { read() }
    }

    override func due(now: UInt64) {
        checkDeadlines(now)
    }

    override func resumed() {
        guard state != .closed else { return }
        if let buffers, hasPending(buffers) { flush(buffers) }
        if state != .closed { read() }
    }

    override func moreHasCome(stream: UInt32) {
        advance(stream: stream)
    }

    // MARK: The end

    /// Lets work that is under way end, then closes: the server stops.
    func finish() {
        if state == .lingering { return abort() }
        guard state == .open else { return }
        if let http2 { return drain(http2) }
        if let buffers {
            buffers.http1.drain()
            if isResponding || !buffers.http1.isIdle { return }
        }
        closeInOrder(.close)
    }

    /// Closes at once; the client sees a reset if it was owed something.
    func abort() {
        close()
    }

    /// Closes when all has been sent: a TLS client gets an alert.
    func closeInOrder(_ ending: SessionEnding) {
        if ending == .reset { Socket.resetAtClose(descriptor) } else { finishTLS() }
        close()
    }

    /// Notifies a TLS client that nothing more comes (RFC 8446 §6.1).
    func finishTLS() {
        guard let tls else { return }
        tls.finish()
        if !tls.pending.isEmpty { _ = Socket.send(descriptor, tls.pending.readable, hasMore: false) }
        tls.pending.removeAll()
    }

    private func close() {
        guard state != .closed else { return }
        abandonSession()
        state = .closed
        buffers = nil
        tls = nil
        dialect = .unknown
        shard.remove(self)
        loop.close(self)
    }
}
