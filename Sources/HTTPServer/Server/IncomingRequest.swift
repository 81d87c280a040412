// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import HTTPMessage
package import HTTPWire

/// A request that has come whole.
package struct IncomingRequest {
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
        head: RequestHead, body: [UInt8] = [], trailers: [RequestHead.Field] = [], connection: ConnectionInfo,
        stream: UInt32 = 0, receivedAt: Moment, share: ContentShare? = nil
    ) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.connection = connection
        self.stream = stream
        self.receivedAt = receivedAt
        self.share = share
    }
}
