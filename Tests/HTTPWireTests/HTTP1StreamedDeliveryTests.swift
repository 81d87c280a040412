// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

@Suite(.supervised) struct HTTP1StreamedDeliveryTests {
    private static let date = DateLine("Sat, 21 Nov 2026 07:00:00 GMT")
    private static let dateLine = "Date: Sat, 21 Nov 2026 07:00:00 GMT\r\n"

    /// A response on its way, with what goes out and what is told of it.
    private final class Way {
        let live = StreamedResponse()
        let delivery: HTTP1StreamedDelivery
        let output = OutputQueue()

        init(isHead: Bool = false, isHTTP10: Bool = false) {
            delivery = HTTP1StreamedDelivery(
                live, persistence: isHTTP10 ? .keepAlive : .implied, sendsBody: !isHead, isHTTP10: isHTTP10)
        }

        /// What goes out now.
        func text(limit: Int = .max) -> String {
            var text = ""
            while true {
                let step = delivery.advance(date: HTTP1StreamedDeliveryTests.date, to: output, limit: limit)
                text += drain()
                switch step {
                case .waits: return text
                case .began(let head): text += "[began \(head.status)]"
                case .replaced(let response): return text + "[replaced \(response.head.status)]"
                case .complete(let endsConnection): return text + (endsConnection ? "[complete, close]" : "[complete]")
                case .broken(let looksComplete): return text + (looksComplete ? "[broken, reset]" : "[broken]")
                }
            }
        }

        private func drain() -> String {
            var bytes: [UInt8] = []
            while true {
                switch output.front() {
                case .run(let run):
                    bytes += run
                    output.sent(run.count)
                case .bytes(let array, let range):
                    bytes += array[range]
                    output.sent(range.count)
                case .nothing, .file: return String(decoding: bytes, as: UTF8.self)
                }
            }
        }

        func send(_ text: String) async {
            _ = await live.send(Array(text.utf8))
        }
    }

    @Test func `each piece is a chunk that goes out as it comes, and trailers stand behind the last`() async {
        let way = Way()
        #expect(way.text() == "")
        way.live.begin(ResponseHead(status: 200, fields: [WireField("A", "b")], framing: .chunked))
        #expect(
            way.text() == "HTTP/1.1 200 OK\r\nA: b\r\nTransfer-Encoding: chunked\r\n\(Self.dateLine)\r\n[began 200]")
        await way.send("hello")
        #expect(way.text() == "5\r\nhello\r\n")
        await way.send("twelve bytes")
        way.live.finish(trailers: [WireField("X-Sum", "1")])
        #expect(way.text() == "c\r\ntwelve bytes\r\n0\r\nX-Sum: 1\r\n\r\n[complete]")
    }

    @Test func `content of a known length goes out as it is, and what is too much is cut off`() async {
        let way = Way()
        way.live.begin(ResponseHead(status: 200, fields: [], framing: .length(4)))
        await way.send("abc")
        #expect(way.text().hasSuffix("Content-Length: 4\r\n\(Self.dateLine)\r\n[began 200]abc"))
        await way.send("def")
        #expect(way.text() == "d[complete]")
        #expect(await way.live.send([1]))
        #expect(way.live.waiting == 0)
    }

    @Test(arguments: [ResponseHead.Framing.length(4), .chunked], [false, true])
    func `a response that ends too early is broken off`(framing: ResponseHead.Framing, fails: Bool) async {
        let way = Way()
        way.live.begin(ResponseHead(status: 200, fields: [], framing: framing))
        await way.send("abc")
        if fails || framing == .chunked { way.live.fail() } else { way.live.finish() }
        #expect(way.text().hasSuffix("[broken]"))
    }

    @Test func `a client of HTTP-1.0 gets the bytes as they are, and the end of the connection behind them`() async {
        let way = Way(isHTTP10: true)
        way.live.begin(ResponseHead(status: 200, reason: "Fine", fields: [WireField("A", "b")], framing: .chunked))
        await way.send("abc")
        #expect(
            way.text()
                == "HTTP/1.1 200 Fine\r\nA: b\r\n\(Self.dateLine)Connection: close\r\n\r\n[began 200]abc")
        way.live.finish(trailers: [WireField("X-Sum", "1")])
        #expect(way.text() == "[complete, close]")
        let broken = Way(isHTTP10: true)
        broken.live.begin(ResponseHead(status: 200, fields: [], framing: .chunked))
        broken.live.fail()
        #expect(broken.text().hasSuffix("[broken, reset]"))
        let known = Way(isHTTP10: true)
        known.live.begin(ResponseHead(status: 200, fields: [], framing: .length(1)))
        await known.send("a")
        #expect(known.text().hasSuffix("Connection: keep-alive\r\n\r\n[began 200]a[complete]"))
    }

    @Test(arguments: [
        (200, true, ResponseHead.Framing.length(9), "Content-Length: 9\r\n"),
        (200, true, .chunked, "Transfer-Encoding: chunked\r\n"), (204, false, .none, ""), (204, false, .chunked, ""),
        (204, false, .length(9), ""), (304, false, .none, ""), (304, false, .length(9), "Content-Length: 9\r\n"),
    ])
    func `HEAD, 204 and 304 have no content`(
        status: Int, isHead: Bool, framing: ResponseHead.Framing, line: String
    ) async {
        let way = Way(isHead: isHead)
        way.live.begin(ResponseHead(status: status, reason: "R", fields: [], framing: framing))
        await way.send("content")
        #expect(way.text() == "HTTP/1.1 \(status) R\r\n\(line)\(Self.dateLine)\r\n[began \(status)][complete]")
        #expect(await way.live.send([UInt8](repeating: 0, count: 2 * StreamedResponse.highWater)))
    }

    @Test func `a date that is there already is the only one`() {
        let way = Way()
        way.live.begin(ResponseHead(status: 200, fields: [WireField("dAte", "then")], framing: .length(0)))
        #expect(way.text() == "HTTP/1.1 200 OK\r\ndAte: then\r\nContent-Length: 0\r\n\r\n[began 200][complete]")
    }

    @Test func `a response may fail before its head, or have a whole one in its place`() {
        let failed = Way()
        failed.live.fail()
        #expect(failed.text() == "[broken]" && !failed.delivery.hasBegun)
        let planned = Way()
        planned.live.respond(with: Response(head: ResponseHead(status: 502, fields: [], framing: .none)))
        #expect(planned.text() == "[replaced 502]" && planned.delivery.hasBegun)
    }

    @Test func `nothing is taken while the queue is full`() async {
        let way = Way()
        way.live.begin(ResponseHead(status: 200, fields: [], framing: .length(30)))
        _ = way.text()
        for _ in 0..<3 { await way.send("0123456789") }
        for left in [20, 10, 0] {
            // Two bytes are under way: there is room for one piece more.
            if case .complete = way.delivery.advance(date: Self.date, to: way.output, limit: way.output.count + 1) {}
            #expect(way.live.waiting == left)
        }
    }
}
