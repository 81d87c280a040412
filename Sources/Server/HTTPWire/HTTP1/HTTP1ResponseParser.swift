// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// Why a response cannot be read.
package struct ResponseFault: Error, Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The input is not an HTTP/1.x response at all.
        case notHTTP
        case malformed
        case tooLarge
    }

    package var kind: Kind
    /// The reason, in words.
    package var text: String

    init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    init(_ text: String) {
        self.init(.malformed, text)
    }
}

/// Reads the responses of one HTTP/1.x connection to the requests that were sent by it, in whatever pieces their bytes
/// come (RFC 9112).
///
/// As strict as the parser of requests where two readers could see the end of a response in two places (§6.3, §11.1). It repairs as a recipient
/// should: a line that ends with LF alone (§2.2), folded lines (§5.2).
///
///     begin ─▶ .head ─▶ .body* ─▶ .end ─▶ begin
package struct HTTP1ResponseParser {
    package enum Event {
        /// The bytes so far end in the middle of something, or nothing more is expected.
        case needsMore
        /// The head of the final response is complete.
        case head
        /// Some content; good until the buffer changes.
        case body(UnsafeBufferPointer<UInt8>)
        /// The response is complete; trailers, if any, are in `trailers`.
        case end
        /// The response cannot be read; nothing more is read from this connection.
        case invalid(ResponseFault)
    }

    enum State {
        case statusLine
        case fields
        case body(remaining: Int)
        case untilClose
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailers
        case end
        /// Nothing is expected until `begin`.
        case complete
        case failed(ResponseFault)
    }

    /// How the content of the response is delimited (RFC 9112 §6.3).
    package enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
        case connection
    }

    /// Bytes of trailers. 64 KiB.
    package static let maxTrailers = 64 * 1024

    /// The head of the final response.
    package internal(set) var head = ReceivedHead()
    /// The trailer lines; their ranges point into `head.bytes`.
    package internal(set) var trailers: [RequestHead.Field] = []
    package internal(set) var framing = Framing.none
    /// Whether the connection lives on after this response (RFC 9112 §9.3).
    package internal(set) var keepsAlive = false

    let maxHead: Int
    var state = State.complete
    /// Whether it is the response to HEAD, which has no content whatever its head says.
    var isHead = false
    /// How many bytes of the line at hand have been searched for its end.
    var searched = 0
    /// Where the line at hand starts, counted from the start of the head.
    var lineStart = 0
    /// Bytes of the heads so far, interim ones too.
    var headSize = 0
    var trailersSize = 0
    /// Bytes of the chunks so far, and of their extensions.
    var chunksSize = 0
    var extensionsSize = 0
    /// Folded lines of the head at hand: the rest of the value of a field.
    var folds: [(field: Int, rest: ByteRange)] = []

    /// - Parameter maxHead: bytes of a response's heads, interim ones too.
    package init(maxHead: Int) {
        self.maxHead = maxHead
    }

    /// A request has been sent: its response comes next.
    package mutating func begin(isHead: Bool) {
        self.isHead = isHead
        state = .statusLine
        searched = 0
        lineStart = 0
        headSize = 0
        trailersSize = 0
        chunksSize = 0
        extensionsSize = 0
        trailers.removeAll(keepingCapacity: true)
        head.reset()
    }

    package mutating func next(_ input: ByteBuffer) -> Event {
        do throws(ResponseFault) {
            while true {
                switch state {
                case .statusLine, .fields:
                    return try readHead(input) ? .head : .needsMore
                case .body(let remaining):
                    return readBody(remaining, input)
                case .untilClose:
                    return readBody(.max, input)
                case .chunkSize, .chunkData, .chunkEnd, .trailers:
                    if let event = try readChunked(input) { return event }
                case .end:
                    state = .complete
                    return .end
                case .complete: return .needsMore
                case .failed(let fault): return .invalid(fault)
                }
            }
        } catch {
            state = .failed(error)
            return .invalid(error)
        }
    }

    /// The server has ended the connection: that is the end of content that has no other.
    package mutating func finish() -> Event {
        switch state {
        case .untilClose, .end:
            state = .complete
            return .end
        case .complete: return .needsMore
        case .failed(let fault): return .invalid(fault)
        default:
            let fault = ResponseFault(missing)
            state = .failed(fault)
            return .invalid(fault)
        }
    }

    /// The part that a response lacks if it ends now, in words.
    private var missing: String {
        switch state {
        case .statusLine where headSize == 0: "there was no response"
        case .statusLine, .fields: "the head of the response was cut off"
        case .body(let remaining): "the response was cut off \(remaining) bytes before its end"
        default: "the response was cut off before its last chunk"
        }
    }

    private mutating func readBody(_ remaining: Int, _ input: ByteBuffer) -> Event {
        let available = input.readable
        guard !available.isEmpty else { return .needsMore }
        let taken = UnsafeBufferPointer(rebasing: available.prefix(remaining))
        took(taken.count)
        input.consume(taken.count)
        return .body(taken)
    }

    /// Bytes of content that come next and can be read beside the parser; 0 if it must see the next bytes.
    package var plainBytes: Int {
        switch state {
        case .body(let remaining): remaining
        case .untilClose: .max
        default: 0
        }
    }

    /// So many of the plain bytes have been read.
    package mutating func took(_ count: Int) {
        guard case .body(let remaining) = state else { return }
        state = count == remaining ? .end : .body(remaining: remaining - count)
    }

    /// Finds the end of the line at hand: its bytes without the line's end, counted from the start of the readable bytes.
    mutating func line(in bytes: UnsafeBufferPointer<UInt8>) -> Range<Int>? {
        guard let feed = bytes.firstIndex(of: ASCII.lineFeed, from: lineStart + searched) else {
            searched = bytes.count - lineStart
            return nil
        }
        let start = lineStart
        lineStart = feed + 1
        searched = 0
        return start..<(feed > start && bytes[feed - 1] == ASCII.carriageReturn ? feed - 1 : feed)
    }
}
