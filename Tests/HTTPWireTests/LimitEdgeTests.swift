// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiHTTPWire

/// Each limit takes a message that has as much as it allows, and refuses one that has one more.
@Suite(.supervised) struct LimitEdgeTests {
    private static func long(_ count: Int) -> String { String(repeating: "a", count: count) }

    // MARK: Requests of HTTP/1.1

    private static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static func status(_ text: String, _ limits: RequestLimits = RequestLimits()) -> Int? {
        guard let reading = readInEveryWay(text, limits: limits) else { return -1 }
        return reading.refusal?.status ?? (reading.requests.isEmpty ? nil : 200)
    }

    @Test func `a head may have as many bytes as its limit says, and the request line alone too`() {
        for limit in [60, 200] {
            let limits = RequestLimits(maxHead: limit)
            for more in 0...1 {
                let head = "GET / HTTP/1.1\r\nHost: a\r\nX: "
                let text = head + Self.long(limit - head.utf8.count - 4 + more) + "\r\n"
                #expect(Self.status(text + "\r\n", limits) == (more == 0 ? 200 : 431))
                let unended = head + Self.long(limit - head.utf8.count + more)
                #expect(Self.status(unended, limits) == (more == 0 ? nil : 431))
                // The empty line is what is too much.
                #expect(Self.status(text, limits) == nil)
                let line = "GET /" + Self.long(limit - 14 + more) + " HTTP/1.1"
                #expect(Self.status(line + "\r\n", limits) == (more == 0 ? 431 : 414))
                #expect(Self.status(line + "\r", limits) == (more == 0 ? nil : 414))
            }
        }
    }

