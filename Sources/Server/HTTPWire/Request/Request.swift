// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// A request that has come whole.
///
/// It is lent to the handler that responds, and its memory serves the next: data that must outlive the call is copied field by field.
package struct Request: ~Copyable, Sendable {
    package var head: RequestHead
    package var body: [UInt8]
    /// Their ranges point into the head's bytes.
    package var trailers: [RequestHead.Field]
    package var connection: ConnectionInfo
    /// The stream's number in HTTP/2; 0 in HTTP/1.x.
    package var stream: UInt32
    package var receivedAt: Timestamps
    /// The content's share of the server's bound; code that keeps the content keeps this.
    package var share: ContentShare?

    package init(
        head: RequestHead = RequestHead(), body: [UInt8] = [], trailers: [RequestHead.Field] = [],
        connection: ConnectionInfo = .none, stream: UInt32 = 0, receivedAt: Timestamps = .none,
        share: ContentShare? = nil
    ) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.connection = connection
        self.stream = stream
        self.receivedAt = receivedAt
        self.share = share
    }

    /// Bodies up to this size leave their memory for the next: it is not counted, so that no more is held than is known of.
    private static let bodyKeepLimit = ContentShare.freeBytes

    /// Empties the body and keeps its memory, unless that is large.
    mutating func resetBody() {
        share = nil
        if !body.isEmpty { body.removeAll(keepingCapacity: body.capacity <= Self.bodyKeepLimit) }
    }

    /// Releases a large body after its response.
    mutating func dropLargeBody() {
        share = nil
        if body.capacity > Self.bodyKeepLimit { body = [] }
    }

    /// Adds to the body; false if the requests of the server hold more than they may.
    ///
    /// - Parameter announced: the length that the content is to have; nil if nobody has said.
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, announced: Int?, _ limits: RequestLimits) -> Bool
    {
        makeRoom(for: bytes.count, announced)
        body.append(contentsOf: bytes)
        guard body.count > ContentShare.freeBytes else { return true }
        let share = share ?? ContentShare(limits.content)
        self.share = share
        return share.cover(min(body.capacity, limits.maxBody), limits)
    }

    /// Room grows with the received bytes, to four times as many at most and to no more than is announced; the first
    /// room is not counted. When a quarter has come, there is room for all: a later copy would take the memory twice.
    private mutating func makeRoom(for count: Int, _ announced: Int?) {
        let needed = body.count + count
        guard needed > body.capacity, let announced else { return }
        let room = needed >= announced / 4 ? announced : max(ContentShare.freeBytes, 2 * needed)
        body.reserveCapacity(max(needed, min(announced, room)))
    }
}
