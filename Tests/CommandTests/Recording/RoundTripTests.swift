// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

extension RecordingEndToEnd {
    /// Recordings of servers that are not ours, and of ours, replayed.
    @Suite(.supervised) struct RoundTripTests {
        /// What all static servers have.
        private static let files: [Ask] =
            SampleFiles.all.map { Ask("/" + $0.name) } + [
                Ask("HEAD", "/images/a.png"), Ask("/images/a.png?w=16&w=32"), Ask("/missing"), Ask("/missing.png"),
            ]

        private static let nginxLocations = """
            location = /none { return 204; }
            location = /go { return 302 /go/on; }
            location = /go/on { return 301 /go/on/again; }
            location = /go/on/again { return 308 $scheme://$http_host/api/contents.json?from=go; }
            location = /cookies {
                add_header Set-Cookie "session=s3cr3tS3ss10nV4lu3; Path=/; HttpOnly";
                add_header Set-Cookie "theme=dark; Max-Age=3600; SameSite=Lax";
                default_type application/json;
                return 200 '{"cookies": 2}';
            }
            location = /list { default_type application/json; return 200 '{"query": "$args"}'; }
            location /post { default_type application/json; return 201 '{"posted": "$request_uri $content_type"}'; }
            location = /down { default_type application/problem+json; return 503 '{"status": 503}'; }
            location = /teapot { return 418 "short and stout\\n"; }
            location ~ odd { types {} default_type text/plain; return 200 "$request_uri\\n"; }
            """

