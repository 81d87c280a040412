// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How much of one request is taken.
package struct RequestLimits: Sendable {
    /// Bytes of the request line and all field lines together; more is 431, or 414 if the request line alone has more. 64 KiB, and at
    /// most `mostHead`. RFC 9112 §3 asks for 8,000 at least.
    package var maxHead: Int {
        didSet { maxHead = min(maxHead, Self.mostHead) }
    }
    /// Bytes of content; more is 413. 16 MiB, and at most `mostBody`.
    package var maxBody: Int {
        didSet { maxBody = min(maxBody, Self.mostBody) }
    }

    /// The most that `maxHead` can be: places in a head are numbers of 32 bits. 1 GiB.
    package static let mostHead = 1 << 30
    /// The most that `maxBody` can be: ten times as much is still far from the largest Int. 1 TiB.
    package static let mostBody = 1 << 40

    /// Bytes of memory that the content of all requests under way takes together, or `maxBody` if that is more; beyond it is 503. 72 MiB.
    package var maxContent = 72 * 1024 * 1024
    /// The budget that the content takes its memory from.
    package let content = ContentBudget()

    /// Streams of an HTTP/2 connection at once. 128.
    package let maxStreams: Int
    /// How many of them are open when the client is allowed fewer, and how many then; nil for no change.
    package var fewerStreams: (from: Int, to: Int)?

    /// The longest part of a refused request line that is kept for the journal. 1 KiB.
    static let maxRefusedLine = 1024
    /// Bytes of a method; more is 501 (RFC 9112 §3).
    package static let maxMethod = 64
    /// Field lines of a head; more is 431.
    package static let maxFields = 512
    /// Bytes of a chunk's size line with its extensions; more is 400.
    package static let maxChunkLine = 1024
    /// Bytes of all chunk extensions, beyond as many as there are of the content; more is 400. 1 MiB.
    package static let maxExtensions = 1024 * 1024
    /// Digits of a chunk's size; more is 400.
    package static let maxChunkDigits = 15
    /// Bytes of all trailer lines; more is 431.
    package static let maxTrailers = 8 * 1024
    /// Empty lines in front of a request line that are passed over (RFC 9112 §2.2); more is 400.
    package static let maxLeadingLines = 8

    package init(
        maxHead: Int = 64 * 1024, maxBody: Int = 16 * 1024 * 1024, maxStreams: Int = HTTP2Limits.maxStreams
    ) {
        self.maxHead = min(maxHead, Self.mostHead)
        self.maxBody = min(maxBody, Self.mostBody)
        self.maxStreams = min(max(maxStreams, 1), Int(Int32.max))
    }
}
