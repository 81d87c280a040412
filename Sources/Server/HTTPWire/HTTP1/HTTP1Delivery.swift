// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An HTTP/1.1 response on its way piece by piece, as its delivery has it.
package final class HTTP1Delivery {
    package let delivery: Delivery
    private let response: Response
    private let persistence: HTTP1Encoder.Persistence
    private let schedule: DeliverySchedule
    private let date: DateLine
    /// Whether content and trailers are sent, which a response to HEAD has neither of (RFC 9110 §9.3.2).
    private let sendsBody: Bool
    private var cursor: BodyCursor
    private var sent = 0
    private var hasSentHead = false
    /// Whether all that is to be sent has been.
    package private(set) var isDone = false

    /// - Parameter now: nanoseconds; when the response was ready.
    package init(
        _ response: Response, _ delivery: Delivery, date: DateLine, persistence: HTTP1Encoder.Persistence,
        sendsBody: Bool, now: UInt64
    ) {
        self.response = response
        self.delivery = delivery
        self.date = date
        self.persistence = persistence
        self.sendsBody = sendsBody
        cursor = BodyCursor(
            sendsBody ? response.body : .none,
            count: sendsBody ? min(response.body.count, delivery.bodyLimit ?? .max) : 0)
        schedule = DeliverySchedule(delivery, total: cursor.remaining, now: now)
    }

    /// When there is more to send; nil if all has been sent.
    package func next(after now: UInt64) -> UInt64? {
        isDone ? nil : schedule.next(after: now)
    }

    /// Puts into the queue the bytes that may be sent by now.
    ///
    /// - Returns: false if the file of the content cannot be read.
    package func advance(now: UInt64, to output: OutputQueue) -> Bool {
        guard !isDone, let allowance = schedule.allowance(at: now) else { return true }
        if !hasSentHead, delivery.sendsHead {
            for head in delivery.interim {
                output.append(head.http1)
                output.append("\r\n")
            }
            HTTP1Encoder.encodeHead(response.head, date: date, persistence: persistence, to: output)
        }
        hasSentHead = true
        let isChunked = response.head.framing == .chunked
        let count = delivery.sendsHead ? min(allowance - sent, cursor.remaining) : 0
        if count > 0 {
            if isChunked { output.append(text: String(count, radix: 16) + "\r\n") }
            guard cursor.move(count, to: output) else { return false }
            if isChunked { output.append("\r\n") }
            sent += count
        }
        guard cursor.remaining == 0 || !delivery.sendsHead else { return true }
        isDone = true
        if isChunked, sendsBody, delivery.ending.isComplete {
            HTTP1Encoder.encodeTrailers(response.trailers, to: output)
        }
        output.append(delivery.garbage)
        return true
    }
}
