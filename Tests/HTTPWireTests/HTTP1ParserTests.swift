// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import Testing

private let host = "Host: a\r\n"

@Suite(.supervised) struct HTTP1ParserTests {
    @Test(
        arguments: [
            ("GET /a?b=c HTTP/1.1\r\nHost: h:80\r\n\r\n", "/a", "b=c", "h:80"),
            ("GET /a? HTTP/1.1\r\nHost: h\r\n\r\n", "/a", "", "h"),
            ("GET /a?b?c HTTP/1.1\r\nHost: h\r\n\r\n", "/a", "b?c", "h"),
            ("GET / HTTP/1.1\r\nhOsT: \t[::1]:80 \t\r\n\r\n", "/", nil, "[::1]:80"),
            ("GET / HTTP/1.0\r\n\r\n", "/", nil, ""),
            ("GET //x HTTP/1.1\r\nHost: h\r\n\r\n", "//x", nil, "h"),
            ("GET /[]{}|^`\\\" HTTP/1.1\r\nHost: h\r\n\r\n", "/[]{}|^`\\\"", nil, "h"),
            ("GET http://x:1/p?q HTTP/1.1\r\nHost: h\r\n\r\n", "/p", "q", "x:1"),
            ("GET HTTP://x HTTP/1.1\r\nHost: h\r\n\r\n", "/", nil, "x"),
            ("GET https://x?q HTTP/1.1\r\nHost: h\r\n\r\n", "/", "q", "x"),
            ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "*", nil, "h"),
            ("CONNECT h:443 HTTP/1.1\r\nHost: h\r\n\r\n", "h:443", nil, "h:443"),
            ("GET / HTTP/1.9\r\nHost: h\r\n\r\n", "/", nil, "h"),
            ("\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "/", nil, "h"),
            ("!#$%&'*+-.^_`|~0aZ / HTTP/1.1\r\nHost: h\r\n\r\n", "/", nil, "h"),
        ] as [(String, String, String?, String)])
    func `every form of a target is read`(text: String, path: String, query: String?, authority: String) throws {
        let reading = try #require(readInEveryWay(text))
        #expect(reading.refusal == nil)
        let request = try #require(reading.requests.first)
        #expect(request.path == path && request.query == query && request.authority == authority)
    }

    @Test func `content comes by its length or in chunks, and what follows is the next request`() throws {
        let text =
            "POST /1 HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello"
            + "POST /2 HTTP/1.1\r\n\(host)Transfer-Encoding:  Chunked ,\r\n\r\n"
            + "3\r\nhel\r\n02;a=b;c=\"d\\\"e\" ; f\r\nlo\r\n000\r\nX-Sum: 1 \r\nY:\r\n\r\n"
            + "GET /3 HTTP/1.1\r\n\(host)Content-Length: 0\r\n\r\n" + "GET /4 HTTP/1.1\r\n\(host)\r\n"
        let reading = try #require(readInEveryWay(text))
        #expect(reading.refusal == nil)
        #expect(reading.requests.map(\.path) == ["/1", "/2", "/3", "/4"])
        #expect(reading.requests.map(\.body) == ["hello", "hello", "", ""])
        #expect(reading.requests[1].trailers == ["X-Sum: 1", "Y: "])
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
        ("HTTP/1.1", "Connection: a,, Close\r\n", false), ("HTTP/1.1", "Connection: closed\r\n", true),
        ("HTTP/1.0", "", false), ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
        ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
    ])
    func `the connection lives on as version and Connection say`(version: String, line: String, lives: Bool) throws {
        let reading = try #require(readInEveryWay("GET / \(version)\r\n\(host)\(line)\r\n"))
        #expect(reading.requests.map(\.keepsAlive) == [lives])
    }

    @Test(arguments: [
        ("HTTP/1.1", "Content-Length: 2\r\n", true), ("HTTP/1.1", "Content-Length: 0\r\n", false),
        ("HTTP/1.0", "Content-Length: 2\r\n", false),
    ])
    func `only HTTP/1.1 with content waits for 100`(version: String, line: String, waits: Bool) throws {
        let text = "POST / \(version)\r\n\(host)\(line)Expect: 100-Continue\r\n\r\nok"
        let reading = try #require(readInEveryWay(text))
        #expect(reading.requests.first?.expectsContinue == waits)
    }

    @Test func `limits are what still passes`() {
        let line = "GET /" + String(repeating: "a", count: RequestLimits().maxHead - 40) + " HTTP/1.1\r\n"
        #expect(readInEveryWay(line + host + "\r\n")?.requests.count == 1)
        let fields = String(repeating: "X: y\r\n", count: RequestLimits.maxFields - 1)
        #expect(readInEveryWay("GET / HTTP/1.1\r\n" + host + fields + "\r\n")?.requests.count == 1)
        let limits = RequestLimits(maxHead: 1024, maxBody: 5)
        #expect(
            readInEveryWay("POST / HTTP/1.1\r\n\(host)Content-Length: 5\r\n\r\nhello", limits: limits)?.refusal == nil)
        #expect(
            readInEveryWay("POST / HTTP/1.1\r\n\(host)Content-Length: 6\r\n\r\n", limits: limits)?.refusal?.status
                == 413)
    }
}
