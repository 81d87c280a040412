// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What RFC 9113 says of frames, section by section: which are taken, which end their stream, and which the connection.
///
/// An error of a stream may be treated as one of the connection (§5.4), which nghttp2 does in 5.3.1 and 6.9.
@Suite(.supervised) struct HTTP2ConformanceTests {
    /// What becomes of a connection on which frames have come.
    enum Verdict: Equatable {
        /// Requests on it are answered.
        case goesOn
        /// A stream is reset with a code, and requests on others are answered.
        case streamError(UInt32)
        /// The connection ends by GOAWAY with a code.
        case connectionError(UInt32)
    }

    struct Case: CustomTestStringConvertible {
        let section: String
        let text: String
        let frames: [HTTP2Frame]
        let verdict: Verdict

        init(_ section: String, _ text: String, _ verdict: Verdict, _ frames: HTTP2Frame...) {
            self.section = section
            self.text = text
            self.frames = frames
            self.verdict = verdict
        }

        var testDescription: String { "\(section): \(text)" }
    }

    // MARK: Error codes (§7)

    private static let protocolError = Verdict.connectionError(1)
    private static let flowControlError = Verdict.connectionError(3)
    private static let streamClosed = Verdict.connectionError(5)
    private static let frameSizeError = Verdict.connectionError(6)
    private static let compressionError = Verdict.connectionError(9)

    // MARK: Frames

    private static let head = HeaderBlock.encode([
        (":method", "POST"), (":scheme", "http"), (":path", "/"), (":authority", "a"),
    ])
    /// A request whose content is still to come.
    private static let open = HTTP2Frame.request(stream: 1, "POST", "/", endsStream: false)
    /// A request that is complete and answered at once.
    private static let whole = HTTP2Frame.request(stream: 1, "/")
    /// A request that is complete and answered late.
    private static let late = HTTP2Frame.request(stream: 1, "/late")
    /// A header section that goes on.
    private static let begun = HTTP2Frame(.headers, flags: HTTP2Frame.endStream, stream: 1, head)
    private static let ending = HTTP2Frame(.continuation, flags: HTTP2Frame.endHeaders, stream: 1, [])
    private static let reset = HTTP2Frame.reset(stream: 1, code: 8)
    private static let padded: UInt8 = 0x8
    private static let priority: UInt8 = 0x20
    private static let pushPromise: UInt8 = 5

    private static func data(_ count: Int) -> HTTP2Frame { .data(stream: 1, [UInt8](repeating: 0, count: count)) }

    private static func goAway(stream: UInt32, code: UInt32) -> HTTP2Frame {
        HTTP2Frame(.goAway, stream: stream, HTTP2Frame.bytes(0) + HTTP2Frame.bytes(code))
    }

    private static func request(_ fields: [(String, String)], endsStream: Bool = true) -> HTTP2Frame {
        .headers(stream: 1, fields, endsStream: endsStream)
    }

