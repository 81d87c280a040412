// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiSystemIO
import MockapiTestSupport
import Testing

@Suite(.supervised) struct OutputTests {
    /// Takes everything out of a queue, a few bytes at a time.
    private func drain(_ queue: OutputQueue, by size: Int) -> [UInt8] {
        var output: [UInt8] = []
        while true {
            switch queue.front() {
            case .nothing: return output
            case .run(let bytes):
                let taken = bytes.prefix(size)
                output += Array(taken)
                queue.sent(taken.count)
            case .bytes(let bytes, let range):
                let taken = bytes[range].prefix(size)
                output += Array(taken)
                queue.sent(taken.count)
            case .file(_, let range):
                output += [UInt8](repeating: UInt8(ascii: "f"), count: min(size, range.count))
                queue.sent(min(size, range.count))
            }
        }
    }

    @Test func `a head in ISO 8859-1 is written byte for byte`() {
        let field = WireField("X-A", bytes: [0x61, 0xE9])
        #expect(field == WireField("X-A", "a\u{E9}", isLatin1: true))
        #expect(WireField("X-A", bytes: Array("é".utf8)) == WireField("X-A", "é"))
        let head = ResponseHead(status: 200, reason: "Tr\u{E8}s", isLatin1: true, fields: [field], framing: .none)
        let lines = "HTTP/1.1 200 Tr\u{E8}s\r\nX-A: a\u{E9}\r\n".unicodeScalars.map { UInt8($0.value) }
        #expect(head.http1 == lines)
        #expect(head.replacing(fields: [field]).http1 == lines)
    }

    @Test(arguments: [1, 7, 1000, 100_000])
    func `what goes in comes out in order, however little is taken`(size: Int) {
        let queue = OutputQueue()
        let large = (0..<40_000).map { UInt8(truncatingIfNeeded: $0) }
        let file = OpenFile(descriptor: -1)
        queue.append("head\r\n")
        queue.append(BodySource.bytes(large))
        queue.append("next")
        queue.append(BodySource.parts([.slice(large, 5..<10), .file(file, 0..<9), .slice(large, 0..<30_000)]))
        queue.append(text: "end")
        var expected = Array("head\r\n".utf8) + large + Array("next".utf8) + Array(large[5..<10])
        expected += [UInt8](repeating: UInt8(ascii: "f"), count: 9)
        expected += Array(large[..<30_000]) + Array("end".utf8)
        #expect(queue.count == expected.count)
        #expect(drain(queue, by: size) == expected)
        #expect(queue.isEmpty)
    }

    private func encode(_ response: Response, _ persistence: HTTP1Encoder.Persistence, sendsBody: Bool = true) -> String
    {
        let queue = OutputQueue()
        HTTP1Encoder.encode(
            response, date: DateLine("Sun, 06 Nov 1994 08:49:37 GMT"), persistence: persistence, sendsBody: sendsBody,
            to: queue)
        return String(decoding: drain(queue, by: 64), as: UTF8.self)
    }

    @Test func `a response keeps the order, case and repeats of its fields`() {
        let head = ResponseHead(
            status: 200, fields: [WireField("set-Cookie", "a=1"), WireField("set-Cookie", "b=2")], framing: .length(2))
        #expect(
            encode(Response(head: head, body: .bytes(Array("ok".utf8))), .implied)
                == "HTTP/1.1 200 OK\r\nset-Cookie: a=1\r\nset-Cookie: b=2\r\nContent-Length: 2\r\n"
                + "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\nok")
    }

    @Test func `lines that came as bytes stay so where others are put beside them`() {
        let lines = latin1("x-a: \u{E9}\u{FF}\r\nVary: a\r\nX-Gone: 1\r\nx-b: 2\r\n")
        let head = ResponseHead(
            status: 200, reason: [0xE8], lines: lines, hasDate: false, framing: .length(2))
        var fields = head.fields.filter { $0.name != "X-Gone" }
        fields[1].value = "a, Origin"
        fields.append(WireField("Date", "now"))
        let replaced = head.replacing(fields: fields)
        #expect(
            replaced.http1
                == latin1(
                    "HTTP/1.1 200 \u{E8}\r\nx-a: \u{E9}\u{FF}\r\nVary: a, Origin\r\nx-b: 2\r\nDate: now\r\n"
                        + "Content-Length: 2\r\n"))
        #expect(replaced.hasDate)
        #expect(replaced.fields == fields)
    }

    @Test func `a response on its way ends where its file cannot be read`() {
        let response = Response(
            head: ResponseHead(status: 200, fields: [], framing: .length(9)),
            body: .file(OpenFile(descriptor: -1), 0..<9))
        let delivery = HTTP1Delivery(
            response, Delivery(), date: DateLine("now"), persistence: .implied, sendsBody: true, now: 0)
        #expect(!delivery.advance(now: 0, to: OutputQueue()))
    }

    @Test func `a head has a date where a line of that name is among its own`() {
        for (name, hasDate) in [("Date", true), ("daTE", true), ("Vary", false), ("Dates", false), ("X-Date", false)] {
            let head = ResponseHead(status: 200, fields: [WireField("A", "b"), WireField(name, "x")], framing: .none)
            #expect(head.hasDate == hasDate, "\(name)")
        }
    }

    @Test func `an unknown status keeps the space of its reason`() {
        let head = ResponseHead(status: 299, fields: [], framing: .none)
        #expect(encode(Response(head: head), .close).hasPrefix("HTTP/1.1 299 \r\nDate: "))
        #expect(encode(Response(head: head), .close).hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(encode(Response(head: head), .keepAlive).hasSuffix("\r\nConnection: keep-alive\r\n\r\n"))
    }

    @Test func `trailers follow chunked content, and nothing follows the head for HEAD`() {
        let head = ResponseHead(status: 200, fields: [], framing: .chunked)
        let response = Response(
            head: head, body: .bytes(Array("0123456789abcdef".utf8)), trailers: [WireField("X-Sum", "1")])
        #expect(encode(response, .implied).hasSuffix("\r\n\r\n10\r\n0123456789abcdef\r\n0\r\nX-Sum: 1\r\n\r\n"))
        #expect(encode(response, .implied, sendsBody: false).hasSuffix("GMT\r\n\r\n"))
    }
}
