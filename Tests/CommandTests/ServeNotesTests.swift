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

/// What `mockapi serve` and `run` say of themselves on standard error, and what they say with `--quiet`.
@Suite(.supervised) struct ServeNotesTests {
    private static let proxying = #"{"request": {"urlPath": "/p"}, "response": {"proxyBaseUrl": "http://svc.test"}}"#
    private static let proxy = "http://127.0.0.1:2"
    private static let proxyNote =
        "requests to services go through the proxy that http_proxy names, except for the hosts of no_proxy; --proxy none sends them directly"

    @Test(arguments: [
        (["http_proxy": proxy], [String](), true), (["http_proxy": proxy], ["--proxy", "none"], false),
        (["http_proxy": proxy, "no_proxy": "*"], [], false), (["http_proxy": proxy, "NO_PROXY": ".test"], [], false),
        (["http_proxy": proxy, "no_proxy": "other.test, SVC.test"], [], false),
        (["http_proxy": proxy], ["--no-outgoing"], false), (["https_proxy": proxy], [], false),
        (["http_proxy": proxy], ["--quiet"], false),
    ])
    func `a proxy of the environment is told where stubs reach a service by it`(
        environment: [String: String], options: [String], isTold: Bool
    ) async throws {
        let directory = try TemporaryDirectory(["p.stub.json": Self.proxying, "a.txt": "a"])
        let command = try Command(["serve", directory.path, "--port", "0"] + options, environment: environment)
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/a.txt").status == 200)
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.errors.contains(Self.proxyNote) == isTold, "\(command.errors)")
        let end = try await Command(
            ["run", directory.path] + options + ["--", "sh", "-c", "curl -s \"$MOCKAPI_URL/a.txt\""],
            environment: environment
        ).end()
        #expect(end.code == 0 && end.errors.contains(Self.proxyNote) == isTold, "\(end)")
    }

    @Test func `a stub for files alone names no proxy`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path, "--port", "0"], environment: ["http_proxy": "http://127.0.0.1:2"])
        _ = try await command.port()
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(!command.errors.contains("services are asked"))
    }

    @Test(arguments: [[], ["--log-format", "json"]])
    func `--quiet leaves requests out, and tells what fails beside them`(options: [String]) async throws {
        let directory = try TemporaryDirectory([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {}, "serveEventListeners": [{"name": "webhook", "parameters": {"method": "GET", "url": "http://127.0.0.91:1/x"}}]}"#
        ])
        let command = try Command(["serve", directory.path, "--port", "0", "--quiet"] + options)
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/none").status == 404)
        #expect(try client.request("GET", "/a").status == 200)
        #expect(try await until({ command.errors }) { $0.contains("the webhook GET http://127.0.0.91:1/x: ") })
        let stub = #"{"request": {"urlPathTemplate": "/u/{id:int}"}, "response": {}}"#
        #expect(try client.request("POST", "/__admin/mappings", body: stub).status == 201)
        #expect(
            try await until({ command.errors }) {
                $0.contains("{id:int} is a variable of that name, and takes any text")
            })
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.errors.split(separator: "\n").count == 2, "\(command.errors)")
        #expect(!command.errors.contains("/none"))
    }

    @Test func `a webhook whose body is rendered to no JSON, as its line says, is told`() async throws {
        let receiver = try await LiveService([
            "x.stub.json": #"{"request": {"method": "POST", "urlPath": "/x"}, "response": {}}"#
        ])
        let parameters =
            #"{"method": "POST", "url": "\#(receiver.url)/x", "body": "{\"h\": \"{{originalRequest.query.h}}\"}", "headers": {"Content-Type": "application/json"}}"#
        let directory = try TemporaryDirectory([
            "w.stub.json":
                #"{"request": {"urlPath": "/w"}, "response": {}, "serveEventListeners": [{"name": "webhook", "parameters": \#(parameters)}]}"#
        ])
        let command = try Command(["serve", directory.path, "--port", "0"])
        let client = try WireClient(port: try await command.port())
        #expect(try client.request("GET", "/w?h=a").status == 200)
        #expect(try client.request("GET", "/w?h=%22").status == 200)
        let line = "warning: the webhook POST \(receiver.url)/x: the body that was rendered is not JSON: "
        #expect(try await until({ command.errors }) { $0.contains(line) })
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(command.errors.split(separator: "\n").count { $0.hasPrefix("warning: ") } == 1, "\(command.errors)")
    }

    @Test(arguments: [
        ("MOCKAPI_WATCH", "yes", "--no-watch", "--no-watch"), ("MOCKAPI_WATCH", "no", "--no-watch", nil),
        ("MOCKAPI_WATCH", "no", "--watch", "--watch"), ("MOCKAPI_WATCH", "1", "--watch", nil),
        ("MOCKAPI_NO_WATCH", "yes", "--watch", "--watch"), ("MOCKAPI_SEED", "1", "--seed=2", "--seed"),
    ])
    func `a note on a variable names the option that was given`(
        variable: String, value: String, option: String, named: String?
    ) async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--log-format", "json", option], environment: [variable: value])
        _ = try await command.port()
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        let lines = command.errors.split(separator: "\n").map(String.init)
        // A log of JSON has no other line.
        #expect(lines.allSatisfy { (try? JSONParser.parse($0))?.object != nil }, "\(command.errors)")
        let note = named.map { "\(variable) has no effect beside \($0) of the command line" }
        #expect(lines.count { $0.contains("has no effect") } == (note == nil ? 0 : 1), "\(command.errors)")
        if let note { #expect(lines.first?.contains(note) == true, "\(command.errors)") }
    }

    @Test func `a variable that the command line goes before is told, unless it says the same`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let command = try Command(
            ["serve", directory.path, "--port", "0", "--host=127.0.0.1", "--no-watch"],
            environment: [
                "MOCKAPI_PORT": "9090", "MOCKAPI_HOST": "127.0.0.1", "MOCKAPI_NO_WATCH": "1", "MOCKAPI_CORS": "",
            ])
        _ = try await command.port()
        command.send(SIGTERM)
        #expect(try await command.exitCode() == 0)
        #expect(
            command.errors
                == "  MOCKAPI_PORT has no effect beside --port of the command line\n  0 stubs, 1 file, 0 findings\n")
    }
}
