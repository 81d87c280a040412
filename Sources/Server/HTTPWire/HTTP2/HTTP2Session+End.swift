// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2
import MockapiHTTPSyntax

extension HTTP2Session {
    /// Whether a request is being read or waits for its response.
    package var hasStreams: Bool { !streams.isEmpty }

    /// Whether responses have waited since before a given time for the client to open a window.
    package func hasStalled(since moment: UInt64) -> Bool {
        progressAt < moment
            && streams.contains { stream in
                guard let cursor = stream.cursor, !stream.isDeferred else { return false }
                // The content of a streamed response is taken as the window opens.
                return cursor.remaining > 0 || stream.streamed != nil
            }
    }

    /// Whether a header section has come in pieces since before a given time and is not complete.
    package func isMidHead(since moment: UInt64) -> Bool {
        headBeganAt.map { $0 < moment } ?? false
    }

    /// Whether responses wait for a time of their own, not for the client.
    package var isPacing: Bool { !paced.isEmpty || !resetting.isEmpty }

    /// Whether the connection can be closed: it is draining, or should close, and nothing is under way.
    package var isFinished: Bool {
        if ending != nil { return true }
        if isDraining { return streams.isEmpty && nghttp2_session_want_write(session) == 0 }
        return nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Notifies the client that the connection ends (RFC 9113 §6.8): first that it should open no more streams, which those on their way
    /// still may; `finishDrain` then says which was the last.
    package func beginDrain() {
        nghttp2_submit_shutdown_notice(session)
    }

    package func finishDrain() {
        guard !isDraining else { return }
        goAway(
            code: NGHTTP2_NO_ERROR.rawValue, last: nghttp2_session_get_last_proc_stream_id(session))
    }

    /// Notifies a client that holds up its responses that it is dropped.
    package func dropStalled() {
        cut(code: NGHTTP2_ENHANCE_YOUR_CALM, text: "no window for the responses in time")
    }

    /// Notifies a client that trickles a header section that it is dropped.
    package func dropSlowHead() {
        cut(code: NGHTTP2_ENHANCE_YOUR_CALM, text: "the header section did not come in time")
    }

    /// Ends an idle connection.
    package func dropIdle() {
        cut(code: NGHTTP2_NO_ERROR, text: "")
    }

    /// Reports the GOAWAY with which nghttp2 ends a connection that breaks the protocol; that of a server that stops has no error.
    func noteDrop(_ frame: nghttp2_goaway) {
        guard frame.error_code != NGHTTP2_NO_ERROR.rawValue, !isDraining else { return }
        let debug = UnsafeBufferPointer(start: frame.opaque_data, count: frame.opaque_data_len)
        noteDrop(code: frame.error_code, String(decoding: debug, as: UTF8.self))
    }

    /// Reports that the connection ends because of its client's conduct.
    func noteDrop(code: UInt32, _ text: String) {
        guard !isDropTold else { return }
        isDropTold = true
        let cause = text.isEmpty ? "the client breaks HTTP/2" : text
        events.append(
            .dropped(
                head: RequestHead(), stream: 0,
                reason: "the connection is dropped with error code \(code) (RFC 9113 §7): \(cause)"))
    }
}
