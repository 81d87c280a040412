// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi verify --learn`: answers that came count as samples the next time.
@Suite(.supervised) struct VerifyHistoryTests {
    private func service(_ body: String) async throws -> LiveService {
        try await LiveService(["a.json": body])
    }

    @Test func `what was learnt is a sample, and the file says what that was`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": #"{"id": 1, "note": "x"}"#])
        let without = try await service(#"{"id": 2, "note": null}"#)
        let arguments = ["verify", fixtures.path, "--against", without.url]
        #expect(try await Command.run(arguments).code == 1)
        let learning = try await Command.run(arguments + ["--learn"])
        #expect(learning.code == 1, "\(learning)")
        #expect(learning.errors.contains("  .history.jsonl has 1 responses now"), "\(learning)")
        let line = try JSONParser.parse(fixtures.text(".history.jsonl"))
        #expect(line["fixture"]?.string == "a.json")
        #expect(line["times"]?.number?.integer == 1)
        #expect(line["body"] == (try JSONParser.parse(#"{"id": 2, "note": null}"#)))
        let known = try await Command.run(arguments)
        #expect(known.code == 0, "\(known)")
        // What is recorded again is known by what it is now.
        try fixtures.write("a.json", #"{"id": 1, "note": "y"}"#)
        #expect(try await Command.run(arguments).code == 1)
        #expect(try await Command.run(arguments + ["--learn"]).code == 1)
        #expect(fixtures.text(".history.jsonl").split(separator: "\n").count == 1)
    }

    @Test func `a response that comes again is counted, and a set of words is one from five on`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": #"{"state": "open"}"#])
        let open = try await service(#"{"state": "open"}"#)
        let arguments = ["verify", fixtures.path, "--against", open.url, "--learn"]
        for _ in 0..<4 { #expect(try await Command.run(arguments).code == 0) }
        #expect(fixtures.text(".history.jsonl").contains(#""times":4"#), "\(fixtures.text(".history.jsonl"))")
        let other = try await service(#"{"state": "archived"}"#)
        let end = try await Command.run("verify", fixtures.path, "--against", other.url)
        #expect(end.output.contains("/state   enum value added (open → \"archived\")"), "\(end)")
        let served = try await service(#"{"state": "open"}"#)
        let port = Int(served.url.split(separator: ":").last ?? "") ?? 0
        try served.directory.write(".history.jsonl", fixtures.text(".history.jsonl"))
        #expect(try await blocking { try WireClient(port: port).request("GET", "/.history.jsonl").status } == 404)
    }

    @Test func `no secret is learnt, and no response that is none`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.json": #"{"token": "redacted.response.token", "id": 1}"#, "b.json": #"{"id": 1}"#,
        ])
        let service = try await LiveService([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a.json"}, "response": {"headers": ["Content-Type: application/json", "Set-Cookie: sid=h7nter2Zq9xKLmPq; Path=/"],
             "jsonBody": {"token": "h7nter2Zq9xKLmPq", "id": 2, "items": [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]}}}
            """#,
            "b.stub.json": #"{"request": {"urlPath": "/b.json"}, "response": {"status": 500, "jsonBody": {"id": 1}}}"#,
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url, "--learn")
        #expect(end.code == 4, "\(end)")
        let text = fixtures.text(".history.jsonl")
        #expect(!text.contains("h7nter2"), "\(text)")
        #expect(text.contains(#""items":[1,2,3,4,5,6,7,8]}"#), "\(text)")
        #expect(text.split(separator: "\n").count == 1, "\(text)")
    }

    @Test func `a history that cannot be read is told with its line`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": "{}", ".history.jsonl": "\n{}\n"])
        let end = try await Command.run("verify", fixtures.path, "--against", "http://127.0.0.1:1")
        #expect(end.code == 4, "\(end)")
        #expect(
            end.errors.contains("error: .history.jsonl:2: this is not a response that verify --learn has written"),
            "\(end)")
        let watch = try await Command.run(
            "verify", fixtures.path, "--against", "http://127.0.0.1:1", "--learn", "--every", "1h")
        #expect(watch.code == 64, "\(watch)")
    }
}