        private static let answers: [Ask] = [
            Ask("/none"), Ask("/go"), Ask("/go/on"), Ask("/go/on/again"), Ask("/api/contents.json?from=go"),
            Ask("/cookies"), Ask("/list?tag=a&tag=b&page%5Bnumber%5D=2"), Ask("/list?tag=b&tag=c&page%5Bnumber%5D=2"),
            Ask("/list"), Ask("/list?q=a+b%20c"), Ask("/down"), Ask("/teapot"),
            Ask("POST", "/post/json", "application/json", #"{"name": "Ann", "tags": ["a", "b"]}"#),
            Ask("POST", "/post/json", "application/json", #"{"name": "Bea", "tags": []}"#),
            Ask("POST", "/post/form", "application/x-www-form-urlencoded", "name=Ann&page=1+2"),
            Ask(
                "POST", "/post/multipart", "multipart/form-data; boundary=XyZ",
                "--XyZ\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\nHello\r\n--XyZ--\r\n"),
            Ask("PUT", "/post/binary", "application/octet-stream", [0, 1, 2, 255, 254]),
            Ask("DELETE", "/post/1"),
        ]

        private static let odd: [Ask] = [
            "/odd%2Fb", "/odd%20b", "/odd[1]", "/odd/", "/odd", "//odd", "/a//odd", "/odd/./b", "/odd/../odd/c",
            "/odd%C3%A9",
            "/odd%25", "/odd;v=1", "/odd,b", "/odd+b", "/odd|b", "/odd^b", "/odd%", "/odd'b", "/odd?a=",
            "/odd?[x]=1",
            "/odd?a=%2F&b=/", "/odd.xml", "/odd.stub.json", "/odd/.hidden",
        ].map { Ask($0) }

        private func nginx() async throws -> ForeignServer {
            let directory = try TemporaryDirectory()
            try SampleFiles.write(to: directory, under: "www")
            return try await .nginx(directory, Self.nginxLocations)
        }

        @Test(arguments: RoundTrip.Way.allCases)
        func `nginx with gzip`(way: RoundTrip.Way) async throws {
            let server = try await nginx()
            try await RoundTrip(base: server.base, asks: Self.files + Self.answers + Self.odd).run(way)
        }

        @Test(arguments: RoundTrip.Way.allCases)
        func `nginx over TLS and HTTP-2`(way: RoundTrip.Way) async throws {
            let server = try await nginx()
            try await RoundTrip(
                base: server.secureBase, asks: Self.files + Self.answers + Self.odd,
                curl: ["--cacert", server.authority],
                options: ["--cacert", server.authority]
            ).run(way)
        }

        @Test(arguments: RoundTrip.Way.allCases)
        func `nghttpd over TLS and HTTP-2`(way: RoundTrip.Way) async throws {
            let directory = try TemporaryDirectory([
                "mime.types":
                    "application/json json\ntext/plain txt\nimage/png png\nimage/gif gif\nimage/jpeg jpg\nimage/webp webp\nimage/avif avif\n"
                    + "image/svg+xml svg\nimage/x-icon ico\nfont/woff2 woff2\napplication/pdf pdf\napplication/octet-stream bin\n"
            ])
            try SampleFiles.write(to: directory, under: "www")
            let server = try await ForeignServer.nghttpd(directory)
            try await RoundTrip(
                base: server.secureBase, asks: Self.files, curl: ["--cacert", server.authority],
                options: ["--cacert", server.authority]
            ).run(way)
        }

        /// Ours, with the codings that nginx lacks, trailers and reasons.
        private static func ours() throws -> TemporaryDirectory {
            let fixtures = try TemporaryDirectory()
            try SampleFiles.write(to: fixtures, under: "")
            for coding in ["gzip", "deflate", "br", "zstd"] {
                try fixtures.write("coded/\(coding).body.json", SampleFiles.json)
                try fixtures.write(
                    "coded/\(coding).stub.json",
                    #"{"request": {"urlPath": "/coded/\#(coding)"}, "response": {"headers": ["Content-Type: application/json", "ETag: \"\#(coding)\""], "bodyFile": "\#(coding).body.json", "contentEncoding": "\#(coding)"}}"#
                )
            }
            let stubs = [
                #""request": {"urlPath": "/none"}, "response": {"status": 204, "headers": ["X-Reason: none"]}"#,
                #""request": {"urlPath": "/go"}, "response": {"status": 307, "headers": ["Location: /go/on"]}"#,
                #""request": {"urlPath": "/go/on"}, "response": {"status": 302, "headers": ["Location: again"], "body": "on"}"#,
                #""request": {"urlPath": "/go/again"}, "response": {"status": 303, "headers": ["Location: /api/contents.json"]}"#,
                #""request": {"urlPath": "/cookies"}, "response": {"headers": ["Set-Cookie: session=s3cr3tS3ss10nV4lu3; Path=/; Secure", "X-Between: 1", "Set-Cookie: theme=dark"], "body": "two"}"#,
                #""request": {"urlPath": "/reason"}, "response": {"status": 200, "reason": "Quite Fine", "body": "reason"}"#,
                #""request": {"urlPath": "/repeated"}, "response": {"headers": ["Warning: 199 a", "Warning: 199 b", "Link: </a>; rel=next", "Link: </b>; rel=prev"], "body": "x"}"#,
                #""request": {"urlPath": "/down"}, "response": {"status": 500, "headers": ["Retry-After: 5"], "jsonBody": {"error": true}}"#,
                #""request": {"urlPath": "/unprocessable", "method": "POST"}, "response": {"status": 422, "jsonBody": {"errors": ["name"]}}"#,
                #""request": {"urlPath": "/late"}, "response": {"body": "late but whole", "fixedDelayMilliseconds": 120, "chunkedDribbleDelay": {"numberOfChunks": 5, "totalDuration": 100}}"#,
                #""request": {"urlPath": "/nothing"}, "response": {"status": 200}"#,
                #""request": {"urlPath": "/lies"}, "response": {"headers": ["Content-Type: text/html; charset=utf-8"], "body": "{\"it\": \"is JSON\"}"}"#,
            ]
            try fixtures.write("all.stub.json", #"{"stubs": [\#(stubs.map { "{\($0)}" }.joined(separator: ",\n"))]}"#)
            return fixtures
        }

        private static let oursAsks: [Ask] =
            files
            + [
                "/coded/gzip", "/coded/deflate", "/coded/br", "/coded/zstd", "/none", "/go", "/go/on", "/go/again",
                "/cookies",
                "/reason", "/repeated", "/down", "/late", "/nothing", "/lies",
            ].map { Ask($0) } + [
                Ask("POST", "/unprocessable", "application/json", #"{"name": ""}"#), Ask("HEAD", "/coded/br"),
                Ask("HEAD", "/down"), Ask("OPTIONS", "/images/a.png"),
            ]

        @Test(arguments: RoundTrip.Way.allCases, ["--http1.1", "--http2"])
        func `our own server, by HTTP-1 and HTTP-2`(way: RoundTrip.Way, version: String) async throws {
            let fixtures = try Self.ours()
            let server = try Command(["serve", fixtures.path, "--port", "0", "--quiet"])
            let curl = version == "--http2" ? "--http2-prior-knowledge" : version
            try await RoundTrip(
                base: "http://127.0.0.1:\(try await server.port())", asks: Self.oursAsks, curl: [curl],
                options: [version]
            ).run(way)
        }
    }
}
