// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// All that the wire needs to know to send one answer.
package struct ResponsePlan: Sendable {
    package var head: ResponseHead
    package var body: ResponseBody
    /// Sent behind the content; the head's framing is `.chunked` then.
    package var trailers: [WireField]
    /// Whether the connection ends behind this answer.
    package var closes: Bool
    /// How the answer goes out; nil for whole and at once.
    package var delivery: Delivery? {
        get { boxed?.value }
        set { boxed = newValue.map(Box.init) }
    }

    /// Few answers have one; a plan is copied for each request.
    private final class Box: Sendable {
        let value: Delivery

        init(_ value: Delivery) {
            self.value = value
        }
    }

    private var boxed: Box?

    /// - Parameter body: empty for an answer to HEAD, whatever the head's framing says.
    package init(head: ResponseHead, body: ResponseBody = .none, trailers: [WireField] = [], closes: Bool = false) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.closes = closes
    }
}
