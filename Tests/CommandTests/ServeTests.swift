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

@Suite(.supervised) struct ServeTests {
    private let files: KeyValuePairs = [
        "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "hello"}}"#, "b.txt": "b",
    ]

    @Test func `one line on standard output says where, the summary goes to standard error`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a").text == "hello")
        #expect(try WireClient(port: port).request("GET", "/none").status == 404)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.output == "listening on http://127.0.0.1:\(port)\n")
        // No terminal, no --log-format: a line of the miss, and none of the response.
        let lines = command.errors.split(separator: "\n")
        #expect(lines.count == 2 && lines.first == "  1 stub, 1 file, 0 findings")
        #expect(lines.last?.contains("GET /none") == true)
    }

    @Test(arguments: ["0.0.0.0", "*"])
    func `a server that the network reaches says so`(host: String) async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--host", host])
        let port = try await command.port()
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.output == "listening on http://127.0.0.1:\(port)\n")
        let note = try #require(command.errors.split(separator: "\n").last)
        #expect(command.errors == "  1 stub, 1 file, 0 findings\n\(note)\n")
        // A machine without a network has no address to tell.
        #expect(!note.contains(" by ") || note.contains(" by http://") && note.contains(":\(port), "), "\(note)")
        #expect(note.hasPrefix("  the network reaches this port"))
        #expect(
            note.hasSuffix(", the journal (/__admin) too; --host 127.0.0.1 keeps it to this machine"))
    }

    /// vuejs/vue-cli#4649: a name that is ::1 first, and a server on 127.0.0.1 alone.
    @Test func `localhost is listened to on both of its addresses`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--host", "localhost"])
        let port = try await command.port()
        #expect(command.output == "listening on http://127.0.0.1:\(port)\n")
        #expect(try WireClient(port: port).request("GET", "/a").text == "hello")
        let curl = try Command(line: [
            "/usr/bin/curl", "-s", "--noproxy", "*", "--max-time", "60", "http://[::1]:\(port)/a",
        ])
        // 7: a machine without IPv6 has no such address.
        let code = try await curl.exitCode()
        #expect(code == 0 && curl.output == "hello" || code == 7 && !Self.hasIPv6)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    private static var hasIPv6: Bool {
        #if os(Linux)
            access("/proc/sys/net/ipv6/conf/lo", F_OK) == 0 && access("/proc/net/if_inet6", F_OK) == 0
        #else
            true
        #endif
    }

    @Test func `quiet leaves standard error empty`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--quiet", "--log-format", "text"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a").text == "hello")
        command.send(SIGINT)
        #expect(try await command.exitCode() == 0)
        #expect(command.output == "listening on http://127.0.0.1:\(port)\n")
        #expect(command.errors.isEmpty)
    }

    @Test func `SIGTERM loses none of a thousand requests in flight over HTTP-2`() async throws {
        let directory = try TemporaryDirectory([
            "slow.stub.json": #"{"response": {"body": "done", "fixedDelayMilliseconds": 400}}"#
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--grace", "20s"])
        let port = try await command.port()
        let process = command.process
        let answered = try await blocking {
            var clients: [FrameClient] = []
            for _ in 0..<10 {
                let client = try FrameClient(port: port)
                for number in 0..<100 { try client.send(.request(stream: UInt32(2 * number + 1), "/")) }
                // The response to a PING comes when the requests before it have been read.
                try client.send(HTTP2Frame(.ping, [UInt8](repeating: 1, count: 8)))
                while let frame = try client.next(.ping), frame.flags == 0 {}
                clients.append(client)
            }
            kill(process, SIGTERM)
            return try clients.reduce(0) { count, client in
                var count = count
                while let frame = try client.next() {
                    if frame.isKind(.data), frame.endsStream, frame.payload == Array("done".utf8) { count += 1 }
                }
                return count
            }
        }
        #expect(answered == 1000)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `broken fixtures exit 3 with their findings and the way out`() async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPat": "/a"}, "response": {"status": 200}}"#
        ])
        let result = try await Command.run("serve", directory.path, "--port", "0")
        #expect(result.code == 3)
        #expect(result.output.isEmpty)
        #expect(
            result.errors
                == directory.path
                + #"/a.stub.json:1:14: error: unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)"#
                + "\nerror: these fixtures cannot be served; mockapi check \(directory.path) prints the same findings; "
                + "--lenient serves the others\n"
        )
    }

    @Test func `a warning is served, but not with strict`() async throws {
        let directory = try TemporaryDirectory(["c.png": "no image"])
        let result = try await Command.run("serve", directory.path, "--port", "0", "--strict")
        #expect(result.code == 3)
        #expect(result.output.isEmpty)
        let command = try Command(["serve", directory.path, "--port", "0"])
        #expect(try WireClient(port: try await command.port()).request("GET", "/c.png").text == "no image")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.errors.hasPrefix("\(directory.path)/c.png: warning: "))
        #expect(command.errors.hasSuffix("\n  0 stubs, 1 file, 1 finding\n"))
    }

    @Test func `what has no errors is served with lenient, and what is not is named`() async throws {
        let directory = try TemporaryDirectory([
            "mappings/a.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "a"}}"#,
            "mappings/b.json":
                #"{"request": {"urlPath": "/b", "method": "G T"}, "response": {"body": "b"}}"#,
            "mappings/c.json": #"{"request": {"urlPathPattern": "/(c"}, "response": {"body": "c"}}"#,
            "mappings/d.json":
                #"{"request": {"headers": {"X": {"not": {"matches": "("}}}}, "response": {"body": "d"}}"#,
            "mappings/e.json": "{",
        ])
        let path = directory.path + "/mappings"
        let refused = try await Command.run("serve", directory.path, "--port", "0")
        #expect(refused.code == 3)
        let command = try Command(["serve", directory.path, "--port", "0", "--lenient", "--watch"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a").text == "a")
        for target in ["/b", "/c", "/(c", "/else"] { #expect(try client.request("GET", target).status == 404) }
        #expect(
            try await until({ command.errors }) {
                $0.contains(
                    "  not served for their errors: \(path)/b.json:1, \(path)/c.json:1, \(path)/d.json:1, \(path)/e.json\n"
                )
            })
        #expect(command.errors.contains("\(path)/c.json:1:32: error: the pattern is broken at its byte 3: "))
        #expect(command.errors.contains("  3 stubs, 0 files, 4 findings\n"))
        try directory.write("mappings/b.json", #"{"request": {"urlPath": "/b"}, "response": {"body": "b"}}"#)
        #expect(try await until({ try client.request("GET", "/b").text }, is: "b"))
        #expect(
            try await until({ command.errors }) {
                $0.contains("  not served for their errors: \(path)/c.json:1, \(path)/d.json:1, \(path)/e.json\n")
            })
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    /// typicode/json-server#249, #560 and #1048: EADDRINUSE with a stack trace.
    @Test func `a second server on the same port exits 4, and the first goes on`() async throws {
        let directory = try TemporaryDirectory(files)
        let first = try Command(["serve", directory.path, "--port", "0"])
        let port = try await first.port()
        let second = try await Command.run("serve", directory.path, "--port", "\(port)")
        #expect(second.code == 4)
        #expect(second.output.isEmpty)
        #expect(
            second.errors
                == "error: port \(port) is in use: stop what listens there, or choose another with --port (0 lets the system choose)\n"
        )
        for _ in 0..<20 { #expect(try WireClient(port: port).request("GET", "/a").text == "hello") }
    }

    @Test func `limits given are kept`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command([
            "serve", directory.path, "--port", "0", "--max-body", "10", "--max-head", "2KiB", "--idle-timeout", "100ms",
        ])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("POST", "/a", body: "0123456789").status == 200)
        #expect(try WireClient(port: port).request("POST", "/a", body: "0123456789a").status == 413)
        let long = "X: " + String(repeating: "a", count: 3000)
        #expect(try WireClient(port: port).request("GET", "/a", [long]).status == 431)
        let idle = try WireClient(port: port)
        #expect(try idle.request("GET", "/a").status == 200)
        #expect(try idle.remainder().isEmpty)
    }

    @Test func `the journal can be left out`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0", "--journal-limit", "0"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a").status == 200)
        let journal = try JSONParser.parse(try client.request("GET", "/__admin/requests").text)
        #expect(journal["requests"]?.array?.isEmpty == true)
        #expect(journal["requestJournalDisabled"]?.bool == true)
    }

    @Test func `a download that is under way is finished before the end`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("large.bin", [UInt8](repeating: 7, count: 24 * 1024 * 1024))
        let command = try Command(["serve", directory.path, "--port", "0", "--grace", "60s"])
        let port = try await command.port()
        let client = try WireClient(port: port, receiveBuffer: 65_536)
        try client.send("GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        // The journal has it: the response is under way.
        let other = try WireClient(port: port)
        #expect(
            try await until({ try other.request("GET", "/__admin/requests").text }) {
                try JSONParser.parse($0)["requests"]?.array?.count == 1
            })
        command.send(SIGTERM)
        // No more connections are taken, and idle ones are closed.
        #expect(try other.remainder().isEmpty)
        #expect(try await until({ try? WireClient(port: port) }, { $0 == nil }))
        let answer = try client.response()
        #expect(answer.body == [UInt8](repeating: 7, count: 24 * 1024 * 1024))
        #expect(try await command.exitCode() == 0)
    }

    @Test func `a download that outlasts the grace is cut, and the exit code is 0`() async throws {
        let directory = try TemporaryDirectory()
        try directory.write("large.bin", [UInt8](repeating: 7, count: 24 * 1024 * 1024))
        let command = try Command(["serve", directory.path, "--port", "0", "--grace", "50ms"])
        let client = try WireClient(port: try await command.port(), receiveBuffer: 65_536)
        try client.send("GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test func `with 256 descriptors and 600 idle connections a request is answered`() async throws {
        let directory = try TemporaryDirectory(files)
        let command = try Command(["serve", directory.path, "--port", "0"], descriptors: 256)
        let port = try await command.port()
        let idle = try (0..<600).map { _ in try WireClient(port: port) }
        #expect(try WireClient(port: port).request("GET", "/a").text == "hello")
        #expect(try WireClient(port: port).request("GET", "/b.txt").text == "b")
        for client in idle { client.close() }
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test(arguments: ["60ms", "0.06s..0.07s"])
    func `a delay for all reaches stubs and files`(delay: String) async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"body": "a"}}"#, "b.txt": "b",
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--delay", delay])
        let port = try await command.port()
        try await blocking {
            let client = try WireClient(port: port)
            for path in ["/a", "/b.txt"] {
                let start = ContinuousClock.now
                #expect(try client.request("GET", path).status == 200)
                #expect(ContinuousClock.now - start >= .milliseconds(60), "\(path)")
            }
        }
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
    }

    @Test(arguments: ["2", "1s..", "400ms..100ms", "2d", "25h"])
    func `a delay that is none is told`(delay: String) async throws {
        let result = try await Command.run("serve", ".", "--delay", delay)
        #expect(result.code == 64)
        #expect(result.errors.contains("--delay"), "\(result.errors)")
    }
}
