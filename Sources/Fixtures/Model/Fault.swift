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
