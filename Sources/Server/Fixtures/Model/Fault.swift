// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A way in which a response is wrong or does not come.
package enum Fault: Equatable, Sendable {
    /// The connection, or the stream, ends without a response.
    case emptyResponse
    case connectionResetByPeer
    /// A head, and then no content of any framing.
    case malformedResponseChunk
    /// Bytes that are not a response.
    case randomDataThenClose
    case truncateBody(afterBytes: Int)
    /// The same of a body whose length is not announced.
    case truncateChunks(afterBytes: Int)
    case slowBody(bytesPerSecond: Int)
    /// One byte more is announced than comes.
    case wrongContentLength
    case badGzip
    /// - Parameter afterBytes: bytes of the body in front of it; nil for no response at all.
    case resetStream(code: UInt32, afterBytes: Int?)
    case refusedStream
    /// - Parameter afterThisStream: whether this request still gets its response.
    case goAway(code: UInt32, afterThisStream: Bool)
    /// Nothing more comes, and nothing ends.
    case stall(afterBytes: Int?)
}

extension Fault {
    /// Which fault it is, without its numbers; the raw value is the name that a stub file has for it.
    package enum Kind: String, CaseIterable, Sendable {
        case emptyResponse = "EMPTY_RESPONSE"
        case connectionResetByPeer = "CONNECTION_RESET_BY_PEER"
        case malformedResponseChunk = "MALFORMED_RESPONSE_CHUNK"
        case randomDataThenClose = "RANDOM_DATA_THEN_CLOSE"
        case truncateBody = "TRUNCATE_BODY"
        case slowBody = "SLOW_BODY"
        case wrongContentLength = "WRONG_CONTENT_LENGTH"
        case badGzip = "BAD_GZIP"
        case resetStream = "RST_STREAM"
        case refusedStream = "REFUSED_STREAM"
        case goAway = "GOAWAY"
        case stall = "STALL"
    }

    package var kind: Kind {
        switch self {
        case .emptyResponse: .emptyResponse
        case .connectionResetByPeer: .connectionResetByPeer
        case .malformedResponseChunk: .malformedResponseChunk
        case .randomDataThenClose: .randomDataThenClose
        case .truncateBody, .truncateChunks: .truncateBody
        case .slowBody: .slowBody
        case .wrongContentLength: .wrongContentLength
        case .badGzip: .badGzip
        case .resetStream: .resetStream
        case .refusedStream: .refusedStream
        case .goAway: .goAway
        case .stall: .stall
        }
    }
}
