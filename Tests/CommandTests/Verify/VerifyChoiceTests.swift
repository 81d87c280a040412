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

/// Which fixtures `mockapi verify` asks for, how fast, and what it says of those that it did not.
@Suite(.supervised) struct VerifyChoiceTests {
    @Test func `only what has changed since a revision is asked for`() async throws {
        let files: KeyValuePairs<String, String> = [
            "a.json": #"{"a": 1}"#,
            "b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {"bodyFile": "b.json"}}"#,
            "b.json": #"{"b": 1}"#,
        ]
        let fixtures = try TemporaryDirectory(files)
        try await GitDirectory(fixtures).commit()
        let service = try await LiveService(["a.json": #"{"a": 1}"#, "b": #"{"b": 1}"#, "c.json": "{}"])
        let arguments = ["verify", fixtures.path, "--against", service.url, "--changed-since", "HEAD"]
        let none = try await Command.run(arguments)
        #expect(none.code == 0, "\(none)")
        #expect(none.output == "  no fixture has changed\n")
        try fixtures.write("b.json", #"{"b": 2}"#)
        try fixtures.write("c.json", "{}")
        let some = try await Command.run(arguments)
        #expect(some.output.hasSuffix("· 1 not chosen\n"), "\(some)")
        #expect(try await service.targets() == ["/b", "/c"])
        let lost = try await Command.run(arguments.dropLast() + ["nowhere"])
        #expect(lost.code == 4, "\(lost)")
        #expect(lost.errors.hasPrefix("error: --changed-since nowhere: "), "\(lost)")
    }

    @Test func `requests start no faster than they may`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": "{}", "b.json": "{}", "c.json": "{}", "d.json": "{}"])
        let service = try await LiveService(["a.json": "{}", "b.json": "{}", "c.json": "{}", "d.json": "{}"])
        let start = ContinuousClock.now
        let end = try await Command.run("verify", fixtures.path, "--against", service.url, "--rate", "10")
        #expect(end.output == "  4 honoured: 4 values, 4 header sets\n", "\(end)")
        // The first starts at once, the others a tenth of a second after one another: no machine is faster.
        #expect(ContinuousClock.now - start >= .milliseconds(300))
    }

    @Test func `a fixture that was recorded long ago and is not asked for is a warning`() async throws {
        func stub(_ method: String, _ path: String, _ year: Int) -> String {
            #"""
            {"request": {"method": "\#(method)", "urlPath": "\#(path)"}, "response": {"status": 204},
             "recorded": {"request": "\#(method) \#(path)", "at": "\#(year)-01-01T00:00:00Z"}}
            """#
        }
        let fixtures = try TemporaryDirectory([
            "old.stub.json": stub("POST", "/a", 2020), "young.stub.json": stub("POST", "/b", 2999),
            "asked.stub.json": stub("GET", "/c", 2020),
        ])
        let service = try await LiveService([
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"status": 204}}"#
        ])
        let arguments = ["verify", fixtures.path, "--against", service.url, "--max-age", "30d"]
        let end = try await Command.run(arguments)
        #expect(end.code == 0, "\(end)")
        let lines = end.output.split(separator: "\n")
        #expect(lines.count == 2, "\(end)")
        #expect(lines[0].hasPrefix("  ! old.stub.json:1   fixture stale (2020-01-01T00:00:00Z → "), "\(end)")
        #expect(lines[0].hasSuffix(" days ago)   warning"), "\(end)")
        #expect(try await Command.run(arguments + ["--fail-on", "warning"]).code == 1)
    }

    @Test func `a contract in a stub weighs what is found, and the report says what is needed`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a"}, "response": {"jsonBody": {"id": 1, "ip": "10.0.0.1", "list": [1, 2], "x": 1}},
             "contract": {"/id": {"needed": true}, "/x": {"needed": false}, "/list": {"minItems": 2}, "/ip": {"format": "ipv4"}}}
            """#
        ])
        let service = try await LiveService(["a": #"{"ip": "here", "list": [1]}"#])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url, "--json", "-")
        #expect(end.code == 1, "\(end)")
        let lines = try end.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
        let told = lines.compactMap { node -> String? in
            guard let level = node["level"]?.string, let id = node["id"]?.string else { return nil }
            let needed = node["needed"]?.bool == true ? " needed" : ""
            return "\(level) \(id) \(node["pointer"]?.string ?? "")\(needed)"
        }
        let expected = [
            "breaking format-changed /ip", "breaking property-removed /id needed", "info property-removed /x",
            "warning items-too-few /list",
        ]
        #expect(told.filter { !$0.contains("header:") }.sorted() == expected, "\(end)")
    }

    @Test func `a webhook is told when the state is another, and only then`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": #"{"a": 1}"#])
        let service = try await LiveService(["a.json": #"{"a": 1}"#])
        let hook = try await LiveService([
            "hook.stub.json": #"{"request": {"method": "POST", "urlPath": "/hook"}, "response": {"status": 204}}"#
        ])
        let watch = try Command([
            "verify", fixtures.path, "--against", service.url, "--every", "1s", "--webhook", hook.url + "/hook",
        ])
        let states = {
            try Self.requests(of: hook).compactMap { $0["request"]?["body"]?.string }.reversed().compactMap {
                try JSONParser.parse($0)["state"]?.string
            }
        }
        try await until(states, is: ["honoured"])
        _ = try await until({ try Self.requests(of: service).count }, { $0 > 1 })
        try service.directory.write("a.json", #"{"a": "x"}"#)
        hangUp(service)
        try await until(states, is: ["honoured", "broken"])
        watch.send(SIGTERM)
        #expect(try await watch.end().code == 0)
    }

    private func hangUp(_ service: LiveService) { service.command.send(SIGHUP) }

    private static func requests(of service: LiveService) throws -> [JSONNode] {
        let port = Int(service.url.split(separator: ":").last ?? "") ?? 0
        let text = try WireClient(port: port).request("GET", "/__admin/requests").text
        return try JSONParser.parse(text)["requests"]?.array ?? []
    }
}
