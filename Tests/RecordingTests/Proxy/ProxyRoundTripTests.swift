// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiHTTPSyntax
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Proxies in front of our own server.
@Suite(.supervised) struct ProxyRoundTripTests {
    private static func serving(
        _ files: KeyValuePairs<String, String>, tls: MockServer.Configuration.TLS? = nil,
        _ body: (MockServer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory(files)
        var configuration = MockServer.Configuration()
        configuration.tls = tls
        let server = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        do {
            try await body(server)
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    @Test func `an article and its image come by two proxies, by gzip too, and are both recorded`() async throws {
        try await Self.serving(["logo.png": "\u{1}no image"]) { images in
            let article =
                #"{"logo": "\#(images.address)/logo.png", "escaped": "http:\/\/\#(images.address.dropFirst(7))\/x"}"#
            let stub = #"""
                {"request": {"urlPath": "/article"},
                 "response": {"headers": ["Content-Type: application/json"], "bodyFile": "article.json", "contentEncoding": "gzip"}}
                """#
            try await Self.serving(["article.stub.json": stub, "article.json": article]) { api in
                try await ProxyBed.recording([api.address, images.address]) { bed in
                    let response = try await bed.request("GET", "/article", ["Accept-Encoding: gzip"])
                    #expect(response["Content-Encoding"] == nil)
                    let base = "localhost:\(bed.ports[1])"
                    #expect(
                        response.text == #"{"logo": "http://\#(base)/logo.png", "escaped": "http:\/\/\#(base)\/x"}"#)
                    #expect(try await bed.request("GET", "/logo.png", to: 1).text == "\u{1}no image")
                    let outcomes = await bed.outcomes
                    #expect(outcomes.map(\.kind) == [.new, .new])
                    #expect(outcomes.map(\.coding) == ["gzip", nil])
                    #expect(outcomes.map(\.origin) == [api.address, images.address])
                    let files = outcomes.flatMap(\.files)
                    #expect(files.contains("article.json"))
                    // The recording is what the upstream sent.
                    #expect(bed.into.text("article.json") == article)
                }
            }
        }
    }

    @Test func `HTTP 2 is spoken on both sides, over TLS to an upstream of an authority that is given`() async throws {
        let state = try TemporaryDirectory()
        let tls = MockServer.Configuration.TLS(authorityDirectory: state.path)
        try await Self.serving(["a.json": "[1]"], tls: tls) { upstream in
            let authority = try DevelopmentAuthority(directory: state.path).certificatePath
            let secure = "https" + upstream.address.dropFirst(4)
            try await ProxyBed.recording([secure], { $0.upstream.caFile = authority }) { bed in
                let curl = try Command(
                    line: [
                        "/usr/bin/curl", "--silent", "--max-time", "90", "--noproxy", "*", "--http2-prior-knowledge",
                        "--write-out", " %{http_version} %{http_code}", "http://127.0.0.1:\(bed.port)/a.json",
                    ])
                #expect(try await curl.end().output == "[1] 2 200")
                #expect(upstream.journal.entries.map(\.protocolName) == ["HTTP/2.0"])
                #expect(await bed.outcomes.map(\.kind) == [.new])
            }
            try await ProxyBed.recording([secure]) { bed in
                let response = try await bed.request("GET", "/a.json")
                #expect(response.status == 502)
                #expect(response.text.contains("give the authority that signed the server's certificate"))
            }
        }
    }

    @Test func `HTTP 2 without TLS is spoken where it is asked for`() async throws {
        try await Self.serving(["a.json": "[1]"]) { upstream in
            try await ProxyBed.recording([upstream.address], { $0.version = .http2 }) { bed in
                let response = try await bed.request("GET", "/a.json")
                #expect(response.text == "[1]")
                #expect(upstream.journal.entries.map(\.protocolName) == ["HTTP/2.0"])
            }
        }
    }

    @Test func `safe requests are asked as often as there are to be samples`() async throws {
        try await Self.serving(["a.json": "[1]"]) { upstream in
            try await ProxyBed.recording(
                [upstream.address],
                {
                    $0.samples = 3; $0.sampleGap = .zero
                }
            ) { bed in
                #expect(try await bed.request("GET", "/a.json").text == "[1]")
                #expect(await bed.outcomes.map(\.kind) == [.new])
                #expect(upstream.journal.entries.count == 3)
                _ = try await bed.request("DELETE", "/a.json")
                _ = await bed.outcomes
                #expect(upstream.journal.entries.count == 4)
            }
        }
    }

    @Test func `five megabytes pass byte for byte`() async throws {
        let bytes = (0..<5 * 1024 * 1024).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let directory = try TemporaryDirectory()
        try directory.write("big.bin", bytes)
        var configuration = MockServer.Configuration()
        configuration.tls = nil
        let upstream = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        try await ProxyBed.recording([upstream.address]) { bed in
            let response = try await bed.request("GET", "/big.bin")
            #expect(response["Content-Length"] == "\(bytes.count)")
            #expect(response.body == bytes)
            let outcome = try #require(await bed.outcomes.first)
            #expect(outcome.kind == .new)
            let body = try #require(outcome.files.first { !$0.hasSuffix(".stub.json") })
            #expect(bed.into.bytes(body) == bytes)
        }
        await upstream.stop()
    }

    @Test func `many requests at once are each recorded`() async throws {
        let files = (0..<40).map { ("f\($0).txt", "file \($0)") }
        let directory = try TemporaryDirectory()
        for (name, text) in files { try directory.write(name, text) }
        let upstream = try await MockServer.start(fixtures: directory.path)
        try await ProxyBed.recording([upstream.address]) { bed in
            try await withThrowingTaskGroup { group in
                for (name, text) in files {
                    group.addTask {
                        let response = try await bed.request("GET", "/\(name)")
                        #expect(response.text == text)
                    }
                }
                try await group.waitForAll()
            }
            #expect(await bed.outcomes.filter { $0.kind == .new }.count == 40)
        }
        await upstream.stop()
    }
}
