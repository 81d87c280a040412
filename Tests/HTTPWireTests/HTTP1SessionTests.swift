// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Synchronization
import Testing

@testable import MockapiHTTPWire

private let get = "GET /a HTTP/1.1\r\nHost: a\r\n\r\n"

@Suite(.supervised) struct HTTP1SessionTests {
    private static let dateLine = "Date: Sat, 21 Nov 2026 07:00:00 GMT\r\n"

    private static func live(outlastsClientEnd: Bool = false) -> (StreamedResponse, (HTTP1Session) -> Reply) {
        let live = StreamedResponse(outlastsClientEnd: outlastsClientEnd)
        return (live, { _ in .streamed(live) })
    }

    private static func paced(_ change: (inout Delivery) -> Void) -> (HTTP1Session) -> Response {
        var delivery = Delivery()
        change(&delivery)
        let response = HTTP2SessionHarness.response(body: "0123456789", delivery)
        return { _ in response }
    }

    // MARK: Requests

    @Test(arguments: Feeding.allCases)
    private func `requests that come together are answered in their order, however they are cut`(_ feeding: Feeding) {
        let harness = HTTP1SessionHarness()
        harness.feed(
            get + "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz"
                + "PUT /c HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n"
                + "HEAD /d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", feeding)
        #expect(harness.told == ["GET /a [0]", "POST /b [3]", "PUT /c [2]", "HEAD /d [0]"])
        let common = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\(Self.dateLine)"
        #expect(harness.sent == "\(common)\r\n/a\(common)\r\n/b\(common)\r\n/c\(common)Connection: close\r\n\r\n")
        #expect(harness.session.ending == .close)
    }