    @Test func `a method, fields, empty lines and content may be as many as their limits say`() {
        for more in 0...1 {
            func expect(_ text: String, _ read: Int, _ refused: Int) {
                #expect(
                    Self.status(text, RequestLimits(maxBody: 20)) == (more == 0 ? read : refused), "\(text.prefix(60))")
            }
            let get = "GET / HTTP/1.1\r\nHost: a\r\n"
            expect(Self.long(RequestLimits.maxMethod + more) + " / HTTP/1.1\r\nHost: a\r\n\r\n", 200, 501)
            expect(get + String(repeating: "X: y\r\n", count: RequestLimits.maxFields - 1 + more) + "\r\n", 200, 431)
            expect(String(repeating: "\r\n", count: RequestLimits.maxLeadingLines + more) + get + "\r\n", 200, 400)
            expect("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(20 + more)\r\n\r\n" + Self.long(20), 200, 413)
            expect(
                Self.chunked + "a\r\n0123456789\r\n" + String(10 + more, radix: 16) + "\r\n0123456789\r\n0\r\n\r\n",
                200, 413)
        }
    }

    @Test func `chunks and trailers may be as long as their limits say`() {
        for more in 0...1 {
            let size = "1;" + Self.long(RequestLimits.maxChunkLine - 2 + more)
            #expect(Self.status(Self.chunked + size + "\r\nx\r\n0\r\n\r\n") == (more == 0 ? 200 : 400))
            #expect(Self.status(Self.chunked + size + "\r") == (more == 0 ? nil : 400))
            let digits = String(repeating: "0", count: RequestLimits.maxChunkDigits - 1 + more) + "1\r\n"
            #expect(Self.status(Self.chunked + digits + "x\r\n0\r\n\r\n") == (more == 0 ? 200 : 400))
            // Two lines, each with its end.
            let trailers = "X: y\r\nY: " + Self.long(RequestLimits.maxTrailers - 6 - 5 + more) + "\r\n\r\n"
            #expect(Self.status(Self.chunked + "0\r\n" + trailers) == (more == 0 ? 200 : 431))
            let unended = Self.chunked + "0\r\n" + Self.long(RequestLimits.maxTrailers + more)
            #expect(Self.status(unended) == (more == 0 ? nil : 431))
        }
    }

    // MARK: Responses of HTTP/1.1

    /// The words of a fault, in whatever pieces the bytes come; nil where there is none.
    private static func fault(_ text: String, maxHead: Int = 4096) -> String? {
        let faults = [1, 7, Int.max].map { (size: Int) -> String? in
            let input = ByteBuffer()
            var parser = HTTP1ResponseParser(maxHead: maxHead)
            parser.begin(isHead: false)
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                input.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                reading: while true {
                    switch parser.next(input) {
                    case .invalid(let fault): return fault.text
                    case .needsMore: break reading
                    default: continue
                    }
                }
            }
            return nil
        }
        return Set(faults).count == 1 ? faults[0] : "it depends on the pieces"
    }

    @Test func `the heads of a response may have as many bytes as their limit says`() {
        for (more, fault) in [(0, nil), (1, "the response's fields are more than 100 bytes")] {
            let heads = "HTTP/1.1 100 A\r\n\r\nHTTP/1.1 200 OK\r\nX: "
            let text = heads + Self.long(100 - heads.utf8.count - 4 + more) + "\r\n"
            #expect(Self.fault(text + "\r\n", maxHead: 100) == fault)
            #expect(
                Self.fault(text, maxHead: 98)
                    == fault.map { _ in "the response's fields are more than 98 bytes" })
            let line = heads + Self.long(100 - heads.utf8.count + more)
            #expect(Self.fault(line, maxHead: 100) == fault)
        }
    }

    @Test func `chunks and trailers of a response may be as long as their limits say`() {
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        let (line, digits, trailers) = (
            "the size line of a chunk is longer than 1024 bytes", "the size of a chunk has more than 15 digits",
            "the trailers of the response are longer than 65536 bytes"
        )
        for more in 0...1 {
            for end in ["\r\n", "\n"] {
                let size = "1;" + Self.long(RequestLimits.maxChunkLine - 2 + more) + end
                #expect(Self.fault(chunked + size) == (more == 0 ? nil : line))
            }
            let unended = "1;" + Self.long(RequestLimits.maxChunkLine - 1 + more)
            #expect(Self.fault(chunked + unended) == (more == 0 ? nil : line))
            let zeros = String(repeating: "0", count: RequestLimits.maxChunkDigits - 1 + more)
            #expect(Self.fault(chunked + zeros + "1\r\n") == (more == 0 ? nil : digits))
            let lines = "X: y\r\nY: " + Self.long(HTTP1ResponseParser.maxTrailers - 6 - 5 + more) + "\r\n\r\n"
            #expect(Self.fault(chunked + "0\r\n" + lines) == (more == 0 ? nil : trailers))
            let open = "X: y\r\n" + Self.long(HTTP1ResponseParser.maxTrailers - 6 + 2 + more)
            #expect(Self.fault(chunked + "0\r\n" + open) == (more == 0 ? nil : trailers))
        }
        // A length may have eighteen digits.
        for (count, fault) in [(18, nil), (19, "the response's Content-Length is not a decimal number")] {
            let zeros = String(repeating: "0", count: count - 1)
            #expect(Self.fault("HTTP/1.1 200 OK\r\nContent-Length: \(zeros)1\r\n\r\n") == fault)
        }
    }

    @Test func `the extensions of a response's chunks may have a bound of bytes more than its content`() {
        let rest = RequestLimits.maxExtensions + 1_049 - 1_049 * 1_000
        let chunk = "1;\(Self.long(999))\r\nx\r\n"
        let text = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: chunk, count: 1_049)
        for (more, isRead) in [(0, true), (1, false)] {
            let input = ByteBuffer()
            input.append(Array((text + "1;\(Self.long(rest - 1 + more))\r\n").utf8))
            var parser = HTTP1ResponseParser(maxHead: 4096)
            parser.begin(isHead: false)
            var event = parser.next(input)
            while true {
                if case .invalid = event { break }
                if case .needsMore = event { break }
                event = parser.next(input)
            }
            if case .needsMore = event { #expect(isRead) } else { #expect(!isRead) }
        }
    }

    // MARK: HTTP/2

    /// The status of the refusal of a request with these frames; 200 if it is handed out.
    private static func status(_ limits: RequestLimits = RequestLimits(), _ frames: HTTP2Frame...) -> Int? {
        let harness = HTTP2SessionHarness(limits: limits)
        harness.feed(frames.flatMap(\.bytes))
        return harness.refusals.first?.status ?? (harness.requests.isEmpty ? nil : 200)
    }

    @Test func `a header section of HTTP/2 may have as many bytes as its limit says, 32 for each field beside it`() {
        // :method, :scheme, :authority and :path.
        let size = [(":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", "/")].reduce(0) {
            $0 + $1.0.utf8.count + $1.1.utf8.count + 32
        }
        for (more, status) in [(0, 200), (1, 431)] {
            let limits = RequestLimits(maxHead: size + 33 + 50)
            #expect(
                Self.status(
                    limits,
                    .headers(
                        stream: 1,
                        [
                            (":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", "/"),
                            ("x", Self.long(50 + more)),
                        ])) == status)
            // A target that is too long alone is 414.
            let path = "/" + Self.long(limits.maxHead - 1 + more)
            #expect(
                Self.status(
                    limits,
                    .headers(
                        stream: 1, [(":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", path)]))
                    == (more == 0 ? 431 : 414))
        }
    }

    @Test func `fields, trailers, methods and content of HTTP/2 may be as many as their limits say`() {
        let head = [(":method", "POST"), (":scheme", "http"), (":authority", "a"), (":path", "/")]
        for more in 0...1 {
            let fields = Array(repeating: ("x", "y"), count: RequestLimits.maxFields + more)
            #expect(Self.status(RequestLimits(), .headers(stream: 1, head + fields)) == (more == 0 ? 200 : 431))
            let open = HTTP2Frame.headers(stream: 1, head, endsStream: false)
            // Each counts for 32 bytes beside its own.
            let trailers = [
                ("x", Self.long(RequestLimits.maxTrailers / 2 - 33)),
                ("y", Self.long(RequestLimits.maxTrailers / 2 - 33 + more)),
            ]
            #expect(Self.status(RequestLimits(), open, .headers(stream: 1, trailers)) == (more == 0 ? 200 : 431))
            let method = [(":method", Self.long(RequestLimits.maxMethod + more))] + head.dropFirst()
            #expect(Self.status(RequestLimits(), .headers(stream: 1, method)) == (more == 0 ? 200 : 501))
            let limits = RequestLimits(maxBody: 20)
            #expect(
                Self.status(limits, open, .data(stream: 1, [UInt8](repeating: 0, count: 20 + more)))
                    == (more == 0 ? 200 : 413))
            let announced = HTTP2Frame.headers(
                stream: 1, head + [("content-length", "\(20 + more)")], endsStream: false)
            #expect(
                Self.status(limits, announced, .data(stream: 1, [UInt8](repeating: 0, count: 20 + more)))
                    == (more == 0 ? 200 : 413))
        }
    }

    @Test func `fewer streams are announced once as many are open as the limit says`() {
        var limits = RequestLimits()
        limits.fewerStreams = (from: 3, to: 100)
        let harness = HTTP2SessionHarness(limits: limits, reply: { _ in .streamed(StreamedResponse()) })
        for (stream, isAnnounced) in [(UInt32(1), false), (3, false), (5, true), (7, false)] {
            harness.feed(.request(stream: stream, "/"))
            #expect(harness.story() == (isAnnounced ? ["SETTINGS"] : []))
        }
    }

    @Test func `a server speaks before the client does`() {
        let session = HTTP2Session(limits: RequestLimits(), pool: HTTP2StreamPool())
        let output = OutputQueue()
        session.write(to: output, limit: .max)
        // RFC 9113 §3.4.
        #expect(output.count > 9)
        guard case .run(let bytes) = output.front() else { return #expect(Bool(false), "SETTINGS are small") }
        #expect(bytes[3] == HTTP2Frame.Kind.settings.rawValue)
    }
}
