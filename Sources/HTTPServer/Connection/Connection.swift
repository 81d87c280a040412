// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

/// One client's connection: bytes in, requests to the handler, answers out, deadlines.
///
/// `+Input` reads and finds out which protocol the client speaks, `+HTTP1` and `+HTTP2` answer, `+Live` goes on with answers that come
/// from elsewhere, `+Output` sends, `+Deadlines` watches the time.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each request.
final class Connection: Channel {
    enum State {
        /// Requests are read and answered.
        case open
        /// The last answer is on its way; nothing more is read.
        case finishing
        /// We have sent all; what the client still sends is thrown away, so that it can read our answer
        /// (RFC 9112 §9.6).
        case lingering
        case closed
    }

    /// What the client speaks.
    enum Dialect {
        /// The first bytes will tell.
        case unknown
        case http1
        case http2(HTTP2Session)
    }

    @exclusivity(unchecked) var info: ConnectionInfo
    let shard: ServerShard
    @exclusivity(unchecked) var state = State.open
    @exclusivity(unchecked) var dialect = Dialect.unknown
    @exclusivity(unchecked) var tls: TLSStream?
    /// Held while anything is under way.
    @exclusivity(unchecked) var workspace: Workspace?
    /// The answer that goes out piece by piece; requests behind it wait.
    @exclusivity(unchecked) var delivery: HTTP1Delivery?
    @exclusivity(unchecked) var closesBehindDelivery = false
    /// The answer of HTTP/1.1 that comes from elsewhere while it is sent; requests behind it wait.
    @exclusivity(unchecked) var live: HTTP1LiveDelivery?
    /// When the last request was answered; when the connection came, before the first. Monotonic.
    @exclusivity(unchecked) var lastServed: UInt64
    @exclusivity(unchecked) var deadline: UInt64
    /// When the connection looks at its deadlines next.
    @exclusivity(unchecked) var nextCheck: UInt64 = 0
    /// When an answer that goes out in pieces has its next one.
    @exclusivity(unchecked) var nextPiece = UInt64.max
    /// Whether the deadline is that of a head, which bytes do not put off.
    @exclusivity(unchecked) var isHeadDeadline = false
    /// The system has told that the client has ended its side: reading goes on until that end is seen.
    @exclusivity(unchecked) var endIsNear = false
    /// The client sends no more.
    @exclusivity(unchecked) var peerHasFinished = false
    /// Reading stopped with bytes possibly left in the socket.
    @exclusivity(unchecked) var hasUnread = false
    /// The last answer was to a message we could not follow to its end: bytes of it may still come.
    @exclusivity(unchecked) var leavesUnread = false
    /// The connection ends with a reset.
    @exclusivity(unchecked) var resetsAtEnd = false
    @exclusivity(unchecked) var discarded = 0

    /// Bytes read in one turn before other connections have theirs. 1 MiB.
    static let bytesPerTurn = 1024 * 1024
    /// Nanoseconds for which a client that sends without a pause is read before other connections have their turn. 5 ms.
    static let turn: UInt64 = 5_000_000
    /// Requests answered in one turn before other connections have theirs.
    static let requestsPerTurn = 128
    /// Bytes thrown away while lingering before the connection is cut. 1 MiB.
    static let lingerLimit = 1024 * 1024

    init(descriptor: Int32, info: ConnectionInfo, shard: ServerShard, loop: EventLoop) {
        self.info = info
        self.shard = shard
        lastServed = loop.now
        deadline = loop.now + shard.idleTimeout
        super.init(descriptor: descriptor, loop: loop)
    }

    /// Whether an answer is on its way to the client.
    var isAnswering: Bool {
        if let workspace, !workspace.output.isEmpty { return true }
        return isDelivering || http2?.hasStreams ?? false
    }

    /// Whether an answer of HTTP/1.1 goes out in pieces.
    var isDelivering: Bool { delivery != nil || live != nil }

    var http2: HTTP2Session? {
        if case .http2(let session) = dialect { session } else { nil }
    }

    func start() {
        check(at: loop.now + shard.checkInterval)
        // Often the request came with the connection.
        read()
    }

    override func ready(_ event: PollEvent) {
        tls?.mayHaveMore = true
        if event.isWritable, let workspace, hasPending(workspace) { flush(workspace) }
        if event.hasEnded {
            endIsNear = true
            if let live, !live.answer.outlastsClientEnd { return endLive() }
            if isAnswering, state == .open { noteAbandoned() }
        }
        if event.isReadable, state != .closed { read() }
    }

    override func due(now: UInt64) {
        meetDeadlines(now)
    }

    override func resumed() {
        guard state != .closed else { return }
        if let workspace, hasPending(workspace) { flush(workspace) }
        if state != .closed { read() }
    }

    override func moreHasCome(stream: UInt32) {
        goOn(stream: stream)
    }

    /// The client has ended its side while answers were on their way to it.
    func noteAbandoned() {
        giveUpLive(isHalfClosed: true)
        guard let http2 else { return shard.handler.abandoned(connection: info, stream: 0, code: nil) }
        for stream in http2.openStreams { shard.handler.abandoned(connection: info, stream: stream, code: nil) }
    }

    /// Lets what is under way end, then closes: the server stops.
    func finish() {
        if state == .lingering { return close() }
        guard state == .open else { return }
        if let http2 { return drain(http2) }
        if isAnswering || workspace?.parser.isMidRequest ?? false { return }
        closeInOrder()
    }

    /// Closes at once; the client sees a reset where it was owed something.
    func abort() {
        guard state != .closed else { return }
        close()
    }

    /// Closes when all has been sent: a TLS client is told so.
    func closeInOrder() {
        if resetsAtEnd { Socket.resetAtClose(descriptor) }
        if !resetsAtEnd { finishTLS() }
        close()
    }

    /// Tells a TLS client that nothing more comes (RFC 8446 §6.1).
    func finishTLS() {
        guard let tls else { return }
        tls.finish()
        if !tls.pending.isEmpty { _ = Socket.send(descriptor, tls.pending.readable, hasMore: false) }
        tls.pending.removeAll()
    }

    func close() {
        guard state != .closed else { return }
        giveUpLive()
        state = .closed
        workspace = nil
        tls = nil
        delivery = nil
        live = nil
        dialect = .unknown
        shard.remove(self)
        loop.close(self)
    }

    /// Gives the workspace back where nothing is under way.
    func releaseWorkspace() {
        guard let workspace, workspace.isIdle else { return }
        shard.giveBack(workspace)
        self.workspace = nil
    }
}
