// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2

extension HTTP2Session {
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

    /// Carries out the endings of responses that have been sent as far as they go.
    private func finishEndings(_ output: OutputQueue) {
        let ended = endings
        endings = []
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
            // A reset in the same packet would make clients forget the bytes before it.
            stream.resetsAt = now + HTTP2Limits.resetPause
            resetting.append(stream)
            return
        }
        switch delivery.ending {
        case .complete, .lastOfConnection, .stall: break
        case .close: ending = .linger
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
}
