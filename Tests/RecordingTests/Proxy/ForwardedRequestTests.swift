// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// What an upstream is sent by a proxy.
@Suite(.supervised) struct ForwardedRequestTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"

    /// The lines an upstream sees of a request.
    ///
    /// - Parameter request: HOST stands for the proxy's host and port.
    private func seen(
        _ request: String, userInfo: String = "", adding fields: [UpstreamField] = [], keepsHost: Bool = false
    ) async throws -> [String] {
        let upstream = try RawServer()
        var lines: [String] = []
        let url = "http://\(userInfo)127.0.0.1:\(upstream.port)"
        try await ProxyBed.recording([url], fields: fields, keepsHost: keepsHost) { bed in
            let text = request.replacing("HOST", with: "localhost:\(bed.port)")
            async let head = upstream.answer(Self.ok)
            #expect(try await bed.raw(text).status == 200)
            lines = try await head
        }
        return lines.map { $0.replacing("127.0.0.1:\(upstream.port)", with: "UPSTREAM") }
    }

    @Test func `a request goes on in its order without what is the connection's`() async throws {
        let lines = try await seen(
            """
            DELETE /a/../b%2Fc//d?x=1+2&y= HTTP/1.1\r
            Host: HOST\r
            Connection: keep-alive, X-Hop\r
            X-Hop: 1\r
            Keep-Alive: timeout=5\r
            Proxy-Authorization: Basic eDp5\r
            TE: trailers\r
            Trailer: X-T\r
            X-A: 1\r
            x-b:  two \r
            X-A: 3\r
            Cookie: a=b\r
            \r\n
            """)
        #expect(
            lines == [
                "DELETE /a/../b%2Fc//d?x=1+2&y= HTTP/1.1", "Host: UPSTREAM", "X-A: 1", "x-b: two", "X-A: 3",
                "Cookie: a=b", "TE: trailers", "Connection: TE",
            ])
    }

    @Test(arguments: ["GET", "CHECKOUT"])
    func `the host that the client calls goes on where it is kept`(method: String) async throws {
        let lines = try await seen("\(method) / HTTP/1.1\r\nHost: bucket.test\r\n\r\n", keepsHost: true)
        #expect(lines.contains("Host: bucket.test") && !lines.contains("Host: UPSTREAM"))
        #expect(lines.count { $0.lowercased().hasPrefix("host:") } == 1)
    }

    @Test(arguments: ["TE: gzip", "TE: ", "X: trailers"])
    func `trailers are asked for where the client takes them`(field: String) async throws {
        let lines = try await seen("GET / HTTP/1.1\r\nHost: HOST\r\n\(field)\r\n\r\n")
        #expect(!lines.contains("TE: trailers") && !lines.contains("Connection: TE"))
        let asked = try await seen("GET / HTTP/1.1\r\nHost: HOST\r\nTE: gzip, Trailers;q=0.5\r\n\r\n")
        #expect(asked.contains("TE: trailers") && asked.contains("Connection: TE"))
    }

    @Test func `what a GET asks for less by goes on`() async throws {
        let lines = try await seen(
            """
            GET / HTTP/1.1\r
            Host: HOST\r
            If-None-Match: "x"\r
            If-Modified-Since: Fri, 20 Nov 2026 10:00:00 GMT\r
            If-Match: "x"\r
            If-Unmodified-Since: Fri, 20 Nov 2026 10:00:00 GMT\r
            If-Range: "x"\r
            Range: bytes=0-1\r
            Accept: a/b\r
            \r\n
            """)
        #expect(
            lines == [
                "GET / HTTP/1.1", "Host: UPSTREAM", "If-None-Match: \"x\"",
                "If-Modified-Since: Fri, 20 Nov 2026 10:00:00 GMT", "If-Match: \"x\"",
                "If-Unmodified-Since: Fri, 20 Nov 2026 10:00:00 GMT", "If-Range: \"x\"", "Range: bytes=0-1",
                "Accept: a/b",
            ])
    }

    @Test func `a write keeps its conditions`() async throws {
        let lines = try await seen("PUT /a HTTP/1.1\r\nHost: HOST\r\nIf-Match: \"x\"\r\nContent-Length: 2\r\n\r\nhi")
        #expect(lines == ["PUT /a HTTP/1.1", "Host: UPSTREAM", "If-Match: \"x\"", "Content-Length: 2"])
    }

    @Test func `no content of length 0 stays that`() async throws {
        #expect(
            try await seen("POST /a HTTP/1.1\r\nHost: HOST\r\nContent-Length: 0\r\n\r\n")
                == ["POST /a HTTP/1.1", "Host: UPSTREAM", "Content-Length: 0"])
        #expect(
            try await seen("POST /a HTTP/1.1\r\nHost: HOST\r\n\r\n") == ["POST /a HTTP/1.1", "Host: UPSTREAM"])
    }

    @Test func `origin and referrer are the upstream's where they were the proxy's`() async throws {
        let lines = try await seen(
            """
            GET / HTTP/1.1\r
            Host: HOST\r
            Origin: http://HOST\r
            Referer: http://HOST/page?x=1\r
            \r\n
            """)
        #expect(
            lines == [
                "GET / HTTP/1.1", "Host: UPSTREAM", "Origin: http://UPSTREAM", "Referer: http://UPSTREAM/page?x=1",
            ])
        let strange = try await seen(
            "GET / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://localhost:3000\r\nReferer: http://HOST0/\r\n\r\n")
        #expect(strange[2] == "Origin: http://localhost:3000")
        #expect(strange[3].hasSuffix("0/") && !strange[3].contains("UPSTREAM"))
    }

    @Test func `a URL of the proxy is the upstream's again wherever it stands`() async throws {
        let body = #"{"a":"http://HOST/doc","b":"http:\/\/HOST\/doc","c":"http://HOST1/"}"#
        let lines = try await seen(
            """
            GET /a?u=http%3A%2F%2FHOST%2Fdoc&v=http://HOST/b HTTP/1.1\r
            Host: HOST\r
            Destination: http://HOST/c\r
            X-Text: see http://HOST and http://HOST1\r
            \r\n
            """)
        #expect(lines.first?.contains("UPSTREAM%2Fdoc") == false)
        #expect(lines.contains("Destination: http://UPSTREAM/c"))
        #expect(lines.contains { $0.hasPrefix("X-Text: see http://UPSTREAM and http://localhost:") })
        let upstream = try RawServer()
        try await ProxyBed.recording(["http://127.0.0.1:\(upstream.port)"]) { bed in
            for (type, text) in [
                ("application/json", body), ("text/plain", "http://HOST/x"),
                ("application/x-www-form-urlencoded", "u=http%3A%2F%2FHOST%2Fx"),
                ("multipart/form-data; boundary=b", "--b\r\n\r\nhttp://HOST/x\r\n--b--\r\n"),
            ] {
                let isForm = text.contains("%2F")
                let host = isForm ? "localhost%3A\(bed.port)" : "localhost:\(bed.port)"
                let service = isForm ? "127.0.0.1%3A\(upstream.port)" : "127.0.0.1:\(upstream.port)"
                let sent = text.replacing("HOST1", with: "OTHER").replacing("HOST", with: host)
                async let received: String = blocking {
                    let peer = try upstream.accept()
                    let head = try peer.head()
                    let length = head.compactMap { $0.hasPrefix("Content-Length: ") ? Int($0.dropFirst(16)) : nil }
                    #expect(!head.contains { $0.hasPrefix("Content-MD5") })
                    let content = try peer.read(length.first ?? 0)
                    try peer.send(Array(Self.ok.utf8))
                    return String(decoding: content, as: UTF8.self)
                }
                _ = try await bed.request(
                    "PUT", "/a", ["Host: localhost:\(bed.port)", "Content-Type: \(type)", "Content-MD5: x"], body: sent)
                #expect(
                    try await received
                        == text.replacing("HOST1", with: "OTHER").replacing("HOST", with: service))
            }
        }
    }

    @Test func `a tag that was weakened goes back as it was`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording(["http://127.0.0.1:\(upstream.port)"]) { bed in
            let text = "see \(upstream.base)/x"
            async let first = upstream.answer(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"v1\"\r\nContent-Length: \(text.utf8.count)\r\nConnection: close\r\n\r\n\(text)"
            )
            let response = try await bed.request("GET", "/a")
            _ = try await first
            #expect(response["ETag"] == "W/\"v1\"")
            async let second = upstream.answer(Self.ok)
            _ = try await bed.request("PUT", "/a", ["If-Match: \"v0\", W/\"v1\", W/\"v2\""], body: "x")
            let lines = try await second
            #expect(lines.contains("If-Match: \"v0\", \"v1\", W/\"v2\""), "\(lines)")
        }
    }

    @Test func `a request for another host is not sent to the service, and is told`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            let response = try await bed.raw("GET http://bank.example/balance HTTP/1.1\r\nHost: bank.example\r\n\r\n")
            #expect(response.status == 421)
            #expect(
                response.text
                    == "this proxy speaks for \(upstream.base), and the request is for http://bank.example: it is not passed on; request a path, or let the client use no proxy for other hosts\n"
            )
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.failed])
            #expect(outcomes.map(\.request) == ["GET /balance"])
            // By its own name, and by the proxy's, it goes on: nothing has come before this.
            for host in ["127.0.0.1:\(upstream.port)", "localhost:\(bed.port)"] {
                async let head = upstream.answer(Self.ok)
                #expect(try await bed.raw("GET http://\(host)/b HTTP/1.1\r\nHost: \(host)\r\n\r\n").status == 200)
                let lines = try await head
                #expect(lines.first == "GET /b HTTP/1.1")
            }
        }
    }

    @Test func `what the proxy itself refuses is told as failed`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            for (text, status) in [
                ("POST /u HTTP/1.1\r\nHost: h\r\nContent-Length: 99999999\r\n\r\n", 413),
                ("GET / HTTP/1.1\r\nHost: h\r\nExpect: a\r\n\r\n", 417),
                ("GET /\u{1} HTTP/1.1\r\nHost: h\r\n\r\n", 400),
                ("CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n", 501),
                ("GET /w HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\n\r\n", 501),
            ] {
                let response = try await bed.raw(text)
                #expect(response.status == status)
            }
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == Array(repeating: .failed, count: 5), "\(outcomes)")
            #expect(
                outcomes.first?.notes == ["413: the content of the request is longer than 16777216 bytes (maxBody)"])
        }
    }

    @Test func `credentials of the URL go where the client sends none`() async throws {
        let lines = try await seen("GET / HTTP/1.1\r\nHost: HOST\r\n\r\n", userInfo: "me:p%40ss@")
        #expect(lines == ["GET / HTTP/1.1", "Host: UPSTREAM", "Authorization: Basic bWU6cEBzcw=="])
        let own = try await seen(
            "GET / HTTP/1.1\r\nHost: HOST\r\nAuthorization: Bearer x\r\n\r\n", userInfo: "me:p%40ss@")
        #expect(own == ["GET / HTTP/1.1", "Host: UPSTREAM", "Authorization: Bearer x"])
    }

    @Test func `a line that is added gives way to the client's`() async throws {
        let lines = try await seen(
            "GET / HTTP/1.1\r\nHost: HOST\r\nx-a: own\r\n\r\n",
            adding: [UpstreamField("X-A", "added"), UpstreamField("X-B", "added")])
        #expect(lines == ["GET / HTTP/1.1", "Host: UPSTREAM", "x-a: own", "X-B: added"])
    }

    @Test func `the journal has neither the credentials nor the tokens of what is passed on`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            async let head = upstream.answer(Self.ok)
            _ = try await bed.request(
                "GET", "/a?access_token=hunter2hunter2&x=1",
                ["Authorization: Bearer hunter2hunter2", "cookie: sid=hunter2hunter2", "X-A: 1"])
            let lines = try await head
            #expect(lines.filter { $0.contains("hunter2") }.count == 3)
            let entry = try #require(bed.proxies[0].journal.entries.first)
            // The name is that of the place where the token was met first: here, or in the line, by what is recorded meanwhile.
            #expect(
                ["query.access_token", "header.Authorization"].map { "/a?access_token=redacted.\($0)&x=1" }
                    .contains(entry.target))
            let journal = try await bed.request("GET", "/__admin/requests").text
            #expect(journal.contains("/a?access_token=redacted") && !journal.contains("hunter2"), "\(journal)")
            #expect(
                entry.fields.map { "\($0.name): \($0.value)" } == [
                    "Host: localhost", "Authorization: *********************", "cookie: ******************", "X-A: 1",
                ])
        }
    }

    @Test(arguments: ["me:pass@", ""])
    func `a page of another site is not lent the credentials that are added`(userInfo: String) async throws {
        let upstream = try RawServer()
        let fields = userInfo.isEmpty ? [UpstreamField("X-Api-Key", "hunter2hunter2")] : []
        try await ProxyBed.recording(["http://\(userInfo)127.0.0.1:\(upstream.port)"], fields: fields) { bed in
            let refused = try await bed.request("POST", "/a", ["Sec-Fetch-Site: cross-site"], body: "x")
            #expect(refused.status == 403)
            #expect(
                refused.text
                    == "a page of another site sends this request, and the recording would add its own credentials: it is not passed on; open the page by the name that it calls this proxy by, or record without --header and credentials in the URL\n"
            )
            // A page whose own name leads here is of the same site to its browser.
            let misdirected = try await bed.request("GET", "/a", ["Host: evil.example:\(bed.port)"])
            #expect(misdirected.status == 421)
            #expect(
                misdirected.text
                    == "this request is for another host than this proxy, and the recording would send its own credentials along: it is not passed on; request it by a name of this machine, or add the name with --admin-host\n"
            )
            // Nothing has come before this.
            async let head = upstream.answer(Self.ok)
            #expect(try await bed.request("GET", "/b", ["Sec-Fetch-Site: same-site"]).status == 200)
            let lines = try await head
            #expect(lines.first == "GET /b HTTP/1.1")
        }
    }

    @Test func `a page of another site is passed on where nothing is added`() async throws {
        let lines = try await seen("GET / HTTP/1.1\r\nHost: HOST\r\nSec-Fetch-Site: cross-site\r\n\r\n")
        #expect(lines == ["GET / HTTP/1.1", "Host: UPSTREAM", "Sec-Fetch-Site: cross-site"])
    }

    @Test func `a line that is added goes to its own service alone`() async throws {
        let (api, images) = (try RawServer(), try RawServer())
        try await ProxyBed.recording([api.base, images.base], fields: [UpstreamField("X-Api-Key", "k")]) { bed in
            for (server, index, isSent) in [(images, 1, false), (api, 0, true)] {
                async let head = server.answer(Self.ok)
                let response = try await bed.request("GET", "/a", to: index)
                #expect(response.status == 200)
                let lines = try await head
                #expect(lines.contains("X-Api-Key: k") == isSent)
            }
        }
    }

    @Test func `codings that cannot be undone are not asked for`() async throws {
        let lines = try await seen(
            "GET / HTTP/1.1\r\nHost: HOST\r\nAccept-Encoding: gzip;q=0.5, compress\r\nAccept-Encoding: dcb, BR\r\n\r\n")
        #expect(lines == ["GET / HTTP/1.1", "Host: UPSTREAM", "Accept-Encoding: gzip;q=0.5, BR"])
    }
}
