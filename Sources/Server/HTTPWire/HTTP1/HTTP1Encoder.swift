// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Puts responses into an output queue as HTTP/1.1 messages (RFC 9112).
package enum HTTP1Encoder {
    /// The Connection line of a response; none if an HTTP/1.1 connection lives on, as is its default (§9.3).
    package enum Persistence: Sendable {
        case implied
        case keepAlive
        case close

        init(closes: Bool, isHTTP10: Bool) {
            self = closes ? .close : isHTTP10 ? .keepAlive : .implied
        }
    }

    package static func encode(
        _ response: Response, date: DateLine, persistence: Persistence, sendsBody: Bool, to output: OutputQueue
    ) {
        encodeHead(response.head, date: date, persistence: persistence, to: output)
        guard sendsBody else { return }
        if response.head.framing == .chunked {
            encodeChunked(response, to: output)
        } else {
            output.append(response.body)
        }
    }

    /// The head alone, with the empty line after it.
    static func encodeHead(_ head: ResponseHead, date: DateLine, persistence: Persistence, to output: OutputQueue) {
        output.append(head.http1)
        if !head.hasDate { output.append(date.bytes, persistence == .implied ? date.lineAndEnd : date.line) }
        switch persistence {
        case .implied: if head.hasDate { output.append("\r\n") }
        case .keepAlive: output.append("Connection: keep-alive\r\n\r\n")
        case .close: output.append("Connection: close\r\n\r\n")
        }
    }

    /// The content as one chunk, and the trailers after it (§7.1).
    private static func encodeChunked(_ response: Response, to output: OutputQueue) {
        if response.body.count > 0 {
            output.append(text: String(response.body.count, radix: 16) + "\r\n")
            output.append(response.body)
            output.append("\r\n")
        }
        encodeTrailers(response.trailers, to: output)
    }

    /// The last chunk and the trailers (§7.1.2).
    static func encodeTrailers(_ trailers: [WireField], to output: OutputQueue) {
        output.append("0\r\n")
        for trailer in trailers { output.append(Array("\(trailer.name): ".utf8) + trailer.bytes + Array("\r\n".utf8)) }
        output.append("\r\n")
    }
}
