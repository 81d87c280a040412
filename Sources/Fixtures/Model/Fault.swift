// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A way in which an answer is wrong or does not come.
package enum Fault: Equatable, Sendable {
    /// The connection, or the stream, ends without an answer.
    case emptyResponse
    case connectionResetByPeer
    /// A head, and then no content of any framing.
    case malformedResponseChunk
    /// Bytes that are no answer.
    case randomDataThenClose
    case truncateBody(afterBytes: Int)
    case slowBody(bytesPerSecond: Int)
    /// One byte more is announced than comes.
    case wrongContentLength
    case badGzip
    /// - Parameter afterBytes: bytes of the body in front of it; nil for no answer at all.
    case resetStream(code: UInt32, afterBytes: Int?)
    case refusedStream
    /// - Parameter afterThisStream: whether this request is still answered.
    case goAway(code: UInt32, afterThisStream: Bool)
    /// Nothing more comes, and nothing ends.
    case stall(afterBytes: Int?)
}

/// The error codes of HTTP/2 by their names (RFC 9113 §7).
package enum HTTP2ErrorCode {
    package static let names = [
        "NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED",
        "FRAME_SIZE_ERROR", "REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM",
        "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED",
    ]

    package static let protocolError: UInt32 = 1
    package static let internalError: UInt32 = 2
    package static let refusedStream: UInt32 = 7
    package static let cancel: UInt32 = 8
}
