// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage
import HTTPWire

extension Connection {
    /// Answers the requests that are complete in the input, as far as the output has room.
    func processHTTP1(_ workspace: Workspace) {
        var answered = 0
        while state == .open {
            guard workspace.output.count < ServerConfiguration.outputHighWater, !isDelivering else {
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
                let limits = shard.configuration.limits
                if !workspace.appendBody(bytes, limits) { refuse(ContentShare.refusal(limits), workspace) }
            case .end:
                if let settings = upgradeSettings(workspace.parser.head) { return upgrade(settings, workspace) }
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
        if workspace.parser.isMidHead { startHeadDeadline() } else { touch() }
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
        workspace.parser.head.isSecure = tls != nil
        let request = IncomingRequest(
            head: workspace.parser.head, body: workspace.body, trailers: workspace.parser.trailers, connection: info,
            receivedAt: loop.moment, share: workspace.share)
        let plan = shard.handler.respond(to: request)
        workspace.dropLargeBody()
        shard.noteWork()
        lastServed = loop.now
        touch()
        let closes =
            plan.closes || !workspace.parser.keepsAlive || shard.isStopping
            || plan.delivery?.endsConnection ?? false
        let isHTTP10 = request.head.version == .http10
        let persistence: HTTP1Encoder.Persistence = closes ? .close : isHTTP10 ? .keepAlive : .implied
        let sendsBody = !request.head.equals(request.head.method, "HEAD")
        if let live = plan.live {
            self.live = HTTP1LiveDelivery(live, persistence: persistence, sendsBody: sendsBody, isHTTP10: isHTTP10)
            closesBehindDelivery = closes
            return start(live, workspace)
        }
        send(plan, closes: closes, persistence, sendsBody: sendsBody, workspace)
    }

    /// Queues an answer, or as much of it as its delivery lets go out.
    func send(
        _ plan: ResponsePlan, closes: Bool, _ persistence: HTTP1Encoder.Persistence, sendsBody: Bool,
        _ workspace: Workspace
    ) {
        if let delivery = plan.delivery {
            self.delivery = HTTP1Delivery(
                plan, delivery, date: loop.date, persistence: persistence, sendsBody: sendsBody, now: loop.now)
            closesBehindDelivery = closes
            return advanceDelivery(workspace)
        }
        HTTP1Encoder.encode(
            plan, date: loop.date, persistence: persistence, sendsBody: sendsBody, to: workspace.output)
        if closes { finishOutput(leavesUnread: plan.closes || !workspace.input.isEmpty) }
    }

    /// Answers a message that cannot be understood, and ends the connection behind the answer.
    func refuse(_ error: RequestError, _ workspace: Workspace) {
        workspace.parser.abandon(workspace.input, error)
        workspace.dropLargeBody()
        let plan = shard.handler.refuse(
            error, head: workspace.parser.head, stream: 0, connection: info, receivedAt: loop.moment)
        shard.noteWork()
        let isHead = workspace.parser.head.equals(workspace.parser.head.method, "HEAD")
        HTTP1Encoder.encode(
            plan, date: loop.date, persistence: .close, sendsBody: !isHead, to: workspace.output)
        touch()
        finishOutput(leavesUnread: true)
        flush(workspace)
    }

    // MARK: Answers in pieces

    /// Queues what of an answer may go out by now, and says what is behind it once it is done.
    func advanceDelivery(_ workspace: Workspace) {
        guard let delivery else { return }
        guard delivery.advance(now: loop.now, to: workspace.output) else { return abort() }
        if delivery.isDone { finish(delivery, workspace) } else { awaitNextPiece() }
    }

    private func finish(_ delivery: HTTP1Delivery, _ workspace: Workspace) {
        switch delivery.delivery.ending {
        case .stall:
            // The client's next requests wait with it, until it or the idle deadline ends the connection.
            return
        case .complete, .lastOfConnection:
            self.delivery = nil
            if closesBehindDelivery { finishOutput(leavesUnread: !workspace.input.isEmpty) } else { hasUnread = true }
        case .close, .goAway:
            self.delivery = nil
            finishOutput(leavesUnread: false)
        case .reset, .resetStream:
            self.delivery = nil
            resetsAtEnd = true
            finishOutput(leavesUnread: false)
        }
    }

    // MARK: Upgrade

    /// The settings of a client that asks to go on in HTTP/2 (RFC 7540 §3.2); nil where it does not, or may not.
    private func upgradeSettings(_ head: borrowing RequestHead) -> [UInt8]? {
        guard tls == nil, shard.configuration.speaksHTTP2, head.version == .http11,
            let upgrade = head.firstValue("upgrade"),
            head.hasMember("h2c", in: upgrade), let connection = head.firstValue("connection"),
            head.hasMember("upgrade", in: connection), head.hasMember("http2-settings", in: connection),
            let settings = head.onlyValue("http2-settings")
        else { return nil }
        return Base64URL.decode(head.bytes[settings.range])
    }

    /// Switches to HTTP/2; the request, whose content has been read, is answered there as stream 1.
    private func upgrade(_ settings: [UInt8], _ workspace: Workspace) {
        let session = HTTP2Session(limits: shard.configuration.limits, pool: shard.streams)
        guard
            session.upgrade(
                settings: settings, head: workspace.parser.head, body: workspace.body,
                trailers: workspace.parser.trailers)
        else { return answer(workspace) }
        workspace.output.append(
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
        dialect = .http2(session)
        touch()
        if shard.isStopping { session.beginDrain() }
        process(session, workspace)
    }
}
