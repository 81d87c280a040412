// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The same bytes for every client and every way to speak to the one port.
@Suite(.supervised) struct RealClientTests {
    /// Ways in which curl speaks, with the protocol that it then says it spoke.
    static let ways: [(arguments: [String], scheme: String, version: String)] = [
        (["--http1.1"], "http", "1.1"), (["--http2-prior-knowledge"], "http", "2"), (["--http2"], "http", "2"),
        (["--http1.1"], "https", "1.1"), (["--http2"], "https", "2"),
        (["--http1.1", "--tls-max", "1.2"], "https", "1.1"), (["--http2", "--tls-max", "1.2"], "https", "2"),
    ]

    private static let image = (0..<1_048_576).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }
    private static let article = String(repeating: #"{"data": [{"id": "1", "type": "contents"}]}"#, count: 150)

    private func serving(_ body: (TestServer, TLSDirectory) async throws -> Void) async throws {
        let tls = try TLSDirectory()
        let directory = try TemporaryDirectory(["article.json": Self.article])
        try directory.write("image.png", Self.image)
        try directory.write(
            "post.stub.json", #"{"request": {"method": "POST", "urlPath": "/post"}, "response": {"body": "taken"}}"#)
        try await TestServer.serving(
            directory,
            {
                $0.tls = tls.settings
                // Large enough to keep what is posted.
                $0.journalLimit = 256 * 1024 * 1024
            }
        ) { try await body($0, tls) }
    }

    @Test(arguments: Self.ways.indices)
    func `curl gets the same bytes`(way: Int) async throws {
        let (arguments, scheme, version) = Self.ways[way]
        try await serving { server, tls async throws in
            let base = "\(scheme)://localhost:\(server.port)"
            let common =
                arguments + ["--cacert", try tls.authority(), "--write-out", "%{stderr}%{http_version} %{http_code}"]
            let article = try await Tool.curl(common + ["\(base)/article.json"])
            #expect(article.errors == "\(version) 200" && article.text == Self.article)
            let image = try await Tool.curl(common + ["\(base)/image.png"])
            #expect(image.errors == "\(version) 200" && image.output == Data(Self.image))
            let range = try await Tool.curl(common + ["--range", "1000-1999", "\(base)/image.png"])
            #expect(range.errors == "\(version) 206" && range.output == Data(Self.image[1000..<2000]))
            let content = Self.image + Self.image + Self.image + Self.image + Self.image
            let file = try TemporaryDirectory()
            try file.write("content", content)
            let post = try await Tool.curl(common + ["--data-binary", "@\(file.path)/content", "\(base)/post"])
            #expect(post.errors == "\(version) 200" && post.text == "taken")
            let entry = try #require(server.journal.entries.last)
            #expect(entry.bodySize == content.count && entry.body == content)
            #expect(entry.protocolName == (version == "2" ? "HTTP/2.0" : "HTTP/1.1"))
            #expect(entry.request.scheme == scheme)
        }
    }

    @Test func `nghttp gets an article and an image, with and without TLS`() async throws {
        try await serving { server, _ async throws in
            for scheme in ["http", "https"] {
                let base = "\(scheme)://localhost:\(server.port)"
                #expect(try await Tool.run("nghttp", ["\(base)/article.json"]).text == Self.article)
                #expect(try await Tool.run("nghttp", ["\(base)/image.png"]).output == Data(Self.image))
            }
        }
    }

    @Test func `h2load asks for a hundred streams at once, and all succeed`() async throws {
        try await serving { server, _ async throws in
            for scheme in ["http", "https"] {
                let load = try await Tool.run(
                    "h2load",
                    ["-n", "1000", "-c", "2", "-m", "100", "\(scheme)://localhost:\(server.port)/article.json"])
                #expect(load.text.contains("1000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(load.text)")
                let bytes = 1000 * Self.article.utf8.count
                #expect(load.text.contains("(\(bytes)) data"), "\(load.text)")
            }
        }
    }

    @Test func `URLSession gets the same bytes over HTTP/1.1`() async throws {
        try await serving { server, _ async throws in
            let session = URLSession(configuration: .ephemeral)
            defer { session.invalidateAndCancel() }
            let base = try #require(URL(string: server.base))
            let (article, _) = try await session.data(from: base.appendingPathComponent("article.json"))
            #expect(article == Data(Self.article.utf8))
            let (image, _) = try await session.data(from: base.appendingPathComponent("image.png"))
            #expect(image == Data(Self.image))
            var request = URLRequest(url: base.appendingPathComponent("post"))
            request.httpMethod = "POST"
            request.httpBody = Data(Self.image)
            let (taken, _) = try await session.data(for: request)
            #expect(taken == Data("taken".utf8))
            #expect(server.journal.entries.last?.body == Self.image)
        }
    }

    @Test(arguments: [
        ("http", UpstreamProtocol.http1), ("http", .h2c), ("http", .h2cUpgrade), ("https", .http1), ("https", .h2),
    ])
    func `our own client gets the same bytes in each of its modes`(scheme: String, version: UpstreamProtocol)
        async throws
    {
        try await serving { server, tls async throws in
            var configuration = UpstreamConfiguration()
            configuration.caFile = try tls.authority()
            let client = UpstreamClient(configuration)
            let base = "\(scheme)://localhost:\(server.port)"
            #expect(
                try await client.send(UpstreamRequest("GET", base + "/article.json", version: version)).text
                    == Self.article)
            #expect(
                try await client.send(UpstreamRequest("GET", base + "/image.png", version: version)).body == Self.image)
            let content = Self.image + Self.image + Self.image + Self.image + Self.image
            let post = UpstreamRequest("POST", base + "/post", body: .bytes(content), version: version)
            #expect(try await client.send(post).text == "taken")
            #expect(server.journal.entries.last?.body == content)
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        try await client.send(UpstreamRequest("GET", base + "/article.json", version: version)).text
                    }
                }
                for try await text in group { #expect(text == Self.article) }
            }
        }
    }

    @Test func `one connection, twenty streams`() async throws {
        try await serving { server, _ async throws in
            let client = try FrameClient(port: server.port)
            for _ in 0..<20 { #expect(try client.get("/article.json").text == Self.article) }
            let entries = server.journal.entries
            #expect(Set(entries.map(\.connection)).count == 1)
            #expect(entries.map(\.stream) == (0..<20).map { 2 * $0 + 1 })
            #expect(entries.allSatisfy { $0.tlsVersion == nil })
            _ = try server.get("/article.json")
            #expect(server.journal.entries.last?.stream == nil)
        }
    }

    @Test func `a request with content that asks for an upgrade is invited, read, and only then upgraded`() async throws
    {
        try await serving { server, _ async throws in
            let wire = try server.connect()
            let lines = [
                "POST /post HTTP/1.1", "Host: localhost", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c",
                "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA", "Expect: 100-continue", "Content-Length: 3",
            ]
            try wire.send(lines.joined(separator: "\r\n") + "\r\n\r\n")
            #expect(try wire.line() == "HTTP/1.1 100 Continue")
            #expect(try wire.line() == "")
            try wire.send("abc")
            #expect(try wire.line() == "HTTP/1.1 101 Switching Protocols")
            while try !wire.line().isEmpty {}
            let client = try FrameClient(upgraded: wire)
            #expect(try client.response(stream: 1).text == "taken")
            #expect(server.journal.entries.last?.body == Array("abc".utf8))
            #expect(try client.get("/article.json").text == Self.article)
        }
    }

    @Test(arguments: [
        // No Base64, no whole setting, ENABLE_PUSH 2, INITIAL_WINDOW_SIZE 2^31, MAX_FRAME_SIZE 1, and two lines.
        ["A"], ["AAMA"], ["AAIAAAAC"], ["AASAAAAA"], ["AAUAAAAB"], ["AAMAAABk", "AAMAAABk"],
    ])
    func `an upgrade with settings that cannot be is answered in HTTP-1`(settings: [String]) async throws {
        try await serving { server, _ async throws in
            let lines = settings.map { "HTTP2-Settings: \($0)" }
            let answer = try server.request(
                "GET", "/article.json", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c"] + lines)
            #expect(answer.status == 200 && answer.version == "HTTP/1.1")
        }
    }

    @Test func `what is switched off is not spoken`() async throws {
        let tls = try TLSDirectory()
        try await TestServer.serving(
            ["a.txt": "a"],
            {
                $0.speaksHTTP2 = false; $0.tls = tls.settings
            }
        ) { server async throws in
            let url = "localhost:\(server.port)/a.txt"
            let common = ["--cacert", try tls.authority(), "--write-out", " %{http_version}"]
            #expect(try await Tool.curl(common + ["--http2", "https://\(url)"]).text == "a 1.1")
            #expect(try await Tool.curl(common + ["--http2", "http://\(url)"]).text == "a 1.1")
            #expect(try await Tool.curl(["--http2-prior-knowledge", "http://\(url)"]).code != 0)
        }
        try await TestServer.serving(["a.txt": "a"], { $0.tls = nil }) { server async throws in
            #expect(try await Tool.curl(["--insecure", "https://localhost:\(server.port)/a.txt"]).code == 35)
        }
    }
}
