// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPSyntax

/// Reads the requests of one HTTP/1.x connection from the bytes that come, in whatever pieces they come (RFC 9112).
///
/// Strict: bytes that two readers could read in two ways are refused (§11.2). The parser takes bytes from a `ByteBuffer`,
/// reports their meaning one event at a time, and keeps no bytes of its own but the head.
///
///     .head ─▶ .body* ─▶ .end ─▶ (next request)
package struct HTTP1Parser {
    package enum Event {
        /// The bytes so far end in the middle of something.
        case needsMore
        /// The head is complete: it is in `head` and the properties after it.
        case head
        /// Some content; good until the buffer changes.
        case body(UnsafeBufferPointer<UInt8>)
        /// The request is complete; trailers, if any, are in `trailers`.
        case end
        /// The message is refused; nothing more is read from this connection.
        case invalid(RequestError)
    }

    enum State {
        case requestLine
        case fields
        case body(remaining: Int)
        case chunkSize
        case chunkData(remaining: Int)
        case chunkEnd
        case trailers
        case end
        case failed
    }

    package enum Framing: Equatable, Sendable {
        case none
        case length(Int)
        case chunked
    }

    package var head = RequestHead()
    /// The trailer lines; their ranges point into `head.bytes`.
    package internal(set) var trailers: [RequestHead.Field] = []
    /// How the content of the request is delimited.
    package internal(set) var framing = Framing.none
    /// Whether the client lets the connection live on after this request (RFC 9112 §9.3).
    package internal(set) var keepsAlive = true
    /// Whether the client waits for 100 before it sends its content (RFC 9110 §10.1.1).
    package internal(set) var expectsContinue = false

    let limits: RequestLimits
    var state = State.requestLine
    /// The error that ended the reading, if the state is `failed`: as a part of the state it would have references counted with each line.
    private var failure: RequestError?
    /// How many bytes of the line at hand have been searched for its end.
    var searched = 0
    /// Where the line at hand starts, counted from the start of the head.
    var lineStart = 0
    var leadingLines = 0
    /// Bytes of content announced by the chunks so far.
    var received = 0
    var trailersSize = 0
    var extensionsSize = 0
    var notes = HeadNotes()
    /// The last valid value of Host, which most requests of a connection share.
    var knownHost: [UInt8] = []

    package init(limits: RequestLimits = RequestLimits()) {
        self.limits = limits
    }

    /// The length that the content is to have; nil if it comes in chunks, or there is none.
    var announcedLength: Int? {
        guard case .length(let length) = framing else { return nil }
        return length
    }

    /// Whether a request has begun and is not complete.
    package var isMidRequest: Bool {
        if case .requestLine = state { return searched > 0 || leadingLines > 0 }
        return true
    }

    /// Whether the head of a request has begun and is not complete.
    package var isMidHead: Bool {
        switch state {
        case .requestLine: searched > 0 || leadingLines > 0
        case .fields: true
        default: false
        }
    }

    package mutating func next(_ input: ByteBuffer) -> Event {
        do throws(RequestError) {
            while true {
                switch state {
                case .requestLine, .fields:
                    guard !input.isEmpty else { return .needsMore }
                    return try readHead(input) ? .head : .needsMore
                case .body(let remaining):
                    return readBody(remaining, input)
                case .chunkSize, .chunkData, .chunkEnd, .trailers:
                    if let event = try readChunked(input) { return event }
                case .end:
                    state = .requestLine
                    return .end
                case .failed:
                    return failure.map { .invalid($0) } ?? .needsMore
                }
            }
        } catch {
            abandon(input, error)
            return .invalid(error)
        }
    }

    /// Gives up the request at hand; `head` is the part of it that was read: its line and fields up to the fault, or nothing.
    ///
    /// - Parameter error: the error that every further call reports.
    package mutating func abandon(_ input: ByteBuffer, _ error: RequestError) {
        switch state {
        case .requestLine: keepRefusedLine(input.readable)
        case .fields: head.replaceBytes(with: UnsafeBufferPointer(rebasing: input.readable.prefix(lineStart)))
        default: break
        }
        state = .failed
        failure = error
    }

    /// Keeps the method and the target of a refused request line, as far as they can be told apart.
    private mutating func keepRefusedLine(_ bytes: UnsafeBufferPointer<UInt8>) {
        head.reset()
        trailers.removeAll(keepingCapacity: true)
        let line = bytes.prefix(RequestLimits.maxRefusedLine).prefix {
            $0 != ASCII.carriageReturn && $0 != ASCII.lineFeed
        }
        let method = line.prefix(while: ASCII.isToken)
        guard !method.isEmpty, method.endIndex < line.endIndex, line[method.endIndex] == ASCII.space else { return }
        let target = line[(method.endIndex + 1)...].prefix { $0 != ASCII.space }
        head.bytes.append(contentsOf: line)
        head.method = ByteRange(0, method.endIndex)
        head.target = ByteRange(target.startIndex, target.endIndex)
        head.path = head.target
    }

    private mutating func readBody(_ remaining: Int, _ input: ByteBuffer) -> Event {
        let available = input.readable
        guard !available.isEmpty else { return .needsMore }
        let taken = UnsafeBufferPointer(rebasing: available.prefix(remaining))
        state = taken.count == remaining ? .end : .body(remaining: remaining - taken.count)
        input.consume(taken.count)
        return .body(taken)
    }

    /// Finds the end of the line at hand: its bytes without CR LF, counted from the start of the readable bytes.
    ///
    /// Only CR LF ends a line; a bare CR or LF is refused (RFC 9112 §2.2), so that nobody reads two lines where we read one.
    mutating func line(in bytes: UnsafeBufferPointer<UInt8>) throws(RequestError) -> Range<Int>? {
        guard let feed = bytes.firstIndex(of: ASCII.lineFeed, from: lineStart + searched) else {
            searched = bytes.count - lineStart
            return nil
        }
        guard feed > lineStart, bytes[feed - 1] == ASCII.carriageReturn else {
            if case .requestLine = state, let first = bytes.first, first == Self.tlsHandshake {
                throw Self.noMethod(first)
            }
            throw RequestError(400, "a line ends with LF alone; only CR LF ends a line")
        }
        defer {
            lineStart = feed + 1
            searched = 0
        }
        return lineStart..<feed - 1
    }
}

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension UnsafeBufferPointer<UInt8> {
    /// The first place of a byte, from an index on.
    @inline(__always)
    func firstIndex(of byte: UInt8, from index: Int) -> Int? {
        guard index < count, let baseAddress, let found = memchr(baseAddress + index, Int32(byte), count - index) else {
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(baseAddress)
    }
}
