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

/// `mockapi serve --record`.
@Suite(.supervised) struct ServeRecordingTests {
    @Test func `what is missing is recorded and asked for again, and served by the next run`() async throws {
        let service = try TemporaryDirectory(["a.txt": "theirs", "poll.stub.json": Self.poll])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let fixtures = try TemporaryDirectory(["a.txt": "mine"])
        let arguments = ["serve", fixtures.path, "--port", "0", "--record", "new", "--upstream", url]
        let command = try Command(arguments, environment: ["CI": ""])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a.txt").text == "mine")
        // A retry, and a poll, come to their end while they are recorded.
        for (status, text) in [(503, "busy"), (200, "running"), (200, "done")] {
            let response = try WireClient(port: port).request("GET", "/poll")
            #expect(response.status == status)
            #expect(response.text == text)
        }
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.output == "listening on http://127.0.0.1:\(port)\n")
        #expect(command.errors.contains("  recording \(url), proxy on http://127.0.0.1:\(port)\n"))
        #expect(command.errors.contains("  1 new, 2 changed, 0 unchanged, 0 refused, 0 failed\n"), "\(command.errors)")
        // The service may go away now.
        upstream.send(SIGTERM)
        _ = try await upstream.exitCode()
        // Its port may soon be another's; nobody listens on this one.
        let next = try Command(arguments.dropLast() + ["http://127.0.0.1:1"], environment: ["CI": ""])
        let nextPort = try await next.port()
        for text in ["busy", "running", "done"] {
            #expect(try WireClient(port: nextPort).request("GET", "/poll").text == text)
        }
        #expect(try WireClient(port: nextPort).request("GET", "/c.txt").status == 502)
        next.send(SIGTERM)
        #expect(try await next.exitCode() == 0)
    }

    private static let poll = #"""
        {"request": {"urlPath": "/poll"},
         "responses": [{"status": 503, "body": "busy"}, {"body": "running"}, {"body": "done"}]}
        """#

    @Test func `what is missing is asked for, what is there never, and the journal tells which`() async throws {
        let service = try TemporaryDirectory(["a.txt": "theirs", "b.txt": "b"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let upstreamPort = try await upstream.port()
        let fixtures = try TemporaryDirectory(["a.txt": "mine"])
        let command = try Command(
            [
                "serve", fixtures.path, "--port", "0", "--quiet", "--record", "new", "--upstream",
                "http://127.0.0.1:\(upstreamPort)",
            ], environment: ["CI": ""])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a.txt").text == "mine")
        #expect(try WireClient(port: port).request("GET", "/b.txt").text == "b")
        #expect(try await until({ fixtures.snapshot().keys.sorted() }, { $0.contains("b.txt.stub.json") }))
        for _ in 0..<5 {
            #expect(try WireClient(port: port).request("GET", "/b.txt").text == "b")
            #expect(try WireClient(port: port).request("GET", "/a.txt").text == "mine")
        }
        let entries = try Self.journal(port)
        #expect(entries.first == JournalEntry(url: "/a.txt", isOfStub: false, isOfUpstream: false))
        #expect(entries.dropFirst().first == JournalEntry(url: "/b.txt", isOfStub: false, isOfUpstream: true))
        let asks = try Self.journal(upstreamPort)
        #expect(asks.count == 6 && asks.count == entries.filter(\.isOfUpstream).count)
        #expect(asks.allSatisfy { $0.url == "/b.txt" })
        #expect(fixtures.snapshot().keys.sorted() == ["a.txt", "b.txt", "b.txt.stub.json"])
        #expect(fixtures.text("a.txt") == "mine")
        withExtendedLifetime(service) {}
    }

    private struct JournalEntry: Equatable {
        var url: String
        var isOfStub: Bool
        var isOfUpstream: Bool
    }

    /// The requests that a server has had, the oldest first.
    private static func journal(_ port: Int) throws -> [JournalEntry] {
        let answer = try WireClient(port: port).request("GET", "/__admin/requests")
        let entries = try JSONParser.parse(answer.body)["requests"]?.array ?? []
        return entries.reversed().map { entry in
            JournalEntry(
                url: entry["request"]?["url"]?.string ?? "", isOfStub: entry["stubMapping"] != nil,
                isOfUpstream: entry["upstream"]?.bool ?? false)
        }
    }

    @Test(arguments: ["once", "new", "all"])
    func `continuous integration changes no fixtures`(mode: String) async throws {
        let directory = try TemporaryDirectory()
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--record", mode, "--upstream", "http://a"],
            environment: ["CI": "true"])
        let end = try await command.end()
        #expect(end.code == 4)
        #expect(
            end.errors
                == "error: CI is set, and --record \(mode) would change fixtures; record on your machine and commit "
                + "them, or take --record none\n")
    }

    @Test func `a directory that is missing is made`() async throws {
        let parent = try TemporaryDirectory()
        let command = try Command(
            ["serve", "\(parent.path)/new", "--port", "0", "--record", "new", "--upstream", "http://127.0.0.1:1"],
            environment: ["CI": ""])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/").status == 502)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `record is told outright and works in continuous integration`() async throws {
        let service = try TemporaryDirectory(["a.txt": "a"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let into = try TemporaryDirectory()
        let command = try Command(["record", url, "--into", into.path, "--get", "/a.txt"], environment: ["CI": "true"])
        #expect(try await command.end().code == 0)
        #expect(into.text("a.txt") == "a")
    }

    @Test(arguments: ["none", "passthrough"])
    func `continuous integration may serve and pass`(mode: String) async throws {
        let service = try TemporaryDirectory(["a.txt": "theirs"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let directory = try TemporaryDirectory(["a.txt": "mine"])
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--record", mode, "--upstream", url], environment: ["CI": "true"])
        let port = try await command.port()
        #expect(
            try WireClient(port: port).request("GET", "/a.txt").text == (mode == "none" ? "mine" : "theirs"))
        #expect(directory.text("a.txt") == "mine")
    }

    @Test func `record and upstream belong together`() async throws {
        let directory = try TemporaryDirectory()
        let one = try await Command.run("serve", directory.path, "--upstream", "http://a")
        #expect(one.code == 64)
        #expect(one.errors.contains("error: --upstream needs --record: write --record new to record missing responses"))
        let other = try await Command.run("serve", directory.path, "--record", "new")
        #expect(other.errors.contains("error: --record new needs --upstream, the URL of the service"))
    }

    @Test func `what no fixture answers is passed on without being recorded, in continuous integration too`()
        async throws
    {
        let service = try TemporaryDirectory(["a.txt": "theirs", "b.txt": "b"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let other = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let second = "http://127.0.0.1:\(try await other.port())"
        let fixtures = try TemporaryDirectory(["a.txt": "mine"])
        let command = try Command(
            ["serve", fixtures.path, "--port", "0", "--proxy-unmatched", url, "--proxy-unmatched", second],
            environment: ["CI": "true"])
        let port = try await command.port()
        #expect(try await until({ command.errors }, { $0.split(separator: "\n").count >= 3 }))
        #expect(try WireClient(port: port).request("GET", "/a.txt").text == "mine")
        #expect(try WireClient(port: port).request("GET", "/b.txt").text == "b")
        #expect(try WireClient(port: port).request("GET", "/none").status == 404)
        let notes = command.errors.split(separator: "\n").map(String.init)
        let way = "passing requests that no fixture answers to"
        #expect(notes.contains("  \(way) \(url), recording nothing, proxy on http://127.0.0.1:\(port)"))
        let line = try #require(notes.first { $0.hasPrefix("  \(way) \(second), recording nothing, proxy on ") })
        let proxy = try #require(line.split(separator: ":").last.flatMap { Int($0) })
        #expect(try WireClient(port: proxy).request("GET", "/a.txt").text == "mine")
        #expect(try WireClient(port: proxy).request("GET", "/b.txt").text == "b")
        #expect(try Self.journal(port).map(\.isOfUpstream) == [false, true, true])
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(fixtures.snapshot().keys.sorted() == ["a.txt"] && fixtures.text("a.txt") == "mine")
    }

    @Test func `a service that is passed on to and does not answer is heard`() async throws {
        let fixtures = try TemporaryDirectory(["a.txt": "mine"])
        let command = try Command(["serve", fixtures.path, "--port", "0", "--proxy-unmatched", "http://127.0.0.1:1"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/b").status == 502)
        #expect(try await until({ command.errors }, { $0.contains("  ! GET /b") }))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `what is recorded by all and passthrough is not served, though it is watched`() async throws {
        let service = try TemporaryDirectory(["a.txt": "theirs"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let fixtures = try TemporaryDirectory(["a.txt": "mine"])
        let command = try Command(
            ["serve", fixtures.path, "--port", "0", "--watch", "--record", "passthrough", "--upstream", url])
        let port = try await command.port()
        command.send(SIGHUP)
        try fixtures.write("b.txt", "b")
        for _ in 0..<20 { #expect(try WireClient(port: port).request("GET", "/a.txt").text == "theirs") }
    }

    @Test(arguments: [
        (["--record", "new"], "--proxy-unmatched records nothing and does not go with --record and --upstream; "),
        (
            ["--upstream", "http://b"],
            "--proxy-unmatched records nothing and does not go with --record and --upstream; "
        ),
        (["--proxy-unmatched", "b"], "\"b\" is not an upstream: write http:// or https:// before its host"),
        (["--record", "unmatched"], "The value 'unmatched' is invalid for '--record <mode>'"),
    ])
    func `what does not go with it is told`(options: [String], text: String) async throws {
        let end = try await Command.run(["serve", ".", "--proxy-unmatched", "http://a"] + options)
        #expect(end.code == 64)
        #expect(end.errors.hasPrefix("error: " + text), "\(end.errors)")
    }

    @Test func `the help says of every mode what it does`() async throws {
        let help = try await Command.run("serve", "--help").output.split(whereSeparator: \.isWhitespace)
            .joined(separator: " ")
        #expect(
            help.contains(
                "new: serve the fixtures, and pass on and record any other request. once: the same if there are no fixtures, "
                    + "otherwise none. none: pass nothing on. all: pass on and record everything. passthrough: pass on "
                    + "everything and record nothing. all and passthrough serve no fixtures."))
    }
}
