// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText
import TestSupport
import Testing
import WireSupport

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
                a.stub.json:3:28: error: there is no body file "none.json" (/response/bodyFile)
                b.stub.json:1:14: error: unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)
                c.png: warning: the media type is image/png, but the bytes are no PNG

                """)
        #expect(result.errors == "0 stubs, 1 file, 3 findings\n")
    }

    @Test func `a warning alone exits 1 too`() async throws {
        let directory = try TemporaryDirectory(["c.png": "no image"])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(result.output.hasPrefix("c.png: warning: "))
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
                .mockapi-secrets-allow:4:1: warning: c.txt has nothing that looks like a GitHub token; remove the line
                .mockapi-secrets-allow:5:1: error: expected a path, a tab and a kind, such as "api/login.json\\ta JSON Web Token"
                a.json:1:36: warning: looks like a GitHub token; \(advice)
                a.stub.json:2:81: warning: looks like a GitHub token; \(advice)
                a.stub.json:3:67: warning: looks like the value of a cookie; \(advice)

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
                == ".mockapi-recording: warning: left by a recording that was interrupted, unless one is under way; remove the folder, or record again\n"
        )
        let list = #"{"moves": [["part-1-2", "b.txt", null]], "removals": []}"#
        try directory.write(".mockapi-recording/commit", list)
        let begun = try await Command.run("check", directory.path)
        #expect(begun.code == 1)
        #expect(
            begun.output
                == "b.txt: warning: as it was before a recording that was interrupted, unless one is under way, and not what is served; record again to finish it before this is committed\n"
        )
        try directory.write("b.txt", "somebody's")
        let late = try await Command.run("check", directory.path)
        #expect(
            late.output
                == ".mockapi-recording/commit: warning: not carried out: b.txt has changed since; remove the folder\n")
    }

    @Test(arguments: ["check", "serve"])
    func `a missing directory exits 4`(command: String) async throws {
        let result = try await Command.run(command, "/tmp/mockapi-there-is-none")
        #expect(result.code == 4)
        #expect(result.output.isEmpty)
        #expect(result.errors == "error: the fixture directory /tmp/mockapi-there-is-none does not exist\n")
    }

    @Test func `a file in the place of the directory exits 4`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let result = try await Command.run("check", directory.path + "/a.txt")
        #expect(result.code == 4)
        #expect(
            result.errors
                == "error: \(directory.path)/a.txt is not a directory; fixtures are served from a directory\n")
    }

    @Test(arguments: [
        (["serve", "x", "--max-body", "12x"], "The value '12x' is invalid for '--max-body <max-body>'"),
        (["serve", "x", "--max-head", "10"], "--max-head must be at least 1KiB"),
        (["serve", "x", "--max-head", "1025MiB"], "--max-head must be at most 1GiB"),
        (["serve", "x", "--max-body", "9223372036854775808"], "--max-body must be at most 1024GiB"),
        (["serve", "x", "--max-body", "9007199254740992KiB"], "--max-body must be at most 1024GiB"),
        (["serve", "x", "--journal-limit", "1025GiB"], "--journal-limit must be at most 1024GiB"),
        (["serve", "x", "--idle-timeout", "5"], "The value '5' is invalid for '--idle-timeout <idle-timeout>'"),
        (["serve", "x", "--idle-timeout", "0s"], "--idle-timeout must be longer than 0"),
        (["serve", "x", "--port", "70000"], "--port must be between 0 and 65535"),
        (["serve", "x", "--loops", "0"], "--loops must be between 1 and 1024"),
        (["serve", "x", "--journal-limit", "1KiB"], "--journal-limit must be 0 or at least 1MiB"),
        (["serve", "x", "--max-connections", "0"], "--max-connections must be at least 1"),
        (["health", "--timeout", "0s"], "--timeout must be longer than 0"),
        (["serve", "x", "--no-such"], "Unknown option '--no-such'. Did you mean '--no-watch'?"),
        (["serve"], "Missing expected argument '<directory>'"), (["check"], "Missing expected argument '<directory>'"),
        (
            ["serve", "x", "--log-format", "xml"],
            "The value 'xml' is invalid for '--log-format <log-format>'. Please provide one of 'text' and 'json'."
        ), (["no-such"], "Unexpected argument 'no-such'"),
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String], error: String) async throws {
        let command = try Command(arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.output.isEmpty)
        #expect(command.errors.split(separator: "\n").first.map(String.init) == "Error: " + error)
    }

    @Test func `the schema is JSON`() async throws {
        let result = try await Command.run("schema")
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        let schema = try JSONParser.parse(result.output)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
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
