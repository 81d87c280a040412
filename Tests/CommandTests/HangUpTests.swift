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

/// What SIGHUP does to a server.
@Suite(.supervised) struct HangUpTests {
    private let steps =
        #"{"request": {"urlPath": "/a"}, "responses": [{"status": 201}, {"status": 202}], "afterLast": "unmatched"}"#

    @Test func `SIGHUP has the fixtures read again without watching, and sequences begin again`() async throws {
        let directory = try TemporaryDirectory(["a.stub.json": steps])
        let command = try Command(["serve", directory.path, "--port", "0", "--no-watch"])
        let client = try WireClient(port: try await command.port())
        let run = { try [client.request("GET", "/a").status, client.request("GET", "/a").status] }
        #expect(try run() == [201, 202])
        #expect(try run() == [404, 404])
        try directory.write("b.txt", "b")
        command.send(SIGHUP)
        #expect(try await until({ try client.request("GET", "/b.txt").status }, is: 200))
        #expect(try await until({ command.errors }, { $0.contains("  reloaded: 1 stub, 1 file, 0 findings\n") }))
        #expect(try run() == [201, 202])
        // A broken edit leaves what is served, and a second run still begins at the first step.
        try directory.write("b.stub.json", "{")
        command.send(SIGHUP)
        #expect(
            try await until({ command.errors }) {
                $0.contains("  the earlier fixtures are served until these findings are mended\n")
            })
        #expect(try await until({ try client.request("GET", "/a").status }, is: 201))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `a second run of a client gets the same responses after a reset`() async throws {
        let directory = try TemporaryDirectory(["a.stub.json": steps])
        let command = try Command(["serve", directory.path, "--port", "0"])
        let client = try WireClient(port: try await command.port())
        for path in ["/__admin/reset", "/__admin/scenarios/reset"] {
            #expect(try [client.request("GET", "/a").status, client.request("GET", "/a").status] == [201, 202])
            #expect(try client.request("POST", path).status == 200)
        }
        #expect(try client.request("GET", "/a").status == 201)
    }

    #if os(Linux)
        @Test func `a server whose terminal goes ends`() async throws {
            let directory = try TemporaryDirectory(["a.txt": "a"])
            // `script` makes a terminal, which goes with it.
            let serve = "exec \(try Command.executable("mockapi")) serve \(directory.path) --port 0"
            let terminal = try Command(line: ["/usr/bin/script", "-q", "-f", "-c", serve, "/dev/null"])
            let port = { terminalPort(in: terminal.output) }
            try #require(try await until({ terminal.output }, { $0.contains(" findings") && port() != nil }))
            let number = try #require(port())
            #expect(try WireClient(port: number).request("GET", "/a.txt").status == 200)
            terminal.send(SIGKILL)
            #expect(try await until({ (try? WireClient(port: number)) == nil }, is: true))
        }
    #endif
}

/// The port that a server named on its terminal, on a line that is whole: the two streams have a writer each, and come in either order.
func terminalPort(in output: String) -> Int? {
    let lines = output.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).dropLast()
    return lines.first { $0.contains("listening on ") }?.split(separator: ":").last.flatMap { Int($0) }
}