    @Test func `a client of HTTP 1_0 that asks for it keeps its connection, and hears so`() {
        let harness = HTTP1SessionHarness()
        harness.feed("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        #expect(harness.sent.contains("Connection: keep-alive\r\n\r\n/a"))
        #expect(harness.session.ending == nil)
        harness.feed("GET /a HTTP/1.0\r\n\r\n")
        #expect(harness.session.ending == .close)
    }

    @Test func `the connection lingers where the client has sent more than is read`() {
        let harness = HTTP1SessionHarness()
        harness.feed("GET /a HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\nmore")
        #expect(harness.session.ending == .linger)
    }

    @Test(arguments: Feeding.allCases)
    private func `a refused message is the last of its connection, which lingers`(_ feeding: Feeding) {
        let harness = HTTP1SessionHarness()
        harness.feed("GET /a HTTP/1.1\r\nHost: a\r\nBad name: 1\r\n\r\n" + get, feeding)
        #expect(harness.told == ["refused 400: white space stands between a field name and its colon"])
        #expect(harness.sent.contains("Connection: close\r\n\r\n"))
        #expect(harness.session.ending == .linger)
    }

    @Test func `requests that hold more than all may are refused in the middle of their content`() {
        var limits = RequestLimits(maxBody: 1 << 20)
        limits.maxContent = 1 << 20
        let first = HTTP1SessionHarness(limits: limits)
        first.feed(
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + String(repeating: "a", count: 999_999))
        let second = HTTP1SessionHarness(limits: limits)
        second.feed(
            "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + String(repeating: "b", count: 99_000))
        #expect(second.told == ["refused 503: the requests under way hold more than 1048576 bytes of content"])
        first.feed("a")
        #expect(first.told == ["POST /a [1000000]"])
    }

    // MARK: 100-continue

    @Test func `a client that waits before it sends its content is invited, one that does not wait is not`() {
        let head = "POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
        let waiting = HTTP1SessionHarness()
        waiting.feed(head)
        #expect(waiting.take() == "HTTP/1.1 100 Continue\r\n\r\n")
        waiting.feed("xy")
        #expect(waiting.statusLines == ["HTTP/1.1 200 OK"])
        let hasty = HTTP1SessionHarness()
        hasty.feed(head + "xy")
        #expect(hasty.statusLines == ["HTTP/1.1 200 OK"])
    }

    // MARK: Half-close

    @Test(arguments: 1..<get.utf8.count)
    func `an input that ends within a request is refused, wherever it ends`(_ count: Int) {
        let harness = HTTP1SessionHarness()
        harness.feed(String(decoding: get.utf8.prefix(count), as: UTF8.self))
        harness.session.finishInput()
        harness.handle()
        #expect(harness.told == ["refused 400: the request ends before it is complete"])
        #expect(harness.session.ending == .linger)
    }

    @Test func `an input that ends between requests ends the connection in order`() {
        let harness = HTTP1SessionHarness()
        harness.feed(get)
        harness.session.finishInput()
        #expect(harness.session.ending == .close)
    }

    @Test func `an input that ends while a response is paced ends the connection behind it`() {
        let harness = HTTP1SessionHarness(answer: Self.paced { $0.delay = 1_000 })
        harness.feed(get)
        harness.session.finishInput()
        #expect(harness.session.ending == nil)
        harness.advance(to: harness.now + 1_000)
        #expect(harness.sent.hasSuffix("\r\n\r\n0123456789"))
        #expect(harness.session.isIdle)
    }

    // MARK: Deadlines

    @Test func `what is waited for is told at each point of a request`() {
        let harness = HTTP1SessionHarness()
        #expect(harness.session.waits(at: harness.now) == .request)
        harness.feed("POST /a HTTP/1.1\r\nHost: a\r\n")
        #expect(harness.session.waits(at: harness.now) == .head)
        harness.feed("Content-Length: 2\r\n\r\nx")
        #expect(harness.session.waits(at: harness.now) == .client)
        harness.feed("y")
        #expect(harness.session.waits(at: harness.now) == .request)
    }

    @Test(arguments: [("POST /a HT", "head"), ("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nx", "content")])
    func `a request that does not come to its end in time gets 408`(_ text: String, _ part: String) {
        let harness = HTTP1SessionHarness()
        harness.feed(text)
        harness.session.timeOut()
        harness.handle()
        #expect(harness.told == ["refused 408: the \(part) of the request did not come in time"])
        #expect(harness.session.ending == .linger)
    }

    @Test func `a connection on which nothing happens ends without a word`() {
        let harness = HTTP1SessionHarness()
        harness.feed(get)
        _ = harness.take()
        harness.session.timeOut()
        harness.handle()
        #expect(harness.sent == "")
        #expect(harness.session.ending == .close)
    }

    // MARK: Drain

    @Test func `a connection that drains ends behind the request at hand, and its client hears so`() {
        let harness = HTTP1SessionHarness()
        harness.feed("GET /a HTTP/1.1\r\nHo")
        harness.session.drain()
        harness.feed("st: a\r\n\r\n")
        #expect(harness.sent.contains("Connection: close\r\n"))
        #expect(harness.session.ending == .close)
    }

    // MARK: Pacing and faults

    @Test func `a paced response goes out as its moments come, and the next request waits for its end`() {
        let harness = HTTP1SessionHarness(answer: Self.paced { $0.pace = .parts(count: 2, pause: 100) })
        let start = harness.now
        harness.feed(get + get)
        #expect(harness.sent == "")
        #expect(harness.session.waits(at: harness.now) == .server)
        #expect(harness.session.nextDeadline(after: harness.now) == start + 100)
        harness.advance(to: start + 100)
        #expect(harness.take().hasSuffix("\r\n\r\n01234"))
        harness.advance(to: start + 200)
        #expect(harness.take() == "56789")
        #expect(harness.told == ["GET /a [0]", "GET /a [0]"])
        harness.advance(to: start + 400)
        #expect(harness.take().hasSuffix("\r\n\r\n0123456789"))
        #expect(harness.session.isIdle)
    }

    @Test(arguments: [
        (Delivery.Ending.close, SessionEnding?.some(.close)), (.reset, .reset), (.resetStream(code: 1), .reset),
        (.goAway(code: 0), .close), (.lastOfConnection(code: 0), .close), (.stall, nil), (.complete, nil),
    ])
    func `each ending of a response ends its connection as HTTP 1_1 can`(
        _ ending: Delivery.Ending, _ expected: SessionEnding?
    ) {
        let harness = HTTP1SessionHarness(
            answer: Self.paced {
                $0.bodyLimit = 4
                $0.ending = ending
            })
        harness.feed(get)
        #expect(harness.sent.hasSuffix("\r\n\r\n0123"))
        #expect(harness.session.ending == expected)
    }

    @Test func `behind a response that stalls no request is read, and the idle deadline ends the connection`() {
        let harness = HTTP1SessionHarness(answer: Self.paced { $0.ending = .stall })
        harness.feed(get + get)
        #expect(harness.told == ["GET /a [0]"])
        #expect(harness.session.waits(at: harness.now) == .client)
        harness.session.timeOut()
        #expect(harness.session.ending == .close)
    }

    // MARK: Streaming

    @Test func `a streamed response goes out as it comes, and the next request is answered behind it`() {
        let (live, answer) = Self.live()
        var isFirst = true
        let harness = HTTP1SessionHarness(reply: {
            defer { isFirst = false }
            return isFirst ? answer($0) : .whole(HTTP2SessionHarness.response(body: "second"))
        })
        harness.feed(get + get)
        #expect(harness.session.waits(at: harness.now) == .server)
        live.begin(ResponseHead(status: 200, fields: [], framing: .chunked))
        live.push(Array("ab".utf8))
        harness.advance(to: harness.now)
        #expect(harness.take().hasSuffix("\r\n\r\n2\r\nab\r\n"))
        live.finish()
        harness.advance(to: harness.now)
        #expect(harness.take().hasPrefix("0\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(harness.told == ["GET /a [0]", "began 200", "GET /a [0]"])
    }

    @Test func `no more of a streamed response is taken than the output has room for`() {
        let (live, answer) = Self.live()
        let harness = HTTP1SessionHarness(outputLimit: 100, reply: answer)
        harness.session.input.append(Array(get.utf8))
        while harness.session.nextEvent() != nil {
            harness.session.send(answer(harness.session), date: HTTP1SessionHarness.date, now: harness.now)
        }
        live.begin(ResponseHead(status: 200, fields: [], framing: .length(1_000)))
        for _ in 0..<10 { live.push([UInt8](repeating: 0x61, count: 100)) }
        harness.session.advance(date: HTTP1SessionHarness.date, now: harness.now)
        #expect(harness.session.output.count < 300)
        #expect(live.waiting >= 800)
    }

    @Test func `a response that is replaced by a whole one is sent as that, with what it says of the connection`() {
        let (live, answer) = Self.live()
        let harness = HTTP1SessionHarness(reply: answer)
        harness.feed(get)
        var response = HTTP2SessionHarness.response(503, body: "no")
        response.closes = true
        live.respond(with: response)
        harness.advance(to: harness.now)
        #expect(harness.sent.hasPrefix("HTTP/1.1 503 Service Unavailable\r\n"))
        #expect(harness.sent.hasSuffix("Connection: close\r\n\r\nno"))
        #expect(harness.told == ["GET /a [0]", "began 503 as a whole"])
        #expect(harness.session.ending == .linger)
    }

    @Test func `a streamed response that breaks off is one that its client sees to be broken`() {
        let (live, answer) = Self.live()
        let harness = HTTP1SessionHarness(reply: answer)
        harness.feed(get)
        live.begin(ResponseHead(status: 200, fields: [], framing: .length(10)))
        live.push([0x61])
        live.fail()
        harness.advance(to: harness.now)
        #expect(harness.sent.hasSuffix("\r\n\r\na"))
        #expect(harness.session.ending == .close)
        let (unframed, old) = Self.live()
        let client = HTTP1SessionHarness(reply: old)
        client.feed("GET /a HTTP/1.0\r\n\r\n")
        unframed.begin(ResponseHead(status: 200, fields: [], framing: .chunked))
        unframed.fail()
        client.advance(to: client.now)
        #expect(client.session.ending == .reset)
    }

    // MARK: Clients that go

    @Test func `a client that ends its side gives up a streamed response, which is told once`() {
        let (live, answer) = Self.live()
        let harness = HTTP1SessionHarness(reply: answer)
        harness.feed(get)
        harness.session.clientHasEnded(hasUnsent: false)
        harness.handle()
        #expect(harness.told == ["GET /a [0]", "began with nothing", "abandoned"])
        #expect(harness.session.ending == .close)
        #expect(live.room == false)
    }

    @Test(arguments: [false, true])
    func `a response that outlasts the end of its client goes on, and its work hears of that`(isBefore: Bool) {
        let (live, answer) = Self.live(outlastsClientEnd: true)
        let calls = Mutex(0)
        live.whenClientEnds { calls.withLock { $0 += 1 } }
        let harness = HTTP1SessionHarness(reply: answer)
        if isBefore { harness.session.noteClientEnd() }
        harness.feed(get)
        if !isBefore { harness.session.clientHasEnded(hasUnsent: false) }
        #expect(calls.withLock { $0 } == 1)
        live.respond(with: HTTP2SessionHarness.response(body: "late"))
        harness.advance(to: harness.now)
        #expect(harness.sent.hasSuffix("late"))
        #expect(harness.told == ["GET /a [0]"] + (isBefore ? [] : ["abandoned"]) + ["began 200 as a whole"])
    }

    @Test func `nothing is fetched from elsewhere for a client that has ended its side before`() {
        let (live, answer) = Self.live()
        let harness = HTTP1SessionHarness(reply: answer)
        harness.session.noteClientEnd()
        harness.feed(get)
        #expect(harness.told == ["GET /a [0]", "began with nothing", "abandoned"])
        #expect(live.room == false)
        #expect(harness.session.ending == .close)
    }

    @Test func `a connection that is gone gives up its response`() {
        let (live, answer) = Self.live()
        let harness = HTTP1SessionHarness(reply: answer)
        harness.feed(get)
        live.begin(ResponseHead(status: 200, fields: [], framing: .chunked))
        harness.advance(to: harness.now)
        let givenUp = harness.session.abandon()
        #expect(givenUp?.response === live)
        #expect(givenUp?.hasBegun == true)
        #expect(harness.session.ending == .cut)
    }

    // MARK: Upgrade

    @Test(arguments: Feeding.allCases)
    private func `a client that asks to go on in HTTP 2 may where that is allowed`(_ feeding: Feeding) {
        let request =
            "GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n"
        let harness = HTTP1SessionHarness()
        harness.session.begin(.init(allowsUpgrade: true))
        harness.feed(request, feeding)
        #expect(harness.told == ["upgrade 6"])
        let other = HTTP1SessionHarness()
        other.feed(request, feeding)
        #expect(other.told == ["GET /a [0]"])
    }
}
