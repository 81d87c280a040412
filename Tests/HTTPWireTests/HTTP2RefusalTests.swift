// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What a client of HTTP/2 does wrong is answered where it can be, and told in any case.
@Suite(.supervised) struct HTTP2RefusalTests {
    struct Malformed: CustomTestStringConvertible {
        let fields: [(String, String)]
        let text: String
        var testDescription: String { text }
    }

    private static func added(_ name: String, _ value: String, _ text: String) -> Malformed {
        Malformed(
            fields: [(":method", "GET"), (":scheme", "http"), (":authority", "a"), (":path", "/x"), (name, value)],
            text: text)
    }

    private static func whole(_ fields: [(String, String)], _ text: String) -> Malformed {
        Malformed(fields: fields, text: text)
    }

    private static let method = (":method", "GET")
    private static let scheme = (":scheme", "http")
    private static let authority = (":authority", "a")
    private static let path = (":path", "/x")

    private static let fieldCases = [
        added(
            "authorization", "Bearer s3cret ",
            "the value of authorization has white space behind it, which HTTP/2 does not allow"),
        added(
            "authorization", " s3cret",
            "the value of authorization has white space in front of it, which HTTP/2 does not allow"),
        added("x", "\ts3cret", "the value of x has white space in front of it, which HTTP/2 does not allow"),
        added("x", "s3\u{1}cret", "the value of x has the control byte 0x01"),
        added("x", "s3\u{7F}cret", "the value of x has the control byte 0x7F"),
        added("content-length", "5", "content-length announces 5 bytes, and the content has 0"),
        added("content-length", "+5", "content-length is not a decimal number"),
        added("content-length", "", "content-length is not a decimal number"),
        added("host", "other.example", "host says something other than :authority"),
        added("connection", "close", "connection is a field of HTTP/1.1's connections, and has no place in HTTP/2"),
        added("keep-alive", "1", "keep-alive is a field of HTTP/1.1's connections, and has no place in HTTP/2"),
        added(
            "proxy-connection", "1", "proxy-connection is a field of HTTP/1.1's connections, and has no place in HTTP/2"
        ),
        added("upgrade", "x", "upgrade is a field of HTTP/1.1's connections, and has no place in HTTP/2"),
        added(
            "transfer-encoding", "chunked",
            "transfer-encoding is a field of HTTP/1.1's connections, and has no place in HTTP/2"),
        added("te", "gzip", "te says something other than trailers"),
        added("Upper", "s3cret", "the field name Upper has capital letters, which HTTP/2 does not allow"),
        added("a b", "s3cret", "a field name has byte 0x20, which cannot stand in one"),
        added("", "s3cret", "a field name is empty"),
    ]

    private static let pseudoCases = [
        added(":path", "/twice", "the request has more than one :path"),
        added(":status", "200", ":status is not a pseudo-header field of a request"),
        whole([method, scheme, ("x", "y"), authority, path], ":authority stands behind other fields"),
        whole([scheme, authority, path], "the request has no :method"),
        whole([method, authority, path], "the request has no :scheme"),
        whole([method, scheme, authority], "the request has no :path"),
        whole([method, scheme, path], "the request has neither :authority nor host"),
        whole([method, scheme, (":authority", ""), path], ":authority is empty"),
        whole([method, scheme, authority, (":path", "")], ":path is empty"),
        whole([(":method", "G T"), scheme, authority, path], ":method has a byte that cannot stand there"),
        whole([method, (":scheme", "1http"), authority, path], ":scheme has a byte that cannot stand there"),
        whole([method, scheme, authority, (":path", "x")], ":path does not start with /"),
        whole([method, scheme, authority, (":path", "*")], "only OPTIONS may have the target *"),
        whole([(":method", "CONNECT"), authority, path], "CONNECT has :authority, and neither :scheme nor :path"),
        whole(
            [method, scheme, authority, path, ("host", "a"), ("host", "a")], "the request has more than one host line"),
        whole(
            [method, scheme, authority, path, ("content-length", "0"), ("content-length", "0")],
            "the request has more than one content-length"),
    ]

    @Test(arguments: fieldCases + pseudoCases)
    func `a malformed request is answered 400 in words, and its stream is reset behind the response`(
        _ example: Malformed
    ) {
        let harness = HTTP2SessionHarness()
        harness.feed(.headers(stream: 1, example.fields))
        #expect(harness.requests.isEmpty)
        #expect(harness.refusals == [RequestError(400, example.text)])
        let size = example.text.utf8.count
        #expect(harness.story() == ["HEADERS 1 400", "DATA 1 \(size) END", "RST_STREAM 1 1"])
        harness.feed(.request(stream: 3, "/"))
        #expect(harness.story().last == "DATA 3 2 END")
        #expect(harness.told.isEmpty)
    }

