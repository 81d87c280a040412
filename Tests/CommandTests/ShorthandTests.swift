// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// What people type first: a directory, another tool's word, `init`.
@Suite(.supervised) struct ShorthandTests {
    @Test func `a directory in the place of a command is served, and -p is the port`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try Command([directory.path, "-p", "0"])
        #expect(try WireClient(port: try await server.port()).request("GET", "/a.txt").text == "a")
    }

    @Test(arguments: [
        ("start", "; did you mean \"mockapi serve\"?"), ("strat", "; did you mean \"mockapi serve\"?"),
        ("helpp", "; did you mean \"mockapi help\"?"),
        ("lint", "; did you mean \"mockapi check\"?"), ("chek", "; did you mean \"mockapi check\"?"),
        ("no-such-thing", ""),
    ])
    func `a word that is neither a command nor a directory is answered with what was meant`(
        word: String, hint: String
    ) async throws {
        let result = try await Command.run(word)
        #expect(result.code == 64)
        #expect(
            result.errors.hasPrefix(
                "error: \"\(word)\" is not a command, a directory or a file\(hint) (mockapi --help lists the commands)\n"
            ))
    }

    @Test(arguments: [
        (["--port", "3000"], "note: options stand behind a command: mockapi serve --port\n"),
        (["--port=3000"], "note: options stand behind a command: mockapi serve --port\n"),
        (["--cors"], "note: options stand behind a command: mockapi serve --cors\n"),
        (["--verson"], "note: did you mean --version?\n"),
        (["serve", "--fixtures", "x"], "note: the directory is an argument, not an option: mockapi serve DIRECTORY\n"),
        (["record", "http://127.0.0.1:1", "--fixtures", "x"], "note: write --into DIRECTORY\n"),
        (
            ["--root-dir", "x"],
            "note: --root-dir is an option of WireMock's: here it is the directory without an option\n"
        ),
        (
            ["serve", "--root-dir", "x"],
            "note: --root-dir is an option of WireMock's: here it is the directory without an option\n"
        ),
        (
            ["serve", "x", "--enable-stub-cors"],
            "note: --enable-stub-cors is an option of WireMock's: here it is --cors\n"
        ),
        (
            ["serve", "x", "--https-keystore", "y"],
            "note: --https-keystore is an option of WireMock's: here they are files in PEM, --tls-cert and --tls-key\n"
        ),
    ])
    func `an option that stands elsewhere is answered with where`(arguments: [String], note: String) async throws {
        let command = try Command(arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.errors.hasPrefix("\(note)error: Unknown option '"))
    }

    @Test(arguments: [
        ["check", "x", "--port", "1"], ["diff", "a", "b", "--timeout", "3s"],
        ["diff", "a", "b", "--global-response-templating"], ["--bogus"],
    ])
    func `an option that stands nowhere else gets no advice`(arguments: [String]) async throws {
        let command = try Command(arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.errors.hasPrefix("error: Unknown option '"))
        #expect(!command.errors.contains("note: "))
    }

    private func command(_ arguments: [String], in folder: String) throws -> Command {
        try Command(
            line: ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder, try Command.executable("mockapi")] + arguments)
    }

    /// zapier/zapier-platform#17: a scaffold wrote over files that were there.
    @Test func `init writes a directory that check finds nothing in, and overwrites nothing`() async throws {
        let folder = try TemporaryDirectory(["mock/index.html": "mine"])
        let first = try command(["init"], in: folder.path)
        #expect(try await first.exitCode() == 0)
        #expect(first.output.hasPrefix("  kept     mock/index.html\n  written  mock/logo.svg\n"))
        #expect(
            first.output.hasSuffix(
                """
                Next:
                  mockapi mock --cors
                  mockapi check mock
                  mockapi run mock -- sh -c 'curl -fsS "$MOCKAPI_URL/api/items"'

                """))
        #expect(try String(contentsOfFile: folder.path + "/mock/index.html", encoding: .utf8) == "mine")
        let check = try command(["check", "mock"], in: folder.path)
        #expect(try await check.exitCode() == 0)
        let run = try command(
            ["run", "mock", "--no-tls", "--", "sh", "-c", "curl -fsS $MOCKAPI_URL/api/items"], in: folder.path)
        #expect(try await run.exitCode() == 0)
        let second = try command(["init"], in: folder.path)
        #expect(try await second.exitCode() == 0)
        #expect(!second.output.contains("written"))
    }

    @Test(arguments: ["/tmp/x", "../x", "a/../../x"])
    func `init writes below the working directory alone`(directory: String) async throws {
        let result = try await Command.run("init", directory)
        #expect(result.code == 64)
        #expect(
            result.errors.hasPrefix(
                "error: the directory must lie below the working directory; found \(directory)\n"))
    }

    @Test func `health waits for a server that is not there yet`() async throws {
        let listener = try OneResponse()
        let url = "http://127.0.0.1:\(listener.port)"
        async let answered: Void = blocking {
            try listener.answer("HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n")
            try listener.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        }
        let result = try await Command.run("health", "--url", url, "--wait", "120s")
        try await answered
        #expect(result.code == 0)
        #expect(result.output == "\(url) is healthy\n")
    }

    @Test func `WireMock's options are carried out or named`() async throws {
        let root = try TemporaryDirectory([
            "mappings/a.json": #"{"request": {"url": "/a"}, "response": {"status": 202}}"#
        ])
        let server = try Command(
            [
                "wiremock", "--root-dir=\(root.path)", "--port", "0", "--bind-address", "127.0.0.1", "--verbose",
                "--async-response-enabled", "true", "--https-port", "0", "--no-request-journal",
                "--disable-http2-plain", "--disable-http2-tls",
            ], environment: ["WIREMOCK_OPTIONS": "--disable-banner --enable-stub-cors"])
        let response = try WireClient(port: try await server.port())
            .request("GET", "/a", ["Origin: http://a.test"])
        #expect(response.status == 202)
        #expect(response.text.isEmpty)
        let upgraded = try WireClient(port: try await server.port())
            .request("GET", "/a", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"])
        #expect(upgraded.status == 202)
        #expect(try await until({ server.errors }) { $0.contains(" speaks HTTPS, and HTTP as well\n") })
        let second = try #require(server.errors.firstMatch(of: #/port (\d+) speaks/#).flatMap { Int($0.1) })
        #expect(try WireClient(port: second).request("GET", "/a").status == 202)
        server.send(SIGTERM)
        #expect(try await server.exitCode() == 0)
        // Requests that come at once may be logged before it.
        #expect(server.errors.contains("  1 stub, 0 files, 0 findings\n"))
        #expect(
            server.errors.hasPrefix(
                """
                  --disable-banner has no effect here: there is no banner
                  --async-response-enabled has no effect here: no response holds a thread

                """))
    }

    @Test(arguments: [
        (["--strict-options", "--extensions", "a.B"], "  --extensions is not supported: code in Java is not run\n"),
        (
            ["--strict-options", "--disable-http2-plain"],
            "  --disable-http2-plain is not supported: --no-http2 leaves HTTP/2 out, with TLS too\n"
        ),
        (
            ["--enable-stub-cor"],
            "error: --enable-stub-cor is not an option of WireMock's; did you mean --enable-stub-cors?\n"
        ),
        (["8080"], "error: \"8080\" is not an option of WireMock's: options begin with --\n"),
        (["--port"], "error: --port needs a value\n"),
        (
            ["--https-require-client-cert"],
            "error: --https-require-client-cert needs --https-truststore FILE in PKCS#12 or JKS\n"
        ),
        (["--https-port=x"], "error: --https-port must be between 0 and 65535, found \"x\"\n"),
        (
            ["--max-request-journal-entries", "x"],
            "error: --max-request-journal-entries must be a number of entries, found \"x\"\n"
        ),
        (
            ["--admin-api-basic-auth=ann"],
            "error: --admin-api-basic-auth needs a name and a password with a colon between\n"
        ),
    ])
    func `an option of WireMock's that cannot be taken ends the command`(
        arguments: [String], text: String
    ) async throws {
        let command = try Command(["wiremock"] + arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.errors.hasPrefix(text))
    }

    @Test func `WireMock's conditions on the admin API hold, and its journal shows the newest requests`() async throws {
        let root = try TemporaryDirectory([
            "mappings/a.json": #"{"request": {"url": "/a"}, "response": {"status": 202}}"#
        ])
        let server = try Command([
            "wiremock", "--root-dir", root.path, "--port", "0", "--admin-api-basic-auth", "ann:s3cret:x",
            "--max-request-journal-entries", "2",
        ])
        let client = try WireClient(port: try await server.port())
        for path in ["/a", "/b", "/a"] { _ = try client.request("GET", path) }
        // Nothing but the admin API asks for a password, and of that not whether the server lives.
        #expect(try client.request("GET", "/__admin/health").status == 200)
        for field in [[], ["Authorization: Basic YW5uOng="], ["Authorization: Bearer YW5uOnMzY3JldDp4"]] {
            let refused = try client.request("GET", "/__admin/requests", field)
            #expect(refused.status == 401)
            #expect(refused["www-authenticate"] == "Basic realm=\"admin\", charset=\"UTF-8\"")
        }
        let shown = try client.request("GET", "/__admin/requests", ["Authorization: Basic YW5uOnMzY3JldDp4"])
        let requests = try JSONParser.parse(shown.text)
        #expect(requests["requests"]?.array?.compactMap { $0["request"]?["url"]?.string } == ["/a", "/b"])
        #expect(requests["meta"]?["total"]?.number?.integer == 2)
        // A port for waiting clients is the admin API's, as in WireMock.
        #expect(try client.request("GET", "/").status == 404)
    }

    @Test func `with WireMock's option HTTP's port is not opened, and the admin API asks for TLS`() async throws {
        let root = try TemporaryDirectory(["mappings/a.json": "{}"])
        let server = try Command([
            "wiremock", "--root-dir", root.path, "--port", "1", "--https-port", "0", "--disable-http",
            "--admin-api-require-https",
        ])
        let port = try await server.port()
        // Root may open it.
        #expect(port != 1)
        let client = try WireClient(port: port)
        let refused = try client.request("GET", "/__admin/mappings")
        #expect(refused.status == 403)
        #expect(refused.text.contains("HTTPS is required for accessing the admin API"))
        #expect(try client.request("GET", "/a").status == 200)
        let secure = try await Curl.fetch(
            "https://127.0.0.1:\(port)", [Ask("GET", "/__admin/mappings")], ["--insecure"])
        #expect(secure.map(\.status) == [200])
        server.send(SIGTERM)
        #expect(try await server.exitCode() == 0)
        #expect(server.output.split(separator: "\n").count == 1)
        #expect(!server.errors.contains("port 1 ") && !server.errors.contains(" speaks HTTPS"))
    }

    @Test(arguments: [false, true])
    func `a proxied request has the service's host, or the client's if it is preserved`(isPreserved: Bool) async throws
    {
        let service = try await LiveService([
            "host.stub.json": #"{"response": {"body": "{{request.host}}", "transformers": ["response-template"]}}"#
        ])
        let root = try TemporaryDirectory([
            "mappings/a.json": #"{"request": {"url": "/a"}, "response": {"proxyBaseUrl": "\#(service.url)"}}"#,
            "mappings/b.json": #"""
            {"request": {"url": "/b"}, "response": {"proxyBaseUrl": "\#(service.url)", "removeProxyRequestHeaders": ["Host"]}}
            """#,
        ])
        let server = try Command(
            ["wiremock", "--root-dir", root.path, "--port", "0"] + (isPreserved ? ["--preserve-host-header"] : []))
        let client = try WireClient(port: try await server.port())
        let response = try client.request("GET", "/a", ["Host: shop.test"])
        #expect(response.status == 200 && response.text == (isPreserved ? "shop.test" : "127.0.0.1"))
        #expect(try client.request("GET", "/b", ["Host: shop.test"]).text == "127.0.0.1")
    }

    @Test(arguments: [
        (["--deny-proxy-targets", "10.0.0.1,127.0.0.1"], 500), (["--allow-proxy-targets", "*.test, 10.0.0.1"], 500),
        (["--allow-proxy-targets=127.0.0.1"], 200), (["--proxy-via", "127.0.0.1:1"], 500),
        (["--proxy-via", "http://127.0.0.1:1"], 500),
    ])
    func `WireMock's rules for the targets of stubs hold, and its proxy is asked`(arguments: [String], status: Int)
        async throws
    {
        let service = try await LiveService(["a.txt": "a"])
        let root = try TemporaryDirectory(["mappings/a.json": #"{"response": {"proxyBaseUrl": "\#(service.url)"}}"#])
        let server = try Command(["wiremock", "--root-dir", root.path, "--port", "0"] + arguments)
        let response = try WireClient(port: try await server.port()).request("GET", "/a.txt")
        #expect(response.status == status, "\(response.text)")
    }

    @Test func `rules for targets hold for --proxy-all, too`() async throws {
        let service = try await LiveService(["a.txt": "a"])
        let root = try TemporaryDirectory([:])
        for (denied, status) in [("127.0.0.1", 500), ("127.0.0.2", 200)] {
            let server = try Command([
                "wiremock", "--root-dir", root.path, "--port", "0", "--proxy-all", service.url, "--deny-proxy-targets",
                denied,
            ])
            #expect(try WireClient(port: try await server.port()).request("GET", "/a.txt").status == status)
        }
    }

    @Test(arguments: [
        (["--deny-proxy-targets", "10.0.0.0/8"], #"--deny-proxy-targets: "10.0.0.0/8" is not a rule for targets; "#),
        (["--allow-proxy-targets", "a.test,[::1]"], #"--allow-proxy-targets: "[::1]" is not a rule for targets; "#),
        (["--deny-proxy-targets="], "--deny-proxy-targets needs a rule"),
    ]) func `a rule for targets that cannot be read ends the command`(arguments: [String], words: String) async throws {
        let command = try Command(["wiremock"] + arguments)
        #expect(try await command.exitCode() == 64)
        #expect(command.errors.contains(words), "\(command.errors)")
    }

    @Test(arguments: [("127.0.0.1", false), ("0.0.0.0", true)])
    func `a browser proxy that the network reaches is named at the start`(host: String, isNoted: Bool) async throws {
        let root = try TemporaryDirectory([:])
        let server = try Command([
            "wiremock", "--root-dir", root.path, "--port", "0", "--bind-address", host, "--enable-browser-proxying",
        ])
        _ = try await server.port()
        _ = try WireClient(port: try await server.port()).request("GET", "/__admin/health")
        server.send(SIGTERM)
        _ = try await server.exitCode()
        #expect(server.errors.contains("is an open proxy") == isNoted, "\(server.errors)")
    }

    @Test func `docs name each option of WireMock's`() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let source = try String(
            contentsOf: root.appendingPathComponent("Sources/Command/mockapi/Options/WireMockOptions.swift"),
            encoding: .utf8)
        let page = try String(contentsOf: root.appendingPathComponent("docs/wiremock.md"), encoding: .utf8)
        let names = source.matches(of: /"(--[\w-]+)": \./).map { String($0.1) }
        #expect(names.count > 60)
        #expect(names.filter { !page.contains("| `\($0)` |") } == [])
    }
}
