// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The limits of one HTTP/2 connection; a client that goes beyond a bound gets GOAWAY (ENHANCE_YOUR_CALM).
///
/// A budget is a number of frames that may come at once; it fills up again at a rate, and with the work that the client
/// gives rise to.
package enum HTTP2Limits {
    /// Streams at once; SETTINGS_MAX_CONCURRENT_STREAMS. More are refused with REFUSED_STREAM, which a client may try again;
    /// those are counted as `resets`.
    package static let maxStreams = 128
    /// Bytes of content that a client may send on one stream before it waits for WINDOW_UPDATE. 1 MiB.
    package static let streamWindow = 1024 * 1024
    /// The same for the connection. 4 MiB.
    package static let connectionWindow = 4 * 1024 * 1024
    /// Bytes of content of all unfinished requests of a connection; the response to a request beyond it is 413. 64 MiB.
    package static let maxPending = 64 * 1024 * 1024
    /// How many times `maxHead` a header section may have, decoded, before its response is not 431 any more. 4.
    package static let headFactor = 4
    /// CONTINUATION frames of one header section (CVE-2024-27316).
    package static let maxContinuations = 16
    /// Bytes that HPACK may need at most for a header section of a response; the stream of a longer one is reset. 4 MiB.
    package static let maxSentHead = 4 * 1024 * 1024
    /// Gaps between the numbers of a client's streams that are remembered; streams of others are ignored when they are opened late. 64.
    package static let maxGaps = 64

    /// Nanoseconds between the sent part of a response and the reset that ends it, if a fault has one. 20 ms.
    package static let resetPause: UInt64 = 20_000_000

    /// Streams that the client opens and cancels before their responses (CVE-2023-44487), or makes the server reset (CVE-2025-8671).
    package static let resets = FrameBudget(size: 500, perSecond: 100)
    /// PING, SETTINGS, PRIORITY and unknown frames; two more with each request.
    package static let control = FrameBudget(size: 1_000, perSecond: 100)
    /// DATA frames without content that do not end their stream, and header frames without content.
    package static let empty = FrameBudget(size: 100, perSecond: 10)
    /// WINDOW_UPDATE frames; four more with each request, one more with each KiB sent, four more with each DATA frame that the response had
    /// no more for.
    package static let windowUpdates = FrameBudget(size: 1_000, perSecond: 10)
}
