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

/// Stubs that have `serve` reach other servers.
@Suite(.supervised) struct ServeOutgoingTests {
    @Test func `where stubs lead is told at the start, and forbidden on request`() async throws {
        let files = try TemporaryDirectory(["a.txt": "up"])
        let upstream = try Command(["serve", files.path, "--port", "0"])
        let place = "http://127.0.0.1:\(try await upstream.port())"
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a.txt"}, "response": {"proxyBaseUrl": "\#(place)"}}"#
        ])
        let note = "  1 stub has this server reach \(place); --no-outgoing keeps it from that\n"
        for isForbidden in [false, true] {
            let command = try Command(
                ["serve", directory.path, "--port", "0"] + (isForbidden ? ["--no-outgoing"] : []))
            let answer = try WireClient(port: try await command.port()).request("GET", "/a.txt")
            #expect(answer.status == (isForbidden ? 501 : 200))
            if !isForbidden { #expect(answer.text == "up") }
            command.send(SIGTERM)
            #expect(try await command.exitCode() == 0)
            let start = "  1 stub, 0 files, 0 findings\n" + (isForbidden ? "" : note)
            #expect(command.errors.hasPrefix(start))
            let lines = command.errors.dropFirst(start.count).split(separator: "\n")
            #expect(lines.count == (isForbidden ? 1 : 0))
            #expect(lines.allSatisfy { $0.contains("501   this server reaches no others: ") }, "\(lines)")
        }
        upstream.send(SIGTERM)
        #expect(try await upstream.exitCode() == 0)
    }

    @Test func `a webhook that fails is a line`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"""
            {"response": {}, "serveEventListeners": [{"name": "webhook", "parameters": {"url": "http://127.0.0.91:1/x"}}]}
            """#
        ])
        let command = try Command(["serve", directory.path, "--port", "0"])
        #expect(try WireClient(port: try await command.port()).request("GET", "/").status == 200)
        #expect(
            try await until({ command.errors }) { $0.contains("warning: the webhook GET http://127.0.0.91:1/x: ") })
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `an origin has no path`() async throws {
        let run = try await Command.run("serve", "--cors-origin", "http://a/b")
        #expect(run.code != 0)
        #expect(
            run.errors.contains(
                "--cors-origin takes an origin such as https://app.example or capacitor://localhost, without a path, or null; found http://a/b"
            ))
    }
}
