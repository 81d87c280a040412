// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi run`: what makes it red, whatever the journal has and the command forgets.
@Suite(.supervised) struct VerdictTests {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "f/a.json": "{}",
            "f/s.stub.json": """
            {"stubs": [
              {"request": {"method": "POST", "urlPath": "/up"}, "response": {"status": 201}},
              {"request": {"urlPath": "/t"},
               "response": {"transformers": ["response-template"], "status": "{{request.query.s}}"}},
              {"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}},
              {"request": {"urlPath": "/w"}, "response": {"body": "w"},
               "serveEventListeners": [
                 {"name": "webhook", "parameters": {"method": "POST", "url": "http://127.0.0.1:1/x"}}]}
            ]}
            """,
            "flood.py": """
            import http.client, os, sys
            client = http.client.HTTPConnection(os.environ["MOCKAPI_URL"].split("//")[1])
            def ask(method, path, body=None):
                client.request(method, path, body)
                client.getresponse().read()
            ask("GET", sys.argv[1])
            for _ in range(12): ask("POST", "/up", b"x" * 300000)
            """,
        ])
    }

    private static func run(
        _ directory: TemporaryDirectory, _ options: [String] = [], _ script: String
    ) async throws -> Command.End {
        try await Command.run(["run", "\(directory.path)/f"] + options + ["--", "/bin/sh", "-c", script])
    }

    private static func errors(_ end: Command.End) -> [Substring] {
        end.errors.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    }

    @Test(arguments: [[], ["--loops", "16"], ["--journal-limit", "0"], ["--journal-limit", "1MiB"]])
    func `what came first is judged though the journal has lost it`(options: [String]) async throws {
        let directory = try Self.fixtures()
        let flood = "/usr/bin/python3 \(directory.path)/flood.py"
        let missed = try await Self.run(directory, options, "\(flood) /nope")
        #expect(missed.code == 1)
        #expect(Self.errors(missed) == ["error: 404: nothing answers GET /nope"])
        for (times, code) in [(0, 1), (1, 0), (2, 1)] as [(Int, Int32)] {
            try directory.write(
                "e.json", #"{"expectations": [{"request": {"urlPath": "/a"}, "times": \#(times)}]}"#)
            let end = try await Self.run(
                directory, options + ["--expect", "\(directory.path)/e.json"], "\(flood) /a")
            #expect(end.code == code, "\(times) times: \(end.errors)")
        }
    }

    @Test func `a client that clears the journal does not clear its verdict`() async throws {
        let directory = try Self.fixtures()
        let clear =
            "curl -s -o /dev/null -X DELETE {url}/__admin/requests; curl -s -o /dev/null -X POST {url}/__admin/reset"
        let missed = try await Self.run(directory, [], "curl -s -o /dev/null {url}/nope; \(clear)")
        #expect(missed.code == 1)
        #expect(Self.errors(missed) == ["error: 404: nothing answers GET /nope"])
        for (times, code) in [(0, 1), (1, 0)] as [(Int, Int32)] {
            try directory.write(
                "e.json", #"{"expectations": [{"request": {"urlPath": "/a"}, "times": \#(times)}]}"#)
            let end = try await Self.run(
                directory, ["--expect", "\(directory.path)/e.json"], "curl -s {url}/a; \(clear)")
            #expect(end.code == code, "\(times) times: \(end.errors)")
        }
    }

    @Test func `a message that is refused is a failure, and what nobody expects of it`() async throws {
        let directory = try Self.fixtures()
        try directory.write("e.json", #"{"expectations": [{"request": {"method": "POST", "urlPath": "/up"}}]}"#)
        let end = try await Self.run(
            directory, ["--max-body", "1MiB", "--expect", "\(directory.path)/e.json", "--quiet"],
            "head -c 2000000 /dev/zero | curl -s -o /dev/null -H Expect: --data-binary @- {url}/up; true")
        #expect(end.code == 1)
        let errors = Self.errors(end)
        #expect(errors.count == 2)
        #expect(errors.first == "error: expected POST /up at least once, but it came 0 times")
        #expect(
            errors.last?.hasPrefix("error: 413: POST /up was refused before it was matched: ") == true,
            "\(end.errors)")
    }

    @Test func `a command that asks for nothing is red, unless that is meant`() async throws {
        let directory = try Self.fixtures()
        let asked = "the command sent no request to this server; is it given MOCKAPI_URL?"
        let end = try await Self.run(directory, ["--junit", "\(directory.path)/r.xml"], "true")
        #expect(end.code == 1)
        #expect(Self.errors(end) == ["error: \(asked)"])
        #expect(directory.text("r.xml").contains(#"failures="1""#))
        #expect(directory.text("r.xml").contains(asked))
        #expect(try await Self.run(directory, ["--allow-no-requests"], "true").code == 0)
        let shards = try await Self.run(
            directory, ["--parallel", "2"], #"test "$MOCKAPI_SHARD" = 2 || curl -s -o /dev/null {url}/a"#)
        #expect(shards.code == 1)
        #expect(Self.errors(shards) == ["error: shard 2: \(asked)"])
        try directory.write("e.json", #"{"expectations": []}"#)
        let empty = try await Self.run(directory, ["--expect", "\(directory.path)/e.json"], "curl -s {url}/a")
        #expect(empty.code == 3)
        #expect(
            empty.errors
                == "\(directory.path)/e.json:1:1: error: this list has no expectation, so every run would pass (/expectations)\n"
        )
        let needs = try await Command.run("needs", "\(directory.path)/f", "--", "true")
        #expect(needs.code == 1)
        #expect(needs.errors.hasPrefix("error: the command makes no use of the fixtures"))
    }

    @Test(arguments: [
        (
            "/t?s=abc",
            #"s.stub.json matched GET /t?s=abc, and could not respond as it says: the status renders to "abc""#
        ),
        ("/p", "s.stub.json matched GET /p, and could not respond as it says: 502: GET http://127.0.0.1:1/p: "),
        ("/w", "s.stub.json matched GET /w, and could not respond as it says: Failed to connect to 127.0.0.1"),
    ])
    func `a fixture that matches and cannot answer is told`(target: String, text: String) async throws {
        let directory = try Self.fixtures()
        let script = #"curl -s -o /dev/null '{url}\#(target)'; sleep 0.5"#
        let end = try await Self.run(directory, [], script)
        #expect(end.code == 1)
        let errors = Self.errors(end)
        #expect(errors.count == 1 && errors.first?.hasPrefix("error: " + text) == true, "\(end.errors)")
        #expect(try await Self.run(directory, ["--allow-unanswered"], script).code == 0)
    }

    @Test func `a file that is gone is told, and a stub that was passed over since its pattern takes too long`()
        async throws
    {
        let directory = try Self.fixtures()
        try directory.write("f/big.bin", [UInt8](repeating: 0, count: 40_000))
        let remove = "rm '\(directory.path)/f/big.bin'; curl -s -o /dev/null {url}/big.bin"
        let gone = try await Self.run(directory, [], remove)
        #expect(gone.code == 1)
        let text =
            "error: big.bin matched GET /big.bin, and could not respond as it says: big.bin has changed since it was loaded, and cannot be read again: "
        #expect(Self.errors(gone).first?.hasPrefix(text) == true, "\(gone.errors)")
        try directory.write(
            "f/m.stub.json",
            #"{"stubs": [{"priority": 1, "request": {"urlPath": "/m", "bodyPatterns": [{"matches": "^(a|aa)+$"}]}, "response": {}}, {"request": {"urlPath": "/m"}, "response": {}}]}"#
        )
        try directory.write("body", String(repeating: "a", count: 5_000) + "!")
        let passed = try await Self.run(
            directory, [], "curl -s -o /dev/null --data-binary '@\(directory.path)/body' {url}/m")
        #expect(passed.code == 1)
        #expect(
            Self.errors(passed) == [
                "error: m.stub.json matched POST /m, and could not respond as it says: m.stub.json:1 goes before it and was passed over: a pattern of its takes more steps than allowed on this request"
            ])
    }

    @Test func `what browsers ask for themselves fails nothing`() async throws {
        let directory = try Self.fixtures()
        let paths = [
            "favicon.ico", "robots.txt", "apple-touch-icon-120x120.png",
            ".well-known/appspecific/com.chrome.devtools.json",
        ]
        let end = try await Self.run(
            directory, [], "curl -s -o /dev/null " + (paths + ["a"]).map { "{url}/\($0)" }.joined(separator: " "))
        #expect(end.code == 0, "\(end.errors)")
        let aside = "requested by a browser itself, and not a failure: 4 requests such as /favicon.ico"
        #expect(end.errors.contains(aside))
        try directory.write("e.json", #"{"expectations": [{"request": {"urlPath": "/favicon.ico"}, "times": 0}]}"#)
        let named = try await Self.run(
            directory, ["--expect", "\(directory.path)/e.json"], "curl -s -o /dev/null {url}/favicon.ico")
        #expect(named.code == 1)
    }

    @Test func `a command that takes too long is ended, and its report written`() async throws {
        let directory = try Self.fixtures()
        let end = try await Self.run(
            directory, ["--max-time", "1s", "--junit", "\(directory.path)/r.xml"], "curl -s {url}/a; sleep 600")
        #expect(end.code == 124)
        #expect(Self.errors(end) == ["error: the command was ended after 1s, which --max-time allows"])
        #expect(directory.text("r.xml").contains("--max-time"))
    }

    @Test func `orders and connections are judged shard by shard`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "e.json",
            """
            {"expectations": [{"inOrder": [{"urlPath": "/a"}, {"method": "POST", "urlPath": "/up"}]}, {"oneConnection": true}]}
            """)
        let options = ["--parallel", "2", "--expect", "\(directory.path)/e.json", "--quiet"]
        let kept = try await Self.run(directory, options, "curl -s {url}/a --next -s -d x {url}/up")
        #expect(kept.code == 0, "\(kept.errors)")
        let broken = try await Self.run(
            directory, options,
            #"if test "$MOCKAPI_SHARD" = 1; then curl -s {url}/a; else curl -s -d x {url}/up; fi"#)
        #expect(broken.code == 1)
        #expect(
            Self.errors(broken) == [
                "error: shard 1: expected POST /up after ANY /a, but it did not come"
            ])
    }

    @Test func `HEAD is not the GET that is expected`() async throws {
        let directory = try Self.fixtures()
        try directory.write(
            "e.json", #"{"expectations": [{"request": {"method": "GET", "urlPath": "/a"}, "times": 1}]}"#)
        let options = ["--expect", "\(directory.path)/e.json", "--quiet"]
        let head = try await Self.run(directory, options, "curl -sI -o /dev/null {url}/a")
        #expect(head.code == 1)
        #expect(head.errors.contains("method: expected GET, found HEAD"))
        #expect(try await Self.run(directory, options, "curl -sI -o /dev/null {url}/a; curl -s {url}/a").code == 0)
    }
}
