// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiNghttp2

/// The functions that nghttp2 calls while it reads and writes.
enum HTTP2Callbacks {
    static let dateName: StaticString = "date"
    static let continueStatus = HTTP2FieldBlock(ResponseHead(status: 100, fields: [], framing: .none))

    /// The functions of every session; never freed.
    ///
    /// `nonisolated(unsafe)`: filled before any other thread sees it and only read from then on.
    nonisolated(unsafe) static let table: OpaquePointer? = {
        var table: OpaquePointer?
        nghttp2_session_callbacks_new(&table)
        nghttp2_session_callbacks_set_on_begin_frame_callback(table) { _, head, data in
            guard let head = head?.pointee else { return 0 }
            return HTTP2Callbacks.session(data) { $0.beganFrame(head) }
        }
        nghttp2_session_callbacks_set_on_begin_headers_callback(table) { _, frame, data in
            guard let frame else { return 0 }
            return HTTP2Callbacks.session(data) { $0.beganHeaders(frame) }
        }
        nghttp2_session_callbacks_set_on_header_callback(table) {
            _, frame, name, nameCount, value, valueCount, _, data in
            guard let frame else { return 0 }
            return HTTP2Callbacks.session(data) {
                $0.header(
                    frame, UnsafeBufferPointer(start: name, count: nameCount),
                    UnsafeBufferPointer(start: value, count: valueCount))
            }
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(table) { _, _, stream, bytes, count, data in
            HTTP2Callbacks.session(data) { $0.content(stream, UnsafeBufferPointer(start: bytes, count: count)) }
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(table) { _, frame, data in
            guard let frame else { return 0 }
            return HTTP2Callbacks.session(data) { $0.receivedFrame(frame) }
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(table) { _, _, error, data in
            HTTP2Callbacks.session(data) { $0.refusedFrame(error) }
        }
        nghttp2_session_callbacks_set_on_frame_send_callback(table) { _, frame, data in
            guard let frame else { return 0 }
            return HTTP2Callbacks.session(data) { $0.sentFrame(frame) }
        }
        nghttp2_session_callbacks_set_on_frame_not_send_callback(table) { _, frame, error, data in
            guard let frame else { return 0 }
            HTTP2Callbacks.session(data) { $0.didNotSend(frame, error) }
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(table) { _, stream, _, data in
            HTTP2Callbacks.session(data) { $0.streamClosed(stream) }
            return 0
        }
        nghttp2_session_callbacks_set_on_extension_chunk_recv_callback(table) { _, _, _, _, _ in
            NGHTTP2_ERR_CANCEL.rawValue
        }
        nghttp2_session_callbacks_set_unpack_extension_callback(table) { _, _, _, _ in NGHTTP2_ERR_CANCEL.rawValue }
        nghttp2_session_callbacks_set_send_data_callback(table) { _, _, head, count, source, data in
            guard let head, let stream = source?.pointee.ptr else { return 0 }
            return HTTP2Callbacks.session(data) { session in
                Unmanaged<HTTP2Stream>.fromOpaque(stream)._withUnsafeGuaranteedRef {
                    session.sendContent($0, head, count)
                }
            }
        }
        return table
    }()

    /// `nonisolated(unsafe)`: as `table`.
    nonisolated(unsafe) static let options: OpaquePointer? = {
        var options: OpaquePointer?
        nghttp2_option_new(&options)
        // Windows open as content is taken, not as it comes.
        nghttp2_option_set_no_auto_window_update(options, 1)
        // `HTTP2HeadRules` judges heads instead, so that a malformed one gets a response and is reported.
        nghttp2_option_set_no_http_messaging(options, 1)
        // The bounds are our own (`HTTP2Limits`), so that each has the same response; nghttp2's are put out of their way.
        nghttp2_option_set_max_continuations(options, HTTP2Limits.maxContinuations * 4)
        nghttp2_option_set_max_send_header_block_length(options, HTTP2Limits.maxSentHead)
        // Frames of unknown types are ignored (RFC 9113 §5.5), but not uncounted.
        for kind in UInt8(NGHTTP2_CONTINUATION.rawValue) + 1...UInt8.max {
            nghttp2_option_set_user_recv_extension_type(options, kind)
        }
        nghttp2_option_set_stream_reset_rate_limit(options, 1_000_000, 1_000_000)
        return options
    }()

    static let readContent: nghttp2_data_source_read_callback = { _, _, _, length, flags, source, data in
        guard let flags, let stream = source?.pointee.ptr else { return 0 }
        return HTTP2Callbacks.session(data) { session in
            Unmanaged<HTTP2Stream>.fromOpaque(stream)._withUnsafeGuaranteedRef {
                session.readContent($0, length, flags)
            }
        }
    }

    /// Calls with the session, without counting references: it outlives its callbacks.
    @inline(__always)
    private static func session<Result>(_ data: UnsafeMutableRawPointer?, _ body: (HTTP2Session) -> Result) -> Result {
        guard let data else { fatalError("nghttp2 calls without the session it was given") }
        return Unmanaged<HTTP2Session>.fromOpaque(data)._withUnsafeGuaranteedRef(body)
    }
}
