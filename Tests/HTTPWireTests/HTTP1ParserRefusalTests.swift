// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import Testing

private let get = "GET / HTTP/1.1\r\n"
private let host = "Host: a\r\n"
private let post = "POST / HTTP/1.1\r\nHost: a\r\n"
private let chunked = post + "Transfer-Encoding: chunked\r\n\r\n"

@Suite(.supervised) struct HTTP1ParserRefusalTests {
    private func expect(_ text: String, _ status: Int, _ words: String) {
        let reading = readInEveryWay(text)
        let expected = RequestError(status, words, exceeded: status == 413 ? .content : nil)
        #expect(reading?.refusal == expected, "\(text.debugDescription): \(reading.debugDescription)")
    }

    @Test(arguments: [
        ("GET  / HTTP/1.1\r\n", "the request line is not: method, space, target, space, version"),
        ("GET /  HTTP/1.1\r\n", "the request line does not end with a version such as HTTP/1.1"),
        ("GET / HTTP/1.1 \r\n", "the request line does not end with a version such as HTTP/1.1"),
        ("GET / http/1.1\r\n", "the request line does not end with a version such as HTTP/1.1"),
        ("GET / HTTP/1.10\r\n", "the request line does not end with a version such as HTTP/1.1"),
        ("GET / HTTP/11\r\n", "the request line does not end with a version such as HTTP/1.1"),
        ("GET /\r\n", "the request line is not: method, space, target, space, version"),
        ("GET\r\n", "the request line does not start with a method and a space"),
        ("GET / HTTP/1.1\n", "a line ends with LF alone; only CR LF ends a line"),
        ("G\0T / HTTP/1.1\r\n", "the request line does not start with a method and a space"),
        ("GET\t/ HTTP/1.1\r\n", "the request line does not start with a method and a space"),
        ("GET /\u{80} HTTP/1.1\r\n", "the request target has byte 0x80, which must be percent-encoded"),
        ("GET /\u{7F} HTTP/1.1\r\n", "the request target has byte 0x7F, which must be percent-encoded"),
        ("GET /#a HTTP/1.1\r\n", "the request target has byte 0x23, which must be percent-encoded"),
        ("GET /\rX HTTP/1.1\r\n", "the request target has byte 0x0D, which must be percent-encoded"),
    ])
    func `a broken request line is refused`(line: String, words: String) {
        expect(line + host + "\r\n", 400, words)
    }

    @Test(arguments: [" GET / HTTP/1.1\r\n", "/ HTTP/1.1\r\n", "\u{16}\u{3}\u{1}", "{\"a\":1}\r\n", "\0"])
    func `what cannot become a request line is refused at its first byte`(text: String) {
        for feeding in Feeding.allCases {
            #expect(feeding.read(Array(text.utf8)).refusal?.status == 400)
        }
    }

