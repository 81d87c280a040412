// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Streams that are over and wait for the next requests; all connections of a loop share one.
package final class HTTP2StreamPool {
    /// Streams that are kept at most. 256.
    private static let limit = 256

    @exclusivity(unchecked) private var streams: [HTTP2Stream] = []

    package init() {}

    func take(id: Int32) -> HTTP2Stream {
        let stream = streams.popLast() ?? HTTP2Stream()
        stream.reset(id: id)
        return stream
    }

    func giveBack(_ stream: HTTP2Stream) {
        stream.release()
        if streams.count < Self.limit { streams.append(stream) }
    }
}
