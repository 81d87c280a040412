// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

extension Connection {
    /// Gives the session the bytes that have come, and answers the requests that are complete.
    func process(_ session: HTTP2Session, _ workspace: Workspace) {
        if !workspace.input.isEmpty {
            session.receive(workspace.input.readable, now: loop.now)
            workspace.input.removeAll()
            touch()
        }
        handleEvents(session)
    }

    /// Does what the frames that came, or the sources of answers, ask for.
    func handleEvents(_ session: HTTP2Session) {
        while let event = session.nextEvent() {
            switch event {
            case .request(let stream): answer(stream, session)
            case .refused(let stream, let error):
                let request = stream.request(isSecure: tls != nil)
                let plan = shard.handler.refuse(
                    error, head: request.head, stream: request.stream, connection: info, receivedAt: loop.moment)
                shard.noteWork()
                session.answer(stream, plan, date: loop.date, now: loop.now)
            case .abandoned(let stream, let code):
                shard.handler.abandoned(connection: info, stream: stream, code: code)
            case .began(let live, let beginning):
                shard.handler.began(live, with: beginning)
                shard.noteWork()
            case .unsent(let head, let status, let stream):
                shard.handler.couldNotSend(status, to: head, connection: info, stream: stream, at: loop.moment)
                shard.noteWork()
            }
        }
    }

    private func answer(_ stream: HTTP2Stream, _ session: HTTP2Session) {
        let parts = stream.request(isSecure: tls != nil)
        let request = IncomingRequest(
            head: parts.head, body: parts.body, trailers: parts.trailers, connection: info, stream: parts.stream,
            receivedAt: loop.moment, share: parts.share)
        let plan = shard.handler.respond(to: request)
        shard.noteWork()
        lastServed = loop.now
        plan.live?.attach(wake(stream: parts.stream))
        session.answer(stream, plan, date: loop.date, now: loop.now)
    }

    /// Writes frames that wait.
    ///
    /// - Returns: whether there is something to send.
    func refill(_ workspace: Workspace) -> Bool {
        if live != nil {
            advanceLive(workspace)
            return !workspace.output.isEmpty
        }
        guard case .http2(let session) = dialect, state == .open else { return false }
        session.write(to: workspace.output, limit: ServerConfiguration.frameBatch)
        // What could not be written is told.
        handleEvents(session)
        if session.isPacing { awaitNextPiece() }
        if !workspace.output.isEmpty { return true }
        guard let ending = session.ending else { return false }
        giveUpLive()
        resetsAtEnd = ending == .reset
        // A client that was dropped may still be sending: it shall read the last word.
        finishOutput(leavesUnread: ending == .close)
        return false
    }

    /// Has the client open no more streams, and lets those it has end (RFC 9113 §6.8).
    func drain(_ session: HTTP2Session) {
        session.beginDrain()
        flush(takeWorkspace())
        guard state != .closed else { return }
        // What the client had on its way before it heard of it comes within a moment.
        loop.schedule(DrainTimer.start(self, session), at: loop.now + ServerConfiguration.drainPause.nanoseconds)
    }

    fileprivate func finishDrain(_ session: HTTP2Session) {
        guard state == .open, http2 === session else { return }
        session.finishDrain()
        flush(takeWorkspace())
    }
}

/// Ends the pause between the two GOAWAY frames of a connection that drains.
private final class DrainTimer: Channel {
    private weak var connection: Connection?
    private let session: HTTP2Session

    private init(_ connection: Connection, _ session: HTTP2Session) {
        self.connection = connection
        self.session = session
        super.init(descriptor: -1, loop: connection.loop)
    }

    static func start(_ connection: Connection, _ session: HTTP2Session) -> DrainTimer {
        let timer = DrainTimer(connection, session)
        connection.loop.registerTimer(timer)
        return timer
    }

    override func due(now: UInt64) {
        loop.unregisterTimer(self)
        connection?.finishDrain(session)
    }
}
