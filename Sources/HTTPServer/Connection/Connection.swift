// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

/// One client's connection: bytes in, requests to the handler, answers out, deadlines.
///
/// Reading and parsing are in `Connection+Input`, sending in `Connection+Output`.
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

    let info: ConnectionInfo
    let shard: ServerShard
    var state = State.open
    /// Held while anything is under way.
    var workspace: Workspace?
    /// When the last request was answered; when the connection came, before the first. Monotonic.
    var lastServed: UInt64
    var deadline: UInt64
    /// Whether the deadline is that of a head, which bytes do not put off.
    var isHeadDeadline = false
    /// The system has told that the client has ended its side: reading goes on until that end is seen.
    var endIsNear = false
    /// The client sends no more.
    var peerHasFinished = false
    /// Reading stopped with bytes possibly left in the socket.
    var hasUnread = false
    /// The last answer was to a message we could not follow to its end: bytes of it may still come.
    var leavesUnread = false
    var discarded = 0

    /// Bytes read in one turn before other connections have theirs. 1 MiB.
    static let bytesPerTurn = 1024 * 1024
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
    var isAnswering: Bool { workspace.map { !$0.output.isEmpty } ?? false }

    func start() {
        loop.schedule(self, at: loop.now + shard.checkInterval)
        // Often the request came with the connection.
        read()
    }

    override func ready(_ event: PollEvent) {
        if event.isWritable, let workspace, !workspace.output.isEmpty { flush(workspace) }
        if event.hasEnded { endIsNear = true }
        if event.isReadable, state != .closed { read() }
    }

    override func resumed() {
        guard state != .closed else { return }
        if let workspace, !workspace.output.isEmpty { flush(workspace) }
        if state != .closed { read() }
    }

    override func due(now: UInt64) {
        guard state != .closed else { return }
        guard now >= deadline else { return loop.schedule(self, at: min(deadline, now + shard.checkInterval)) }
        switch state {
        case .open where workspace?.output.isEmpty ?? true:
            if let workspace, workspace.parser.isMidRequest { timeOut(workspace) } else { close() }
        default:
            abort()
        }
    }

    /// Answers 408 to a request that does not come to its end (RFC 9110 §15.5.9).
    private func timeOut(_ workspace: Workspace) {
        let part = workspace.parser.isMidHead ? "head" : "content"
        refuse(HTTP1Error(408, "the \(part) of the request did not come in time"), workspace)
        loop.schedule(self, at: deadline)
    }

    /// Puts off the idle deadline: something has happened.
    func touch() {
        deadline = loop.now + shard.idleTimeout
        isHeadDeadline = false
    }

    /// Lets what is under way end, then closes: the server stops.
    func finish() {
        if state == .lingering { return close() }
        guard state == .open else { return }
        if let workspace, workspace.parser.isMidRequest || !workspace.output.isEmpty { return }
        close()
    }

    /// Closes at once; the client sees a reset where it was owed something.
    func abort() {
        guard state != .closed else { return }
        close()
    }

    func close() {
        guard state != .closed else { return }
        state = .closed
        workspace = nil
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
