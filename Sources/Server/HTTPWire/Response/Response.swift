// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response with its timing and its end, at once or as a stream: one word, so that what was laid out at load is sent any number of times
/// without a copy.
package struct Response: Sendable {
    @usableFromInline var content: Content

    /// - Parameters:
    ///   - body: empty for a response to HEAD, whatever the head's framing says. Body and trailers of a head that may have no content are dropped.
    package init(head: ResponseHead, body: BodySource = .none, trailers: [WireField] = [], closes: Bool = false) {
        content = Content(head: head, body: body, trailers: trailers, closes: closes, timing: nil)
    }

    /// A response that comes piece by piece.
    package init(streamed: StreamedResponse) {
        content = Content(
            head: Self.noHead, body: .none, trailers: [], closes: false,
            timing: Timing(delivery: nil, streamed: streamed))
    }

    @inlinable package var head: ResponseHead {
        get { content.head }
        set { content = content.replacing(head: newValue) }
    }

    @inlinable package var status: Int { content.head.status }

    @inlinable package var body: BodySource {
        get { content.body }
        set { content = content.replacing(body: newValue) }
    }

    /// Bytes of the body.
    @inlinable package var bodySize: Int { content.bodySize }

    /// Sent after the content; the head's framing is `.chunked` then.
    @inlinable package var trailers: [WireField] {
        get { content.trailers }
        set { content = content.replacing(trailers: newValue) }
    }

    /// Whether the connection ends after this response.
    @inlinable package var closes: Bool {
        get { content.closes }
        set { content = content.replacing(closes: newValue) }
    }

    /// How the response goes out; nil for whole and at once.
    @inlinable package var delivery: Delivery? {
        get { content.timing?.delivery }
        set { content = content.replacing(delivery: newValue) }
    }

    /// The source of the response while it is sent, whose other properties say nothing then; nil for one that is here whole.
    @inlinable package var streamed: StreamedResponse? { content.timing?.streamed }

    /// Where in memory it lies.
    package var place: UInt { UInt(bitPattern: ObjectIdentifier(content)) }

    /// Stands where a streamed response has no head yet; it is never sent.
    private static let noHead = ResponseHead(status: 0, fields: [], framing: .none)

    @usableFromInline
    final class Content: Sendable {
        @usableFromInline let head: ResponseHead
        @usableFromInline let body: BodySource
        @usableFromInline let bodySize: Int
        @usableFromInline let trailers: [WireField]
        @usableFromInline let closes: Bool
        @usableFromInline let timing: Timing?

        init(head: ResponseHead, body: BodySource, trailers: [WireField], closes: Bool, timing: Timing?) {
            // The one place through which every response goes: a client ends a 204 at the empty line (RFC 9112 §6.3), and takes what
            // follows for the next response.
            let body = head.mayHaveContent ? body : .none
            self.head = head
            self.body = body
            bodySize = body.count
            self.trailers = head.mayHaveContent ? trailers : []
            self.closes = closes
            self.timing = timing
        }

        @usableFromInline
        func replacing(
            head: ResponseHead? = nil, body: BodySource? = nil, trailers: [WireField]? = nil, closes: Bool? = nil
        ) -> Content {
            Content(
                head: head ?? self.head, body: body ?? self.body, trailers: trailers ?? self.trailers,
                closes: closes ?? self.closes, timing: timing)
        }

        @usableFromInline
        func replacing(delivery: Delivery?) -> Content {
            Content(
                head: head, body: body, trailers: trailers, closes: closes,
                timing: delivery.map { Timing(delivery: $0, streamed: nil) })
        }
    }

    /// Few responses have one of these.
    @usableFromInline
    final class Timing: Sendable {
        @usableFromInline let delivery: Delivery?
        @usableFromInline let streamed: StreamedResponse?

        init(delivery: Delivery?, streamed: StreamedResponse?) {
            self.delivery = delivery
            self.streamed = streamed
        }
    }
}
