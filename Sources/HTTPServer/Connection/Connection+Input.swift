// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPWire

extension Connection {
    /// Reads what there is and answers what is complete.
    func read() {
        switch state {
        case .open: readRequests()
        case .lingering: discard()
        case .finishing, .closed: break
        }
    }

    private func readRequests() {
        let workspace = workspace ?? shard.takeWorkspace()
        self.workspace = workspace
        hasUnread = false
        // Requests that a full output queue left unread come first.
        if !workspace.input.isEmpty { process(workspace) }
        var total = 0
        reading: while state == .open, !peerHasFinished {
            guard workspace.output.count < ServerConfiguration.outputHighWater, total < Self.bytesPerTurn else {
                hasUnread = true
                break
            }
            let space = workspace.input.space()
            switch Socket.receive(descriptor, into: space) {
            case .bytes(let count):
                workspace.input.filled(count)
                total += count
                process(workspace)
                if count == space.count {
                    workspace.input.growForBulk()
                } else if !endIsNear {
                    // A short read has emptied the socket; what comes next is a new event.
                    break reading
                }
            case .wouldBlock: break reading
            case .ended: peerHasFinished = true
            case .failed: return abort()
            }
        }
        if state == .open, peerHasFinished { finishInput(workspace) }
        if state != .closed { flush(workspace) }
    }

    /// The client has ended its side: what is complete has been answered, what is not never will be.
    private func finishInput(_ workspace: Workspace) {
        if !workspace.input.isEmpty, hasUnread { return }
        if workspace.parser.isMidRequest {
            refuse(HTTP1Error(400, "the request ends before it is complete"), workspace)
        } else if workspace.output.isEmpty {
            close()
        } else {
            state = .finishing
        }
    }

    /// Answers the requests that are complete in the input, as far as the output has room.
    private func process(_ workspace: Workspace) {
        var answered = 0
        while state == .open {
            guard workspace.output.count < ServerConfiguration.outputHighWater else {
                hasUnread = true
                return
            }
            switch workspace.parser.next(workspace.input) {
            case .needsMore:
                noteProgress(workspace)
                return
            case .head:
                begin(workspace)
            case .body(let bytes):
                workspace.body.append(contentsOf: bytes)
            case .end:
                answer(workspace)
                answered += 1
                if answered == Self.requestsPerTurn, !workspace.input.isEmpty {
                    hasUnread = true
                    loop.resume(self)
                    return
                }
            case .invalid(let error):
                refuse(error, workspace)
            }
        }
    }

    /// Sets the deadline for what is still to come: a head has one in all, a body from byte to byte.
    private func noteProgress(_ workspace: Workspace) {
        guard workspace.parser.isMidHead else { return touch() }
        if !isHeadDeadline {
            isHeadDeadline = true
            deadline = loop.now + shard.headTimeout
        }
    }

    private func begin(_ workspace: Workspace) {
        workspace.resetBody()
        if case .length(let length) = workspace.parser.framing { workspace.body.reserveCapacity(min(length, 1 << 20)) }
        // Content that is already here needs no invitation (RFC 9110 §10.1.1).
        if workspace.parser.expectsContinue, workspace.input.isEmpty {
            workspace.output.append("HTTP/1.1 100 Continue\r\n\r\n")
            flush(workspace)
        }
    }

    private func answer(_ workspace: Workspace) {
        let request = IncomingRequest(
            head: workspace.parser.head, body: workspace.body, trailers: workspace.parser.trailers, connection: info,
            receivedAt: loop.moment)
        let plan = shard.handler.respond(to: request)
        shard.noteWork()
        lastServed = loop.now
        touch()
        let closes = plan.closes || !workspace.parser.keepsAlive || shard.isStopping
        let isHTTP10 = request.head.version == .http10
        HTTP1Encoder.encode(
            plan, date: loop.date, persistence: closes ? .close : isHTTP10 ? .keepAlive : .implied,
            sendsBody: !request.head.equals(request.head.method, "HEAD"), to: workspace.output)
        if closes { finishOutput(leavesUnread: plan.closes || !workspace.input.isEmpty) }
    }

    /// Answers a message that cannot be understood, and ends the connection behind the answer.
    func refuse(_ error: HTTP1Error, _ workspace: Workspace) {
        workspace.parser.abandon(workspace.input, error)
        let plan = shard.handler.refuse(error, head: workspace.parser.head, connection: info, receivedAt: loop.moment)
        shard.noteWork()
        let isHead = workspace.parser.head.equals(workspace.parser.head.method, "HEAD")
        HTTP1Encoder.encode(
            plan, date: loop.date, persistence: .close, sendsBody: !isHead, to: workspace.output)
        touch()
        finishOutput(leavesUnread: true)
        flush(workspace)
    }

    private func finishOutput(leavesUnread: Bool) {
        state = .finishing
        self.leavesUnread = leavesUnread
    }

    /// Throws away what still comes, so that closing does not reset the connection before the client has read our answer.
    private func discard() {
        guard let workspace else { return close() }
        while true {
            workspace.input.removeAll()
            switch Socket.receive(descriptor, into: workspace.input.space()) {
            case .bytes(let count):
                discarded += count
                if discarded > Self.lingerLimit { return close() }
            case .wouldBlock: return
            case .ended, .failed: return close()
            }
        }
    }
}
