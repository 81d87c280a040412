// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPWire

extension Connection {
    /// A moment has come that was asked for: that of a deadline, or of a piece of an answer.
    func meetDeadlines(_ now: UInt64) {
        guard state != .closed else { return }
        if now >= nextPiece {
            nextPiece = .max
            advanceDeliveries()
            guard state != .closed else { return }
        }
        guard now >= nextCheck else { return }
        judge(now)
        if state != .closed { check(at: min(max(deadline, now + 1), now + shard.checkInterval)) }
    }

    /// Looks at the deadlines at a moment.
    func check(at moment: UInt64) {
        nextCheck = moment
        loop.schedule(self, at: moment)
    }

    /// Ends what has come to its deadline.
    private func judge(_ now: UInt64) {
        if let http2, state == .open, judge(http2, now) { return }
        guard now >= deadline else { return }
        noteHandshake(.tooSlow)
        guard state == .open, !isBlocked else { return abort() }
        if waitsForPiece { return touch() }
        if let http2 {
            http2.dropIdle()
            flush(takeWorkspace())
        } else if let workspace, workspace.parser.isMidRequest, delivery == nil {
            timeOut(workspace)
        } else {
            closeInOrder()
        }
    }

    /// Drops a client that holds up its answers, or trickles a header section.
    private func judge(_ http2: HTTP2Session, _ now: UInt64) -> Bool {
        if http2.isMidHead(since: now - min(now, shard.headTimeout)) {
            http2.dropSlowHead()
        } else if !isBlocked, http2.hasStalled(since: now - min(now, shard.idleTimeout)) {
            http2.dropStalled()
        } else {
            return false
        }
        // Who takes no bytes gets no last word.
        if isBlocked { abort() } else { flush(takeWorkspace()) }
        return true
    }

    /// Whether bytes wait for the client to take those before them.
    private var isBlocked: Bool { workspace.map { hasPending($0) } ?? false }

    /// Whether an answer waits for a moment that is its own, or for what it comes from.
    private var waitsForPiece: Bool {
        live != nil || delivery?.next(after: loop.now) != nil || http2.map { $0.isPacing || $0.awaitsProducer } ?? false
    }

    /// Answers 408 to a request that does not come to its end (RFC 9110 §15.5.9).
    private func timeOut(_ workspace: Workspace) {
        let part = workspace.parser.isMidHead ? "head" : "content"
        refuse(RequestError(408, "the \(part) of the request did not come in time"), workspace)
    }

    /// Puts off the idle deadline: something has happened.
    func touch() {
        deadline = loop.now + shard.idleTimeout
        isHeadDeadline = false
    }

    /// Sets the deadline of what has begun and has to come whole, however its bytes trickle.
    func startHeadDeadline() {
        guard !isHeadDeadline else { return }
        isHeadDeadline = true
        deadline = loop.now + shard.headTimeout
    }

    /// Has `due` called when an answer that goes out in pieces has its next one.
    func awaitNextPiece() {
        let next = delivery?.next(after: loop.now) ?? http2?.nextMoment
        guard let next, next < nextPiece else { return }
        nextPiece = next
        loop.schedule(self, at: next)
    }

    private func advanceDeliveries() {
        let workspace = takeWorkspace()
        if let http2 {
            http2.advance(now: loop.now, date: loop.date)
        } else {
            advanceDelivery(workspace)
        }
        if state != .closed { flush(workspace) }
    }
}
