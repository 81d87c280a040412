// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2
package import MockapiHTTPSyntax

/// The server's side of one HTTP/2 connection, without socket and clock: bytes in, requests out; responses in, bytes out
/// (RFC 9113, by nghttp2).
///
///     receive(bytes) ─▶ nextEvent()* ─▶ send(response, on: stream) ─▶ write(to: output)
///
/// The object belongs to one loop and its accesses never overlap, but for the callbacks, which change other properties than their
/// callers: the dynamic checks of exclusivity would cost 6 % of a request.
package final class HTTP2Session {
    package enum Event {
        /// A request is complete.
        case request(HTTP2Stream)
        // The others are rare and large; indirect, they leave the frequent one a word to be copied.

        /// A request is refused; it must get a response all the same.
        indirect case refused(HTTP2Stream, RequestError)
        /// The client has reset a stream before it had all of its response (RFC 9113 §6.4).
        case abandoned(stream: UInt32, code: UInt32)
        /// A streamed response has its beginning.
        indirect case began(StreamedResponse, StreamBeginning)
        /// The header section of a response is longer than can be sent (`HTTP2Limits.maxSentHead`), and its stream is reset.
        indirect case unsent(head: RequestHead, status: Int, stream: UInt32)
        /// A stream is reset, or for stream 0 the connection ends, without a response because of the client's conduct.
        indirect case dropped(head: RequestHead, stream: UInt32, reason: String)
    }

    /// The client's preface (RFC 9113 §3.4).
    package static let preface: StaticString = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

    let limits: RequestLimits
    let pool: HTTP2StreamPool
    /// Whether the connection is encrypted.
    let isSecure: Bool
    @exclusivity(unchecked) var session: OpaquePointer?
    /// The open streams, in no order.
    @exclusivity(unchecked) var streams: [HTTP2Stream] = []
    @exclusivity(unchecked) var events: [Event] = []
    @exclusivity(unchecked) private var nextEventIndex = 0
    @exclusivity(unchecked) var guardian = FloodGuard()
    /// The stream whose frames came last: most callbacks are for it.
    @exclusivity(unchecked) var current: Unmanaged<HTTP2Stream>?
    /// Where frames go while `write` runs.
    @exclusivity(unchecked) var output: OutputQueue?
    /// How many bytes the queue may hold before no further DATA frame goes into it.
    @exclusivity(unchecked) var outputLimit = 0
    /// Streams whose content has been sent as far as their delivery wants, and which end otherwise than complete.
    @exclusivity(unchecked) var endings: [HTTP2Stream] = []
    /// How many of the open streams have a delivery.
    @exclusivity(unchecked) var deliveries = 0
    /// Streams that wait for their time.
    @exclusivity(unchecked) var paced: [HTTP2Stream] = []
    /// Streams that are reset in a moment.
    @exclusivity(unchecked) var resetting: [HTTP2Stream] = []
    /// Bytes of content of requests that are not complete.
    @exclusivity(unchecked) var pendingContent = 0
    /// The time that `receive`, `send`, `advance` were given last.
    @exclusivity(unchecked) var now: UInt64 = 0
    /// Why the client is dropped.
    @exclusivity(unchecked) private(set) var offence: FloodGuard.Offence?
    /// The breach of the protocol, if nghttp2 lets it pass.
    @exclusivity(unchecked) var violation: (code: nghttp2_error_code, text: String)?
    @exclusivity(unchecked) var gaps = StreamGaps()
    /// How far the client's settings may open the windows of the streams that are open.
    @exclusivity(unchecked) var largestInitialWindow = UInt32.max
    /// Set when the connection is to end behind the written bytes.
    @exclusivity(unchecked) package internal(set) var ending: SessionEnding?
    /// The GOAWAY that goes out past nghttp2.
    @exclusivity(unchecked) var lastFrame: [UInt8] = []
    @exclusivity(unchecked) var isDraining = false
    @exclusivity(unchecked) var isDropTold = false
    /// Whether `RequestLimits.fewerStreams` has been announced.
    @exclusivity(unchecked) private var hasFewerStreams = false
    /// Nothing is written before the preface of a client that has been upgraded: until it has sent that, it may have little room for bytes that
    /// come behind the 101.
    @exclusivity(unchecked) var awaitsPreface = false
    /// When content was last sent or a response submitted.
    @exclusivity(unchecked) var progressAt: UInt64 = 0
    /// When the header section at hand began.
    @exclusivity(unchecked) var headBeganAt: UInt64?
    @exclusivity(unchecked) var fields: [nghttp2_nv] = []
    /// The authority that a request had last.
    @exclusivity(unchecked) var authority: [UInt8] = []

    package init(limits: RequestLimits, pool: HTTP2StreamPool, isSecure: Bool = false) {
        self.limits = limits
        self.pool = pool
        self.isSecure = isSecure
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
                value: UInt32(limits.maxStreams)),
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
    /// - Returns: false if the settings are not valid.
    package func upgrade(
        settings: [UInt8], of request: borrowing Request
    ) -> Bool {
        let isHead = request.head.equals(request.head.method, "HEAD")
        guard UpgradeSettings.areValid(settings) else { return false }
        guard nghttp2_session_upgrade2(session, settings, settings.count, isHead ? 1 : 0, nil) == 0 else {
            return false
        }
        awaitsPreface = true
        _ = gaps.mayOpen(1)
        let stream = open(id: 1)
        stream.head = request.head
        stream.head.version = .http2
        stream.request.body = request.body
        stream.request.trailers = request.trailers
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
    func drop(_ error: Int) {
        // nghttp2 itself counts acknowledgements that the client does not fetch, and settings.
        let isFlood =
            offence != nil || error == Int(NGHTTP2_ERR_FLOODED.rawValue)
            || error == Int(NGHTTP2_ERR_TOO_MANY_SETTINGS.rawValue)
            || error == Int(NGHTTP2_ERR_TOO_MANY_CONTINUATIONS.rawValue)
        cut(
            code: isFlood ? NGHTTP2_ENHANCE_YOUR_CALM : violation?.code ?? NGHTTP2_PROTOCOL_ERROR,
            text: offence?.rawValue ?? violation?.text ?? String(cString: nghttp2_strerror(Int32(clamping: error))))
    }

    /// Ends the connection with a GOAWAY of our own, past the bytes that nghttp2 has still to send.
    func cut(code: nghttp2_error_code, text: String) {
        let last = UInt32(max(0, nghttp2_session_get_last_proc_stream_id(session)))
        lastFrame = HTTP2RawFrame.goAway(lastStream: last, code: code.rawValue, debug: Array(text.utf8))
        if code != NGHTTP2_NO_ERROR { noteDrop(code: code.rawValue, text) }
        ending = .linger
    }

    /// The client did something that it may not; the connection ends.
    func noteOffence(_ offence: FloodGuard.Offence) {
        if self.offence == nil { self.offence = offence }
    }

    /// The next request; nil if there is none.
    package func nextEvent() -> Event? {
        guard nextEventIndex < events.count else {
            events.removeAll(keepingCapacity: true)
            nextEventIndex = 0
            return nil
        }
        defer { nextEventIndex += 1 }
        return events[nextEventIndex]
    }

    /// The numbers of the streams whose responses are under way.
    package var openStreams: [UInt32] {
        streams.filter { $0.phase == .handedOut }.map { UInt32($0.id) }
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
        if current?.toOpaque() == Unmanaged.passUnretained(stream).toOpaque() { current = nil }
        giveUpStreamed(stream)
        if stream.phase != .handedOut { pendingContent -= stream.request.body.count }
        let slot = stream.slot
        streams.swapAt(slot, streams.count - 1)
        streams[slot].slot = slot
        streams.removeLast()
        if stream.delivery != nil {
            deliveries -= 1
            paced.removeAll { $0 === stream }
            endings.removeAll { $0 === stream }
            resetting.removeAll { $0 === stream }
        }
        stream.id = 0
        // A stream that has yet to be handed out is let go with its event.
        if stream.phase == .handedOut, !stream.hasResponse, isWaiting(stream) { return }
        pool.giveBack(stream)
    }

    private func isWaiting(_ stream: HTTP2Stream) -> Bool {
        events[min(nextEventIndex, events.count)...].contains { event in
            switch event {
            case .request(let waiting), .refused(let waiting, _): waiting === stream
            case .abandoned, .began, .unsent, .dropped: false
            }
        }
    }

    func handOut(_ stream: HTTP2Stream) {
        guard stream.phase != .handedOut else { return }
        pendingContent -= stream.request.body.count
        stream.phase = .handedOut
        stream.head.isSecure = isSecure
        if let refusal = stream.refusal {
            events.append(.refused(stream, refusal))
        } else {
            events.append(.request(stream))
        }
        if let fewer = limits.fewerStreams, !hasFewerStreams, streams.count >= fewer.from { lowerStreams(fewer.to) }
    }

    /// Lets the client open fewer streams from now on; those that are open go on (RFC 9113 §5.1.2).
    private func lowerStreams(_ count: Int) {
        hasFewerStreams = true
        let setting = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: UInt32(clamping: count))
        withUnsafePointer(to: setting) {
            _ = nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), $0, 1)
        }
    }
}
