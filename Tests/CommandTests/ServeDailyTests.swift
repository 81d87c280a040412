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

/// A server in a container or behind a proxy: what it logs, by which names it is known, on which addresses it is reached.
@Suite(.supervised) struct ServeDailyTests {
    @Test func `a log of JSON is JSON to its last line`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {}, "serveEventListeners": [{"name": "webhook", "parameters": {"method": "GET", "url": "http://127.0.0.91:1/x"}}]}"#,
            "b.stub.json": #"{"request": {"method": "get", "urlPath": "/b"}, "response": {}}"#,
            "c.stub.json":
                #"{"request": {"urlPath": "/c"}, "response": {"transformers": ["response-template"], "headers": {"Content-Type": "application/json"}, "body": "{{request.query.a}}}"}}"#,
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "json", "--watch"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a").status == 200)
        #expect(try client.request("GET", "/c").status == 200)
        #expect(try client.request("GET", "/none").status == 404)
        try directory.write("d.stub.json", "{")
        #expect(try await until({ command.errors }) { $0.contains("the earlier fixtures are served") })
        directory.remove("d.stub.json")
        #expect(try await until({ command.errors }) { $0.contains("\"reloaded\"") && $0.contains("\"webhook\"") })
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        var events: Set<String> = []
        for line in command.errors.split(separator: "\n") {
            let node = try JSONParser.parse(Array(line.utf8))
            #expect(node["time"]?.string?.utf8.count == 24 || node["time"]?.string?.hasSuffix("Z") == true, "\(line)")
            if let event = node["event"]?.string { events.insert(event) }
        }
        #expect(events.isSuperset(of: ["note", "finding", "webhook", "template", "reloaded"]), "\(events)")
    }

    @Test func `a text that is rendered and is not JSON, as its line says, is told`() async throws {
        let directory = try TemporaryDirectory([
            "c.stub.json":
                #"{"request": {"urlPath": "/c"}, "response": {"transformers": ["response-template"], "headers": {"Content-Type": "application/json"}, "body": "{\"a\": \"{{request.query.a}}\"}"}}"#
        ])
        let command = try Command(["serve", directory.path, "--port", "0"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/c?a=b").text == #"{"a": "b"}"#)
        #expect(try client.request("GET", "/c?a=%22").text == #"{"a": """}"#)
        #expect(
            try await until({ command.errors }) {
                $0.contains("warning: the body rendered for GET /c is not JSON: ")
                    && $0.contains("; \"jsonBody\" writes the result as JSON\n")
            })
        #expect(command.errors.split(separator: "\n").count { $0.hasPrefix("warning: ") } == 1)
        command.send(SIGTERM)
        _ = try await command.exitCode()
    }

    @Test func `every address of both families is listened to`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(["serve", directory.path, "--port", "0", "--host", "*"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a.txt").text == "a")
        let curl = try Command(line: [
            "/usr/bin/curl", "-s", "-g", "--noproxy", "*", "--max-time", "60", "http://[::1]:\(port)/a.txt",
        ])
        #expect(try await curl.exitCode() == 0)
        #expect(curl.output == "a")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test(arguments: [
        (
            "--cors-origin=https://a/b",
            "--cors-origin takes an origin such as https://app.example or capacitor://localhost, without a path, or null; found https://a/b"
        ),
        ("--public-url=mocks", "--public-url takes a URL such as https://mocks.example; found mocks"),
    ])
    func `what is not an origin and no URL is refused in words`(option: String, text: String) async throws {
        let end = try await Command.run("serve", "/nowhere", option)
        #expect(end.code == 64)
        #expect(end.errors.contains(text))
    }

    @Test func `an empty directory is the same finding for check and for serve`() async throws {
        let directory = try TemporaryDirectory()
        let finding =
            "\(directory.path): warning: there are no stubs and no files here to be served; mockapi init writes some\n"
        let check = try await Command.run("check", directory.path)
        #expect(check.code == 1)
        #expect(check.output == finding)
        let serve = try await Command.run("serve", directory.path, "--port", "0", "--strict")
        #expect(serve.code == 3)
        #expect(serve.errors.hasPrefix(finding))
    }
}
