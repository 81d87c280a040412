// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What is heard of a server that nobody watches, and how lines look.
@Suite(.supervised) struct ProblemLogTests {
    private let files: KeyValuePairs = [
        "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "hello", "fixedDelayMilliseconds": 30}}"#,
        "flaky.stub.json": #"{"request": {"urlPath": "/flaky"}, "response": {"fault": "CONNECTION_RESET_BY_PEER"}}"#,
        "cut.stub.json":
            #"{"request": {"urlPath": "/cut"}, "response": {"body": "hello", "fault": "TRUNCATE_BODY", "afterBytes": 2}}"#,
    ]

    @Test func `misses and refused messages have a line where there is no terminal, responses none`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a").status == 200)
        #expect(try WireClient(port: port).request("GET", "/b").status == 404)
        // Loops write their lines each when it is done with its work.
        try await until({ command.errors }, { $0.contains("GET /b") })
        #expect(try WireClient(port: port).request("GET", "/a", ["Host: a", "Host: b"]).status == 400)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let lines = command.errors.split(separator: "\n").dropFirst().map { LogLine($0) }
        #expect(lines.allSatisfy { $0.hasTime }, "\(command.errors)")
        #expect(
            lines.map(\.words) == [
                ["GET /b", "404", "nearest: a.stub.json (urlPath: /a ≠ /b)", "HTTP/1.1 c2"],
                ["GET /a", "400", "the request has more than one Host line", "HTTP/1.1 c3"],
            ])
    }

    @Test func `a burst of misses is told in part, and how many were left out`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(["serve", directory.path, "--port", "0"])
        let port = try await command.port()
        try await blocking {
            let client = try WireClient(port: port)
            for _ in 0..<40 {
                try client.send(String(repeating: "GET /none HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
                for _ in 0..<100 { #expect(try client.response().status == 404) }
            }
        }
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let lines = command.errors.split(separator: "\n").dropFirst()
        let told = lines.count { $0.contains("GET /none") }
        #expect((500...2000).contains(told))
        let leftOut = lines.filter { $0.contains(" left out here: ") }
        #expect(leftOut.compactMap { Int($0.split(separator: " ")[0]) }.reduce(0, +) == 4000 - told)
        let line = try #require(leftOut.first)
        #expect(
            line.hasSuffix(
                " more lines were left out here: of misses, refused messages and failed handshakes 500 are reported at once, "
                    + "and 20 a second; --log-format text reports every request"))
    }

    @Test func `lines and journal tell the fault that was played and the delay that was added`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "text"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a").text == "hello")
        _ = try? WireClient(port: port).request("GET", "/flaky")
        _ = try? WireClient(port: port).request("GET", "/cut")
        let journal = try JSONParser.parse(try WireClient(port: port).request("GET", "/__admin/requests").text)
        let entries = journal["requests"]?.array ?? []
        #expect(entries.map { $0["response"]?["fault"]?.string } == ["TRUNCATE_BODY", "CONNECTION_RESET_BY_PEER", nil])
        #expect(entries.map { $0["response"]?["status"]?.number?.literal } == ["200", "0", "200"])
        #expect(entries.map { $0["request"]?["responseSize"]?.number?.literal } == ["2", "0", "5"])
        #expect(entries.map { $0["responseDefinition"]?["status"]?.number?.literal } == ["200", "200", "200"])
        #expect(entries.last?["timing"]?["addedDelay"]?.number?.literal == "30")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let lines = command.errors.split(separator: "\n").dropFirst().map { LogLine($0) }
        #expect(lines.allSatisfy { $0.hasTime }, "\(command.errors)")
        let words = lines.map { $0.words.filter { !$0.hasSuffix(" ms") } }
        #expect(
            words == [
                ["GET /a", "200", "5 B", "a.stub.json", "HTTP/1.1 c1"],
                ["GET /flaky", "fault CONNECTION_RESET_BY_PEER", "flaky.stub.json", "HTTP/1.1 c2"],
                ["GET /cut", "200", "fault TRUNCATE_BODY", "2 B", "cut.stub.json", "HTTP/1.1 c3"],
            ])
        #expect(lines.first?.words.contains { $0.hasSuffix(" ms +30 ms") } == true)
    }

    @Test func `lines of JSON tell fault and delay`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "json"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a").text == "hello")
        _ = try? WireClient(port: port).request("GET", "/flaky")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let nodes = try command.errors.split(separator: "\n").filter { $0.hasPrefix("{") }
            .map { try JSONParser.parse(String($0)) }.filter { $0["event"] == nil }
        #expect(nodes.map { $0["delayMilliseconds"]?.number?.literal } == ["30", "0"])
        #expect(nodes.map { $0["fault"]?.string } == [nil, "CONNECTION_RESET_BY_PEER"])
        #expect(nodes.last?["status"]?.isNull == true)
    }

    #if os(Linux)
        @Test(arguments: [("xterm", "", true), ("xterm", "1", false), ("dumb", "", false)])
        func `a terminal that has colours gets them`(terminal: String, noColor: String, isColored: Bool) async throws {
            let directory = try TemporaryDirectory(["a.txt": "a"])
            let serve = "\(try Command.executable("mockapi")) serve \(directory.path) --port 0"
            let command = try Command(
                line: ["/usr/bin/script", "-q", "-f", "-e", "-c", serve, "/dev/null"],
                environment: ["TERM": terminal, "NO_COLOR": noColor])
            let port = { terminalPort(in: command.output) }
            try #require(try await until({ command.output }, { $0.contains(" findings") && port() != nil }))
            let number = try #require(port())
            for target in ["/a.txt", "/none"] { _ = try WireClient(port: number).request("GET", target) }
            #expect(try await until({ command.output }, { $0.contains(" /none") && $0.contains("c2") }))
            #expect(command.output.contains("\u{1B}[32m200\u{1B}[0m") == isColored)
            #expect(command.output.contains("\u{1B}[33m404\u{1B}[0m") == isColored)
            #expect(command.output.contains("\u{1B}") == isColored)
            command.send(SIGTERM)
            try await command.ended()
        }
    #endif
}
