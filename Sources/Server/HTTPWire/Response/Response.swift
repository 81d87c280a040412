// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A response with its timing and its end: one word, so that a response laid out at load is sent any number of times without a copy.
package struct Response: Sendable {
    @usableFromInline var content: Content

    /// - Parameters:
    ///   - body: empty for a response to HEAD, whatever the head's framing says. Body and trailers of a head that may have no content are dropped.
    package init(head: ResponseHead, body: BodySource = .none, trailers: [WireField] = [], closes: Bool = false) {
        content = Content(head: head, body: body, trailers: trailers, closes: closes, timing: nil)
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

    /// The same for a client of HTTP/1.0, which knows neither chunks nor trailers (RFC 9112 §6.1).
    var unchunked: Response {
        guard head.framing == .chunked else { return self }
        var response = Response(head: head.framed(.length(bodySize)), body: body, closes: closes)
        response.delivery = delivery
        return response
    }

    /// Where in memory it lies.
    package var place: UInt { UInt(bitPattern: ObjectIdentifier(content)) }

    @usableFromInline
    final class Content: Sendable {
        @usableFromInline let head: ResponseHead
        @usableFromInline let body: BodySource
        @usableFromInline let bodySize: Int
        @usableFromInline let trailers: [WireField]
        @usableFromInline let closes: Bool
        @usableFromInline let timing: Timing?

        init(head: ResponseHead, body: BodySource, trailers: [WireField], closes: Bool, timing: Timing?) {
            // Every response goes through this one place: a client ends a 204 at the empty line (RFC 9112 §6.3), and takes the bytes
            // behind it for the next response.
            let body = head.mayHaveContent ? body : .none
            self.head = head
            self.body = body
            bodySize = body.count
            self.trailers = head.mayHaveContent ? WireField.trailers(trailers) : []
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
                timing: delivery.map { Timing($0) })
        }
    }

    /// Few responses have one.
    @usableFromInline
    final class Timing: Sendable {
        @usableFromInline let delivery: Delivery

        init(_ delivery: Delivery) {
            self.delivery = delivery
        }
    }
}
