// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// `mockapi verify` of stubs whose responses are made for each request.
@Suite(.supervised) struct VerifyTemplateTests {
    private static let stub = #"""
        {"request": {"urlPath": "/orders/17"}, "response": {"transformers": ["response-template"],
          "headers": ["Content-Type: application/json", "Location: {{request.baseUrl}}/orders/{{request.pathSegments.[1]}}"],
          "bodyFile": "order.json"}}
        """#
    private static let body = """
        {
          "id": "{{request.pathSegments.[1]}}",
          "at": "{{now}}",
          "count": {{randomInt}},
          "text": "order {{request.pathSegments.[1]}} of {{now format='yyyy'}}",
          "state": "open"
        }
        """

    private func verify(_ live: String, _ options: [String] = []) async throws -> Command.End {
        let fixtures = try TemporaryDirectory(["o.stub.json": Self.stub, "order.json": Self.body])
        let service = try await LiveService([
            "o.stub.json":
                #"{"request": {"urlPath": "/orders/17"}, "response": {"headers": ["Content-Type: application/json", "Location: https://other/x"], "jsonBody": \#(live)}}"#
        ])
        return try await Command.run(["verify", fixtures.path, "--against", service.url] + options)
    }

    @Test func `what is made for each request stands for any value of its kind`() async throws {
        let end = try await verify(#"{"id": "x", "at": "never", "count": {"n": 1}, "text": "", "state": "done"}"#)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "  1 honoured: 4 fields, 1 header set\n")
    }

    @Test func `what stands around it is compared, at its line`() async throws {
        let end = try await verify(#"{"id": 7, "at": "x", "count": 1, "text": "x"}"#)
        #expect(end.code == 1, "\(end)")
        #expect(end.output.contains("order.json:2   /id   type changed (string"), "\(end)")
        #expect(end.output.contains("order.json:6   /state   property removed (\"open\")"), "\(end)")
    }

    @Test func `all responses are templates where the command says so`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {"jsonBody": {"at": "{{now}}", "n": [{"d": "{{now}}"}, {"d": "{{now}}"}]}}}"#,
            "b.stub.json":
                #"{"request": {"urlPath": "/b"}, "response": {"headers": ["Content-Type: application/json"], "body": "[{{#each request.query.x}}{{this}}{{/each}}]"}}"#,
        ])
        let service = try await LiveService([
            "a.json": #"{"at": 17, "n": [{"d": "2026-11-20"}]}"#, "b.json": #"{"what": "ever"}"#,
        ])
        let literal = try await Command.run("verify", fixtures.path, "--against", service.url, "--only", "a.stub.json")
        #expect(literal.code == 1, "\(literal)")
        let end = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--global-response-templating")
        #expect(end.output.contains("/at   type changed (string"), "\(end)")
        #expect(end.output.contains("1 honoured: 1 header set · 1 broken"), "\(end)")
    }

    @Test func `responses of other servers, resources and faults are skipped with the reason`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {"proxyBaseUrl": "http://127.0.0.1:1"}}"#,
            "b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {"fault": "EMPTY_RESPONSE"}}"#,
            "c.stub.json": #"{"resource": {"collection": "/c"}}"#,
        ])
        let service = try await LiveService(["x.txt": "x"])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "  0 honoured · 3 skipped (answers of another server, faults, resources)\n", "\(end)")
        #expect(try await service.targets().isEmpty)
    }
}