    private static let frameCases = [
        Case("4.1", "a frame of an unknown type", .goesOn, HTTP2Frame(kind: 0x16, flags: 0, stream: 0, payload: [1])),
        Case(
            "4.1", "flags without meaning", .goesOn, HTTP2Frame(.ping, flags: 0x16, [UInt8](repeating: 0, count: 8))),
        Case("4.2", "DATA of 16,384 bytes", .goesOn, open, data(16_384)),
        Case("4.2", "DATA that is too large", frameSizeError, open, data(16_385)),
        Case(
            "4.2", "HEADERS that is too large", frameSizeError,
            HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: 1, [UInt8](repeating: 0, count: 16_385))),
        Case(
            "4.3", "a header section that is no HPACK", compressionError,
            HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])),
        Case(
            "4.3", "PRIORITY inside a header section", protocolError, begun,
            HTTP2Frame(.priority, stream: 1, [0, 0, 0, 0, 1])),
        Case("4.3", "HEADERS of another stream inside one", protocolError, begun, .request(stream: 3, "/")),
        Case(
            "5.5", "a frame of an unknown type inside one", protocolError, begun,
            HTTP2Frame(kind: 0x16, flags: 0, stream: 0, payload: [])),
        Case("6.2", "HEADERS on no stream", protocolError, .request(stream: 0, "/")),
        Case(
            "6.2", "padding longer than the frame", protocolError,
            HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders | padded, stream: 1, [200] + head)),
        Case("6.10", "CONTINUATION in pieces", .goesOn, begun, HTTP2Frame(.continuation, stream: 1, []), ending),
        Case("6.10", "CONTINUATION on no stream", protocolError, begun, HTTP2Frame(.continuation, stream: 0, [])),
        Case("6.10", "CONTINUATION of another stream", protocolError, begun, HTTP2Frame(.continuation, stream: 3, [])),
        Case("6.10", "CONTINUATION behind the end", protocolError, open, ending),
        Case("6.10", "DATA in the place of CONTINUATION", protocolError, begun, data(1)),
        Case(
            "6.6", "PUSH_PROMISE", protocolError, open,
            HTTP2Frame(kind: pushPromise, flags: HTTP2Frame.endHeaders, stream: 1, payload: HTTP2Frame.bytes(2) + head)),
    ]

    private static let stateCases = [
        Case("5.1 idle", "DATA", protocolError, data(1)),
        Case("5.1 idle", "RST_STREAM", protocolError, reset),
        Case("5.1 idle", "WINDOW_UPDATE", protocolError, .windowUpdate(stream: 1, 1)),
        Case("5.1 idle", "CONTINUATION", protocolError, ending),
        Case("5.1 idle", "PRIORITY", .goesOn, HTTP2Frame(.priority, stream: 1, [0, 0, 0, 0, 1])),
        Case("5.1 half-closed", "DATA", streamClosed, late, data(1)),
        Case("5.1 half-closed", "HEADERS", streamClosed, late, whole),
        Case("5.1 half-closed", "CONTINUATION", protocolError, late, ending),
        Case("5.1 half-closed", "WINDOW_UPDATE", .goesOn, late, .windowUpdate(stream: 1, 1)),
        Case("5.1 half-closed", "PRIORITY", .goesOn, late, HTTP2Frame(.priority, stream: 1, [0, 0, 0, 0, 1])),
        Case("5.1 half-closed", "RST_STREAM", .goesOn, late, reset),
        Case("5.1 closed", "DATA", streamClosed, whole, data(1)),
        Case("5.1 closed", "HEADERS", streamClosed, whole, whole),
        Case("5.1 closed", "CONTINUATION", protocolError, whole, ending),
        Case("5.1 closed", "WINDOW_UPDATE", .goesOn, whole, .windowUpdate(stream: 1, 1)),
        Case("5.1 closed", "RST_STREAM", .goesOn, whole, reset),
        Case("5.1 closed", "DATA behind RST_STREAM", streamClosed, open, reset, data(1)),
        Case("5.1 closed", "HEADERS behind RST_STREAM", streamClosed, open, reset, whole),
        Case("5.1 closed", "WINDOW_UPDATE behind RST_STREAM", .goesOn, open, reset, .windowUpdate(stream: 1, 1)),
        Case("5.1 closed", "RST_STREAM twice", .goesOn, open, reset, reset),
        Case("5.1 closed", "CONTINUATION behind RST_STREAM", protocolError, open, reset, ending),
        Case("5.1.1", "an even number", protocolError, .request(stream: 2, "/")),
        Case("5.1.1", "a number below one that was passed over", protocolError, .request(stream: 5, "/"), open),
        Case(
            "5.3.1", "HEADERS that depend on their own stream", protocolError,
            HTTP2Frame(
                .headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream | priority, stream: 1,
                [0, 0, 0, 1, 7] + head)),
    ]

    private static let ruleCases = [
        Case("6.1", "DATA on no stream", protocolError, .data(stream: 0, [1])),
        Case(
            "6.1", "padding", .goesOn, open,
            HTTP2Frame(.data, flags: padded | HTTP2Frame.endStream, stream: 1, [2, 1, 0, 0])),
        Case(
            "6.1", "padding longer than the frame", protocolError, open,
            HTTP2Frame(.data, flags: padded, stream: 1, [9, 1])),
        Case("6.3", "PRIORITY on no stream", protocolError, HTTP2Frame(.priority, [0, 0, 0, 0, 1])),
        Case("6.3", "PRIORITY of 4 bytes", frameSizeError, HTTP2Frame(.priority, stream: 1, [0, 0, 0, 0])),
        Case("6.4", "RST_STREAM on no stream", protocolError, .reset(stream: 0, code: 8)),
        Case("6.4", "RST_STREAM of 3 bytes", frameSizeError, open, HTTP2Frame(.reset, stream: 1, [0, 0, 0])),
        Case("7", "RST_STREAM with an unknown code", .goesOn, open, .reset(stream: 1, code: 0xFF)),
        Case("6.5", "SETTINGS on a stream", protocolError, HTTP2Frame(.settings, stream: 1)),
        Case("6.5", "SETTINGS of 5 bytes", frameSizeError, HTTP2Frame(.settings, [0, 1, 0, 0, 0])),
        Case(
            "6.5", "an acknowledgement with content", frameSizeError,
            HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement, [0, 1, 0, 0, 0, 0])),
        Case("6.5.2", "ENABLE_PUSH of 2", protocolError, .settings([(2, 2)])),
        Case("6.5.2", "a window beyond 2^31-1", flowControlError, .settings([(4, 0x8000_0000)])),
        Case("6.5.2", "frames below 16,384 bytes", protocolError, .settings([(5, 16_383)])),
        Case("6.5.2", "frames beyond 2^24-1 bytes", protocolError, .settings([(5, 16_777_216)])),
        Case("6.5.2", "an unknown setting", .goesOn, .settings([(0xFF, 1)])),
        Case("6.7", "PING on a stream", protocolError, HTTP2Frame(.ping, stream: 1, [UInt8](repeating: 0, count: 8))),
        Case("6.7", "PING of 6 bytes", frameSizeError, HTTP2Frame(.ping, [UInt8](repeating: 0, count: 6))),
        Case("6.8", "GOAWAY on a stream", protocolError, goAway(stream: 1, code: 0)),
        Case("6.9", "WINDOW_UPDATE by 0", protocolError, .windowUpdate(stream: 0, 0)),
        Case("6.9", "WINDOW_UPDATE of a stream by 0", protocolError, open, .windowUpdate(stream: 1, 0)),
        Case("6.9", "WINDOW_UPDATE of 3 bytes", frameSizeError, HTTP2Frame(.windowUpdate, [0, 0, 1])),
        Case("6.9.1", "a window beyond 2^31-1", flowControlError, .windowUpdate(stream: 0, 0x7FFF_FFFF)),
        Case("6.9.1", "a stream's window beyond 2^31-1", .streamError(3), open, .windowUpdate(stream: 1, 0x7FFF_FFFF)),
        Case(
            "6.9.2", "a stream's window beyond 2^31-1 by SETTINGS", flowControlError, open,
            .windowUpdate(stream: 1, 0x7FFF_0000), .settings([(4, 0x7FFF_FFFF)])),
    ]

    private static let messageCases = [
        Case(
            "8.1", "trailers that do not end the stream", .streamError(1), open,
            .headers(stream: 1, [("a", "b")], endsStream: false)),
        Case("8.1", "a pseudo-header field in trailers", .streamError(1), open, request([(":method", "GET")])),
        Case("8.2.1", "a name in upper case", .streamError(1), .request(stream: 1, "/", [("X-A", "b")])),
        Case(
            "8.3", "an unknown pseudo-header field", .streamError(1),
            request([(":method", "GET"), (":scheme", "http"), (":path", "/"), (":test", "x")])),
        Case(
            "8.3", "that of a response", .streamError(1),
            request([(":method", "GET"), (":scheme", "http"), (":path", "/"), (":status", "200")])),
        Case(
            "8.3", "one behind other fields", .streamError(1),
            request([(":method", "GET"), (":scheme", "http"), ("x", "y"), (":path", "/")])),
        Case(
            "8.3.1", "an empty path", .streamError(1),
            request([(":method", "GET"), (":scheme", "http"), (":path", "")])),
        Case("8.3.1", "no method", .streamError(1), request([(":scheme", "http"), (":path", "/")])),
        Case("8.3.1", "no scheme", .streamError(1), request([(":method", "GET"), (":path", "/")])),
        Case("8.3.1", "no path", .streamError(1), request([(":method", "GET"), (":scheme", "http")])),
        Case(
            "8.3.1", "a method twice", .streamError(1),
            request([(":method", "GET"), (":method", "GET"), (":scheme", "http"), (":path", "/")])),
        Case(
            "8.1.1", "a length that is not the content's", .streamError(1),
            .request(stream: 1, "POST", "/", [("content-length", "2")], endsStream: false), data(1)),
        Case(
            "8.1.1", "a length that is not that of several frames", .streamError(1),
            .request(stream: 1, "POST", "/", [("content-length", "3")], endsStream: false),
            .data(stream: 1, [1], endsStream: false), data(1)),
        Case(
            "8.5", "CONNECT with a path", .streamError(1),
            request([(":method", "CONNECT"), (":authority", "a:1"), (":path", "/")])),
    ]

    @Test(arguments: frameCases + stateCases + ruleCases + messageCases)
    func `frames are taken as RFC 9113 has it`(_ example: Case) {
        let harness = HTTP2SessionHarness { stream in
            var delivery = Delivery()
            if stream.text.contains("/late") { delivery.delay = 1_000_000 }
            return HTTP2SessionHarness.response(body: "ok", delivery)
        }
        var story: [String] = []
        for frame in example.frames {
            harness.feed(frame)
            story += harness.story()
        }
        if !harness.session.isFinished {
            harness.feed(.request(stream: 101, "/"))
            story += harness.story()
        }
        let ended = story.last { $0.hasPrefix("GOAWAY ") }.flatMap { $0.split(separator: " ").last }
        let isAnswered = story.contains("DATA 101 2 END")
        let errors = story.filter { $0.hasPrefix("RST_STREAM ") && !$0.hasSuffix(" 0") }
        switch example.verdict {
        case .goesOn: #expect(isAnswered && errors.isEmpty && ended == nil, "\(story)")
        case .streamError(let code):
            #expect(isAnswered && errors == ["RST_STREAM 1 \(code)"] && ended == nil, "\(story)")
        case .connectionError(let code): #expect(ended == "\(code)" && harness.session.isFinished, "\(story)")
        }
    }

    @Test func `a response to PING has the same bytes, and a response is not answered`() {
        let harness = HTTP2SessionHarness()
        harness.feed(
            HTTP2Frame(.ping, flags: HTTP2Frame.acknowledgement, [8, 7, 6, 5, 4, 3, 2, 1]),
            HTTP2Frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]))
        let frames = harness.frames()
        #expect(frames.map(\.payload) == [[1, 2, 3, 4, 5, 6, 7, 8]])
        #expect(frames.first?.flags == HTTP2Frame.acknowledgement)
    }

    @Test func `a smaller initial window leaves those of open streams negative`() {
        let harness = HTTP2SessionHarness(settings: [(4, 3)]) { _ in HTTP2SessionHarness.response(body: "0123456789") }
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story().last == "DATA 1 3")
        // 3 bytes are on their way: the window is -1 now (RFC 9113 §6.9.2).
        harness.feed(.settings([(4, 2)]), .windowUpdate(stream: 1, 1))
        #expect(harness.story() == ["SETTINGS ACK"])
        harness.feed(.windowUpdate(stream: 1, 2))
        #expect(harness.story() == ["DATA 1 2"])
    }

    @Test func `the last of several initial windows in one frame holds`() {
        let harness = HTTP2SessionHarness(settings: [(4, 100), (4, 1)]) { _ in HTTP2SessionHarness.response(body: "ab")
        }
        harness.feed(.request(stream: 1, "/"))
        #expect(harness.story().last == "DATA 1 1")
    }
}
