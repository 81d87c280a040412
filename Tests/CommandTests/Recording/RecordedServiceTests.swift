// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension RecordingEndToEnd {
    /// Redirects, images of another host, and contents that are large.
    @Suite(.supervised) struct RecordedServiceTests {
        @Test(arguments: [
            ("http_proxy", "svc.test", true), ("HTTPS_PROXY", "svc.test", false), ("http_proxy", "localhost", false),
        ])
        func `a proxy of the environment is told where services are asked by it`(
            variable: String, host: String, isTold: Bool
        ) async throws {
            let into = try TemporaryDirectory()
            let end = try await Command(
                [
                    "record", "http://\(host)", "--connect-to", "\(host):80:127.0.0.1:1", "--get", "/", "--into",
                    into.path,
                ], environment: [variable: "http://127.0.0.1:2"]
            ).end()
            #expect(end.code == 1, "\(end)")
            let told =
                "requests to services go through the proxy that \(variable) names, except for the hosts of no_proxy; --proxy none sends them directly"
            #expect(end.errors.contains(told) == isTold, "\(end)")
        }

        @Test func `a chain of redirects leads through the replay, and not to the service`() async throws {
            let server = try await ForeignServer.nginx(
                TemporaryDirectory(["www/end.json": #"{"end": true}"#]),
                """
                location = /one { return 301 /two; }
                location = /two { return 302 $scheme://$http_host/three; }
                location = /three { return 307 /end.json; }
                """)
            let into = try TemporaryDirectory()
            let end = try await Command.run("record", server.base, "--into", into.path, "--get", "/one")
            #expect(end.code == 0 && RecordSummary(end.output) == RecordSummary(new: 4), "\(end)")
            #expect(end.output.contains("leads to /two, asked for too"))
            let replay = try Command(["serve", into.path, "--port", "0", "--quiet"])
            let base = "http://127.0.0.1:\(try await replay.port())"
            for version in ["--http1.1", "--http2"] {
                let curl = try await Command(line: [
                    "/usr/bin/env", "curl", "--silent", "--noproxy", "*", "--max-time", "90", "--location", version,
                    "--write-out", " %{num_redirects} %{url_effective}", base + "/one",
                ]).end()
                #expect(curl.output == #"{"end": true} 3 \#(base)/end.json"#)
            }
        }

        @Test func `an article and its image on another host are recorded by one client, and replayed by one server`()
            async throws
        {
            let images = try await ForeignServer.nginx(TemporaryDirectory(["www/logo.svg": "<svg/>"]), "")
            let article =
                #"{"image": "\#(images.base)/logo.svg", "again": "\#(images.base.replacing("/", with: "\\/"))\/logo.svg"}"#
            let api = try await ForeignServer.nginx(TemporaryDirectory(["www/article.json": article]), "")
            let into = try TemporaryDirectory()
            let script = #"""
                image=$(curl -s --compressed "$MOCKAPI_URL/article.json" | sed 's/.*"image": "\([^"]*\)".*/\1/')
                case "$image" in "$MOCKAPI_URL_2"/*) curl -s "$image" ;; *) echo "past the proxy: $image" ;; esac
                """#
            let end = try await Command.run(
                "record", api.base, "--also", images.base, "--into", into.path, "--", "/bin/sh", "-c", script)
            #expect(end.code == 0 && RecordSummary(end.errors) == RecordSummary(new: 2), "\(end)")
            #expect(end.output == "<svg/>")
            #expect(into.text("article.json") == article)
            let replay = try Command(["serve", into.path, "--port", "0", "--quiet"])
            let base = "http://127.0.0.1:\(try await replay.port())"
            let seen = try await Curl.fetch(base, [Ask("/article.json"), Ask("/logo.svg")], ["--compressed"])
            #expect(
                String(decoding: seen[0].body, as: UTF8.self)
                    == article.replacing(images.base, with: base)
                    .replacing(images.base.replacing("/", with: "\\/"), with: base.replacing("/", with: "\\/")))
            #expect(seen[1].body == Array("<svg/>".utf8))
            let check = try await Command.run("check", into.path)
            #expect(check.code == 0 && check.output.isEmpty, "\(check)")
        }

        @Test(arguments: RoundTrip.Way.allCases.dropLast())
        func `a large content is not held in memory`(way: RoundTrip.Way) async throws {
            let size = 64 * 1024 * 1024
            let content = SampleFiles.noise(1024 * 1024)
            let directory = try TemporaryDirectory()
            try directory.write("www/big.bin", (0..<size / content.count).flatMap { _ in content })
            let server = try await ForeignServer.nginx(directory, "gzip off;")
            let into = try TemporaryDirectory()
            // The greatest that its memory was, once all is recorded.
            let peak = #"grep VmHWM /proc/$PPID/status"#
            let script = way == .direct ? peak : #"curl -s "$MOCKAPI_URL/big.bin" -o /dev/null; \#(peak)"#
            let direct = way == .direct ? ["--get", "/big.bin"] : []
            let end = try await Command.run(
                ["record", server.base, "--into", into.path] + direct + ["--", "/bin/sh", "-c", script])
            #expect(end.code == 0 && RecordSummary(end.errors) == RecordSummary(new: 1), "\(end)")
            let isWhole = into.bytes("big.bin") == directory.bytes("www/big.bin")
            #expect(isWhole)
            #if os(Linux)
                let line = try #require(end.output.split(separator: "\n").first { $0.hasPrefix("VmHWM") })
                let peakKilobytes = try #require(line.split(separator: " ").compactMap { Int($0) }.first)
                // Less than one copy of it; without any it is about 30 MB.
                #expect(peakKilobytes * 1024 < size, "\(line)")
            #endif
        }
    }
}
