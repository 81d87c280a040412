// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// One request on an HTTP/2 connection, and its response while that is sent.
///
/// A stream's memory serves another stream when it is over.
///
/// It belongs to one loop, and no access to a property of it overlaps another: the dynamic checks of exclusivity are left out where they
/// would be made for each field.
package final class HTTP2Stream {
    enum Phase {
        case head
        case content
        /// The request has been handed out, complete or refused.
        case handedOut
    }

    @exclusivity(unchecked) package internal(set) var id: Int32 = 0
    /// The request, as far as it has come.
    @exclusivity(unchecked) package var request = Request()

    @exclusivity(unchecked) var phase = Phase.head
    /// Why the request is refused, once that is known.
    @exclusivity(unchecked) var refusal: RequestError?
    /// Whether the request is malformed, so that its stream is reset after the response.
    @exclusivity(unchecked) var isMalformed = false
    @exclusivity(unchecked) var notes = HTTP2HeadNotes()
    /// The stream's place among the open ones.
    @exclusivity(unchecked) var slot = 0

    /// Kept until the stream is over, since HPACK reads its fields when the frame goes out.
    @exclusivity(unchecked) var response: ResponseHead?
    @exclusivity(unchecked) var cursor: BodyCursor?
    @exclusivity(unchecked) var trailerBlock: HTTP2FieldBlock?
    @exclusivity(unchecked) var delivery: Delivery?
    @exclusivity(unchecked) var schedule: DeliverySchedule?
    /// The response that waits for its delay.
    @exclusivity(unchecked) var heldResponse: Response?
    /// The source of the response while it is sent; nil once it has given all.
    @exclusivity(unchecked) var streamed: StreamedResponse?
    /// Whether the head of the streamed response has come.
    @exclusivity(unchecked) var hasBegun = false
    /// Bytes that a streamed response has announced and not had yet; nil if it announced none.
    @exclusivity(unchecked) var owed: Int?
    /// Whether nghttp2 waits for `resume_data`.
    @exclusivity(unchecked) var isDeferred = false
    @exclusivity(unchecked) var hasResponse = false
    /// When the reset goes out that ends the response.
    @exclusivity(unchecked) var resetsAt: UInt64?
    /// Bytes of content that are in DATA frames.
    @exclusivity(unchecked) var sent = 0

    func reset(id: Int32) {
        self.id = id
        request.stream = UInt32(id)
        request.head.reset()
        request.resetBody()
        if !request.trailers.isEmpty { request.trailers.removeAll(keepingCapacity: true) }
        isMalformed = false
        phase = .head
        notes = HTTP2HeadNotes()
        isDeferred = false
        hasResponse = false
        hasBegun = false
        owed = nil
        sent = 0
        resetsAt = nil
    }

    /// Whether something else than END_STREAM comes behind the content.
    var endsOtherwise: Bool {
        delivery.map { !$0.ending.isComplete } ?? false
    }

    /// The head of the request.
    var head: RequestHead {
        @inline(__always) _read { yield request.head }
        @inline(__always) _modify { yield &request.head }
    }

    /// Lets the handler respond to the request, which came by a connection at a time, in one call: each access to `request` from another module is
    /// checked dynamically.
    package func respond(
        by connection: ConnectionInfo, at receivedAt: Timestamps, _ handler: (borrowing Request) -> Reply
    ) -> Reply {
        request.connection = connection
        request.receivedAt = receivedAt
        return handler(request)
    }

    /// Releases the parts of the response, and a large body.
    func release() {
        request.dropLargeBody()
        refusal = nil
        response = nil
        cursor = nil
        trailerBlock = nil
        delivery = nil
        schedule = nil
        heldResponse = nil
        streamed?.abandon()
        streamed = nil
    }
}