    @Test(arguments: [1, 3, Int.max])
    func `content and trailers that break the rules are answered 400, however they come`(piece: Int) {
        let open = HTTP2Frame.request(stream: 1, "POST", "/", [("content-length", "2")], endsStream: false)
        let plain = HTTP2Frame.request(stream: 1, "POST", "/", endsStream: false)
        let cases: [(frames: [HTTP2Frame], text: String)] = [
            ([open, .data(stream: 1, [1])], "content-length announces 2 bytes, and the content has 1"),
            ([open, .data(stream: 1, [1, 2, 3])], "content-length announces 2 bytes, and the content has more"),
            (
                [open, .data(stream: 1, [1], endsStream: false), .headers(stream: 1, [("a", "b")])],
                "content-length announces 2 bytes, and the content has 1"
            ),
            ([plain, .headers(stream: 1, [("a", "b")], endsStream: false)], "the trailers do not end the request"),
            ([plain, .headers(stream: 1, [(":path", "/")])], "the trailers have the pseudo-header field :path"),
            ([plain, .headers(stream: 1, [("host", "a")])], "a trailer cannot be host"),
            ([plain, .headers(stream: 1, [("content-length", "0")])], "a trailer cannot be content-length"),
            (
                [plain, .headers(stream: 1, [("A", "b")])],
                "the field name A has capital letters, which HTTP/2 does not allow"
            ),
        ]
        for (frames, text) in cases {
            let harness = HTTP2SessionHarness()
            harness.feed(frames.flatMap(\.bytes), piece: piece)
            #expect(harness.refusals == [RequestError(400, text)])
            #expect(harness.requests.isEmpty && harness.story().last == "RST_STREAM 1 1", "\(text)")
            harness.feed(.request(stream: 3, "/"))
            #expect(harness.story().last == "DATA 3 2 END", "\(text)")
        }
    }

    @Test func `right requests stay right`() {
        let harness = HTTP2SessionHarness()
        harness.feed(
            .request(stream: 1, "/", [("te", "Trailers"), ("x", ""), ("y", "a\tb c"), ("content-length", "0")]),
            .request(stream: 3, "POST", "/", [("content-length", "3")], endsStream: false),
            .data(stream: 3, [1], endsStream: false), .data(stream: 3, [2, 3], endsStream: false),
            .headers(stream: 3, [("x-sum", "1")]),
            .headers(stream: 5, [(":method", "GET"), (":scheme", "ftp"), (":authority", "a"), (":path", "x")]),
            .headers(stream: 7, [(":method", "OPTIONS"), (":scheme", "http"), (":authority", "a"), (":path", "*")]),
            .headers(stream: 9, [(":method", "GET"), (":scheme", "https"), (":path", "/"), ("host", "a")]),
            .headers(stream: 11, [(":method", "GET"), (":scheme", "ftp"), (":path", "x"), ("host", "")]))
        #expect(harness.requests.count == 6 && harness.refusals.isEmpty)
    }

    @Test func `a scheme begins with a letter, and goes on with letters, digits and three other characters`() {
        for byte in UInt8.min..<0x80 {
            let sign = UnicodeScalar(byte)
            let isLetter = sign.properties.isAlphabetic
            for (scheme, isOne) in [
                ("\(sign)x", isLetter), ("x\(sign)", isLetter || "0123456789+-.".unicodeScalars.contains(sign)),
            ] {
                let harness = HTTP2SessionHarness()
                harness.feed(
                    .headers(stream: 1, [(":method", "GET"), (":scheme", scheme), (":authority", "a"), (":path", "/")]))
                #expect((harness.requests.count == 1) == isOne, "\(scheme.debugDescription)")
            }
        }
    }

    @Test func `a connection that is dropped is told once, with the cause`() {
        let flooded = HTTP2SessionHarness()
        for _ in 0..<1_100 { flooded.feed(HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))) }
        #expect(
            flooded.told == [
                "dropped  0: the connection is dropped with error code 11 (RFC 9113 §7): "
                    + "too many PING, SETTINGS, PRIORITY or unknown frames"
            ])
        let broken = HTTP2SessionHarness()
        broken.feed(.data(stream: 0, [1]))
        _ = broken.story()
        broken.advance(milliseconds: 1)
        broken.wake(1)
        #expect(
            broken.told == [
                "dropped  0: the connection is dropped with error code 1 (RFC 9113 §7): DATA: stream_id == 0"
            ])
    }

    @Test func `a stream that breaks the protocol before its request is complete is told`() {
        let harness = HTTP2SessionHarness()
        harness.feed(
            .request(stream: 1, "POST", "/late", endsStream: false), .windowUpdate(stream: 1, 0x7FFF_FFFF))
        #expect(harness.story().contains("RST_STREAM 1 3"))
        harness.wake(1)
        #expect(
            harness.told == [
                "dropped /late 1: the stream breaks HTTP/2 and is reset with error code 3 (RFC 9113 §7)"
            ])
    }
}
