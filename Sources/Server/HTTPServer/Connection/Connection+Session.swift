// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPSyntax
import MockapiHTTPWire

extension Connection {
    private var date: DateLine { shard.date }

    /// Gives the session the new bytes, and the handler the session's events.
    func process(_ buffers: RequestBuffers) {
        switch dialect {
        case .http1: respond(buffers.http1, buffers)
        case .http2(let session):
            if !buffers.input.isEmpty {
                session.receive(buffers.input.readable, now: loop.now)
                buffers.input.removeAll()
                touch()
            }
            respond(session)
        case .unknown: decide(buffers)
        }
    }

    // MARK: HTTP/1.x

    /// Responds to the requests that are complete in the input, as far as the output has room.
    private func respond(_ session: HTTP1Session, _ buffers: RequestBuffers) {
        var served = 0
        while state == .open {
            guard buffers.output.count < ServerConfiguration.outputHighWater else {
                hasUnread = true
                return
            }
            guard let event = session.nextEvent() else {
                // Input after a response that takes its time is read when that is done.
                if session.isResponding { hasUnread = true } else { noteProgress(session) }
                return
            }
            respond(to: event, session, buffers)
            // A tunnel has been opened: its first bytes will show which protocol it has.
            if case .unknown = dialect { return }
            guard case .request = event else { continue }
            served += 1
            if served == Self.requestsPerTurn, !buffers.input.isEmpty {
                hasUnread = true
                loop.resume(self)
                return
            }
        }
    }

    /// Sets the deadline for the rest of the request.
    private func noteProgress(_ session: HTTP1Session) {
        if session.isMidHead { startHeadDeadline() } else { touch() }
    }

    private func respond(to event: HTTP1Session.Event, _ session: HTTP1Session, _ buffers: RequestBuffers) {
        switch event {
        // A client waits for the tunnel before it sends bytes through it.
        case .request
        where shard.configuration.opensTunnels && session.asksForTunnel && tls == nil && buffers.input.isEmpty:
            openTunnel(of: session, buffers)
        case .request: respondToRequest(of: session)
        case .refused(let error):
            let response = shard.handler.refuse(
                error, head: session.refusedHead, stream: 0, connection: info, receivedAt: loop.timestamps)
            session.refuse(with: response, date: date)
            touch()
        case .upgrade(let settings): upgrade(session, settings, buffers)
        case .began(let streamed, let beginning): shard.handler.began(streamed, with: beginning)
        case .abandoned(let givenUp):
            shard.handler.abandoned(connection: info, stream: 0, code: nil)
            givenUp?.abandon()
        }
        shard.noteWork()
        // The events that come of it are reported before the connection ends.
        if let next = session.nextSideEvent() { return respond(to: next, session, buffers) }
        noteEnding(session.ending)
    }

    private func respondToRequest(of session: HTTP1Session) {
        let handler = shard.handler
        let reply = session.respond(by: info, at: loop.timestamps) { handler.respond(to: $0) }
        lastServed = loop.now
        touch()
        if case .streamed(let response) = reply { response.attach(wake(stream: 0)) }
        session.send(reply, date: date, now: loop.now)
        if session.isResponding { awaitNextPiece() }
    }

    /// Opens the tunnel that a client has asked for: it goes on as a new connection does, in whichever protocol.
    private func openTunnel(of session: HTTP1Session, _ buffers: RequestBuffers) {
        info.isTunnel = true
        tunnel = Array(session.request.head.bytes[session.request.head.authority.range])
        prepare(buffers)
        dialect = .unknown
        buffers.output.append("HTTP/1.1 200 Connection Established\r\n\r\n")
        touch()
    }

    /// Handles the session's events beside its input.
    private func handleEvents(_ session: HTTP1Session, _ buffers: RequestBuffers) {
        while let event = session.nextSideEvent() { respond(to: event, session, buffers) }
        noteEnding(session.ending)
    }

