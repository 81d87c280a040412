// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// The server's side of one HTTP/1.x connection, without socket and clock: bytes in, requests out; responses in, bytes out (RFC 9112).
///
///     input ─▶ nextEvent()* ─▶ send(response) ─▶ output          advance(now), timeOut(), finishInput(), clientHasEnded(): other events
///
/// Responses go out one after another: as long as a response goes out in pieces, the next request is not read. The twin of
/// `HTTP2Session`; it is the memory of one connection at a time, and serves the next when nothing is under way.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each request.
package final class HTTP1Session {
    package enum Event {
        /// A request is complete: `request` has it.
        case request
        /// A message is refused; `refuse(with:)` must respond to it all the same.
        case refused(RequestError)
        /// A complete request asks to go on in HTTP/2 with these settings (RFC 7540 §3.2); a server that does not want that responds here.
        case upgrade(settings: [UInt8])
        /// A response that comes from elsewhere has its beginning.
        case began(StreamedResponse, StreamBeginning)
        /// The client has ended its side, or has gone, before it had all of a response.
        ///
        /// - givenUp: the response, if it comes from elsewhere and ends here; the receiver of the event calls its `abandon`.
        case abandoned(givenUp: StreamedResponse?)
    }

    /// The state of writing responses.
    private enum Writing {
        /// Each goes out whole; the next request is read.
        case ready
        /// One goes out at its pace.
        case paced(HTTP1Delivery, closes: Bool)
        /// One goes out as it comes from elsewhere.
        case streamed(HTTP1StreamedDelivery, closes: Bool)
        /// One has stopped for good: the client waits until it, or the idle deadline, ends the connection.
        case stalled
        case ended(SessionEnding)
    }

    /// The input that has come and was not read.
    package let input: ByteBuffer
    package let output: OutputQueue
    let limits: RequestLimits
    /// Bytes that wait to be sent before no more is taken of a response that comes from elsewhere.
    private let outputLimit: Int
    @exclusivity(unchecked) private var parser: HTTP1Parser
    /// The request at hand; its head and trailers are there once it is complete.
    @exclusivity(unchecked) package var request = Request()
    @exclusivity(unchecked) private var writing = Writing.ready
    /// The events beside the input; the oldest first.
    @exclusivity(unchecked) private var events: [Event] = []
    @exclusivity(unchecked) private var circumstances = SessionCircumstances()

    package init(limits: RequestLimits, input: ByteBuffer, output: OutputQueue, outputLimit: Int) {
        self.limits = limits
        self.input = input
        self.output = output
        self.outputLimit = outputLimit
        parser = HTTP1Parser(limits: limits)
    }

    /// Goes on for another connection: from now on the session, and its output, belong to that.
    package func begin(_ circumstances: SessionCircumstances) {
        self.circumstances = circumstances
        output.limit = circumstances.isSecure ? OutputQueue.recordSize : OutputQueue.copyLimit
    }

    /// The connection ends after the next response.
    package func drain() { circumstances.isDraining = true }

    /// The client has ended its side, and nothing is under way for it.
    package func noteClientEnd() { circumstances.clientHasEnded = true }

    /// The head of a message that is refused, as far as it was read.
    package var refusedHead: RequestHead { parser.head }

    /// Whether neither a request nor a response is under way.
    package var isIdle: Bool {
        guard case .ready = writing else { return false }
        return !parser.isMidRequest
    }

    /// Whether the head of a request has begun and is not complete.
    package var isMidHead: Bool {
        if case .ready = writing { parser.isMidHead } else { false }
    }

    /// Whether a response goes out in pieces; requests after it wait.
    package var isResponding: Bool {
        switch writing {
        case .paced, .streamed, .stalled: true
        case .ready, .ended: false
        }
    }

    /// Set when the connection is to end after the written bytes.
    package var ending: SessionEnding? {
        if case .ended(let ending) = writing { ending } else { nil }
    }

    /// - Parameter now: nanoseconds.
    package func waits(at now: UInt64) -> SessionWait {
        switch writing {
        case .ready: parser.isMidHead ? .head : parser.isMidRequest ? .client : .request
        case .paced(let delivery, _): delivery.next(after: now) == nil ? .client : .server
        case .streamed: .server
        case .stalled, .ended: .client
        }
    }

    // MARK: In

    /// The next thing that has happened; nil if more input is needed, or a response is to go out first.
    package func nextEvent() -> Event? {
        if !events.isEmpty { return nextSideEvent() }
        guard case .ready = writing else { return nil }
        while true {
            switch parser.next(input) {
            case .needsMore: return nil
            case .head: beginContent()
            case .body(let bytes):
                guard request.append(bytes, announced: parser.announcedLength, limits) else {
                    return refused(.contentFindsNoRoom(limits))
                }
            case .end:
                takeRequest()
                if circumstances.allowsUpgrade, parser.notes.upgrades,
                    let settings = UpgradeSettings.read(from: request.head)
                {
                    return .upgrade(settings: settings)
                }
                return .request
            case .invalid(let error): return refused(error)
            }
        }
    }

    /// The next thing that has happened beside the input; nil if there is none.
    package func nextSideEvent() -> Event? {
        events.isEmpty ? nil : events.removeFirst()
    }

    /// Takes head and trailers from the parser, which goes on with the memory of the request before.
    private func takeRequest() {
        swap(&parser.head, &request.head)
        if !parser.trailers.isEmpty || !request.trailers.isEmpty { swap(&parser.trailers, &request.trailers) }
        request.head.isSecure = circumstances.isSecure
        // Only a request of HTTP/1.0 has no host.
        if request.head.authority.isEmpty, !circumstances.tunnel.isEmpty {
            let start = request.head.bytes.count
            request.head.bytes += circumstances.tunnel
            request.head.authority = ByteRange(start, request.head.bytes.count)
        }
    }

    private func beginContent() {
        request.resetBody()
        // Content that is already here needs no invitation (RFC 9110 §10.1.1).
        if parser.expectsContinue, input.isEmpty { output.append("HTTP/1.1 100 Continue\r\n\r\n") }
    }

    private func refused(_ error: RequestError) -> Event {
        parser.abandon(input, error)
        request.dropLargeBody()
        return .refused(error)
    }

    /// Whether the request at hand asks for a tunnel.
    package var asksForTunnel: Bool { request.head.equals(request.head.method, "CONNECT") }

    // MARK: Other events

    /// The client sends no more: a message that is incomplete by now will never be complete.
    package func finishInput() {
        guard case .ready = writing else { return }
        if parser.isMidRequest {
            events.append(refused(RequestError(400, "the request ends before it is complete")))
        } else {
            writing = .ended(.close)
        }
    }

    /// A deadline has come: a request that is not complete gets 408 (RFC 9110 §15.5.9); the connection ends.
    package func timeOut() {
        guard case .ready = writing, parser.isMidRequest else {
            writing = .ended(.close)
            return
        }
        let part = parser.isMidHead ? "head" : "content"
        events.append(refused(RequestError(408, "the \(part) of the request did not come in time")))
    }

    /// The system has reported that the client has ended its side, or has gone: nothing more is fetched from elsewhere for it, unless the response
    /// outlasts that.
    ///
    /// - Parameter hasUnsent: whether bytes of a response wait to be sent.
    package func clientHasEnded(hasUnsent: Bool) {
        noteClientEnd()
        if case .streamed(let streamed, _) = writing {
            if !streamed.response.outlastsClientEnd { return giveUp(streamed) }
            streamed.response.noteClientEnd()
        }
        if hasUnsent || isResponding {
            events.append(.abandoned(givenUp: nil))
        }
    }

    /// Ends the connection after the queued bytes: the client sees that a response that has begun is broken off.
    private func giveUp(_ streamed: HTTP1StreamedDelivery) {
        if !streamed.hasBegun { events.append(.began(streamed.response, .nothing)) }
        events.append(.abandoned(givenUp: streamed.response))
        writing = .ended(streamed.hasBegun ? .reset : .close)
    }

    /// The connection is gone.
    ///
    /// - Returns: the response that was on its way from elsewhere, for its producer to be reported, and whether it had its beginning.
    package func abandon() -> (response: StreamedResponse, hasBegun: Bool)? {
        defer { writing = .ended(.cut) }
        guard case .streamed(let streamed, _) = writing else { return nil }
        return (streamed.response, streamed.hasBegun)
    }

    // MARK: Out

    /// Lets the handler respond to the request at hand, which came by a connection at a time, in one call: each access to `request` from another
    /// module is checked dynamically.
    package func respond(
        by connection: ConnectionInfo, at receivedAt: Timestamps, _ handler: (borrowing Request) -> Reply
    ) -> Reply {
        request.connection = connection
        request.receivedAt = receivedAt
        return handler(request)
    }

    /// Responds to the request at hand: all of the response goes to the output, or the part of it that may go out by now.
    ///
    /// - Parameter now: nanoseconds.
    package func send(_ reply: Reply, date: DateLine, now: UInt64) {
        request.dropLargeBody()
        var closes = !parser.keepsAlive || circumstances.isDraining
        let isHTTP10 = request.head.version == .http10
        let sendsBody = !request.head.equals(request.head.method, "HEAD")
        switch reply {
        case .whole(let response):
            closes = closes || response.closes || response.delivery?.endsConnection ?? false
            let persistence = HTTP1Encoder.Persistence(closes: closes, isHTTP10: isHTTP10)
            send(
                isHTTP10 ? response.unchunked : response, persistence, sendsBody: sendsBody, closes: closes, date: date,
                now: now)
        case .streamed(let response):
            let streamed = HTTP1StreamedDelivery(
                response, persistence: .init(closes: closes, isHTTP10: isHTTP10), sendsBody: sendsBody,
                isHTTP10: isHTTP10)
            if circumstances.clientHasEnded {
                if !response.outlastsClientEnd { return giveUp(streamed) }
                response.noteClientEnd()
            }
            writing = .streamed(streamed, closes: closes)
            advance(date: date, now: now)
        }
    }

    /// Responds to a refused message, and ends the connection after the response.
    package func refuse(with response: Response, date: DateLine) {
        let isHead = parser.head.equals(parser.head.method, "HEAD")
        HTTP1Encoder.encode(response, date: date, persistence: .close, sendsBody: !isHead, to: output)
        writing = .ended(.linger)
    }

    private func send(
        _ response: Response, _ persistence: HTTP1Encoder.Persistence, sendsBody: Bool, closes: Bool, date: DateLine,
        now: UInt64
    ) {
        guard let delivery = response.delivery else {
            HTTP1Encoder.encode(response, date: date, persistence: persistence, sendsBody: sendsBody, to: output)
            if closes { writing = .ended(response.closes || !input.isEmpty ? .linger : .close) }
            return
        }
        let paced = HTTP1Delivery(
            response, delivery, date: date, persistence: persistence, sendsBody: sendsBody, now: now)
        writing = .paced(paced, closes: closes)
        advance(paced, closes: closes, now: now)
    }

    /// Takes the part that may go out by now of a response that goes out in pieces.
    package func advance(date: DateLine, now: UInt64) {
        switch writing {
        case .paced(let paced, let closes): advance(paced, closes: closes, now: now)
        case .streamed(let streamed, let closes): advance(streamed, closes: closes, date: date, now: now)
        case .ready, .stalled, .ended: break
        }
    }

    /// When `advance` is next to be called; nil if no response waits for its time.
    package func nextDeadline(after now: UInt64) -> UInt64? {
        if case .paced(let paced, _) = writing { paced.next(after: now) } else { nil }
    }

    private func advance(_ paced: HTTP1Delivery, closes: Bool, now: UInt64) {
        guard paced.advance(now: now, to: output) else {
            writing = .ended(.cut)
            return
        }
        guard paced.isDone else { return }
        switch paced.delivery.ending {
        case .stall: writing = .stalled
        case .complete, .lastOfConnection: complete(closes: closes)
        case .close, .goAway: writing = .ended(.close)
        case .reset, .resetStream: writing = .ended(.reset)
        }
    }

    private func complete(closes: Bool) {
        writing = closes ? .ended(closing) : .ready
    }

    /// The end of a connection whose response is complete.
    private var closing: SessionEnding { input.isEmpty ? .close : .linger }

    private func advance(_ streamed: HTTP1StreamedDelivery, closes: Bool, date: DateLine, now: UInt64) {
        while true {
            switch streamed.advance(date: date, to: output, limit: outputLimit) {
            case .waits: return
            case .began(let head): events.append(.began(streamed.response, .head(head)))
            case .replaced(let response):
                events.append(.began(streamed.response, .response(response)))
                let closes = closes || response.closes || response.delivery?.endsConnection ?? false
                writing = .ready
                return send(
                    streamed.isHTTP10 ? response.unchunked : response, closes ? .close : streamed.persistence,
                    sendsBody: streamed.sendsBody, closes: closes, date: date, now: now)
            case .complete(let endsConnection): return complete(closes: closes || endsConnection)
            case .broken(let looksComplete):
                if !streamed.hasBegun { events.append(.began(streamed.response, .nothing)) }
                writing = .ended(looksComplete ? .reset : closing)
                return
            }
        }
    }
}
