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
        _ request: String, userInfo: String = "", adding fields: [UpstreamField] = []
    ) async throws -> [String] {
        let upstream = try RawServer()
        var lines: [String] = []
        try await ProxyBed.recording(["http://\(userInfo)127.0.0.1:\(upstream.port)"], fields: fields) { bed in
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

    @Test(arguments: ["TE: gzip", "TE: ", "X: trailers"])
    func `trailers are asked for where the client takes them`(field: String) async throws {
        let lines = try await seen("GET / HTTP/1.1\r\nHost: HOST\r\n\(field)\r\n\r\n")
        #expect(!lines.contains("TE: trailers") && !lines.contains("Connection: TE"))
        let asked = try await seen("GET / HTTP/1.1\r\nHost: HOST\r\nTE: gzip, Trailers;q=0.5\r\n\r\n")
        #expect(asked.contains("TE: trailers") && asked.contains("Connection: TE"))
    }

    @Test func `a GET asks for the whole response`() async throws {
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
        #expect(lines == ["GET / HTTP/1.1", "Host: UPSTREAM", "Accept: a/b"])
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
                    == "a page of another site asks for this, and the recording would send its own credentials along: it is not passed on; open the page by the name that it calls this proxy by, or record without --header and credentials in the URL\n"
            )
            // A page whose own name leads here is of the same site to its browser.
            let misdirected = try await bed.request("GET", "/a", ["Host: evil.example:\(bed.port)"])
            #expect(misdirected.status == 421)
            #expect(
                misdirected.text
                    == "this request is for another host than this proxy, and the recording would send its own credentials along: it is not passed on; ask for it by a name of this machine, or add the name with --admin-host\n"
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
