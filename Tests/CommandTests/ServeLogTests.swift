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

/// The lines that `mockapi serve` writes on its requests.
@Suite(.supervised) struct ServeLogTests {
    private let files: KeyValuePairs = [
        "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "hello"}}"#, "b.txt": "b",
    ]

    @Test func `request lines as text tell target, status, size, time and file, or what was nearest`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "text"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a?x=1").status == 200)
        #expect(try client.request("GET", "/aa").status == 404)
        #expect(try client.request("PUT", "/b.txt").status == 405)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let lines = command.errors.split(separator: "\n").map(String.init)
        #expect(lines.count == 4)
        let pad = { (text: String) in text + String(repeating: " ", count: 60 - text.count) }
        #expect(lines.dropFirst().allSatisfy { LogLine($0).hasTime })
        let first = LogLine(try #require(lines.dropFirst().first)).text
        let prefix = pad("GET /a?x=1") + "200   5 B   "
        #expect(first.hasPrefix(prefix) && first.hasSuffix(" ms   a.stub.json   HTTP/1.1 c1"), "\(first)")
        #expect(
            lines.dropFirst(2).first.map { LogLine($0).text } == pad("GET /aa")
                + "404   nearest: a.stub.json (urlPath: /a ≠ /aa)   HTTP/1.1 c1")
        #expect(
            lines.last.map { LogLine($0).text } == pad("PUT /b.txt")
                + "405   nearest: b.txt (method: GET or HEAD ≠ PUT)   HTTP/1.1 c1")
    }

    @Test func `request lines name a consumed sequence, a pattern given up and what was refused`() async throws {
        let directory = try TemporaryDirectory([
            "once.stub.json":
                #"{"request": {"urlPath": "/once"}, "responses": [{"body": "1"}], "afterLast": "unmatched"}"#,
            "pattern.stub.json": #"{"request": {"urlPathPattern": "/(a+)+b"}, "response": {"body": "b"}}"#,
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "text"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/once").status == 200)
        #expect(try client.request("GET", "/once").status == 404)
        let long = "/" + String(repeating: "a", count: 40) + "!b"
        #expect(try client.request("GET", long).status == 404)
        #expect(try client.request("GET", "/", ["Host: a", "Host: b"]).status == 400)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let pad = { (text: String) in text + String(repeating: " ", count: 60 - text.count) }
        #expect(
            command.errors.split(separator: "\n").dropFirst(2).map { LogLine($0).text } == [
                pad("GET /once") + "404   sequence consumed: once.stub.json   HTTP/1.1 c1",
                pad("GET \(long)") + "404   pattern given up: pattern.stub.json   HTTP/1.1 c1",
                pad("GET /") + "400   the request has more than one Host line   HTTP/1.1 c1",
            ])
    }

    @Test(arguments: ["text", "json"])
    func `request lines show no credentials, and nothing that steers a terminal`(format: String) async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"""
            {"request": {"method": "POST", "urlPath": "/a", "bodyPatterns": [{"equalToJson": {}}]}, "response": {}}
            """#,
            "b.stub.json": #"""
            {"request": {"urlPath": "/b", "headers": {"X-Api-Key": {"equalTo": "expected-value"}}}, "response": {}}
            """#,
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", format])
        let client = try WireClient(port: try await command.port())
        let body = #"{"\u001b]0;owned\u0007\nGET /ok 200": "\#u{9b}\#u{2028}\#u{202e}"}"#
        #expect(try client.request("POST", "/a", body: body).status == 404)
        #expect(try client.request("GET", "/b?token=real-value", ["X-Api-Key: real-value"]).status == 404)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let scalars: [Unicode.Scalar] = ["\u{1b}", "\u{7}", "\u{9b}", "\u{2028}", "\u{202e}"]
        #expect(!command.errors.unicodeScalars.contains { scalars.contains($0) })
        #expect(command.errors.split(separator: "\n").count == 3)
        #expect(!command.errors.contains("real-value") && !command.errors.contains("expected-value"))
        #expect(command.errors.contains("GET /b?token=***") || format == "json")
    }

    @Test func `request lines as JSON are one object each`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "json"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a?x=1").status == 200)
        #expect(try client.request("GET", "/aa").status == 404)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let lines = command.errors.split(separator: "\n").map(String.init).filter { $0.hasPrefix("{") }
        let nodes = try lines.map { try JSONParser.parse($0) }.filter { $0["event"] == nil }
        #expect(nodes.count == 2)
        for node in nodes {
            #expect(
                node.object?.members.map(\.name) == [
                    "time", "method", "target", "protocol", "tls", "connection", "stream", "sequence", "status",
                    "bytes", "microseconds", "delayMilliseconds", "fault", "file", "explanation", "upstream",
                    "scenario",
                ])
            #expect(node["method"]?.string == "GET")
            #expect(node["protocol"]?.string == "HTTP/1.1")
        }
        #expect(nodes.first?["target"]?.string == "/a?x=1")
        #expect(nodes.first?["status"]?.number?.literal == "200")
        #expect(nodes.first?["bytes"]?.number?.literal == "5")
        #expect(nodes.first?["file"]?.string == "a.stub.json")
        #expect(nodes.first?["explanation"]?.string == nil)
        #expect(nodes.last?["status"]?.number?.literal == "404")
        #expect(nodes.last?["file"]?.string == nil)
        #expect(nodes.last?["explanation"]?.string == "nearest: a.stub.json (urlPath: /a ≠ /aa)")
        #expect(nodes.last?["sequence"]?.number?.literal == "2")
    }

    @Test func `a response whose header section cannot be sent over HTTP-2 is told in the log`() async throws {
        let value = String(repeating: "v", count: 4 * 1024 * 1024)
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"headers": {"X-Long": "\#(value)"}}}"#
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--log-format", "text"])
        let client = try FrameClient(port: try await command.port())
        try client.send(.request(stream: 1, "/a"))
        let reset = try #require(try client.next(.reset))
        #expect(reset.number(at: 0) == 2)
        let reason = "the header section of this response is longer than 4 MiB: the stream is reset"
        try await until({ command.errors }, { $0.contains(reason) })
        let line = try #require(command.errors.split(separator: "\n").last { $0.contains(reason) })
        let words = line.split(separator: "   ").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
        #expect(words.first?.hasSuffix(" GET /a") == true)
        #expect(words.dropFirst().prefix(2) == ["200", reason[...]] && words.last?.hasPrefix("HTTP/2.0 c") == true)
    }
}
