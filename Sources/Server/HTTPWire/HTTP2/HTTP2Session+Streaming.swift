// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2
import MockapiHTTPSyntax

extension HTTP2Session {
    /// Whether responses wait for their sources, not for the client.
    package var awaitsProducer: Bool {
        streams.contains { $0.streamed != nil && (!$0.hasBegun || $0.isDeferred) }
    }

    /// Goes on with a streamed response that has more.
    package func advanceStreamed(stream id: UInt32, now: UInt64, date: DateLine) {
        self.now = now
        guard let stream = stream(Int32(bitPattern: id)), let streamed = stream.streamed else { return }
        if !stream.hasBegun { return begin(stream, streamed, date: date) }
        if endsWithTrailers(stream, streamed) { return }
        guard stream.isDeferred else { return }
        stream.isDeferred = false
        progressAt = now
        nghttp2_session_resume_data(session, stream.id)
    }

    /// Ends a response whose content is all sent, past its DATA frames if need be: nghttp2 sends none, not even an empty one, while a
    /// window of the client is closed, and a client that has all of the content need not open it again.
    private func endsWithTrailers(_ stream: HTTP2Stream, _ streamed: StreamedResponse) -> Bool {
        guard stream.cursor?.remaining ?? 0 == 0, stream.owed ?? 0 == 0, let trailers = streamed.takeEnd() else {
            return false
        }
        stream.streamed = nil
        progressAt = now
        if trailers.isEmpty, hasWindow(stream) {
            stream.isDeferred = false
            nghttp2_session_resume_data(session, stream.id)
        } else {
            // A trailer section may be empty (RFC 9113 §8.1): it ends the stream without a window.
            submitTrailers(HTTP2FieldBlock(trailers: trailers), of: stream)
        }
        return true
    }

    /// Whether the client's windows let a DATA frame out, be it an empty one.
    private func hasWindow(_ stream: HTTP2Stream) -> Bool {
        nghttp2_session_get_stream_remote_window_size(session, stream.id) > 0
            && nghttp2_session_get_remote_window_size(session) > 0
    }

    /// Sends trailers, and with them the end of the stream.
    func submitTrailers(_ block: HTTP2FieldBlock, of stream: HTTP2Stream) {
        stream.trailerBlock = block
        nghttp2_submit_trailer(session, stream.id, block.pairs.baseAddress, block.count)
    }

    /// Takes the head of a streamed response, if it has come.
    func begin(_ stream: HTTP2Stream, _ streamed: StreamedResponse, date: DateLine) {
        guard let part = streamed.next() else { return }
        stream.hasBegun = true
        switch part {
        case .head(let head):
            events.append(.began(streamed, .head(head)))
            submit(head, of: streamed, on: stream, date: date)
        case .response(let response):
            events.append(.began(streamed, .response(response)))
            stream.streamed = nil
            send(response, on: stream, date: date)
        case .failure, .content, .end:
            events.append(.began(streamed, .nothing))
            stream.streamed = nil
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, NGHTTP2_INTERNAL_ERROR.rawValue)
        }
    }

    private func submit(_ head: ResponseHead, of streamed: StreamedResponse, on stream: HTTP2Stream, date: DateLine) {
        if !head.mayHaveContent || stream.head.equals(stream.head.method, "HEAD") {
            stream.streamed = nil
            streamed.discard()
            let isBare = !head.mayHaveContent && head.status != 304 && head.status != 205
            return submit(stream, Response(head: isBare ? head.unframed : head), date: date)
        }
        if case .length(let length) = head.framing { stream.owed = length }
        if stream.owed ?? 0 == 0, let trailers = streamed.takeEnd() {
            // All of it is here: a response without content does not wait for a window.
            stream.streamed = nil
            return submit(stream, Response(head: head, trailers: trailers), date: date)
        }
        submit(stream, Response(head: head), date: date)
    }

    /// Gives up the responses under way: their client has gone, or has at least ended its side, and then sees that they are broken off.
    ///
    /// - Parameter isHalfClosed: whether the client has only ended its side, which some responses outlast.
    package func giveUpStreamed(isHalfClosed: Bool = false) {
        for stream in streams {
            guard let streamed = stream.streamed else { continue }
            if isHalfClosed, streamed.outlastsClientEnd {
                streamed.noteClientEnd()
                continue
            }
            giveUpStreamed(stream)
            nghttp2_submit_rst_stream(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, NGHTTP2_INTERNAL_ERROR.rawValue)
        }
    }

    /// Notifies the producer of a response that its client has gone; a response that has not begun never will.
    func giveUpStreamed(_ stream: HTTP2Stream) {
        guard let streamed = stream.streamed else { return }
        if !stream.hasBegun { events.append(.began(streamed, .nothing)) }
        stream.streamed = nil
        streamed.abandon()
    }

    /// Says how many bytes of a streamed response the next DATA frame has.
    func readStreamed(
        _ streamed: StreamedResponse, _ stream: HTTP2Stream, _ length: Int, _ flags: UnsafeMutablePointer<UInt32>
    ) -> Int {
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_COPY.rawValue
        while stream.cursor?.remaining ?? 0 == 0 {
            switch streamed.next() {
            case nil:
                stream.isDeferred = true
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            case .content(let bytes):
                // Content beyond the announced length is cut off.
                let count = min(bytes.count, stream.owed ?? .max)
                if let owed = stream.owed { stream.owed = owed - count }
                stream.cursor = BodyCursor(.bytes(bytes), count: count)
            case .end(let trailers):
                return markEnd(of: stream, trailers, flags) ? 0 : breakOff(stream)
            case .failure, .head, .response: return breakOff(stream)
            }
        }
        let remaining = stream.cursor?.remaining ?? 0
        let count = min(length, remaining)
        if count == remaining, stream.owed ?? 0 == 0, let trailers = streamed.takeEnd() {
            _ = markEnd(of: stream, trailers, flags)
        }
        return count
    }

    /// - Returns: false if the client is owed more.
    private func markEnd(
        of stream: HTTP2Stream, _ trailers: [WireField], _ flags: UnsafeMutablePointer<UInt32>
    ) -> Bool {
        guard stream.owed ?? 0 == 0 else { return false }
        stream.streamed = nil
        flags.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
        guard !trailers.isEmpty else { return true }
        flags.pointee |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
        submitTrailers(HTTP2FieldBlock(trailers: trailers), of: stream)
        return true
    }

    /// Makes nghttp2 reset the stream with INTERNAL_ERROR: the client sees that the response is not complete (RFC 9113 §8.1).
    private func breakOff(_ stream: HTTP2Stream) -> Int {
        stream.streamed = nil
        return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }
}
