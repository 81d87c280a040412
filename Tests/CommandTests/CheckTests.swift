// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct CheckTests {
    @Test func `fixtures without findings are counted and exit 0`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 200}}"#, "b.txt": "b",
        ])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 0)
        #expect(result.output.isEmpty)
        #expect(result.errors == "1 stub, 1 file, 0 findings\n")
    }

    @Test func `each finding is a line on standard output, sorted, and the exit code is 1`() async throws {
        let directory = try TemporaryDirectory([
            "b.stub.json": #"{"request": {"urlPat": "/a"}, "response": {"status": 200}}"#,
            "a.stub.json": "{\n  \"request\": {\"urlPath\": \"/a\"},\n  \"response\": {\"bodyFile\": \"none.json\"}\n}",
            "c.png": "no image",
        ])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(
            result.output == """
                \(directory.path)/a.stub.json:3:28: error: there is no body file "none.json" (/response/bodyFile)
                \(directory.path)/b.stub.json:1:14: error: unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)
                \(directory.path)/c.png: warning: the media type is image/png, but the bytes are not PNG

                """)
        #expect(result.errors == "0 stubs, 1 file, 3 findings\n")
    }

    @Test func `a recorded body that says that it was valid until a date that has passed is named`() async throws {
        func stub(_ path: String, _ response: String) -> String {
            """
            {"request": {"method": "GET", "urlPath": "/\(path)"}, "response": {\(response)},
             "recorded": {"from": "https://api.example.com", "request": "GET /\(path)", "key": "0123456789abcdef", "at": "2020-11-20T10:00:00Z"}}
            """
        }
        let token = #""jsonBody": {"token": {"expires_at": "2020-11-20T11:00:00Z"}}"#
        let directory = try TemporaryDirectory([
            "a.stub.json": stub("a", token), "b.stub.json": stub("b", token + #", "dates": "shift""#),
            "c.stub.json": stub(
                "c", #""jsonBody": {"expires": 1605000000, "exp": 4102444800, "at": "2020-11-20T11:00:00Z"}"#),
        ])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(
            result.output
                == "\(directory.path)/a.stub.json:1:1: warning: $.token.expires_at of its body was in the future when it was recorded, and is past now; write \"dates\": \"shift\" into the response to have such dates move with the clock\n"
        )
    }

    @Test func `a sequence that was recorded whatever an id was may be several requests`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": """
            {"request": {"method": "POST", "urlPath": "/a", "queryParameters": {"traceId": {"matches": ".+"}, "page": {"equalTo": "1"}},
              "bodyPatterns": [{"equalToJson": {"list": [{"messageId": "${json-unit.any-string}", "at": "${json-unit.any-string}"}]}}]},
             "responses": [{"status": 200, "body": "1"}, {"status": 200, "body": "2"}],
             "recorded": {"from": "https://api.example.com", "request": "POST /a", "key": "0123456789abcdef", "at": "2026-11-20T10:00:00Z"}}
            """
        ])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(
            result.output
                == "\(directory.path)/a.stub.json:1:1: warning: answers a sequence whatever query:traceId, $.list[*].messageId is, which may be several requests; record them again to have each told apart\n"
        )
    }

    @Test func `a warning alone exits 1 too`() async throws {
        let directory = try TemporaryDirectory(["c.png": "no image"])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(result.output.hasPrefix("\(directory.path)/c.png: warning: "))
        #expect(result.errors == "0 stubs, 1 file, 1 finding\n")
    }

    @Test func `what looks like a secret is a finding in stubs, bodies and plain files, unless it is allowed`()
        async throws
    {
        let token = "gh" + "p_" + "Zk3TqW8rXbN5mVc2LpHs7Jd9FgYa4Ue6RiOt"
        let directory = try TemporaryDirectory([
            "a.stub.json":
                "{\n  \"request\": {\"urlPath\": \"/a\", \"headers\": {\"Authorization\": {\"equalTo\": \"Bearer \(token)\"}}},\n  \"response\": {\"bodyFile\": \"a.json\", \"headers\": [\"Set-Cookie: sid=k9Trw4Zq81mBx7Lp2; Path=/\"]}\n}",
            "a.json": "{\"token\": \"sample-token\", \"note\": \"\(token)\"}", "b.txt": "one\ntwo \(token)\n",
            ".mockapi-secrets-allow": "# Ours, revoked.\n\nb.txt\ta GitHub token\nc.txt\ta GitHub token\nb.txt\n",
        ])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        let advice = "put a placeholder such as \"redacted.token\" in its place, or allow it in .mockapi-secrets-allow"
        #expect(
            result.output == """
                \(directory.path)/.mockapi-secrets-allow:4:1: warning: c.txt has nothing that looks like a GitHub token; remove the line
                \(directory.path)/.mockapi-secrets-allow:5:1: error: expected a path, a tab and a kind, such as "api/login.json\\ta JSON Web Token"
                \(directory.path)/a.json:1:36: warning: looks like a GitHub token; \(advice)
                \(directory.path)/a.stub.json:2:81: warning: looks like a GitHub token; \(advice)
                \(directory.path)/a.stub.json:3:67: warning: looks like the value of a cookie; \(advice)

                """)
        #expect(result.errors == "1 stub, 1 file, 5 findings\n")
        #expect(!result.output.contains(token))
    }

    @Test func `what a recording that was interrupted has left is a finding`() async throws {
        let directory = try TemporaryDirectory([
            ".mockapi-recording/part-1-2": "", ".mockapi-recordings/x": "", "a.txt": "a",
        ])
        let left = try await Command.run("check", directory.path)
        #expect(left.code == 1)
        #expect(
            left.output
                == "\(directory.path)/.mockapi-recording: warning: left by a recording that was interrupted, unless one is under way; remove the folder, or record again\n"
        )
        let list = #"{"moves": [["part-1-2", "b.txt", null]], "removals": []}"#
        try directory.write(".mockapi-recording/commit", list)
        let begun = try await Command.run("check", directory.path)
        #expect(begun.code == 1)
        #expect(
            begun.output
                == "\(directory.path)/b.txt: warning: as it was before a recording that was interrupted, unless one is under way, and not as it is served; record again to finish it before this is committed\n"
        )
        try directory.write("b.txt", "somebody's")
        let late = try await Command.run("check", directory.path)
        #expect(
            late.output
                == "\(directory.path)/.mockapi-recording/commit: warning: not carried out: b.txt has changed since; remove the folder\n"
        )
    }

    @Test(arguments: [
        (["a"], "a/x.stub.json:1:15"), (["./a/"], "./a/x.stub.json:1:15"), (["a/."], "a/./x.stub.json:1:15"),
        (["."], "a/x.stub.json:1:15"),
    ])
    func `a finding's path can be opened from where the command was started`(arguments: [String], place: String)
        async throws
    {
        let directory = try TemporaryDirectory(["a/x.stub.json": #"{"response": {"delay": 1}}"#])
        let command = try Command(
            line: [
                "/bin/sh", "-c", #"cd "$1" && shift && exec "$0" "$@""#, try Command.executable("mockapi"),
                directory.path,
            ]
                + ["check"] + arguments)
        #expect(try await command.exitCode() == 1)
        #expect(
            command.output == place
                + ": error: unknown key \"delay\"; did you mean \"fixedDelayMilliseconds\"? (/response/delay)\n")
    }

    @Test func `an empty directory is a finding`() async throws {
        let directory = try TemporaryDirectory(["README.md": "nothing", ".hidden": ""])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(
            result.output
                == "\(directory.path): warning: there are no stubs and no files here to be served; mockapi init writes some\n"
        )
        #expect(result.errors == "0 stubs, 0 files, 1 finding\n")
    }

    @Test func `a broken pattern is told together with the other errors of its stub`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPathPattern": "(", "headers": {"A": {"matches": "["}}}, "respons": {}}"#
        ])
        let result = try await Command.run("check", directory.path)
        let path = directory.path + "/a.stub.json"
        #expect(
            result.output == """
                \(path):1:1: error: a stub needs "response" or "responses"; {"status": 200} answers with an empty body
                \(path):1:32: error: the pattern is broken at its byte 1: missing closing parenthesis (/request/urlPathPattern)
                \(path):1:66: error: the pattern is broken at its byte 1: missing terminating ] for character class (/request/headers/A/matches)
                \(path):1:74: error: unknown key "respons"; did you mean "response"? (/respons)

                """)
    }

    @Test(arguments: ["check", "serve"])
    func `a missing directory exits 4`(command: String) async throws {
        let directory = try TemporaryDirectory(["Fixtures/a.txt": "a"])
        let path = directory.path + "/Fixtuers"
        let result = try await Command.run(command, path)
        #expect(result.code == 4)
        #expect(result.output.isEmpty)
        #expect(
            result.errors
                == "error: the fixture directory \(path) does not exist; did you mean \(directory.path)/Fixtures?\n")
    }

    @Test(arguments: ["check", "serve"])
    func `the directory is Fixtures unless another is named, and one that was misspelt is told`(command: String)
        async throws
    {
        let place = try TemporaryDirectory(["Fixtures/a.txt": "a", "Other/b.txt": "b"])
        let mockapi = try Command.executable("mockapi")
        let script = { (arguments: String) in
            try Command(line: ["/bin/sh", "-c", "cd \(place.path) && exec \(mockapi) \(command) \(arguments)"])
        }
        if command == "check" {
            let end = try await script("").end()
            #expect(end.code == 0 && end.errors == "0 stubs, 1 file, 0 findings\n")
        } else {
            let server = try script("--port 0")
            #expect(try WireClient(port: try await server.port()).request("GET", "/a.txt").text == "a")
        }
        for name in ["Fixtuers", "\(place.path)/fixtures/"] {
            let end = try await script(name).end()
            let parent = name.hasPrefix("/") ? place.path + "/" : ""
            #expect(end.code == 4)
            #expect(
                end.errors == "error: the fixture directory \(name) does not exist; did you mean \(parent)Fixtures?\n")
        }
        let far = try await script("Zzzzzzzzzz").end()
        #expect(
            far.errors == "error: the fixture directory Zzzzzzzzzz does not exist\n"
                + "note: mockapi init Zzzzzzzzzz writes a directory to begin with\n")
    }

    @Test func `sizes and times are taken in the units that people write`() async throws {
        for (size, time) in [("10MB", "5m"), ("10M", "1h"), ("1GiB", "0.5s"), ("64kb", "250ms"), ("1024", "1.25s")] {
            let end = try await Command.run(
                "serve", "/tmp/mockapi-there-is-none", "--max-body", size, "--idle-timeout", time)
            #expect(end.code == 4, "\(end.errors)")
        }
    }

    @Test func `what is neither a directory nor a file exits 4`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        for path in ["/dev/null", directory.path + "/a.txt/b"] {
            let result = try await Command.run("check", path)
            #expect(result.code == 4)
            #expect(result.errors == "error: \(path) is neither a directory nor a file\n")
        }
    }

    @Test(arguments: [
        (
            ["serve", "x", "--max-body", "12x"],
            "The value '12x' is invalid for '--max-body': sizes are whole numbers of bytes, or of KiB, MiB, GiB and TiB (K, M, G, T), or of kB, MB, GB and TB, such as 16MiB"
        ),
        (["serve", "x", "--max-head", "10"], "--max-head must be at least 1KiB"),
        (["serve", "x", "--max-head", "1025MiB"], "--max-head must be at most 1GiB"),
        (["serve", "x", "--max-body", "9223372036854775808"], "--max-body must be at most 1TiB"),
        (["serve", "x", "--max-body", "9007199254740992KiB"], "--max-body must be at most 1TiB"),
        (["serve", "x", "--max-body", "2TiB"], "--max-body must be at most 1TiB"),
        (["serve", "x", "--max-body", "2TB"], "--max-body must be at most 1TiB"),
        (["serve", "x", "--journal-limit", "1025GiB"], "--journal-limit must be at most 1TiB"),
        (
            ["serve", "x", "--idle-timeout", "5"],
            "The value '5' is invalid for '--idle-timeout': times are numbers of ms, s, m or h, a year at most, such as 250ms, 0.5s or 5m"
        ),
        (
            ["health", "--timeout", "0.0001s"],
            "The value '0.0001s' is invalid for '--timeout <timeout>': times are numbers of ms, s, m or h, a year at most, such as 250ms, 0.5s or 5m"
        ),
        (
            ["record", "http://a", "--get", "api/x"],
            "--get api/x must begin with /, or be a URL of one of the services: write --get /api/x"
        ),
        (["record", "http://a", "--"], "say which command to run behind --, or leave -- out"),
        (
            ["record", "http://a", "--cert", "/none.pem"],
            "--cert /none.pem cannot be read: No such file or directory"
        ),
        (["record", "http://a", "--key", "/dev/null"], "--key is that of a certificate: give --cert, too"),
        (
            ["record", "http://a", "--cacert", "/none.pem"],
            "--cacert /none.pem cannot be read: No such file or directory"
        ),
        (["serve", "x", "--idle-timeout", "0s"], "--idle-timeout must be longer than 0"),
        (["serve", "x", "--port", "70000"], "--port must be between 0 and 65535"),
        (["serve", "x", "--port", "-1"], "--port must be between 0 and 65535"),
        (["serve", "x", "--loops", "0"], "--loops must be between 1 and 1024"),
        (["serve", "x", "--journal-limit", "1KiB"], "--journal-limit must be 0 or at least 1MiB"),
        (["serve", "x", "--max-connections", "0"], "--max-connections must be at least 1"),
        (["health", "--timeout", "0s"], "--timeout must be longer than 0"),
        (["serve", "x", "--no-such"], "Unknown option '--no-such'. Did you mean '--no-watch'?"),
        (
            ["serve", "x", "--log-format", "xml"],
            "The value 'xml' is invalid for '--log-format <log-format>'. Please provide one of 'text' and 'json'."
        ),
        (
            ["check", "x", "--format", "xml"],
            "The value 'xml' is invalid for '--format <format>'. Please provide one of 'text', 'json', 'github', 'sarif' or 'gitlab'."
        ), (["serve", "x", "--strict", "--lenient"], "--strict and --lenient exclude each other"),
        (["no-such"], "\"no-such\" is not a command, a directory or a file (mockapi --help lists the commands)"),
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String], error: String) async throws {
        let command = try Command(arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.output.isEmpty)
        #expect(command.errors.split(separator: "\n").first.map(String.init) == "error: " + error)
    }

    @Test func `the schema is JSON`() async throws {
        let result = try await Command.run("schema")
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        let schema = try JSONParser.parse(result.output)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        let ofReports = try await Command.run("schema", "report")
        #expect(try JSONParser.parse(ofReports.output)["$id"]?.string == "urn:mockapi:report")
    }

    @Test(arguments: [[], ["serve"], ["check"], ["schema"], ["health"]])
    func `help is in whole sentences`(command: [String]) async throws {
        let help = try Command(command + ["--help"])
        #expect(try await help.exitCode() == 0)
        for line in help.output.split(separator: "\n") where !line.hasPrefix("  ") {
            #expect(!line.contains("  "), "\(line)")
        }
    }
}
