// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2
import MockapiHTTPSyntax

extension HTTP2Session {
    /// Submits the response to a request; it goes out with the next `write`.
    ///
    package func send(_ reply: Reply, on stream: HTTP2Stream, date: DateLine, now: UInt64) {
        self.now = now
        guard stream.id != 0 else {
            if case .streamed(let streamed) = reply {
                events.append(.began(streamed, .nothing))
                streamed.abandon()
            }
            return pool.giveBack(stream)
        }
        stream.hasResponse = true
        switch reply {
        case .whole(let response): send(response, on: stream, date: date)
        case .streamed(let streamed):
            stream.streamed = streamed
            begin(stream, streamed, date: date)
        }
    }

    func send(_ response: Response, on stream: HTTP2Stream, date: DateLine) {
        if let delivery = response.delivery {
            let isHead = stream.head.equals(stream.head.method, "HEAD")
            let total = isHead ? 0 : min(response.body.count, delivery.bodyLimit ?? .max)
            if stream.delivery == nil { deliveries += 1 }
            stream.delivery = delivery
            let schedule = DeliverySchedule(delivery, total: total, now: now)
            stream.schedule = schedule
            if schedule.next(after: now) != nil { paced.append(stream) }
            if schedule.allowance(at: now) == nil {
                stream.heldResponse = response
                return
            }
        }
        submit(stream, response, date: date)
    }

    func submit(_ stream: HTTP2Stream, _ response: Response, date: DateLine) {
        if let delivery = stream.delivery, !delivery.sendsHead {
            endings.append(stream)
            return
        }
        let head = response.head
        stream.response = head
        progressAt = now
        let size = response.bodySize
        let isHead = stream.head.equals(stream.head.method, "HEAD")
        let sendsBody = size > 0 && !isHead
        let sendsTrailers = !response.trailers.isEmpty && !isHead
        for interim in stream.delivery?.interim ?? [] {
            let block = interim.http2
            nghttp2_submit_headers(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, nil, block.pairs.baseAddress, block.count, nil)
        }
        let block = head.http2
        fields.removeAll(keepingCapacity: true)
        fields.append(contentsOf: UnsafeBufferPointer(rebasing: block.pairs[..<block.count]))
        date.bytes.withUnsafeBufferPointer { bytes in
            let date = UnsafeBufferPointer(rebasing: bytes[date.value])
            HTTP2Callbacks.dateName.withUTF8Buffer { name in
                if head.hasDate { return }
                fields.append(
                    nghttp2_nv(
                        name: UnsafeMutablePointer(mutating: name.baseAddress),
                        value: UnsafeMutablePointer(mutating: date.baseAddress), namelen: name.count,
                        valuelen: date.count, flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue)))
            }
            if sendsTrailers, !sendsBody, !stream.endsOtherwise, stream.streamed == nil {
                // Without a DATA frame: nghttp2 sends none, not even an empty one, while a window of the client is closed.
                nghttp2_submit_headers(
                    session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream.id, nil, fields, fields.count, nil)
                submitTrailers(HTTP2FieldBlock(trailers: response.trailers), of: stream)
            } else if sendsBody || stream.endsOtherwise || stream.streamed != nil {
                stream.cursor = BodyCursor(
                    sendsBody ? response.body : .none,
                    count: sendsBody ? min(size, stream.delivery?.bodyLimit ?? .max) : 0)
                if sendsTrailers {
                    stream.trailerBlock = HTTP2FieldBlock(trailers: response.trailers)
                }
                var provider = nghttp2_data_provider()
                // The session keeps the stream as long as nghttp2 does.
                provider.source.ptr = Unmanaged.passUnretained(stream).toOpaque()
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

    // MARK: Deadlines

    /// When `advance` is next to be called; nil if no response waits for its time.
    package var nextDeadline: UInt64? {
        let piece = paced.lazy.compactMap { $0.schedule?.next(after: self.now) }.min()
        let reset = resetting.lazy.compactMap(\.resetsAt).min()
        return [piece, reset].lazy.compactMap { $0 }.min()
    }

    /// Goes on with responses whose time has come.
    package func advance(now: UInt64, date: DateLine) {
        self.now = now
        for stream in resetting where stream.resetsAt.map({ $0 <= now }) ?? false { endings.append(stream) }
        resetting.removeAll { $0.resetsAt.map { $0 <= now } ?? false }
        for stream in paced {
            guard let schedule = stream.schedule, schedule.allowance(at: now) != nil else { continue }
            if let response = stream.heldResponse {
                stream.heldResponse = nil
                submit(stream, response, date: date)
            } else if stream.isDeferred {
                stream.isDeferred = false
                nghttp2_session_resume_data(session, stream.id)
            }
        }
        paced.removeAll { $0.schedule?.next(after: now) == nil }
    }
}
