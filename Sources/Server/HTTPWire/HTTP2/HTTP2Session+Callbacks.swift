// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2

extension HTTP2Session {
    private static let proceed: Int32 = 0
    private static let fail = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

    func stream(_ id: Int32) -> HTTP2Stream? {
        withStream(id) { $0 }
    }

    /// Calls with an open stream, without counting references: the session keeps it until it is closed, which no callback outlasts.
    @inline(__always)
    func withStream<Result>(_ id: Int32, _ body: (HTTP2Stream) -> Result) -> Result? {
        if let current, current._withUnsafeGuaranteedRef({ $0.id }) == id {
            return current._withUnsafeGuaranteedRef(body)
        }
        guard let data = nghttp2_session_get_stream_user_data(session, id) else { return nil }
        // Set by `open`; `close` comes before nghttp2 forgets the stream.
        return Unmanaged<HTTP2Stream>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
    }

    // MARK: Reading

    func beganFrame(_ head: nghttp2_frame_hd) -> Int32 {
        let endsStream = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        if let offence = guardian.note(kind: head.type, length: head.length, endsStream: endsStream, now: now) {
            noteOffence(offence)
            return Self.fail
        }
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue where !gaps.mayOpen(head.stream_id):
            violation = (NGHTTP2_PROTOCOL_ERROR, "a stream is opened below the highest")
            return Self.fail
        case NGHTTP2_SETTINGS.rawValue: noteWindows()
        default: break
        }
        return Self.proceed
    }

    private var initialWindow: UInt32 {
        nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE)
    }

    /// Notes how far settings may open windows: each stays below 2^31 (RFC 9113 §6.9.2).
    private func noteWindows() {
        let widest = streams.lazy.map { nghttp2_session_get_stream_remote_window_size(self.session, $0.id) }.max() ?? 0
        largestInitialWindow = initialWindow + UInt32(Int32.max - max(0, widest))
    }

    func beganHeaders(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        headBeganAt = now
        if frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
            current = .passUnretained(open(id: frame.pointee.hd.stream_id))
        }
        return Self.proceed
    }

    func header(
        _ frame: UnsafePointer<nghttp2_frame>, _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>
    ) -> Int32 {
        let isOfRequest = frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
        let size = withStream(frame.pointee.hd.stream_id) { stream in
            if isOfRequest {
                stream.add(name, value, limits)
            } else if stream.phase == .content {
                stream.addTrailer(name, value)
            }
            return stream.notes.size
        }
        guard size ?? 0 <= limits.maxHead * HTTP2Limits.headFactor else {
            noteOffence(.head)
            return Self.fail
        }
        return Self.proceed
    }

    func content(_ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        if let stream = stream(id), stream.phase == .content, stream.refusal == nil {
            if stream.request.body.count + bytes.count > limits.maxBody {
                refuse(stream, HTTP2Stream.contentTooLarge(limits))
            } else if pendingContent + bytes.count > HTTP2Limits.maxPending {
                refuse(
                    stream,
                    RequestError(
                        413,
                        "the unfinished requests of this connection are longer than \(HTTP2Limits.maxPending) bytes"))
            } else {
                let hasRoom = stream.request.append(bytes, announced: stream.notes.contentLength, limits)
                pendingContent += bytes.count
                if !hasRoom { refuse(stream, .contentFindsNoRoom(limits)) }
                stream.judgeLength(atEnd: false)
                if stream.isMalformed { finishRefused(stream) }
            }
        }
        nghttp2_session_consume(session, id, bytes.count)
        return Self.proceed
    }

    private func refuse(_ stream: HTTP2Stream, _ error: RequestError) {
        stream.refusal = error
        finishRefused(stream)
    }

    private func finishRefused(_ stream: HTTP2Stream) {
        handOut(stream)
        stream.request.dropLargeBody()
    }

    func receivedFrame(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        let head = frame.pointee.hd
        let endsStream = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        switch UInt32(head.type) {
        case NGHTTP2_HEADERS.rawValue:
            headBeganAt = nil
            guard let stream = stream(head.stream_id) else { break }
            if frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST {
                finishHead(stream, endsStream)
            } else if !endsStream, stream.phase == .content {
                stream.refuseAsMalformed(RequestError(400, "the trailers do not end the request"))
                finishRefused(stream)
            } else {
                stream.judgeLength(atEnd: true)
            }
            if endsStream { handOut(stream) }
        case NGHTTP2_DATA.rawValue:
            guard endsStream, let stream = stream(head.stream_id) else { break }
            stream.judgeLength(atEnd: true)
            handOut(stream)
        case NGHTTP2_SETTINGS.rawValue:
            awaitsPreface = false
            // nghttp2 resets the streams, but the connection must end.
            guard initialWindow <= largestInitialWindow else {
                violation = (NGHTTP2_FLOW_CONTROL_ERROR, "a stream's window is opened beyond 2^31-1 by SETTINGS")
                return Self.fail
            }
        case NGHTTP2_RST_STREAM.rawValue:
            // A stream that is still here has not had all of its response.
            guard let stream = stream(head.stream_id) else { break }
            giveUpStreamed(stream)
            if stream.phase == .handedOut {
                events.append(.abandoned(stream: UInt32(head.stream_id), code: frame.pointee.rst_stream.error_code))
            }
            if let offence = guardian.noteReset(now: now) {
                noteOffence(offence)
                return Self.fail
            }
        default: break
        }
        return Self.proceed
    }

    /// Counts a stream beyond the number at once, which nghttp2 refuses, as it comes: a client that does not read its refusals would else have
    /// them gather without end.
    func refusedFrame(_ error: Int32) -> Int32 {
        guard error == NGHTTP2_ERR_REFUSED_STREAM.rawValue, let offence = guardian.noteRefused(now: now) else {
            return Self.proceed
        }
        noteOffence(offence)
        return Self.fail
    }

    private func finishHead(_ stream: HTTP2Stream, _ endsStream: Bool) {
        stream.finishHead(limits, named: &authority, endsStream: endsStream)
        // Content behind the head of a CONNECT is the tunnel's (RFC 9113 §8.5), and not waited for.
        if stream.refusal != nil || stream.notes.isConnect {
            handOut(stream)
        } else if !endsStream, stream.notes.expectsContinue {
            inviteContent(stream)
        }
    }

    func streamClosed(_ id: Int32) {
        if let stream = stream(id) { close(stream) }
    }

    // MARK: Writing

    /// Says how many bytes of content the next DATA frame has.
    func readContent(_ stream: HTTP2Stream, _ length: Int, _ flags: UnsafeMutablePointer<UInt32>) -> Int {
        // The callbacks of nghttp2 for the frame are then about this stream.
        current = .passUnretained(stream)
        guard let remaining = stream.cursor?.remaining else {
            return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
        }
        if let streamed = stream.streamed { return readStreamed(streamed, stream, length, flags) }
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        var count = min(length, remaining)
        if let schedule = stream.schedule, let total = schedule.allowance(at: now) {
            count = min(count, total - stream.sent)
            if count == 0, remaining > 0 {
                stream.isDeferred = true
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
        }
        if count == remaining { markEnd(of: stream, count, flags) }
        if stream.isDeferred { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
        return count
    }

    private func markEnd(of stream: HTTP2Stream, _ count: Int, _ flags: UnsafeMutablePointer<UInt32>) {
        guard stream.endsOtherwise else {
            flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
            guard let block = stream.trailerBlock else { return }
            flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
            nghttp2_submit_trailer(session, stream.id, block.pairs.baseAddress, block.count)
            return
        }
        // Nothing is left to send, and the stream does not end as it should: its end comes behind this frame.
        if count == 0 {
            stream.isDeferred = true
            endings.append(stream)
        }
    }

    /// Writes a DATA frame: its head and its content, past nghttp2's own buffer.
    func sendContent(
        _ stream: HTTP2Stream, _ head: UnsafePointer<UInt8>, _ count: Int
    ) -> Int32 {
        guard let output else { return Self.fail }
        current = .passUnretained(stream)
        // One call of nghttp2's writes DATA frames until there are none.
        guard output.count < outputLimit, output.copiedCount < OutputQueue.copyBatch else {
            return NGHTTP2_ERR_WOULDBLOCK.rawValue
        }
        output.append(UnsafeBufferPointer(start: head, count: HTTP2RawFrame.headSize))
        guard stream.cursor?.move(count, to: output) == true else {
            // A frame's length has been promised already, so the connection cannot go on.
            return Self.fail
        }
        stream.sent += count
        progressAt = now
        let isAll = stream.cursor?.remaining == 0 || stream.schedule?.allowance(at: now) == stream.sent
        guardian.noteSent(count, isAll: isAll)
        return Self.proceed
    }

    func sentFrame(_ frame: UnsafePointer<nghttp2_frame>) -> Int32 {
        let head = frame.pointee.hd
        if UInt32(head.type) == NGHTTP2_RST_STREAM.rawValue {
            return sentReset(head.stream_id, frame.pointee.rst_stream.error_code)
        }
        if UInt32(head.type) == NGHTTP2_GOAWAY.rawValue { noteDrop(frame.pointee.goaway) }
        let ends = head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        if deliveries > 0, let delivery = stream(head.stream_id)?.delivery,
            case .lastOfConnection(let code) = delivery.ending,
            // Behind the head of a response that takes its time, if there is something left to wait for.
            delivery.pace == .atOnce ? ends : !ends && head.type == UInt8(NGHTTP2_HEADERS.rawValue)
        {
            goAway(code: code, last: head.stream_id)
        }
        guard ends, head.type == UInt8(NGHTTP2_HEADERS.rawValue) || head.type == UInt8(NGHTTP2_DATA.rawValue) else {
            return Self.proceed
        }
        if withStream(head.stream_id, \.isMalformed) ?? false {
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), head.stream_id, NGHTTP2_PROTOCOL_ERROR.rawValue)
        } else if nghttp2_session_get_stream_remote_close(session, head.stream_id) == 0 {
            // The client need not go on with content that nobody reads (RFC 9113 §8.1).
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), head.stream_id, NGHTTP2_NO_ERROR.rawValue)
        }
        return Self.proceed
    }

    /// Counts a stream that the client has had us reset, as if it had done so itself (CVE-2025-8671).
    private func sentReset(_ id: Int32, _ code: UInt32) -> Int32 {
        switch nghttp2_error_code(code) {
        // Ours, at the end of a response or for want of one; and streams that were never begun.
        case NGHTTP2_NO_ERROR, NGHTTP2_INTERNAL_ERROR, NGHTTP2_REFUSED_STREAM: return Self.proceed
        // That of a fault.
        case _ where stream(id)?.endsOtherwise ?? false: return Self.proceed
        default:
            if let stream = stream(id), stream.phase != .handedOut {
                events.append(
                    .dropped(
                        head: stream.head, stream: UInt32(id),
                        reason: "the stream breaks HTTP/2 and is reset with error code \(code) (RFC 9113 §7)"))
            }
            guard let offence = guardian.noteStreamError(now: now) else { return Self.proceed }
            noteOffence(offence)
            return Self.fail
        }
    }

    /// Resets the stream of a header section that is too long: its client would else wait for ever.
    func didNotSend(_ frame: UnsafePointer<nghttp2_frame>, _ error: Int32) {
        guard UInt32(frame.pointee.hd.type) == NGHTTP2_HEADERS.rawValue, error == NGHTTP2_ERR_FRAME_SIZE_ERROR.rawValue
        else { return }
        let id = frame.pointee.hd.stream_id
        nghttp2_submit_rst_stream(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), id, NGHTTP2_INTERNAL_ERROR.rawValue)
        guard let stream = stream(id), let status = stream.response?.status else { return }
        events.append(.unsent(head: stream.head, status: status, stream: UInt32(id)))
    }
}

/// The numbers of streams that a client has passed over, which it may no longer open (RFC 9113 §5.1.1); nghttp2 cannot tell them from
/// those that are closed.
struct StreamGaps {
    private var highest: Int32 = -1
    private var gaps: [ClosedRange<Int32>] = []

    /// Whether a header section may come on a stream, as far as its number goes.
    mutating func mayOpen(_ stream: Int32) -> Bool {
        // nghttp2 refuses even numbers itself.
        guard stream & 1 == 1 else { return true }
        if gaps.contains(where: { $0.contains(stream) }) { return false }
        if stream > highest + 2 {
            if gaps.count == HTTP2Limits.maxGaps { gaps.removeFirst() }
            gaps.append(highest + 2...stream - 2)
        }
        highest = max(highest, stream)
        return true
    }
}
