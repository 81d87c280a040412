// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPWire

extension Connection {
    /// The time has come that was asked for: that of a deadline, or of a piece of a response.
    func checkDeadlines(_ now: UInt64) {
        guard state != .closed else { return }
        if now >= deadlines.nextPiece {
            deadlines.nextPiece = .max
            advance(stream: nil)
            guard state != .closed else { return }
        }
        guard now >= deadlines.nextCheck else { return }
        enforceDeadlines(now)
        if state != .closed { check(at: min(max(deadlines.deadline, now + 1), now + shard.checkInterval)) }
    }

    /// Checks the deadlines at a given time.
    func check(at moment: UInt64) {
        deadlines.nextCheck = moment
        loop.schedule(self, at: moment)
    }

    /// Ends whatever has come to its deadline.
    private func enforceDeadlines(_ now: UInt64) {
        if let http2, state == .open, dropsSlow(http2, now) { return }
        guard now >= deadlines.deadline else { return }
        noteHandshake(.tooSlow)
        guard state == .open, !isBlocked else { return abort() }
        if waitsForServer { touch() } else { timeOut() }
    }

    /// Drops a client that holds up its responses, or trickles a header section.
    private func dropsSlow(_ http2: HTTP2Session, _ now: UInt64) -> Bool {
        if http2.isMidHead(since: now - min(now, shard.headTimeout)) {
            http2.dropSlowHead()
        } else if !isBlocked, http2.hasStalled(since: now - min(now, shard.idleTimeout)) {
            http2.dropStalled()
        } else {
            return false
        }
        // A client that does not take bytes gets no last word.
        if isBlocked { abort() } else { flush(takeBuffers()) }
        return true
    }

    /// Whether bytes wait for the client to take those before them.
    private var isBlocked: Bool { buffers.map { hasPending($0) } ?? false }

    /// Whether a response waits for a time of its own, or for its source.
    private var waitsForServer: Bool {
        if let http2 { return http2.isPacing || http2.awaitsProducer }
        return buffers?.http1.waits(at: loop.now) == .server
    }

    /// Puts off the idle deadline: something has happened.
    func touch() {
        deadlines.putOff(to: loop.now + shard.idleTimeout)
    }

    /// Sets the deadline for a message that has begun and must come whole.
    func startHeadDeadline() {
        deadlines.beginHead(by: loop.now + shard.headTimeout)
    }

    /// Makes the loop call `due` when a response that goes out in pieces has its next one.
    func awaitNextPiece() {
        let next = http2.map(\.nextDeadline) ?? buffers?.http1.nextDeadline(after: loop.now)
        guard let next, next < deadlines.nextPiece else { return }
        deadlines.nextPiece = next
        loop.schedule(self, at: next)
    }
}
