// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import HTTPSyntax

/// A request that has come whole.
///
/// It is lent to whoever answers it, and its memory serves the next: what is to outlive the call is copied field by field.
package struct Request: ~Copyable, Sendable {
    package var head: RequestHead
    package var body: [UInt8]
    /// Their ranges point into the head's bytes.
    package var trailers: [RequestHead.Field]
    package var connection: ConnectionInfo
    /// The stream's number in HTTP/2; 0 in HTTP/1.x.
    package var stream: UInt32
    package var receivedAt: Moment
    /// What the content takes of the server's bound; whoever keeps the content keeps this.
    package var share: ContentShare?

    package init(
        head: RequestHead = RequestHead(), body: [UInt8] = [], trailers: [RequestHead.Field] = [],
        connection: ConnectionInfo = .none, stream: UInt32 = 0, receivedAt: Moment = .none, share: ContentShare? = nil
    ) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.connection = connection
        self.stream = stream
        self.receivedAt = receivedAt
        self.share = share
    }

    /// Bodies up to this size leave their memory for the next. 64 KiB.
    private static let bodyKeepLimit = 64 * 1024

    /// Empties the body and keeps its memory, unless that is large.
    mutating func resetBody() {
        share = nil
        if !body.isEmpty { body.removeAll(keepingCapacity: body.capacity <= Self.bodyKeepLimit) }
    }

    /// Lets go of a large body that has been answered.
    mutating func dropLargeBody() {
        share = nil
        if body.capacity > Self.bodyKeepLimit { body = [] }
    }

    /// Adds to the body; false where the requests of the server hold more than they may.
    mutating func append(_ bytes: UnsafeBufferPointer<UInt8>, _ limits: RequestLimits) -> Bool {
        body.append(contentsOf: bytes)
        guard body.count > ContentShare.freeBytes else { return true }
        let share = share ?? ContentShare(limits.content)
        self.share = share
        return share.cover(body.count, limits)
    }
}
