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

@Suite(.supervised) struct TemplateCommandTests {
    @Test func `check tells a broken template at its line, and a transformer that there is none of`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a"},
             "response": {"transformers": ["response-template"],
              "body": "{{#each x}}"}}
            """#,
            "b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {"transformers": ["mangler"]}}"#,
        ])
        let result = try await Command.run("check", directory.path)
        #expect(result.code == 1)
        #expect(
            result.output == """
                \(directory.path)/a.stub.json:3:11: error: the template is broken at line 1, column 1: this block has no end; write \
                {{/each}} (/response/body)
                \(directory.path)/b.stub.json:1:62: error: there is no transformer "mangler"; the only one is "response-template" \
                (/response/transformers/0)

                """)
    }

    @Test func `serve renders what asks for nothing, at a time that stands still`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "{{now}} {{now format='epoch'}}"}}"#
        ])
        let command = try Command([
            "serve", directory.path, "--port", "0", "--global-response-templating", "--now", "2026-11-21T10:00:00Z",
            "--seed", "3",
        ])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a").text == "2026-11-21T10:00:00Z 1795255200000")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let refused = try await Command.run("serve", directory.path, "--port", "0", "--now", "tomorrow")
        #expect(refused.code == 64)
    }
}
