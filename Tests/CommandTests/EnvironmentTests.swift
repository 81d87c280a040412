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

/// Options as variables of the environment.
@Suite(.supervised) struct EnvironmentTests {
    @Test func `options and switches are taken from the environment`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path],
            environment: [
                "MOCKAPI_PORT": "0", "MOCKAPI_LOG_FORMAT": "json", "MOCKAPI_WATCH": "1", "MOCKAPI_CORS": "true",
            ])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a.txt")["Access-Control-Allow-Origin"] == "*")
        try directory.write("a.txt", "two")
        #expect(try await until({ try client.request("GET", "/a.txt").text }, is: "two"))
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.errors.split(separator: "\n").contains { $0.hasPrefix("{") && $0.contains("/a.txt") })
    }

    @Test func `the command line goes before the environment`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path, "--port=0", "-q", "--no-watch"],
            environment: ["MOCKAPI_PORT": "1", "MOCKAPI_QUIET": "no", "MOCKAPI_WATCH": "1", "MOCKAPI_NO_TLS": ""])
        _ = try await command.port()
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.errors.isEmpty)
    }

    @Test func `a pair of switches has a variable each, and the other of the pair for no`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        for (name, value) in [("MOCKAPI_WATCH", "0"), ("MOCKAPI_NO_WATCH", "1"), ("MOCKAPI_NO_WATCH", "off")] {
            let command = try Command(["serve", directory.path, "--port", "0"], environment: [name: value])
            _ = try await command.port()
            command.send(SIGTERM)
            #expect(try await command.exitCode() == 0, "\(name) \(value)")
        }
        // Of a pair one alone can stand there.
        let both = try Command(
            ["serve", directory.path, "--watch"], environment: ["MOCKAPI_WATCH": "0", "MOCKAPI_PORT": "x"])
        #expect(try await both.exitCode() == 64)
        #expect(both.errors.contains("note: of the environment MOCKAPI_PORT was read, too\n"))
    }

    @Test func `an option that is repeated has a line for each`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path, "--port", "0"], environment: ["MOCKAPI_ADMIN_HOST": "mocks\nmocks.test\n"])
        let port = try await command.port()
        for (host, status) in [("mocks", 200), ("mocks.test", 200), ("other", 421)] {
            #expect(try WireClient(port: port).request("GET", "/__admin/requests", ["Host: \(host)"]).status == status)
        }
    }

    @Test func `what is wrong in the environment is told with its variable`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let flag = try Command(["serve", directory.path], environment: ["MOCKAPI_CORS": "maybe"])
        #expect(try await flag.exitCode() == 64)
        #expect(
            flag.errors.hasPrefix(
                "error: MOCKAPI_CORS is \"maybe\"; it is a switch: 1, true, yes or on, or 0, false, no or off\n"))
        let value = try Command(["serve", directory.path], environment: ["MOCKAPI_LOG_FORMAT": "xml"])
        #expect(try await value.exitCode() == 64)
        #expect(
            value.errors.hasPrefix(
                "note: of the environment MOCKAPI_LOG_FORMAT was read, too\nerror: The value 'xml' is invalid"))
    }

    @Test func `a recording has its options from there too, and other commands none`() async throws {
        let service = try TemporaryDirectory(["a.txt": "a"])
        let upstream = try Command(["serve", service.path, "--port", "0", "--quiet"])
        let url = "http://127.0.0.1:\(try await upstream.port())"
        let into = try TemporaryDirectory()
        let command = try Command(
            ["record", url], environment: ["MOCKAPI_INTO": into.path + "/f", "MOCKAPI_GET": "/a.txt"])
        #expect(try await command.exitCode() == 0, "\(command.errors)")
        #expect(into.text("f/a.txt") == "a")
        let check = try Command(["check", into.path], environment: ["MOCKAPI_WIREMOCK": "maybe"])
        #expect(try await check.exitCode() == 0)
    }

    @Test(arguments: ["serve", "record"])
    func `every option of serve and record is documented, with the rule for its variable`(name: String) async throws {
        let dump = try await Command.run(name, "--experimental-dump-help")
        let options = try JSONParser.parse(dump.output)["command"]?["arguments"]?.array ?? []
        let help = try await Command.run(name, "--help")
        #expect(options.count > 15)
        for option in options where option["kind"]?.string != "positional" && option["shouldDisplay"]?.bool != false {
            for spelling in option["names"]?.array ?? [] where spelling["kind"]?.string == "long" {
                #expect(help.output.contains("--" + (spelling["name"]?.string ?? "?")))
            }
        }
        #expect(help.output.contains("MOCKAPI_LOG_FORMAT=json") || help.output.contains("MOCKAPI_INTO=Fixtures"))
    }
}
