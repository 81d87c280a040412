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

/// `mockapi run --faults`: what a command makes of answers that are wrong once.
@Suite(.supervised) struct FaultTests {
    private static func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory([
            "f/a.json": #"{"list": [1, 2, 3, 4, 5, 6, 7, 8, 9], "words": ["one", "two", "three"]}"#,
            "f/b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {"jsonBody": {"name": "Bread", "n": 1}}}"#,
        ])
    }

    /// What each fault came to, in the order of the cells.
    private static func verdicts(_ directory: TemporaryDirectory) throws -> [String] {
        try directory.bytes("r.jsonl").split(separator: 10).map { line in
            let node = try JSONParser.parse(Array(line))
            return [node["fault"]?.string, node["file"]?.string, node["verdict"]?.string].map { $0 ?? "-" }
                .joined(separator: " ")
        }
    }

    private static func run(
        _ directory: TemporaryDirectory, _ options: [String], _ script: String
    ) async throws -> Command.End {
        try await Command.run(
            ["run", "\(directory.path)/f", "--json", "\(directory.path)/r.jsonl"] + options
                + ["--", "/bin/sh", "-c", script])
    }

    @Test func `a client that looks at nothing but the status is fooled by what is whole and wrong`() async throws {
        let directory = try Self.fixtures()
        let end = try await Self.run(
            directory, ["--faults", "matrix"], "curl -sf --max-time 1 -o /dev/null {url}/b")
        #expect(end.code == 1)
        #expect(
            try Self.verdicts(directory) == [
                "timeout b.stub.json survived", "refused b.stub.json survived", "reset b.stub.json survived",
                "reset-in-body b.stub.json survived", "truncated b.stub.json survived",
                "truncated-no-length b.stub.json survived", "500 b.stub.json survived",
                "502-html b.stub.json survived", "429 b.stub.json survived", "503 b.stub.json survived",
                "slow b.stub.json survived", "malformed-json b.stub.json fooled", "wrong-type b.stub.json survived",
                "empty b.stub.json fooled", "bad-gzip b.stub.json fooled", "redirect-loop b.stub.json fooled",
                "h2-rst-stream b.stub.json skipped", "h2-refused-stream b.stub.json skipped",
                "h2-goaway b.stub.json skipped", "h2-stalled-window b.stub.json skipped",
            ])
        #expect(end.errors.hasPrefix("  b.stub.json   timeout ✓   refused ✓   reset ✓"))
        #expect(end.errors.contains("malformed-json ✗ exit 0, as if whole   wrong-type ✓"))
    }

    @Test func `a client that asks again survives, one that crashes or hangs does not`() async throws {
        let directory = try Self.fixtures()
        let options = ["--fault", "500", "--fault", "reset", "--at", "a.json"]
        let asksAgain = "curl -sf -o /dev/null {url}/a || curl -sf -o /dev/null {url}/a; curl -s -o /dev/null {url}/b"
        #expect(try await Self.run(directory, options + ["--survives", "exit0"], asksAgain).code == 0)
        #expect(try Self.verdicts(directory) == ["500 a.json survived", "reset a.json survived"])
        #expect(try await Self.run(directory, options, "curl -sf -o /dev/null {url}/a || kill -SEGV $$").code == 1)
        #expect(try Self.verdicts(directory) == ["500 a.json crashed", "reset a.json crashed"])
        let givesUp = "curl -sf -o /dev/null {url}/a"
        #expect(try await Self.run(directory, options + ["--survives", "exit0"], givesUp).code == 1)
        #expect(try Self.verdicts(directory) == ["500 a.json failed", "reset a.json failed"])
        #expect(try await Self.run(directory, ["--fault", "timeout", "--patience", "1s"], givesUp).code == 1)
        #expect(try Self.verdicts(directory) == ["timeout a.json hung"])
    }

    @Test func `a client that keeps a token in its home is judged in a home of its own`() async throws {
        let directory = try Self.fixtures()
        let home = directory.path + "/home"
        let script = """
            mkdir -p "$HOME" "$TMPDIR" && test -z "$XDG_CACHE_HOME" || exit 9
            test -e "$HOME/token" || curl -sf {url}/b >"$HOME/token" || { rm -f "$HOME/token"; exit 3; }
            curl -sf -o "$TMPDIR/kept" {url}/a
            """
        let options = ["--fault", "500", "--at", "b.stub.json"]
        let kept = "export HOME=\(home) TMPDIR=\(home)/tmp; unset XDG_CACHE_HOME\n" + script
        let end = try await Self.run(directory, options, kept)
        #expect(end.code == 1)
        #expect(try Self.verdicts(directory) == ["500 b.stub.json undecided"])
        #expect(
            end.errors.contains(
                "  --isolate gives each run a home of its own, in which nothing of an earlier one is kept\n"))
        let isolated = try await Self.run(
            directory, options + ["--isolate"], script + "\nprintf %s \"$HOME\" >\(directory.path)/seen")
        #expect(isolated.code == 0, "\(isolated.errors)")
        #expect(try Self.verdicts(directory) == ["500 b.stub.json survived"])
        #expect(!isolated.errors.contains("--isolate"))
        let seen = String(decoding: directory.bytes("seen"), as: UTF8.self)
        #expect(seen.contains("/mockapi-home-") && access(seen, F_OK) != 0)
    }

    @Test func `streams of HTTP/2 have faults of their own`() async throws {
        let directory = try Self.fixtures()
        let names = ["h2-rst-stream", "h2-refused-stream", "h2-goaway", "h2-stalled-window", "truncated-no-length"]
        let end = try await Self.run(
            directory, names.flatMap { ["--fault", $0] } + ["--patience", "20s"],
            "curl -sf --http2-prior-knowledge --max-time 1 -o /dev/null {url}/b")
        // curl asks again by itself where a stream was refused.
        #expect(try Self.verdicts(directory) == names.map { "\($0) b.stub.json survived" }, "\(end.errors)")
        #expect(end.code == 0)
    }

    @Test func `a response that comes slowly is whole for a reader that does not wait for the line end after it`()
        async throws
    {
        let directory = try TemporaryDirectory(["f/a.json": "{\"id\": 1}\n"])
        try directory.write(
            "client.py",
            """
            import json, os, socket
            host, port = os.environ["MOCKAPI_URL"][7:].split(":")
            client = socket.create_connection((host, int(port)))
            client.sendall(b"GET /a HTTP/1.1\\r\\nHost: a\\r\\n\\r\\n")
            text = b""
            while not text.endswith(b"}"): text += client.recv(1)
            client.close()
            """)
        let end = try await Command.run(
            "run", "\(directory.path)/f", "--fault", "slow", "--json", "\(directory.path)/r.jsonl", "--",
            "/usr/bin/python3", "\(directory.path)/client.py")
        #expect(try Self.verdicts(directory) == ["slow a.json survived"])
        #expect(end.code == 0)
    }

    @Test func `templates, rules and what guards a response do not get in the way of a fault`() async throws {
        let directory = try TemporaryDirectory([
            "f/t.stub.json": """
            {"stubs": [
              {"name": "t", "request": {"urlPathTemplate": "/t/{id}"}, "response": {
                "headers": ["Content-Type: application/json"], "body": "{\\"id\\": \\"{{request.path.id}}\\"}",
                "transformers": ["response-template"], "faults": [{"fault": "STALL", "when": {"from": 2}}]}},
              {"name": "b", "resource": {"collection": "/b"}}
            ]}
            """
        ])
        try directory.write(
            "client.py",
            """
            import json, os, sys, urllib.request
            url = os.environ["MOCKAPI_URL"]
            try:
                assert json.load(urllib.request.urlopen(url + "/t/5"))["id"] == "5"
                urllib.request.urlopen(url + "/b").read()
            except Exception: sys.exit(3)
            """)
        let names = ["malformed-json", "truncated", "empty", "wrong-type", "503"]
        let end = try await Command.run(
            ["run", "\(directory.path)/f", "--json", "\(directory.path)/r.jsonl", "--survives", "exit0"]
                + names.flatMap { ["--fault", $0] } + ["--", "/usr/bin/python3", "\(directory.path)/client.py"])
        #expect(end.code == 1)
        let file = "t.stub.json"
        #expect(
            try Self.verdicts(directory) == [
                "malformed-json \(file) failed", "truncated \(file) failed", "empty \(file) failed",
                "wrong-type \(file) survived", "503 \(file) failed",
                "malformed-json \(file) skipped", "truncated \(file) skipped", "empty \(file) skipped",
                "wrong-type \(file) skipped", "503 \(file) failed",
            ])
    }

    @Test func `where there is nothing to spoil, nothing passes`() async throws {
        let directory = try Self.fixtures()
        let elsewhere = try await Self.run(
            directory, ["--faults", "matrix", "--at", "a.json"], "curl -sf -o /dev/null {url}/b")
        #expect(elsewhere.code == 4)
        #expect(elsewhere.errors == "error: --at a.json: the command makes no use of it; it uses b.stub.json\n")
        #expect(try await Self.run(directory, ["--faults", "matrix"], "true").code == 4)
    }

    @Test func `a command that fails by itself is no measure`() async throws {
        let end = try await Self.run(Self.fixtures(), ["--faults", "matrix"], "echo broken; exit 3")
        #expect(end.code == 3)
        #expect(end.errors == "broken\nerror: the command ends with 3 although nothing is wrong\n")
    }
}
