// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiHTTPWire

@Suite(.supervised) struct HTTP2SessionTests {
    @Test(arguments: [1, 2, 7, 1000])
    func `a request is the same however its bytes are cut`(piece: Int) {
        let harness = HTTP2SessionHarness()
        let frames = [
            HTTP2Frame.request(stream: 1, "POST", "/a/b?c=d", [("accept", "*/*")], endsStream: false),
            .data(stream: 1, Array("one".utf8), endsStream: false),
            .data(stream: 1, Array("two".utf8), endsStream: false),
            .headers(stream: 1, [("x-sum", "6")]), .request(stream: 3, "/"),
        ]
        harness.feed(frames.flatMap(\.bytes), piece: piece)
        #expect(
            harness.requests == [
                "POST|/a/b?c=d|localhost|host: localhost|accept: */*|onetwo|x-sum: 6",
                "GET|/|localhost|host: localhost|",
            ])
        #expect(
            harness.story().filter { !$0.hasPrefix("SETTINGS") } == [
                "HEADERS 1 200", "HEADERS 3 200", "DATA 1 2 END", "DATA 3 2 END",
            ])
    }

    @Test func `a field name is sent in lower case, its value trimmed, and none of the connection`() throws {
        let fields = [
            ("Content-Type", " text/plain\t"), ("Connection", "close"), ("Keep-Alive", "1"), ("Upgrade", "x"),
            ("Transfer-Encoding", "chunked"), ("Proxy-Connection", "y"), ("X-A", "1"), ("X-A", "2"),
        ]
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(201, fields, body: "abc") }
        harness.feed(.request(stream: 1, "/"))
        let head = try #require(harness.frames().first { $0.isKind(.headers) })
        let lines = HeaderReader().read(head.payload).map { "\($0.name): \($0.value)" }
        #expect(
            lines == [
                ":status: 201", "content-type: text/plain", "x-a: 1", "x-a: 2", "content-length: 3",
                "date: Sat, 21 Nov 2026 07:00:00 GMT",
            ])
    }

    @Test func `a HEAD is answered without content`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "HEAD", "/"))
        #expect(harness.story().contains("HEADERS 1 200 END"))
    }

    @Test func `trailers come behind the content and end the stream`() {
        let harness = HTTP2SessionHarness { _ in
            Response(
                head: ResponseHead(status: 200, fields: [], framing: .chunked), body: .bytes([1, 2, 3]),
                trailers: [WireField("X-Sum", "6")])
        }
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story().suffix(3) == ["HEADERS 1 200", "DATA 1 3", "HEADERS 1 6 END"])
    }

    @Test func `a cookie that came in pieces is one field`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "/", [("cookie", "a=1"), ("x", "y"), ("cookie", "b=2"), ("cookie", "c=3")]))
        #expect(harness.requests == ["GET|/|localhost|host: localhost|cookie: a=1; b=2; c=3|x: y|"])
    }

    @Test func `the authority goes by host where there is no other`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "/", [("host", "a.example")], authority: nil))
        harness.feed(.request(stream: 3, "/", [("host", "LOCALHOST")]))
        #expect(
            harness.requests == ["GET|/|a.example|host: a.example|", "GET|/|localhost|host: LOCALHOST|"])
    }

    @Test(arguments: [
        ("http", "localhost", "localhost:80"), ("http", "localhost:80", "LocalHost"),
        ("http", "localhost:", "localhost"),
        ("https", "localhost", "localhost:443"), ("https", "[::1]:443", "[::1]"), ("http", "a:8080", "A:8080"),
    ])
    func `a host that says the same as the authority is well`(scheme: String, authority: String, host: String) {
        let harness = HTTP2SessionHarness()
        harness.feed(
            .headers(
                stream: 1,
                [
                    (":method", "GET"), (":scheme", scheme), (":path", "/"), (":authority", authority), ("host", host),
                ]))
        #expect(harness.requests == ["GET|/|\(authority)|host: \(host)|"])
    }

    @Test(arguments: [
        ("http", "localhost", "localhost:443"), ("https", "localhost", "localhost:80"), ("http", "[::1]", "[::2]"),
        ("http", "a:8080", "a:8081"), ("http", "a", "b"), ("http", "a:80", "a:x"), ("x", "a", "a:80"),
    ])
    func `a host that says otherwise is malformed`(scheme: String, authority: String, host: String) {
        let harness = HTTP2SessionHarness()
        harness.feed(
            .headers(
                stream: 1,
                [
                    (":method", "GET"), (":scheme", scheme), (":path", "/"), (":authority", authority), ("host", host),
                ]))
        #expect(harness.requests.isEmpty)
        #expect(harness.story().last == "RST_STREAM 1 1")
    }

    @Test func `CONNECT is handed out before its stream ends`() {
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(501, body: "no") }
        harness.feed(.headers(stream: 1, [(":method", "CONNECT"), (":authority", "a:1")], endsStream: false))
        #expect(harness.requests == ["CONNECT|a:1|a:1|host: a:1|"])
        #expect(harness.story().suffix(3) == ["HEADERS 1 501", "DATA 1 2 END", "RST_STREAM 1 0"])
        // What the tunnel would have had may still be on its way.
        harness.feed(.data(stream: 1, [1, 2, 3]), .request(stream: 3, "/"))
        #expect(harness.story().contains("DATA 3 2 END"))
    }

    @Test func `a header section of any size that a fixture may have is sent`() throws {
        let value = String(repeating: "v", count: 50_000)
        let fields = (0..<4).map { ("x-\($0)", value) }
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(200, fields, body: "ok") }
        harness.feed(.request(stream: 1, "/"))
        // The content waits until the queue has room again.
        let frames = harness.frames() + harness.frames()
        let section = frames.filter { $0.isKind(.headers) || $0.isKind(.continuation) }.flatMap(\.payload)
        let read = HeaderReader().read(section)
        #expect(read.filter { $0.value == value }.map(\.name) == ["x-0", "x-1", "x-2", "x-3"])
        #expect(frames.last.map { $0.isKind(.data) && $0.endsStream } == true)
    }

    @Test func `a header section beyond all measure has its stream reset`() {
        let fields = [("x", String(repeating: "v", count: HTTP2Limits.maxSentHead))]
        let harness = HTTP2SessionHarness { stream in
            HTTP2SessionHarness.response(200, stream.id == 1 ? fields : [], body: "ok")
        }
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story().last == "RST_STREAM 1 2")
        harness.feed(.request(stream: 3, "/"))
        #expect(harness.told == ["unsent 200 to / 1"])
        #expect(harness.story() == ["HEADERS 3 200", "DATA 3 2 END"])
    }

    @Test(arguments: [
        // The client's streams in order, and what is said to the last.
        ([5, 3], "GOAWAY 5 1"), ([1, 3, 9, 7], "GOAWAY 9 1"), ([1, 3, 1], "GOAWAY 3 5"), ([9, 11, 5], "GOAWAY 11 1"),
    ])
    func `a stream below the highest cannot be opened`(numbers: [UInt32], last: String) {
        let harness = HTTP2SessionHarness()
        for number in numbers.dropLast() { harness.feed(.request(stream: number, "/")) }
        #expect(harness.requests.count == numbers.count - 1)
        _ = harness.story()
        harness.feed(.request(stream: numbers.last ?? 0, "/"))
        #expect(harness.story().last == last)
        #expect(harness.session.isFinished)
    }

    @Test func `gaps between streams are remembered up to a number`() {
        var gaps = StreamGaps()
        let opened = (0...Int32(HTTP2Limits.maxGaps)).map { 4 * $0 + 3 }
        let first = opened.filter { gaps.mayOpen($0) }
        let again = opened.filter { gaps.mayOpen($0) }
        #expect(first == opened && again == opened)
        // The oldest gap is forgotten.
        let skipped = opened.filter { gaps.mayOpen($0 - 2) }
        #expect(skipped == [3])
        let last = gaps.mayOpen(.max)
        let behind = gaps.mayOpen(.max - 2)
        #expect(last && !behind)
    }

    @Test(arguments: [
        ("/a b", "the request target has byte 0x20, which must be percent-encoded"),
        ("/a#b", "the request target has byte 0x23, which must be percent-encoded"),
    ])
    func `a target with bytes that have no place in it is answered 400`(path: String, text: String) {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, path))
        #expect(harness.refusals == [RequestError(400, text)], "\(path)")
        #expect(harness.requests.isEmpty)
    }

    @Test func `a client that waits is invited to send its content`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "PUT", "/", [("expect", "100-continue")], endsStream: false))
        #expect(harness.story().contains("HEADERS 1 100"))
        harness.feed(.data(stream: 1, Array("x".utf8)))
        #expect(harness.story().contains("HEADERS 1 200"))
    }

    @Test func `an unknown expectation is answered 417`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "PUT", "/", [("expect", "more")], endsStream: false))
        #expect(harness.refusals == [RequestError(417, "the only expectation known is 100-continue")])
    }

    @Test func `content beyond the limit is answered 413, and the client told to send no more`() {
        let harness = HTTP2SessionHarness(limits: RequestLimits(maxBody: 10))
        harness.feed(.request(stream: 1, "PUT", "/", [("content-length", "11")], endsStream: false))
        harness.feed(
            .request(stream: 3, "PUT", "/", endsStream: false),
            .data(stream: 3, [UInt8](repeating: 0, count: 11), endsStream: false))
        #expect(harness.refusals.map(\.status) == [413, 413])
        let story = harness.story()
        #expect(story.contains("RST_STREAM 1 0") && story.contains("RST_STREAM 3 0"))
    }

    @Test func `a header section beyond the limit is answered 431, and the connection goes on`() {
        let harness = HTTP2SessionHarness(limits: RequestLimits(maxHead: 2000))
        harness.feed(.request(stream: 1, "/", [("x", String(repeating: "y", count: 2000))]))
        #expect(
            harness.refusals == [
                RequestError(431, "the head of the request is longer than 2000 bytes", exceeded: .head)
            ])
        harness.feed(.request(stream: 3, "/"))
        #expect(harness.story().last == "DATA 3 2 END")
    }

    @Test func `content waits for the windows of its stream and of the connection`() {
        let harness = HTTP2SessionHarness(settings: [(4, 10)]) { _ in
            HTTP2SessionHarness.response(body: "0123456789abcdef")
        }
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story().suffix(2) == ["HEADERS 1 200", "DATA 1 10"])
        harness.feed(.windowUpdate(stream: 1, 1))
        #expect(harness.story() == ["DATA 1 1"])
        harness.feed(.windowUpdate(stream: 1, 100))
        #expect(harness.story() == ["DATA 1 5 END"])
    }

    @Test func `a window is opened as content is taken`() {
        let harness = HTTP2SessionHarness()
        harness.feed(.request(stream: 1, "PUT", "/", endsStream: false))
        _ = harness.story()
        for _ in 0..<40 { harness.feed(.data(stream: 1, [UInt8](repeating: 0, count: 16_384), endsStream: false)) }
        #expect(harness.story().contains { $0.hasPrefix("WINDOW_UPDATE 1 ") })
    }

    @Test func `no more is written at once than is asked for`() {
        let body = String(repeating: "x", count: 60_000)
        let harness = HTTP2SessionHarness { _ in HTTP2SessionHarness.response(body: body) }
        harness.feed(.request(stream: 1, "/"))
        let first = harness.bytes(limit: 1000)
        #expect(first.count < 20_000)
        #expect(first.count + harness.bytes().count > 60_000)
    }

    @Test func `a drain lets the client finish what it has begun`() {
        let harness = HTTP2SessionHarness()
        harness.session.beginDrain()
        #expect(harness.story() == ["GOAWAY 2147483647 0"])
        harness.feed(.request(stream: 1, "PUT", "/", endsStream: false))
        harness.session.finishDrain()
        #expect(harness.story().contains("GOAWAY 1 0"))
        #expect(!harness.session.isFinished)
        harness.feed(.data(stream: 1, []))
        #expect(harness.story() == ["HEADERS 1 200", "DATA 1 2 END"])
        #expect(harness.session.isFinished)
    }

    @Test func `an upgraded request is stream 1`() throws {
        let harness = HTTP2SessionHarness()
        let session = HTTP2Session(limits: RequestLimits(), pool: HTTP2StreamPool())
        var parser = HTTP1Parser()
        let input = ByteBuffer()
        input.append(Array("GET /up HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        while case .head = parser.next(input) {}
        let isUpgraded = session.upgrade(settings: [0, 3, 0, 0, 0, 100], of: Request(head: parser.head))
        #expect(isUpgraded)
        guard case .request(let stream)? = session.nextEvent() else {
            Issue.record("there is no request")
            return
        }
        #expect(stream.id == 1 && stream.head.version == .http2)
        #expect(stream.text == "GET|/up|a|Host: a|")
        let isAccepted = session.upgrade(settings: [1], of: Request(head: parser.head))
        #expect(!isAccepted)
        withExtendedLifetime(harness) {}
    }
}
