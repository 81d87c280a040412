// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How much of one request is taken.
package struct RequestLimits: Sendable {
    /// Bytes of the request line and all field lines together; more is 431. 64 KiB.
    package var maxHead = 64 * 1024
    /// Bytes of content; more is 413. 16 MiB.
    package var maxBody = 16 * 1024 * 1024

    /// Streams of an HTTP/2 connection at once. 128.
    package var maxStreams = HTTP2Limits.maxStreams

    /// Bytes of the request line; more is 414. RFC 9112 §3 asks for 8,000 at least.
    package static let maxRequestLine = 16 * 1024
    /// Bytes of a method; more is 501 (RFC 9112 §3).
    package static let maxMethod = 64
    /// Field lines of a head; more is 431.
    package static let maxFields = 512
    /// Bytes of a chunk's size line with its extensions; more is 400.
    package static let maxChunkLine = 1024
    /// Digits of a chunk's size; more is 400.
    package static let maxChunkDigits = 15
    /// Bytes of all trailer lines; more is 431.
    package static let maxTrailers = 8 * 1024
    /// Empty lines in front of a request line that are passed over (RFC 9112 §2.2); more is 400.
    package static let maxLeadingLines = 8

    package init(
        maxHead: Int = 64 * 1024, maxBody: Int = 16 * 1024 * 1024, maxStreams: Int = HTTP2Limits.maxStreams
    ) {
        self.maxHead = maxHead
        self.maxBody = maxBody
        self.maxStreams = maxStreams
    }
}
