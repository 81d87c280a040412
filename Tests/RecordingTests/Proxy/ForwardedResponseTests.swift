// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What the client of a proxy is sent.
@Suite(.supervised) struct ForwardedResponseTests {
    /// The response of a proxy whose upstream sends bytes of a test, and what is told of it.
    private func relayed(
        _ answer: String, to request: String = "GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n"
    ) async throws -> (response: WireResponse, outcomes: [RecordingOutcome]) {
        let upstream = try RawServer()
        var response = WireResponse()
        var outcomes: [RecordingOutcome] = []
        try await ProxyBed.recording([upstream.base]) { bed in
            let text = answer.replacing("UPSTREAM", with: upstream.base)
            async let head = upstream.answer(text)
            response = try await bed.raw(request, isHead: request.hasPrefix("HEAD"))
            _ = try await head
            outcomes = await bed.outcomes
            let base = "http://localhost"
            response.fields = response.fields.map { ($0.name, $0.value.replacing("\(base):\(bed.port)", with: base)) }
        }
        return (response, outcomes)
    }

    @Test func `status, reason, lines and bytes come as they were sent`() async throws {
        let (response, outcomes) = try await relayed(
            """
            HTTP/1.1 418 Short and stout\r
            Content-Type: image/png\r
            X-A: 1\r
            Connection: close, X-Hop\r
            X-Hop: 1\r
            Keep-Alive: timeout=5\r
            x-a:  2 \r
            Date: Fri, 20 Nov 2026 10:00:00 GMT\r
            ETag: "a"\r
            Alt-Svc: h3=":443"\r
            Strict-Transport-Security: max-age=1\r
            Content-Length: 4\r
            \r
            \u{1}png
            """)
        #expect(response.status == 418)
        #expect(response.reason == "Short and stout")
        #expect(
            response.fields.map { "\($0.name): \($0.value)" } == [
                "Content-Type: image/png", "X-A: 1", "x-a: 2", "Date: Fri, 20 Nov 2026 10:00:00 GMT", "ETag: \"a\"",
                "Content-Length: 4",
            ])
        #expect(response.text == "\u{1}png")
        #expect(outcomes.map(\.kind) == [.new])
        #expect(outcomes.map(\.status) == [418])
    }

    @Test(
        arguments: [
            "Content-Length: 2\r\nX: a\rSet-Cookie: b=c\r\n\r\nhi",
            "Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
            "Content-Length: 99999999999999999999\r\n\r\nhi",
        ], [nil, Duration.seconds(60)])
    func `a head that two readers could read in two ways is 502, whichever client asked`(
        lines: String, whole: Duration?
    ) async throws {
        let upstream = try RawServer()
        // With a bound for all of a response, as with TLS, libcurl asks.
        try await ProxyBed.recording([upstream.base], { $0.upstream.timeouts.whole = whole }) { bed in
            async let head = upstream.answer("HTTP/1.1 200 OK\r\n" + lines)
            let response = try await bed.raw("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n", isHead: false)
            _ = try await head
            #expect(response.status == 502 && response["Set-Cookie"] == nil)
            #expect(await bed.outcomes.map(\.kind) == [.failed])
        }
    }

    @Test func `trailers come behind the content`() async throws {
        let (response, _) = try await relayed(
            """
            HTTP/1.1 200 OK\r
            Content-Type: application/octet-stream\r
            Transfer-Encoding: chunked\r
            Connection: close\r
            \r
            2\r
            hi\r
            3\r
            you\r
            0\r
            X-Sum: 5\r
            \r\n
            """)
        #expect(response["Transfer-Encoding"] == "chunked")
        #expect(response.text == "hiyou")
        #expect(response.trailers.map { "\($0.name): \($0.value)" } == ["X-Sum: 5"])
    }

    @Test func `a URL of the upstream is one of the proxy in text and in each line`() async throws {
        let (response, _) = try await relayed(
            """
            HTTP/1.1 301 Moved Permanently\r
            Location: UPSTREAM/b?x=UPSTREAM\r
            Link: <UPSTREAM/c>; rel=next\r
            Access-Control-Allow-Origin: UPSTREAM\r
            X-Other: UPSTREAM\r
            Set-Cookie: a=1; Domain=example.com; Secure; Path=/\r
            Set-Cookie: b=2\r
            ETag: "a"\r
            Content-MD5: x\r
            Content-Type: text/plain\r
            Connection: close\r
            \r
            see UPSTREAM/b and UPSTREAM0
            """)
        #expect(response["Location"] == "http://localhost/b?x=http://localhost")
        #expect(response["Link"] == "<http://localhost/c>; rel=next")
        #expect(response["Access-Control-Allow-Origin"] == "http://localhost")
        #expect(response["X-Other"] == "http://localhost")
        #expect(response.all("Set-Cookie") == ["a=1; Path=/", "b=2"])
        #expect(response["ETag"] == "W/\"a\"")
        #expect(response["Content-MD5"] == nil)
        #expect(response.text.hasPrefix("see http://localhost"))
        #expect(response.text.contains("/b and http://127.0.0.1:"))
    }

    @Test(arguments: [204, 304])
    func `a response without content has none`(status: Int) async throws {
        let (response, _) = try await relayed(
            "HTTP/1.1 \(status) X\r\nETag: \"a\"\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n",
            to: "POST /a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
        #expect(response.status == status)
        #expect(response["Content-Length"] == nil)
        #expect(response["Transfer-Encoding"] == nil)
        #expect(response["ETag"] == "W/\"a\"" || response["ETag"] == "\"a\"")
    }

    @Test func `a response to HEAD keeps its length`() async throws {
        let (response, outcomes) = try await relayed(
            "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: 12\r\nConnection: close\r\n\r\n",
            to: "HEAD /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(response["Content-Length"] == "12")
        #expect(outcomes.map(\.kind) == [.new])
    }

    @Test func `text of an unknown coding passes as it is`() async throws {
        let (response, _) = try await relayed(
            """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain\r
            Content-Encoding: rot13\r
            Content-Length: 3\r
            Connection: close\r
            \r
            abc
            """)
        #expect(response["Content-Encoding"] == "rot13")
        #expect(response["Content-Length"] == "3")
        #expect(response.text == "abc")
    }

    @Test func `the parts of a batch have the other's URLs and their own lengths, in both directions`() async throws {
        @Sendable func batch(_ base: String, _ start: String) -> String {
            let content = #"{"u":"\#(base)/1"}"#
            let message =
                "\(start)\r\nContent-Type: application/json\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)"
            return
                "--b\r\nContent-Type: application/http\r\nContent-Length: \(message.utf8.count)\r\n\r\n\(message)\r\n--b--\r\n"
        }
        let upstream = try RawServer()
        let type = "Content-Type: multipart/mixed; boundary=b"
        let name = "a-name-that-is-longer.example"
        try await ProxyBed.recording([upstream.base]) { bed in
            for isWhole in [true, false] {
                async let seen = blocking {
                    let peer = try upstream.accept()
                    let head = try peer.head()
                    let length = head.first { $0.hasPrefix("Content-Length: ") }.flatMap { Int($0.dropFirst(16)) }
                    let content = try peer.read(length ?? 0)
                    let answer = batch(upstream.base, "HTTP/1.1 200 OK")
                    let lines = "HTTP/1.1 200 OK\r\n\(type)\r\nConnection: close\r\n"
                    if isWhole {
                        try peer.send("\(lines)Content-Length: \(answer.utf8.count)\r\n\r\n\(answer)")
                    } else {
                        // More than is held back.
                        let further = batch(upstream.base + String(repeating: "/x", count: 20_000), "HTTP/1.1 200 OK")
                        try peer.send(
                            "\(lines)\r\n" + further.dropLast(7) + "\r\n" + further.dropLast(7) + "\r\n\(answer)")
                    }
                    return String(decoding: content, as: UTF8.self)
                }
                let body = batch("http://\(name)", "POST /a HTTP/1.1")
                let response = try await bed.raw(
                    "POST /batch HTTP/1.1\r\nHost: \(name)\r\n\(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                )
                #expect(try await seen == batch(upstream.base, "POST /a HTTP/1.1"))
                #expect(response.text.hasSuffix(batch("http://\(name)", "HTTP/1.1 200 OK")))
                #expect(!response.text.contains(upstream.base))
                #expect(isWhole == (response["Content-Length"] != nil))
            }
            #expect(await bed.outcomes.filter { $0.kind == .failed }.map(\.notes) == [])
        }
    }

    /// ipfs/kubo#2190. curl and browsers read it as the same; in a request it is refused (RFC 9112 §6.1).
    @Test func `chunks that the head names twice are there once`() async throws {
        let (response, outcomes) = try await relayed(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nhi\r\n0\r\n\r\n"
        )
        #expect(response.status == 200 && response.text == "hi")
        #expect(outcomes.map(\.kind) == [.new])
    }

    @Test func `a WebSocket is refused`() async throws {
        try await ProxyBed.recording(["http://127.0.0.1:1"]) { bed in
            let response = try await bed.request("GET", "/", ["Connection: Upgrade", "Upgrade: websocket"])
            #expect(response.status == 501)
            #expect(
                response.text
                    == "a WebSocket cannot be recorded, and does not pass this proxy; open it at http://127.0.0.1:1\n")
        }
    }
}
