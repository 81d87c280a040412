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
        get { boxed?.delivery }
        set { boxed = newValue.map { Box($0, nil) } }
    }

    /// What the answer comes from while it is sent; the rest of the plan says nothing then.
    package var live: LiveAnswer? { boxed?.live }

    /// Few answers have one of these; a plan is copied for each request.
    private final class Box: Sendable {
        let delivery: Delivery?
        let live: LiveAnswer?

        init(_ delivery: Delivery?, _ live: LiveAnswer?) {
            self.delivery = delivery
            self.live = live
        }
    }

    private var boxed: Box?

    /// Stands where a live answer has no head yet; it is never sent.
    private static let noHead = ResponseHead(status: 0, fields: [], framing: .none)

    /// - Parameter body: empty for an answer to HEAD, whatever the head's framing says.
    package init(head: ResponseHead, body: ResponseBody = .none, trailers: [WireField] = [], closes: Bool = false) {
        self.head = head
        self.body = body
        self.trailers = trailers
        self.closes = closes
    }

    /// An answer that comes piece by piece.
    package init(live: LiveAnswer) {
        self.init(head: Self.noHead)
        boxed = Box(nil, live)
    }
}
