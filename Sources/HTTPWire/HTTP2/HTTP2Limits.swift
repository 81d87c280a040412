// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What one HTTP/2 connection may ask of the server; whoever goes beyond a bound gets GOAWAY (ENHANCE_YOUR_CALM).
///
/// A budget is a number of frames that may come at once; it fills up again at a rate, and with the work that the client
/// gives rise to.
package enum HTTP2Limits {
    /// Streams at once; SETTINGS_MAX_CONCURRENT_STREAMS. More are refused with REFUSED_STREAM, which a client may try again.
    package static let maxStreams = 128
    /// Bytes of content that a client may send on one stream before it waits for WINDOW_UPDATE. 1 MiB.
    package static let streamWindow = 1024 * 1024
    /// The same for the connection. 4 MiB.
    package static let connectionWindow = 4 * 1024 * 1024
    /// Bytes of content of all unfinished requests of a connection; the request that goes beyond it is answered 413. 64 MiB.
    package static let maxPending = 64 * 1024 * 1024
    /// How many times `maxHead` a header section may have, decoded, before it is no longer answered 431. 4.
    package static let headFactor = 4
    /// CONTINUATION frames of one header section (CVE-2024-27316).
    package static let maxContinuations = 16

    /// Nanoseconds between what is sent of an answer and the reset that ends it, where a fault has one. 20 ms.
    package static let resetPause: UInt64 = 20_000_000

    /// Streams that the client opens and cancels before they are answered (CVE-2023-44487).
    package static let resets = FrameBudget(size: 500, perSecond: 100)
    /// PING, SETTINGS, PRIORITY and unknown frames; two more with each request.
    package static let control = FrameBudget(size: 1_000, perSecond: 100)
    /// DATA frames without content that do not end their stream, and header frames without content.
    package static let empty = FrameBudget(size: 100, perSecond: 10)
    /// WINDOW_UPDATE frames; four more with each request, one more with each KiB sent.
    package static let windowUpdates = FrameBudget(size: 1_000, perSecond: 10)
}
