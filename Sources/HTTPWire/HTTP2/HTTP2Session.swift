// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CNghttp2
package import HTTPMessage

/// The server's side of one HTTP/2 connection, without socket and clock: bytes in, requests out; answers in, bytes out
/// (RFC 9113, by nghttp2).
///
///     receive(bytes) ─▶ nextEvent()* ─▶ answer(stream, plan) ─▶ write(to: output)
package final class HTTP2Session {
    package enum Event {
        /// A request is complete.
        case request(HTTP2Stream)
        /// A request is refused; it is to be answered all the same.
        case refused(HTTP2Stream, RequestError)
    }

    /// How the connection ends, where it does not live on.
    package enum Ending: Equatable, Sendable {
        /// Closed behind what is written.
        case close
        /// Reset behind what is written.
        case reset
    }

    /// The client's preface (RFC 9113 §3.4).
    package static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    let limits: RequestLimits
    private let pool: HTTP2StreamPool
    @exclusivity(unchecked) private(set) var session: OpaquePointer?
    /// The open streams, in no order.
    @exclusivity(unchecked) private var streams: [HTTP2Stream] = []
    @exclusivity(unchecked) private var events: [Event] = []
    @exclusivity(unchecked) private var nextEventIndex = 0
    @exclusivity(unchecked) var guardian = FloodGuard()
    /// The stream whose frames came last: most callbacks are for it.
    @exclusivity(unchecked) var current: HTTP2Stream?
    /// Where frames go while `write` runs.
    @exclusivity(unchecked) var output: OutputQueue?
    /// How many bytes the queue may hold before no further DATA frame goes into it.
    @exclusivity(unchecked) var outputLimit = 0
    /// Streams whose content has been sent as far as their delivery wants, and which end otherwise than complete.
    @exclusivity(unchecked) var endings: [HTTP2Stream] = []
    /// Streams that wait for a moment.
    @exclusivity(unchecked) private var paced: [HTTP2Stream] = []
    /// Streams that are reset in a moment.
    @exclusivity(unchecked) private var resetting: [HTTP2Stream] = []
    /// Bytes of content of requests that are not complete.
    @exclusivity(unchecked) var pendingContent = 0
    /// The moment that `receive`, `answer`, `advance` were told last.
    @exclusivity(unchecked) private(set) var now: UInt64 = 0
    /// Why the client is dropped.
    @exclusivity(unchecked) private(set) var offence: FloodGuard.Offence?
    /// Set when the connection is to end behind what is written.
    @exclusivity(unchecked) package private(set) var ending: Ending?
    @exclusivity(unchecked) private var isDraining = false
    /// Nothing is written before the preface of a client that has been upgraded: until it has sent that, it may have little room for what
    /// comes behind the 101.
    @exclusivity(unchecked) var awaitsPreface = false
    /// When content was last sent or an answer submitted.
    @exclusivity(unchecked) var progressAt: UInt64 = 0
    /// When the header section at hand began.
    @exclusivity(unchecked) var headBeganAt: UInt64?
    @exclusivity(unchecked) private var fields: [nghttp2_nv] = []

    package init(limits: RequestLimits, pool: HTTP2StreamPool) {
        self.limits = limits
        self.pool = pool
        nghttp2_session_server_new2(
            &session, HTTP2Callbacks.table, Unmanaged.passUnretained(self).toOpaque(), HTTP2Callbacks.options)
        submitSettings()
    }

    deinit {
        nghttp2_session_del(session)
        for stream in streams { pool.giveBack(stream) }
    }

    private func submitSettings() {
        let settings = [
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
                value: UInt32(HTTP2Limits.maxStreams)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue),
                value: UInt32(HTTP2Limits.streamWindow)),
            nghttp2_settings_entry(
                settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue),
                value: UInt32(clamping: limits.maxHead)),
        ]
        nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
        nghttp2_session_set_local_window_size(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Int32(HTTP2Limits.connectionWindow))
    }

    /// Takes over a request that came by HTTP/1.1 with `Upgrade: h2c` as stream 1 (RFC 7540 §3.2).
    ///
    /// - Parameter settings: the decoded HTTP2-Settings.
    /// - Returns: false where the settings are no such.
    package func upgrade(
        settings: [UInt8], head: RequestHead, body: [UInt8], trailers: [RequestHead.Field]
    ) -> Bool {
        let isHead = head.equals(head.method, "HEAD")
        guard nghttp2_session_upgrade2(session, settings, settings.count, isHead ? 1 : 0, nil) == 0 else {
            return false
        }
        awaitsPreface = true
        let stream = open(id: 1)
        stream.head = head
        stream.head.version = .http2
        stream.body = body
        stream.trailers = trailers
        handOut(stream)
        return true
    }

    // MARK: In

    /// Takes bytes that have come.
    package func receive(_ bytes: UnsafeBufferPointer<UInt8>, now: UInt64) {
        guard ending == nil else { return }
        self.now = now
        let result = nghttp2_session_mem_recv(session, bytes.baseAddress, bytes.count)
        current = nil
        if result < 0 { drop(result) }
    }

    /// Gives up a client that broke the protocol beyond repair, or a bound.
    private func drop(_ error: Int) {
        // nghttp2 itself counts acknowledgements that the client does not fetch, and settings.
        let isFlood =
            offence != nil || error == Int(NGHTTP2_ERR_FLOODED.rawValue)
            || error == Int(NGHTTP2_ERR_TOO_MANY_SETTINGS.rawValue)
            || error == Int(NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue)
        cut(code: isFlood ? NGHTTP2_ENHANCE_YOUR_CALM : NGHTTP2_PROTOCOL_ERROR, text: offence?.rawValue ?? "")
    }

    /// Ends the connection with a GOAWAY of our own, past what nghttp2 has still to send.
    private func cut(code: nghttp2_error_code, text: String) {
        let last = UInt32(max(0, nghttp2_session_get_last_proc_stream_id(session)))
        lastFrame = HTTP2RawFrame.goAway(lastStream: last, code: code.rawValue, debug: Array(text.utf8))
        ending = .close
    }

    @exclusivity(unchecked) private var lastFrame: [UInt8] = []

    /// The client has had no right to what it did; the connection ends.
    func noteOffence(_ offence: FloodGuard.Offence) {
        if self.offence == nil { self.offence = offence }
    }

    /// Why the client was dropped, in words; nil where it was not.
    package var offenceText: String? { offence?.rawValue }

    /// The next request; nil where there is none.
    package func nextEvent() -> Event? {
        guard nextEventIndex < events.count else {
            events.removeAll(keepingCapacity: true)
            nextEventIndex = 0
            return nil
        }
        defer { nextEventIndex += 1 }
        return events[nextEventIndex]
    }

    func open(id: Int32) -> HTTP2Stream {
        let stream = pool.take(id: id)
        stream.slot = streams.count
        streams.append(stream)
        nghttp2_session_set_stream_user_data(session, id, Unmanaged.passUnretained(stream).toOpaque())
        guardian.noteRequest()
        return stream
    }

    func close(_ stream: HTTP2Stream) {
        if current === stream { current = nil }
        if stream.phase != .handedOut { pendingContent -= stream.body.count }
        let slot = stream.slot
        streams.swapAt(slot, streams.count - 1)
        streams[slot].slot = slot
        streams.removeLast()
        if stream.delivery != nil {
            paced.removeAll { $0 === stream }
            endings.removeAll { $0 === stream }
            resetting.removeAll { $0 === stream }
        }
        stream.id = 0
        // A stream that has yet to be handed out is let go with its event.
        if stream.phase == .handedOut, !stream.isAnswered, isWaiting(stream) { return }
        pool.giveBack(stream)
    }

    private func isWaiting(_ stream: HTTP2Stream) -> Bool {
        events[min(nextEventIndex, events.count)...].contains { event in
            switch event {
            case .request(let waiting), .refused(let waiting, _): waiting === stream
            }
        }
    }

    func handOut(_ stream: HTTP2Stream) {
        guard stream.phase != .handedOut else { return }
        pendingContent -= stream.body.count
        stream.phase = .handedOut
        if let refusal = stream.refusal {
            events.append(.refused(stream, refusal))
        } else {
            events.append(.request(stream))
        }
    }

    // MARK: Answers

    /// Submits the answer to a request; it goes out with the next `write`.
    ///
    /// - Parameter date: the value of the date field, 29 bytes.
    package func answer(_ stream: HTTP2Stream, _ plan: ResponsePlan, date: [UInt8], now: UInt64) {
        self.now = now
        guard stream.id != 0 else { return pool.giveBack(stream) }
        stream.isAnswered = true
        if let delivery = plan.delivery {
            let isHead = stream.head.equals(stream.head.method, "HEAD")
            let total = isHead ? 0 : min(plan.body.count, delivery.bodyLimit ?? .max)
            stream.delivery = delivery
            let schedule = DeliverySchedule(delivery, total: total, now: now)
            stream.schedule = schedule
            if schedule.next(after: now) != nil { paced.append(stream) }
            if schedule.allowance(at: now) == nil {
                stream.heldPlan = plan
                return
            }
        }
        submit(stream, plan, date: date)
    }

    private func submit(_ stream: HTTP2Stream, _ plan: ResponsePlan, date: [UInt8]) {
        if let delivery = stream.delivery, !delivery.sendsHead {
            endings.append(stream)
            return
        }
        stream.response = plan.head
        progressAt = now
        let sendsBody = plan.body.count > 0 && !stream.head.equals(stream.head.method, "HEAD")
        let block = plan.head.http2
        fields.removeAll(keepingCapacity: true)
        fields.append(contentsOf: UnsafeBufferPointer(rebasing: block.pairs[..<block.count]))
        date.withUnsafeBufferPointer { date in
            HTTP2Callbacks.dateName.withUTF8Buffer { name in
                fields.append(
                    nghttp2_nv(
                        name: UnsafeMutablePointer(mutating: name.baseAddress),
                        value: UnsafeMutablePointer(mutating: date.baseAddress), namelen: name.count,
                        valuelen: date.count, flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)))
            }
            if sendsBody || !plan.trailers.isEmpty || stream.endsOtherwise {
                stream.cursor = BodyCursor(sendsBody ? plan.body : .none, limit: stream.delivery?.bodyLimit)
                if !plan.trailers.isEmpty, sendsBody { stream.trailerBlock = HTTP2FieldBlock(trailers: plan.trailers) }
                var provider = nghttp2_data_provider()
                provider.read_callback = HTTP2Callbacks.readContent
                nghttp2_submit_response(session, stream.id, fields, fields.count, &provider)
            } else {
                nghttp2_submit_response(session, stream.id, fields, fields.count, nil)
            }
        }
    }

    /// Sends 100 to a client that waits for it before it sends its content (RFC 9110 §10.1.1).
    func inviteContent(_ stream: HTTP2Stream) {
        let block = HTTP2Callbacks.continueStatus
        nghttp2_submit_headers(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, nil, block.pairs.baseAddress, block.count, nil)
    }

    // MARK: Time

    /// When `advance` is next to be called; nil where no answer waits for a moment.
    package var nextMoment: UInt64? {
        let piece = paced.lazy.compactMap { $0.schedule?.next(after: self.now) }.min()
        let reset = resetting.lazy.compactMap(\.resetsAt).min()
        return [piece, reset].lazy.compactMap { $0 }.min()
    }

    /// Goes on with answers that waited for a moment.
    package func advance(now: UInt64, date: [UInt8]) {
        self.now = now
        for stream in resetting where stream.resetsAt.map({ $0 <= now }) ?? false { endings.append(stream) }
        resetting.removeAll { $0.resetsAt.map { $0 <= now } ?? false }
        for stream in paced {
            guard let schedule = stream.schedule, schedule.allowance(at: now) != nil else { continue }
            if let plan = stream.heldPlan {
                stream.heldPlan = nil
                submit(stream, plan, date: date)
            } else if stream.isDeferred {
                stream.isDeferred = false
                nghttp2_session_resume_data(session, stream.id)
            }
        }
        paced.removeAll { $0.schedule?.next(after: now) == nil }
    }

    // MARK: Out

    /// Writes frames that wait, until there are none or the queue holds `limit` bytes.
    package func write(to output: OutputQueue, limit: Int) {
        if ending == nil, !awaitsPreface { writeFrames(to: output, limit: limit) }
        if ending != nil, !lastFrame.isEmpty {
            output.append(lastFrame)
            lastFrame = []
        }
    }

    private func writeFrames(to output: OutputQueue, limit: Int) {
        self.output = output
        outputLimit = limit
        defer { self.output = nil }
        while output.count < limit {
            var data: UnsafePointer<UInt8>?
            let count = nghttp2_session_mem_send(session, &data)
            if count > 0 {
                output.append(UnsafeBufferPointer(start: data, count: count))
            } else {
                if count < 0 { drop(count) }
                if count < 0 || endings.isEmpty { return }
                finishEndings(output)
                if ending != nil { return }
            }
        }
    }

    /// Carries out the endings of answers that have been sent as far as they go.
    private func finishEndings(_ output: OutputQueue) {
        let ended = endings
        endings.removeAll(keepingCapacity: true)
        for stream in ended where stream.id != 0 {
            guard let delivery = stream.delivery else { continue }
            finish(stream, delivery, output)
            if ending != nil { return }
        }
    }

    private func finish(_ stream: HTTP2Stream, _ delivery: Delivery, _ output: OutputQueue) {
        if !delivery.garbage.isEmpty, stream.resetsAt == nil {
            let isOfConnection = delivery.ending == .close || delivery.ending == .reset
            output.append(
                isOfConnection
                    ? delivery.garbage : HTTP2RawFrame.data(stream: UInt32(stream.id), delivery.garbage))
        }
        if case .resetStream = delivery.ending, stream.response != nil, stream.resetsAt == nil {
            // A reset in the same packet would have clients forget what came before it.
            stream.resetsAt = now + HTTP2Limits.resetPause
            resetting.append(stream)
            return
        }
        switch delivery.ending {
        case .complete, .lastOfConnection, .stall: break
        case .close: ending = .close
        case .reset: ending = .reset
        case .resetStream(let code):
            nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, code)
        // nghttp2 forgets the streams that a GOAWAY does not cover.
        case .goAway(let code): goAway(code: code, last: max(0, stream.id - 2))
        }
    }

    func goAway(code: UInt32, last: Int32) {
        nghttp2_submit_goaway(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code, nil, 0)
        isDraining = true
    }

    // MARK: End

    /// Whether a request is being read or answered.
    package var hasStreams: Bool { !streams.isEmpty }

    /// Whether answers have waited since before a moment for the client to open a window.
    package func hasStalled(since moment: UInt64) -> Bool {
        progressAt < moment
            && streams.contains { stream in
                guard let cursor = stream.cursor, cursor.remaining > 0, !stream.isDeferred else { return false }
                return true
            }
    }

    /// Whether a header section has come in pieces since before a moment and is not complete.
    package func isMidHead(since moment: UInt64) -> Bool {
        headBeganAt.map { $0 < moment } ?? false
    }

    /// Whether answers wait for a moment that is theirs, not for the client.
    package var isPacing: Bool { !paced.isEmpty || !resetting.isEmpty }

    /// Whether the connection can be closed: it is draining, or told to, and nothing is under way.
    package var isFinished: Bool {
        if ending != nil { return true }
        if isDraining { return streams.isEmpty && nghttp2_session_want_write(session) == 0 }
        return nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Tells the client that the connection ends (RFC 9113 §6.8): first that it should open no more streams, which those on their way
    /// still may; `finishDrain` then says which was the last.
    package func beginDrain() {
        nghttp2_submit_shutdown_notice(session)
    }

    package func finishDrain() {
        guard !isDraining else { return }
        goAway(
            code: NGHTTP2_NO_ERROR.rawValue, last: nghttp2_session_get_last_proc_stream_id(session))
    }

    /// Tells a client that holds up its answers that it is dropped.
    package func dropStalled() {
        cut(code: NGHTTP2_ENHANCE_YOUR_CALM, text: "no window for the answers in time")
    }

    /// Ends a connection on which nothing happens.
    package func dropIdle() {
        cut(code: NGHTTP2_NO_ERROR, text: "")
    }
}
