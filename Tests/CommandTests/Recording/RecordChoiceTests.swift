// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What is kept of a recording, who may ask through it, and by which way services are asked.
@Suite(.supervised) struct RecordChoiceTests {
    private func record(
        _ url: String, into: TemporaryDirectory, _ options: [String], _ script: String,
        environment: [String: String] = [:]
    ) async throws -> Command.End {
        try await Command(
            ["record", url, "--into", into.path] + options + ["--", "/bin/sh", "-c", script], environment: environment
        ).end()
    }

    /// Another answer each time.
    private static let counter = #"""
        {"request": {"urlPath": "/a.json"},
         "response": {"jsonBody": {"n": "{{randomValue length=9 type='NUMERIC'}}"}, "transformers": ["response-template"]}}
        """#

    private static let asks = #"curl -s "$MOCKAPI_URL/a.json" >&2; curl -s "$MOCKAPI_URL/b/none" >&2; "#

    @Test func `a value that changes names the option that would have it forgiven`() async throws {
        let service = try await LiveService(["a.stub.json": Self.counter])
        let into = try TemporaryDirectory([:])
        let asks = #"curl -s "$MOCKAPI_URL/a.json" >&2"#
        let first = try await record(service.url, into: into, [], asks)
        #expect(first.code == 0, "\(first)")
        let again = try await record(service.url, into: into, [], asks)
        #expect(again.errors.contains("1 value changed (n); if it differs each time: --volatile '$.n'\n"), "\(again)")
        let marked = try await record(service.url, into: into, ["--volatile", "$.n"], asks)
        #expect(!marked.errors.contains("if it differs"), "\(marked)")
    }

    // MARK: Keeping

    @Test func `the directory is as it was where the command has failed, and the attempt lies beside`() async throws {
        let service = try await LiveService(["a.stub.json": Self.counter])
        let into = try TemporaryDirectory(["a.txt": "by hand"])
        let first = try await record(service.url, into: into, [], Self.asks + "exit 0")
        #expect(first.code == 0, "\(first)")
        let before = into.snapshot()
        let second = try await record(service.url, into: into, [], Self.asks + #"curl -s "$MOCKAPI_URL/d/new"; exit 5"#)
        #expect(second.code == 5, "\(second)")
        let attempt = [".gitignore", "a.json", "a.json.stub.json", "d/new.stub.json", "d/new.txt"]
        #expect(
            second.errors.hasSuffix(
                "\n\(into.path)/ is as it was, since the command failed: the recording, 4 files, lies in "
                    + "\(into.path)/.mockapi-attempt/; --keep always keeps it\n"), "\(second.errors)")
        #expect(into.snapshot().filter { !$0.key.hasPrefix(".mockapi") } == before)
        for file in attempt { #expect(!into.bytes(".mockapi-attempt/" + file).isEmpty, "\(file)") }
        let kept = try await record(service.url, into: into, ["--keep", "always"], Self.asks + "exit 5")
        #expect(kept.code == 5)
        #expect(into.snapshot() != before)
    }

    @Test func `what the command itself does to the directory stays where it has failed`() async throws {
        let service = try await LiveService(["a.stub.json": Self.counter, "b.txt": "b"])
        let into = try TemporaryDirectory(["in-place.txt": "1", "replaced.txt": "1", "gone.txt": "1"])
        let first = try await record(service.url, into: into, [], Self.asks + "exit 0")
        #expect(first.code == 0, "\(first)")
        let before = into.snapshot()
        let own = """
            cd '\(into.path)'; echo 2 > in-place.txt; echo 2 > .t; mv .t replaced.txt; rm gone.txt; mkdir own; echo 2 > own/new.txt; echo 2 > b.txt
            """
        let second = try await record(
            service.url, into: into, [], own + "; " + Self.asks + #"curl -s "$MOCKAPI_URL/b.txt" >&2; exit 5"#)
        #expect(second.code == 5, "\(second)")
        #expect(second.errors.contains("the recording, 4 files, lies in"), "\(second.errors)")
        var expected = before
        for name in ["in-place.txt", "replaced.txt", "own/new.txt", "b.txt"] { expected[name] = Array("2\n".utf8) }
        expected["gone.txt"] = nil
        #expect(into.snapshot().filter { !$0.key.hasPrefix(".mockapi") } == expected)
    }

    @Test func `a recording that passes takes an earlier attempt away`() async throws {
        let service = try await LiveService(["a.json": "1"])
        let into = try TemporaryDirectory()
        _ = try await record(service.url, into: into, [], Self.asks + "false")
        #expect(!into.text(".mockapi-attempt/a.json.stub.json").isEmpty)
        _ = try await record(service.url, into: into, [], Self.asks + "true")
        #expect(into.snapshot().keys.allSatisfy { !$0.contains("mockapi-") })
        #expect(!into.text("a.json.stub.json").isEmpty)
    }

    @Test func `what --keep is for is told`() async throws {
        let end = try await Command.run("record", "http://127.0.0.1:1", "--keep", "always", "--get", "/")
        #expect(end.code == 64)
        #expect(
            end.errors.contains("--keep is for recordings with a command: give it behind --, or leave --keep out"))
    }

    // MARK: Statuses

    @Test func `answers of other statuses pass, are told and counted, and are no fixtures`() async throws {
        let service = try await LiveService(["a.json": "1"])
        let into = try TemporaryDirectory()
        let end = try await record(service.url, into: into, ["--only-status", "2xx,500"], Self.asks)
        #expect(end.code == 0, "\(end)")
        #expect(into.snapshot().keys.sorted() == ["a.json", "a.json.stub.json"])
        #expect(end.errors.contains("  - GET /b/none  "))
        #expect(end.errors.contains("404  its status is not one that is recorded\n"))
        #expect(end.errors.hasSuffix("  1 new, 0 changed, 0 unchanged, 0 refused, 0 failed, 1 left out\n"))
    }

    @Test(arguments: ["2x", "20", "all", "2xx;404", "2xx,", "0xx"])
    func `a list of statuses that is none is told`(list: String) async throws {
        let end = try await Command.run("record", "http://127.0.0.1:1", "--only-status=\(list)", "--get", "/")
        #expect(end.code == 64)
        #expect(end.errors.contains("--only-status \(list) is not a list such as 2xx,3xx,404"))
    }

    // MARK: Pages

    private static let preflight = #"""
        curl -s -o /dev/null -w '%{http_code} ' -X OPTIONS -H 'Origin: http://localhost:5173' \
          -H 'Access-Control-Request-Method: PUT' "$MOCKAPI_URL/a.json"
        curl -s -o /dev/null -D - -H 'Origin: http://localhost:5173' "$MOCKAPI_URL/a.json" | grep -i '^access-control-allow-origin'
        true
        """#

    @Test func `a page of another origin can be recorded`() async throws {
        let service = try await LiveService(["a.json": "1"])
        for option in [["--cors"], ["--cors-origin", "http://localhost:5173"]] {
            let into = try TemporaryDirectory()
            let end = try await record(service.url, into: into, option, Self.preflight)
            #expect(end.code == 0, "\(end)")
            #expect(end.output.hasPrefix("204 Access-Control-Allow-Origin: http://localhost:5173"))
            #expect(into.snapshot().keys.sorted() == ["a.json", "a.json.stub.json"])
        }
    }

    @Test func `a preflight that the service refuses is told with the way out, and is not a fixture`() async throws {
        let service = try await LiveService(["a.json": "1"])
        let into = try TemporaryDirectory()
        let end = try await record(service.url, into: into, [], Self.preflight)
        #expect(end.code == 1, "\(end)")
        #expect(
            end.errors.contains(
                "the service does not let pages of http://localhost:5173 send this request (CORS): it will not follow; "
                    + "with --cors the proxy answers preflights itself\n"))
        #expect(into.snapshot().keys.sorted() == ["a.json", "a.json.stub.json"])
    }

    @Test func `a preflight that the service allows is recorded as ever`() async throws {
        let service = try await LiveService(["a.json": "1"], ["--cors"])
        let into = try TemporaryDirectory()
        let end = try await record(service.url, into: into, [], Self.preflight)
        #expect(end.code == 0, "\(end)")
        #expect(into.snapshot().keys.contains("a.json.OPTIONS.stub.json"))
    }

    // MARK: The way to services

    @Test(arguments: [["--proxy"], []]) func `a service is asked by a proxy`(option: [String]) async throws {
        let proxy = try RawServer()
        let into = try TemporaryDirectory()
        let url = "http://me:pass@127.0.0.1:\(proxy.port)"
        let command = try Command(
            ["record", "http://svc.invalid", "--into", into.path, "--get", "/a?b=1"] + option.map { $0 + "=" + url },
            environment: option.isEmpty ? ["http_proxy": url, "no_proxy": "other.invalid"] : [:])
        let head = try await proxy.answer(
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
        #expect(head.first == "GET http://svc.invalid/a?b=1 HTTP/1.1", "\(head)")
        #expect(head.contains("Proxy-Authorization: Basic bWU6cGFzcw=="))
        let end = try await command.end()
        #expect(end.code == 0, "\(end)")
        #expect(into.snapshot().keys.allSatisfy { !into.text($0).contains("bWU6") })
    }

    @Test func `a service with TLS is asked through a tunnel, whose refusal is told`() async throws {
        let proxy = try RawServer()
        let into = try TemporaryDirectory()
        let command = try Command([
            "record", "https://svc.invalid", "--into", into.path, "--get", "/a", "--proxy=\(proxy.base)",
        ])
        let head = try await proxy.answer("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        #expect(head.first == "CONNECT svc.invalid:443 HTTP/1.1", "\(head)")
        let end = try await command.end()
        #expect(end.code == 1, "\(end)")
        #expect(end.output.contains("403"), "\(end)")
    }

    @Test(arguments: [
        (["--proxy=none"], "http://127.0.0.1:2"), ([], "http://127.0.0.1:2"),
    ]) func `a proxy of the environment is not asked for this machine, nor where none is to be`(
        options: [String], proxy: String
    ) async throws {
        let service = try await LiveService(["a.json": "1"])
        let into = try TemporaryDirectory()
        let end = try await Command(
            ["record", service.url, "--into", into.path, "--get", "/a.json"] + options,
            environment: ["http_proxy": proxy]
        ).end()
        #expect(end.code == 0, "\(end)")
    }

    @Test(arguments: ["proxy:3128", "ftp://proxy:1", "http://", "http://:80", "http://user:secret@"])
    func `a proxy that is none is told, without its password`(proxy: String) async throws {
        let end = try await Command.run("record", "http://127.0.0.1:1", "--proxy=\(proxy)", "--get", "/")
        #expect(end.code == 64)
        #expect(end.errors.contains("--proxy takes none, or a URL such as http://proxy.example:3128, of http, https, "))
        #expect(!end.errors.contains("secret"))
    }

    @Test func `a service that wants a certificate is shown the one that is given`() async throws {
        let into = try TemporaryDirectory()
        let identity = try await ClientIdentity(into)
        let service = try await LiveService(["a.json": "1"], ["--client-ca", identity.certificate])
        let url = service.url.replacing("http:", with: "https:")
        let fixtures = into.path + "/F"
        let arguments = ["record", url, "--into", fixtures, "--insecure", "--get", "/a.json"]
        let without = try await Command.run(arguments)
        #expect(without.code == 1, "\(without)")
        #expect(
            without.output.contains("check which client certificates the server takes (--cert FILE --key FILE)"),
            "\(without)")
        let with = try await Command.run(arguments + ["--cert", identity.certificate, "--key", identity.key])
        #expect(with.code == 0, "\(with)")
        let verified = try await Command.run(
            "verify", fixtures, "--against", url, "--insecure", "--cert", identity.certificate, "--key", identity.key)
        #expect(verified.code == 0, "\(verified)")
    }
}
