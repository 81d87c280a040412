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

@Suite(.supervised) struct HealthTests {
    @Test(arguments: ["127.0.0.1", "localhost"])
    func `a running server is healthy, and its journal does not show the question`(host: String) async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try Command(["serve", directory.path, "--port", "0"])
        let port = try await server.port()
        let result = try await Command.run("health", "--url", "http://\(host):\(port)")
        #expect(result.code == 0)
        #expect(result.output == "http://\(host):\(port) is healthy\n")
        #expect(result.errors.isEmpty)
        let journal = try JSONParser.parse(try WireClient(port: port).request("GET", "/__admin/requests").text)
        #expect(journal["requests"]?.array?.isEmpty == true)
    }

    @Test func `a server that listens on IPv6 is asked by its address in brackets`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try Command(["serve", directory.path, "--port", "0", "--host", "::1"])
        let port = try await server.port()
        let result = try await Command.run("health", "--url", "http://[::1]:\(port)/")
        #expect(result.code == 0)
        #expect(result.output == "http://[::1]:\(port) is healthy\n")
    }

    @Test(arguments: [
        ["MOCKAPI_PORT": "PORT"], ["WIREMOCK_OPTIONS": "--verbose --port PORT"],
        ["WIREMOCK_OPTIONS": "--port=PORT --bind-address 0.0.0.0"],
        ["MOCKAPI_PORT": "PORT", "MOCKAPI_HOST": "*", "WIREMOCK_OPTIONS": "--port 1"],
    ])
    func `a server that variables speak of is asked`(variables: [String: String]) async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try Command(["serve", directory.path, "--port", "0"])
        let port = try await server.port()
        let health = try Command(
            ["health"], environment: variables.mapValues { $0.replacing("PORT", with: "\(port)") })
        #expect(try await health.exitCode() == 0)
        #expect(health.output == "http://127.0.0.1:\(port) is healthy\n")
    }

    @Test(.enabled("processes cannot be numbered from 1 here") { await HealthTests.hasNamespaces })
    func `in a container the first process says where it listens`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let program = try Command.executable("mockapi")
        let script = """
            ("$0" health --wait 20s; kill 1) & exec "$0" serve "$1" --quiet --port=18089 --host 127.0.0.77
            """
        let line = ["unshare", "--pid", "--fork", "--mount-proc", "/bin/sh", "-c", script, program, directory.path]
        let command = try Command(line: ["/usr/bin/env"] + line)
        #expect(try await command.exitCode() == 0)
        #expect(command.output.contains("http://127.0.0.77:18089 is healthy\n"))
    }

    /// Whether processes can be numbered again: by root on Linux.
    private static var hasNamespaces: Bool {
        get async {
            guard
                let probe = try? Command(line: ["/usr/bin/env", "unshare", "--pid", "--fork", "--mount-proc", "true"])
            else { return false }
            return (try? await probe.exitCode()) == 0
        }
    }

    @Test func `a server that has ended is not healthy`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try Command(["serve", directory.path, "--port", "0", "--host", "127.0.0.9"])
        let url = "http://127.0.0.9:\(try await server.port())"
        server.send(SIGTERM)
        #expect(try await server.exitCode() == 0)
        let result = try await Command.run("health", "--url", url)
        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors == "error: \(url) is not healthy: connect: Connection refused\n")
    }

    @Test func `a server that says nothing is not healthy once the time is over`() async throws {
        let listener = try OneResponse()
        let url = "http://127.0.0.1:\(listener.port)"
        let result = try await Command.run("health", "--url", url, "--timeout", "100ms")
        #expect(result.code == 1)
        #expect(result.errors == "error: \(url) is not healthy: no response came within 100ms\n")
    }

    @Test(arguments: [
        ("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", "its response is 503"),
        ("SSH-2.0-OpenSSH_9.2\r\n", "the program that listens there does not speak HTTP/1.1"),
        (String(repeating: "a", count: 2000), "the program that listens there does not speak HTTP/1.1"),
        ("", "it closed the connection without a response"),
    ])
    func `any other response is not healthy`(answer: String, reason: String) async throws {
        let listener = try OneResponse()
        async let answered: Void = blocking { try listener.answer(answer) }
        let url = "http://127.0.0.1:\(listener.port)"
        let result = try await Command.run("health", "--url", url, "--timeout", "120s")
        try await answered
        #expect(result.code == 1)
        #expect(result.output.isEmpty)
        #expect(result.errors == "error: \(url) is not healthy: \(reason)\n")
    }

    @Test func `a name that does not resolve is not healthy`() async throws {
        let result = try await Command.run("health", "--url", "http://a..b:8080")
        #expect(result.code == 1)
        #expect(
            result.errors.hasPrefix(
                "error: http://a..b:8080 is not healthy: its name cannot be resolved: "))
    }

    @Test(arguments: [
        "https://127.0.0.1:8080", "127.0.0.1:8080", "http://", "http://a:b", "http://a:0", "http://a:65536",
        "http://a/path", "http://::1:8080",
    ])
    func `a URL with anything but http, a host and a port is refused`(url: String) async throws {
        let command = try Command(["health", "--url", url])
        #expect(try await command.exitCode() == 64)
        #expect(command.errors.hasPrefix("error: The value '\(url)' is invalid for '--url <url>'"))
    }
}
