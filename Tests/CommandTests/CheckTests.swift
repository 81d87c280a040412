// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText
import Testing
import WireSupport

@Suite struct CheckTests {
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
        #expect(result.output == "?")
        #expect(result.errors == "?")
    }

    @Test func `a warning alone exits 1 too`() async throws {
        let directory = try TemporaryDirectory(["c.png": "no image"])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(result.output.hasPrefix("c.png: warning: "))
        #expect(result.errors == "0 stubs, 1 file, 1 finding\n")
    }

    @Test(arguments: ["check", "serve"])
    func `a missing directory exits 4`(command: String) async throws {
        let result = try await Command.run(command, "/tmp/mockapi-there-is-none")
        #expect(result.code == 4)
        #expect(result.output.isEmpty)
        #expect(result.errors == "error: the fixture directory \"/tmp/mockapi-there-is-none\" does not exist\n")
    }

    @Test func `a file in the place of the directory exits 4`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let result = try await Command.run("check", directory.path + "/a.txt")
        #expect(result.code == 4)
        #expect(result.errors == "?")
    }

    @Test(arguments: [
        (["serve", "x", "--max-body", "12x"], "?"), (["serve", "x", "--max-head", "10"], "?"),
        (["serve", "x", "--idle-timeout", "5"], "?"), (["serve", "x", "--idle-timeout", "0s"], "?"),
        (["serve", "x", "--port", "70000"], "?"), (["serve", "x", "--loops", "0"], "?"),
        (["serve", "x", "--journal-limit", "1KiB"], "?"), (["serve", "x", "--max-connections", "0"], "?"),
        (["serve", "x", "--no-such"], "?"), (["serve"], "?"), (["check"], "?"),
        (["serve", "x", "--log-format", "xml"], "?"), (["no-such"], "?"),
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String], error: String) async throws {
        let command = try Command(arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.output.isEmpty)
        #expect(command.errors.split(separator: "\n").first.map(String.init) == error)
    }

    @Test func `the schema is JSON`() async throws {
        let result = try await Command.run("schema")
        #expect(result.code == 0)
        #expect(result.errors.isEmpty)
        let schema = try JSONParser.parse(result.output)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
    }

    @Test(arguments: [[], ["serve"], ["check"], ["schema"]])
    func `help is in whole sentences`(command: [String]) async throws {
        let help = try Command(command + ["--help"])
        #expect(try await help.exitCode() == 0)
        for line in help.output.split(separator: "\n") where !line.hasPrefix("  ") {
            #expect(!line.contains("  "), "\(line)")
        }
    }
}
