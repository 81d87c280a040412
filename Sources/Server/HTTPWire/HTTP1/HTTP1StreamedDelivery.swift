// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// An HTTP/1.1 response on its way whose parts come from elsewhere (RFC 9112).
package final class HTTP1StreamedDelivery {
    /// The progress of the response.
    package enum Step {
        /// Nothing more has come, or the queue is full.
        case waits
        /// The head is in the queue.
        case began(ResponseHead)
        /// A response is to be sent instead.
        case replaced(Response)
        /// All is in the queue.
        ///
        /// - endsConnection: whether only the end of the connection shows the client that.
        case complete(endsConnection: Bool)
        /// Nothing more comes, though the client is owed more.
        ///
        /// - looksComplete: whether the client would take the end of the connection for that of the response.
        case broken(looksComplete: Bool)
    }

    /// How the client knows where the content ends.
    private enum Framing {
        /// Bytes that are still owed.
        case length(left: Int)
        case chunked
        case connection
        case none
    }

    package let response: StreamedResponse
    package let persistence: HTTP1Encoder.Persistence
    package let sendsBody: Bool
    /// Whether the client speaks HTTP/1.0, which knows no chunks.
    let isHTTP10: Bool
    private var framing = Framing.none
    package private(set) var hasBegun = false

    package init(_ response: StreamedResponse, persistence: HTTP1Encoder.Persistence, sendsBody: Bool, isHTTP10: Bool) {
        self.response = response
        self.persistence = persistence
        self.sendsBody = sendsBody
        self.isHTTP10 = isHTTP10
    }

    /// Puts the new bytes into the queue, as long as that holds less than `limit` bytes.
    package func advance(date: DateLine, to output: OutputQueue, limit: Int) -> Step {
        while true {
            if hasBegun, let end = endOfContent() { return end }
            guard output.count < limit, let part = response.next() else { return .waits }
            switch part {
            case .head(let head):
                hasBegun = true
                encode(head, date: date, to: output)
                return .began(head)
            case .response(let response):
                hasBegun = true
                return .replaced(response)
            case .content(let bytes): append(bytes, to: output)
            case .end(let trailers): return end(trailers, output)
            case .failure:
                if case .connection = framing { return .broken(looksComplete: true) }
                return .broken(looksComplete: false)
            }
        }
    }

    private func encode(_ head: ResponseHead, date: DateLine, to output: OutputQueue) {
        var head = head
        var persistence = persistence
        if !head.mayHaveContent {
            // RFC 9110 §8.6, RFC 9112 §6.1; a 304 may describe the content that a 200 would have.
            if head.status != 304, head.status != 205 { head = head.unframed }
        } else {
            switch head.framing {
            case .length(let length): framing = .length(left: length)
            case .chunked where isHTTP10:
                head = head.unframed
                framing = .connection
                persistence = .close
            case .chunked: framing = .chunked
            case .none: break
            }
        }
        HTTP1Encoder.encodeHead(head, date: date, persistence: persistence, to: output)
    }

    /// Whether the client has all that it is to have, whatever the producer still says.
    private func endOfContent() -> Step? {
        switch framing {
        case .length(let left) where sendsBody && left > 0: return nil
        case .chunked where sendsBody: return nil
        case .connection where sendsBody: return nil
        case .connection:
            response.discard()
            return .complete(endsConnection: true)
        case .length, .chunked, .none:
            response.discard()
            return .complete(endsConnection: false)
        }
    }

    private func append(_ bytes: [UInt8], to output: OutputQueue) {
        switch framing {
        case .length(let left):
            let count = min(left, bytes.count)
            output.append(bytes, 0..<count)
            framing = .length(left: left - count)
        case .chunked:
            output.append(text: String(bytes.count, radix: 16) + "\r\n")
            output.append(bytes)
            output.append("\r\n")
        case .connection: output.append(bytes)
        case .none: break
        }
    }

    private func end(_ trailers: [WireField], _ output: OutputQueue) -> Step {
        switch framing {
        case .length: return .broken(looksComplete: false)
        case .connection: return .complete(endsConnection: true)
        case .chunked:
            HTTP1Encoder.encodeTrailers(trailers, to: output)
            return .complete(endsConnection: false)
        case .none: return .complete(endsConnection: false)
        }
    }
}
