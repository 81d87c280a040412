// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

extension Connection {
    /// What a live answer calls when more of it has come.
    ///
    /// It names the connection by its token: by then that may be closed, and the call is for nobody.
    func wake(stream: UInt32) -> @Sendable () -> Void {
        let loop = loop
        let token = token
        return { loop.notify(token, stream: stream) }
    }

    /// Takes what has come of an answer.
    func goOn(stream: UInt32) {
        guard state == .open else { return }
        let workspace = takeWorkspace()
        // Waiting for this was no fault of the client.
        if !hasPending(workspace) { touch() }
        if let http2 {
            http2.advanceLive(stream: stream, now: loop.now, date: loop.date)
            handleEvents(http2)
        } else {
            advanceLive(workspace)
        }
        if state != .closed { flush(workspace) }
    }

    /// Begins an answer of HTTP/1.1 that comes from elsewhere.
    func start(_ answer: LiveAnswer, _ workspace: Workspace) {
        answer.attach(wake(stream: 0))
        if endIsNear || peerHasFinished, !answer.outlastsClientEnd { return giveUpLast() }
        advanceLive(workspace)
    }

    /// The client has ended its side while an answer of HTTP/1.1 came from elsewhere.
    func endLive() {
        giveUpLast()
        flush(takeWorkspace())
    }

    /// Ends the connection behind what is queued: nothing is fetched from elsewhere for a client that has ended its side, since it has
    /// most likely gone.
    private func giveUpLast() {
        resetsAtEnd = live?.hasBegun ?? false
        noteAbandoned()
        finishOutput(leavesUnread: false)
    }

    /// Queues what has come of an answer of HTTP/1.1, and says what is behind it once it is done.
    func advanceLive(_ workspace: Workspace) {
        while state == .open, let live {
            switch live.advance(
                date: loop.date, to: workspace.output, limit: ServerConfiguration.outputHighWater)
            {
            case .waits: return
            case .began(let head): note(live, .head(head))
            case .replaced(let plan):
                note(live, .plan(plan))
                self.live = nil
                let closes = closesBehindDelivery || plan.closes || plan.delivery?.endsConnection ?? false
                send(
                    plan, closes: closes, closes ? .close : live.persistence, sendsBody: live.sendsBody, workspace)
                hasUnread = true
            case .complete(let endsConnection):
                self.live = nil
                if closesBehindDelivery || endsConnection {
                    finishOutput(leavesUnread: !workspace.input.isEmpty)
                } else {
                    hasUnread = true
                }
            case .broken(let looksComplete):
                if !live.hasBegun { note(live, .nothing) }
                self.live = nil
                resetsAtEnd = looksComplete
                finishOutput(leavesUnread: !workspace.input.isEmpty)
            }
        }
    }

    /// Tells the producers of answers that the client has gone.
    ///
    /// - Parameter isHalfClosed: whether the client has only ended its side, which some answers outlast.
    func giveUpLive(isHalfClosed: Bool = false) {
        if let live, !isHalfClosed || !live.answer.outlastsClientEnd {
            if !live.hasBegun { note(live, .nothing) }
            self.live = nil
            live.answer.abandon()
        }
        guard let http2 else { return }
        http2.giveUpLive(isHalfClosed: isHalfClosed)
        handleEvents(http2)
    }

    private func note(_ live: HTTP1LiveDelivery, _ beginning: LiveBeginning) {
        shard.handler.began(live.answer, with: beginning)
        shard.noteWork()
    }
}