    @Test(arguments: [
        "\u{16}\u{3}\u{1}", "\u{16}\n", "\u{16}a\r\n", "\u{16}" + String(repeating: "a", count: 2000),
        "\u{16} " + String(repeating: "a", count: 2000) + "\r\n",
    ])
    func `a client that speaks TLS is told so`(text: String) {
        for feeding in Feeding.allCases {
            #expect(
                feeding.read(Array(text.utf8), limits: RequestLimits(maxHead: 1024)).refusal?.text
                    == "the client speaks TLS, and this port does not: ask by http://")
        }
    }

    @Test(arguments: [
        ("GET a HTTP/1.1\r\n", "the request target starts neither with / nor with a scheme and //"),
        ("GET 1 HTTP/1.1\r\n", "the request target starts neither with / nor with a scheme"),
        ("GET mailto:a HTTP/1.1\r\n", "the request target starts neither with / nor with a scheme and //"),
        ("GET http:///a HTTP/1.1\r\n", "the request target has no valid host"),
        ("GET http://u@a/ HTTP/1.1\r\n", "the request target has no valid host"),
        ("GET * HTTP/1.1\r\n", "only OPTIONS may have the target *"),
        ("CONNECT / HTTP/1.1\r\n", "the target of CONNECT is not host:port"),
        ("CONNECT a HTTP/1.1\r\n", "the target of CONNECT is not host:port"),
        ("CONNECT a:1 HTTP/1.1\r\nContent-Length: 1\r\n", "CONNECT has no content (RFC 9110 §9.3.6)"),
        ("CONNECT a:1 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", "CONNECT has no content (RFC 9110 §9.3.6)"),
    ])
    func `a target in none of the four forms is refused`(line: String, words: String) {
        expect(line + host + "\r\n", 400, words)
    }

    @Test(arguments: ["HTTP/2.0", "HTTP/0.9", "HTTP/3.1"])
    func `another major version is 505`(version: String) {
        expect("GET / \(version)\r\n" + host + "\r\n", 505, "the version of the request is not HTTP/1.x")
    }

    @Test(arguments: [
        ("", "the request has no Host line"), ("Host:\r\n", "the Host line is not a host with an optional port"),
        (host + host, "the request has more than one Host line"),
        ("Host: a b\r\n", "the Host line is not a host with an optional port"),
        ("Host: a, b\r\n", "the Host line is not a host with an optional port"),
        ("Host: u@a\r\n", "the Host line is not a host with an optional port"),
        ("Host: a:b\r\n", "the Host line is not a host with an optional port"),
        ("Host: a/b\r\n", "the Host line is not a host with an optional port"),
        ("Host: [::1\r\n", "the Host line is not a host with an optional port"),
        ("Host: a%2\r\n", "the Host line is not a host with an optional port"),
        ("Host : a\r\n", "white space stands between a field name and its colon"),
    ])
    func `a missing, repeated or broken Host is refused, whatever Host the request before had`(
        lines: String, words: String
    ) {
        expect(get + lines + "\r\n", 400, words)
        expect(get + host + "\r\n" + get + lines + "\r\n", 400, words)
        expect("GET / HTTP/1.0\r\nConnection: keep-alive\r\nHost:\r\n\r\n" + get + lines + "\r\n", 400, words)
    }

    @Test(arguments: [
        ("X: a\r\n b\r\n", "a line starts with white space: folded field lines are refused"),
        ("\tX: a\r\n", "a line starts with white space: folded field lines are refused"),
        ("X : a\r\n", "white space stands between a field name and its colon"),
        ("X\r\n", "a field line does not start with a name and a colon"),
        (": a\r\n", "a field line does not start with a name and a colon"),
        ("X(: a\r\n", "a field line does not start with a name and a colon"),
        ("X\0: a\r\n", "a field line does not start with a name and a colon"),
        ("X: a\0b\r\n", "a field value has the control byte 0x00"),
        ("X: a\rb\r\n", "a field value has the control byte 0x0D"),
        ("X: \u{7F}\r\n", "a field value has the control byte 0x7F"),
        ("X: a\nY: b\r\n", "a line ends with LF alone; only CR LF ends a line"),
    ])
    func `a broken field line is refused`(lines: String, words: String) {
        expect(get + host + lines + "\r\n", 400, words)
    }

    @Test(arguments: [
        ("Content-Length: 1\r\nContent-Length: 1\r\n", 400, "the request has more than one Content-Length"),
        ("Content-Length: 1, 1\r\n", 400, "Content-Length is not a decimal number"),
        ("Content-Length: +1\r\n", 400, "Content-Length is not a decimal number"),
        ("Content-Length: -1\r\n", 400, "Content-Length is not a decimal number"),
        ("Content-Length: 0x1\r\n", 400, "Content-Length is not a decimal number"),
        ("Content-Length: 1 1\r\n", 400, "Content-Length is not a decimal number"),
        ("Content-Length: 99999999999999999999x\r\n", 400, "Content-Length is not a decimal number"),
        ("Content-Length:\r\n", 400, "Content-Length is empty"),
        (
            "Content-Length: 9223372036854775807\r\n", 413,
            "the content of the request is longer than 16777216 bytes"
        ),
        ("Content-Length: 9223372036854775808\r\n", 400, "Content-Length is larger than any content"),
        (
            "Content-Length: 99999999999999999999\r\n", 400, "Content-Length is larger than any content"
        ),
        (
            "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", 400,
            "the request has both Transfer-Encoding and Content-Length"
        ),
        (
            "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", 400,
            "the request has both Transfer-Encoding and Content-Length"
        ),
        ("Transfer-Encoding:\r\n", 400, "the Transfer-Encoding line is empty"),
        ("Transfer-Encoding: gzip\r\n", 501, "the only transfer coding known is chunked"),
        ("Transfer-Encoding: xchunked\r\n", 501, "the only transfer coding known is chunked"),
        ("Transfer-Encoding: \"chunked\"\r\n", 501, "the only transfer coding known is chunked"),
        ("Transfer-Encoding: identity\r\n", 501, "the only transfer coding known is chunked"),
        ("Transfer-Encoding: gzip, chunked\r\n", 501, "the only transfer coding known is chunked"),
        ("Transfer-Encoding: chunked, gzip\r\n", 400, "chunked must be the last transfer coding, and be there once"),
        ("Transfer-Encoding: chunked, chunked\r\n", 400, "chunked must be the last transfer coding, and be there once"),
        (
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", 400,
            "chunked must be the last transfer coding, and be there once"
        ),
    ])
    func `a doubtful length is refused`(lines: String, status: Int, words: String) {
        expect(post + lines + "\r\n", status, words)
    }

    @Test(arguments: [
        ("HEAD /x HTTP/1.1\r\nHost: a\r\nbad\r\n", "HEAD", "/x", ["Host"]),
        ("HEAD /x HTTP/1.1\r\nHost: a\r\nX: b\n", "HEAD", "/x", ["Host"]),
        ("HEAD /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "HEAD", "/x", ["Host", "Host"]),
        ("HEAD /x HTTP/1.1\r\nHost: a\r\nX: unfinish", "HEAD", "/x", ["Host"]), ("HEAD /x HTT", "HEAD", "/x", []),
        ("HEAD /x HTTP/3.0\r\n", "HEAD", "/x", []), ("HEAD\r\n", "", "", []), ("\n", "", "", []),
        ("HEAD /x\r\nHost: a\r\n", "HEAD", "/x", []), ("HEAD /x\nHost: a\n", "HEAD", "/x", []),
    ])
    func `what was read of a refused head can be told`(text: String, method: String, target: String, names: [String]) {
        for before in ["", "GET /before HTTP/1.1\r\nHost: a\r\n\r\n"] {
            let input = ByteBuffer()
            input.append(Array((before + text).utf8))
            var parser = HTTP1Parser()
            reading: while true {
                switch parser.next(input) {
                case .invalid, .needsMore: break reading
                default: continue
                }
            }
            parser.abandon(input, RequestError(408, "late"))
            let head = parser.head
            #expect(head.string(head.method) == method && head.string(head.target) == target)
            #expect(head.fields.map { head.string($0.name) } == names)
        }
    }

    @Test(arguments: [
        ("GET http://h HTTP/1.1\r\n\r\n", "/", nil),
        ("GET http://h?q=1 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "/", "q=1"),
        ("POST http://h/a?b HTTP/1.1\r\nHost: h\r\nContent-Length: x\r\n\r\n", "/a", "b"),
        ("POST http://h HTTP/1.1\r\nHost: h\r\nExpect: more\r\n\r\n", "/", nil),
        ("GET /a?b HTTP/1.1\r\n\r\n", "/a", "b"),
    ])
    func `a head that is refused as a whole can be read as a whole`(text: String, path: String, query: String?) {
        for size in [1, text.utf8.count] {
            let input = ByteBuffer()
            var parser = HTTP1Parser()
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                input.append(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
                guard case .invalid(let error) = parser.next(input) else { continue }
                parser.abandon(input, error)
            }
            guard case .invalid = parser.next(input) else {
                Issue.record("it is not refused")
                return
            }
            #expect(parser.head.string(parser.head.path) == path)
            #expect(parser.head.query.map { parser.head.string($0) } == query)
        }
    }

    @Test func `HTTP/1.0 has no chunked content`() {
        expect(
            "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400,
            "an HTTP/1.0 request cannot have Transfer-Encoding")
    }

    @Test(arguments: [
        ("5\r\nhelloX\r\n", "a chunk is longer than its size says"),
        ("5\r\nhello\n", "a chunk is longer than its size says"),
        ("5\r\nhello\r\r", "a chunk is longer than its size says"),
        ("5\nhello\r\n", "a line ends with LF alone; only CR LF ends a line"),
        ("\r\n", "a chunk does not start with its size"), (" 5\r\n", "a chunk does not start with its size"),
        ("+5\r\n", "a chunk does not start with its size"), ("-5\r\n", "a chunk does not start with its size"),
        ("0x5\r\n", "what follows the size of a chunk is not a chunk extension"),
        ("5 \r\n", "what follows the size of a chunk is not a chunk extension"),
        ("5;\r\n", "what follows the size of a chunk is not a chunk extension"),
        ("5;a=\r\n", "what follows the size of a chunk is not a chunk extension"),
        ("5;a=\"b\r\n", "what follows the size of a chunk is not a chunk extension"),
        ("5;a\rb\r\n", "what follows the size of a chunk is not a chunk extension"),
        ("5_\r\n", "what follows the size of a chunk is not a chunk extension"),
        ("1000000000000000\r\n", "the size of a chunk has more than 15 digits"),
        ("0\r\nContent-Length: 1\r\n", "a trailer cannot be Content-Length, Transfer-Encoding or Host"),
        ("0\r\nX : 1\r\n", "white space stands between a field name and its colon"),
    ])
    func `a broken chunk is refused`(content: String, words: String) {
        expect(chunked + content, 400, words)
    }

    @Test func `chunks count against the content limit before they come`() {
        expect(chunked + "fffffff\r\n", 413, "the content of the request is longer than 16777216 bytes")
    }

    @Test(arguments: ["x", "100-continue, x", "200-ok"])
    func `an unknown expectation is 417`(value: String) {
        expect(post + "Expect: \(value)\r\n\r\n", 417, "the only expectation known is 100-continue")
    }

    @Test func `content announced without a length is 411`() {
        expect(
            post + "Expect: 100-continue\r\n\r\n", 411,
            "content is announced by Expect, but neither Content-Length nor chunked gives its length")
    }

    @Test func `each limit has its status`() {
        let long = String(repeating: "a", count: 20_000)
        let longest = String(repeating: "a", count: 65_536)
        for feeding in Feeding.allCases {
            let status = { (text: String) in feeding.read(Array(text.utf8)).refusal?.status }
            #expect(status("GET /\(longest) HTTP/1.1\r\n" + host + "\r\n") == 414)
            #expect(status("GET /\(longest)") == 414)
            #expect(status(long + " / HTTP/1.1\r\n" + host + "\r\n") == 501)
            #expect(status(long + " /" + longest) == 501)
            // What has no end is no method.
            #expect(status(longest + "aa / HTTP/1.1\r\n" + host + "\r\n") == 400)
            #expect(status(String(repeating: "A", count: 65) + " / HTTP/1.1\r\n" + host + "\r\n") == 501)
            #expect(status(get + host + "X: " + String(repeating: "a", count: 65_536) + "\r\n\r\n") == 431)
            #expect(status(get + host + String(repeating: "X: y\r\n", count: 512) + "\r\n") == 431)
            #expect(status(chunked + "1;a=" + long + "\r\n") == 400)
            #expect(status(chunked + "0\r\nX: " + long + "\r\n") == 431)
            #expect(status(String(repeating: "\r\n", count: 9) + get + host + "\r\n") == 400)
        }
    }
}