    /// Switches to HTTP/2; the request, whose content has been read, gets its response there as stream 1 (RFC 7540 §3.2).
    private func upgrade(_ http1: HTTP1Session, _ settings: [UInt8], _ buffers: RequestBuffers) {
        let session = HTTP2Session(limits: shard.configuration.limits, pool: shard.streams, isSecure: false)
        guard session.upgrade(settings: settings, of: http1.request) else {
            return respondToRequest(of: http1)
        }
        buffers.output.append("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
        start(session, buffers)
    }

    // MARK: HTTP/2

    func start(_ session: HTTP2Session, _ buffers: RequestBuffers) {
        dialect = .http2(session)
        touch()
        if shard.isStopping { session.beginDrain() }
        process(buffers)
    }

    /// Handles the events of frames that came, or of the sources of responses.
    private func respond(_ session: HTTP2Session) {
        while let event = session.nextEvent() {
            switch event {
            case .request(let stream): respond(to: stream, session)
            case .refused(let stream, let error):
                let response = shard.handler.refuse(
                    error, head: stream.request.head, stream: UInt32(stream.id), connection: info,
                    receivedAt: loop.timestamps)
                session.send(.whole(response), on: stream, date: date, now: loop.now)
            case .abandoned(let stream, let code):
                shard.handler.abandoned(connection: info, stream: stream, code: code)
            case .began(let streamed, let beginning): shard.handler.began(streamed, with: beginning)
            case .unsent(let head, let status, let stream):
                shard.handler.couldNotSend(status, to: head, connection: info, stream: stream, at: loop.timestamps)
            case .dropped(let head, let stream, let reason):
                shard.handler.dropped(reason, head: head, stream: stream, connection: info, receivedAt: loop.timestamps)
            }
            shard.noteWork()
        }
    }

    private func respond(to stream: HTTP2Stream, _ session: HTTP2Session) {
        let handler = shard.handler
        let reply = stream.respond(by: info, at: loop.timestamps) { handler.respond(to: $0) }
        lastServed = loop.now
        if case .streamed(let response) = reply { response.attach(wake(stream: UInt32(stream.id))) }
        session.send(reply, on: stream, date: date, now: loop.now)
    }

    /// Asks the client to open no more streams, and lets the open ones end (RFC 9113 §6.8).
    func drain(_ session: HTTP2Session) {
        session.beginDrain()
        flush(takeBuffers())
        guard state != .closed else { return }
        // Streams that the client had on their way before it heard of it come within a moment.
        loop.schedule(DrainTimer.start(self, session), at: loop.now + ServerConfiguration.drainPause.nanoseconds)
    }

    fileprivate func finishDrain(_ session: HTTP2Session) {
        guard state == .open, http2 === session else { return }
        session.finishDrain()
        flush(takeBuffers())
    }

    // MARK: Responses that go out in pieces

    /// The function that a response from elsewhere calls when more of it has come.
    ///
    /// It names the connection by its token: by then that may be closed, and the call is for nobody.
    private func wake(stream: UInt32) -> @Sendable () -> Void {
        let loop = loop
        let token = token
        return { loop.notify(token, stream: stream) }
    }

    /// Goes on with responses whose time has come, or which have more to send.
    ///
    /// - Parameter stream: the stream that has more; nil for those that waited for their time.
    func advance(stream: UInt32?) {
        guard state == .open else { return }
        let buffers = takeBuffers()
        // The client was not at fault for this wait.
        if stream != nil, !hasPending(buffers) { touch() }
        if let http2 {
            if let stream {
                http2.advanceStreamed(stream: stream, now: loop.now, date: date)
            } else {
                http2.advance(now: loop.now, date: date)
            }
            respond(http2)
        } else {
            advance(buffers.http1, buffers)
        }
        if state != .closed { flush(buffers) }
    }

    private func advance(_ session: HTTP1Session, _ buffers: RequestBuffers) {
        session.advance(date: date, now: loop.now)
        handleEvents(session, buffers)
        awaitNextPiece()
    }

    /// Puts the session's waiting bytes into the output.
    ///
    /// - Returns: whether there is something to send.
    func refill(_ buffers: RequestBuffers) -> Bool {
        guard state == .open else { return false }
        switch dialect {
        case .unknown: return false
        case .http1:
            guard buffers.http1.isResponding else { return false }
            advance(buffers.http1, buffers)
        case .http2(let session):
            session.write(to: buffers.output, limit: ServerConfiguration.frameBatch)
            // Responses that could not be written are reported.
            respond(session)
            if session.isPacing { awaitNextPiece() }
            guard buffers.output.isEmpty, let ending = session.ending else { break }
            abandonSession()
            state = .finishing(ending)
        }
        return !buffers.output.isEmpty
    }

    // MARK: The end

    private func noteEnding(_ ending: SessionEnding?) {
        guard state == .open, let ending else { return }
        if ending == .cut { abort() } else { state = .finishing(ending) }
    }

    /// The client has ended its side, or has gone; a response that does not outlast that ends here.
    func noteClientEnd() {
        guard state == .open else { return }
        if let http2 {
            guard isResponding else { return }
            http2.giveUpStreamed(isHalfClosed: true)
            respond(http2)
            for stream in http2.openStreams { shard.handler.abandoned(connection: info, stream: stream, code: nil) }
        } else if let buffers {
            buffers.http1.clientHasEnded(hasUnsent: !buffers.output.isEmpty)
            handleEvents(buffers.http1, buffers)
            if state != .open, state != .closed { flush(buffers) }
        }
    }

    /// The client sends no more: complete requests have got their responses, others never will.
    func finishInput(_ buffers: RequestBuffers) {
        if !buffers.input.isEmpty, hasUnread { return }
        guard case .http1 = dialect else {
            // HTTP/2 ends when the responses have gone out.
            if http2 == nil { state = .finishing(.close) }
            return
        }
        buffers.http1.finishInput()
        handleEvents(buffers.http1, buffers)
    }

    /// A deadline has come on which the session ends.
    func timeOut() {
        switch dialect {
        case .unknown: closeInOrder(.close)
        case .http1:
            guard let buffers else { return closeInOrder(.close) }
            buffers.http1.timeOut()
            handleEvents(buffers.http1, buffers)
            flush(buffers)
        case .http2(let session):
            session.dropIdle()
            flush(takeBuffers())
        }
    }

    /// Notifies the producers of responses that the client has gone.
    func abandonSession() {
        if let http2 {
            http2.giveUpStreamed()
            respond(http2)
        } else if case .http1 = dialect, let (response, hasBegun) = buffers?.http1.abandon() {
            if !hasBegun {
                shard.handler.began(response, with: .nothing)
                shard.noteWork()
            }
            response.abandon()
        }
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
