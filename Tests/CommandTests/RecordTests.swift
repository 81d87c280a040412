// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// `mockapi record`, in front of `mockapi serve`.
@Suite(.supervised) struct RecordTests {
    private static let stub = #"""
        {"request": {"urlPath": "/api/jobs"},
         "response": {"headers": ["Content-Type: application/vnd.api+json"], "bodyFile": "jobs.json", "contentEncoding": "gzip"}}
        """#

    private func service() async throws -> LiveService {
        try await LiveService(["jobs.stub.json": Self.stub, "jobs.json": #"{"jobs": []}"#, "a.txt": "hello"])
    }

    @Test func `direct requests are recorded and told line by line`() async throws {
        let service = try await service()
        let into = try TemporaryDirectory()
        let arguments = [
            "record", service.url, "--into", into.path, "--get", "/api/jobs", "--get", "/a.txt", "--get", "/missing",
        ]
        let first = try await Command.run(arguments)
        #expect(first.code == 0, "\(first)")
        #expect(first.errors.isEmpty)
        #expect(
            first.output == """
                recording \(service.url) → \(into.path)/
                  + api/jobs.stub.json  api/jobs.json                     200  vnd.api+json  gzip→12 B
                  + a.txt.stub.json  a.txt                                200  text/plain  5 B
                  + missing.stub.json  missing.txt                        404  text/plain  \(into.bytes("missing.txt").count) B
                  3 new, 0 changed, 0 unchanged, 0 refused, 0 failed

                """)
        #expect(into.text("api/jobs.json") == #"{"jobs": []}"#)
        let second = try await Command.run(arguments)
        #expect(second.code == 0)
        #expect(second.output.hasSuffix("  0 new, 0 changed, 3 unchanged, 0 refused, 0 failed\n"), "\(second)")
    }

    @Test func `a command finds the proxies in its environment, and its exit code is the recording's`() async throws {
        let service = try await service()
        let images = try await LiveService(["x.bin": "\u{1}no image"])
        let into = try TemporaryDirectory()
        let seen = try TemporaryDirectory()
        let script =
            #"curl -s "$MOCKAPI_URL/a.txt" -o \#(seen.path)/a; curl -s "$MOCKAPI_URL_2/x.bin" -o \#(seen.path)/x; exit 7"#
        let end = try await Command.run(
            "record", service.url, "--also", images.url, "--into", into.path, "--keep", "always", "--", "/bin/sh", "-c",
            script)
        #expect(end.code == 7, "\(end)")
        let lines = end.errors.split(separator: "\n").map(String.init)
        #expect(end.output.isEmpty, "standard output is the command's")
        #expect(lines.first?.hasPrefix("recording \(service.url) → \(into.path)/, proxy on http://127.0.0.1:") == true)
        #expect(seen.text("a") == "hello")
        #expect(seen.text("x") == "\u{1}no image")
        #expect(lines.last == "  2 new, 0 changed, 0 unchanged, 0 refused, 0 failed")
        #expect(lines.contains("error: /bin/sh ended with 7"))
        #expect(into.text("x.bin") == "\u{1}no image")
    }

    @Test func `a proxy records until it is told to stop`() async throws {
        let service = try await service()
        let into = try TemporaryDirectory()
        let command = try Command(["record", service.url, "--into", into.path, "--port", "0"])
        let port = try await command.port()
        #expect(try WireClient(port: port).request("GET", "/a.txt").text == "hello")
        command.send(SIGTERM)
        let end = try await command.end()
        #expect(end.code == 0, "\(end)")
        #expect(end.output.hasSuffix("  1 new, 0 changed, 0 unchanged, 0 refused, 0 failed\n"))
    }

    @Test func `names that the service chose say nothing to a terminal`() async throws {
        let service = try await LiveService([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a"}, "afterLast": "restart", "responses": [
              {"jsonBody": {"\u001b[2J\nx": "2026-11-20T10:00:00Z"}}, {"jsonBody": {"\u001b[2J\nx": "2026-11-20T10:00:01Z"}}]}
            """#
        ])
        let into = try TemporaryDirectory()
        let end = try await Command.run("record", service.url, "--into", into.path, "--get", "/a", "--samples", "2")
        #expect(end.code == 0, "\(end)")
        #expect(end.output.contains(#"\u001b"#), "\(end)")
        #expect(!end.output.unicodeScalars.contains("\u{1b}"))
        #expect(end.output.split(separator: "\n").count == 3, "\(end)")
    }

    @Test func `what fails is told and ends with 1, without the secret`() async throws {
        let into = try TemporaryDirectory()
        let end = try await Command.run(
            "record", "http://127.0.0.1:1", "--into", into.path, "--get", "/a?access_token=hunter2hunter2", "--quiet")
        #expect(end.code == 1)
        #expect(end.output.isEmpty)
        #expect(end.errors.hasPrefix("  ! GET /a?access_token="), "\(end.errors)")
        #expect(end.errors.hasSuffix("; check that the service runs and listens on this port\n"))
        #expect(!end.errors.contains("hunter2"))
    }

    @Test func `a header line goes to the service that it is for`() async throws {
        let api = try await LiveService(["a.txt": "a"])
        let images = try await LiveService(["b.txt": "b"])
        let into = try TemporaryDirectory()
        let end = try await Command.run(
            "record", api.url, "--also", images.url, "--into", into.path, "--header", "X-Main: 1", "--header",
            "\(images.url)=X-Other: 2", "--get", "/a.txt", "\(images.url)/b.txt")
        #expect(end.code == 0, "\(end)")
        for (service, own, foreign) in [(api, "X-Main", "X-Other"), (images, "X-Other", "X-Main")] {
            let port = try #require(Int(service.url.split(separator: ":").last ?? ""))
            let journal = try await blocking { try WireClient(port: port).request("GET", "/__admin/requests").text }
            #expect(journal.contains(own) && !journal.contains(foreign), "\(journal)")
        }
    }

    @Test func `the proxy of a recording keeps no journal`() async throws {
        let service = try await service()
        let into = try TemporaryDirectory()
        let command = try Command(["record", service.url, "--into", into.path, "--port", "0"])
        let port = try await command.port()
        let journal = try await blocking {
            let client = try WireClient(port: port)
            _ = try client.request("GET", "/a.txt", ["Authorization: Bearer hunter2hunter2"])
            return try client.request("GET", "/__admin/requests").text
        }
        #expect(!journal.contains("hunter2"), "\(journal)")
        #expect(journal.filter { !$0.isWhitespace }.contains(#""requestJournalDisabled":true"#), "\(journal)")
        command.send(SIGTERM)
        #expect(try await command.end().code == 0)
    }

    @Test func `a checkout cannot have a recording write or remove anything elsewhere`() async throws {
        let directory = try TemporaryDirectory([
            "home/.ssh/authorized_keys": "mine", "home/notes.txt": "mine",
            "checkout/Fixtures/.mockapi-recording/commit":
                #"{"moves": [["payload.json", "assets/.ssh/authorized_keys", null]], "removals": [["assets/notes.txt", null]]}"#,
            "checkout/Fixtures/payload.json": "theirs",
        ])
        try directory.link("checkout/Fixtures/assets", to: "../../home")
        let end = try await Command.run(
            "record", "http://127.0.0.1:1", "--get", "/x", "--into", "\(directory.path)/checkout/Fixtures")
        #expect(end.code == 1)
        #expect(
            end.errors
                == "\(directory.path)/checkout/Fixtures/.mockapi-recording/commit: warning: not carried out, and removed: it moves a file that no recording has written\n"
        )
        #expect(directory.text("home/.ssh/authorized_keys") == "mine")
        #expect(directory.text("home/notes.txt") == "mine")
        #expect(directory.text("checkout/Fixtures/payload.json") == "theirs")
    }

    @Test func `new asks for what is missing alone`() async throws {
        let service = try await service()
        let into = try TemporaryDirectory(["a.txt": "mine"])
        let end = try await Command.run(
            "record", service.url, "--into", into.path, "--mode", "new", "--get", "/a.txt", "--get", "/api/jobs")
        #expect(end.code == 0, "\(end)")
        #expect(
            end.output.contains(
                "  = GET /a.txt                                            unchanged  the fixtures answer it\n"))
        #expect(end.output.hasSuffix("  1 new, 0 changed, 1 unchanged, 0 refused, 0 failed\n"))
        #expect(into.text("a.txt") == "mine")
    }

    @Test(arguments: ["new", "once"])
    func `what this run has recorded is asked for again and becomes a sequence`(mode: String) async throws {
        let service = try await LiveService([
            "poll.stub.json":
                #"{"request": {"urlPath": "/poll"}, "responses": [{"status": 503, "body": "busy"}, {"body": "done"}]}"#
        ])
        let into = try TemporaryDirectory()
        let end = try await Command.run(
            "record", service.url, "--into", into.path, "--mode", mode, "--", "/bin/sh", "-c",
            #"for i in 1 2 3; do curl -s "$MOCKAPI_URL/poll"; done"#)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "busydonedone", "\(end)")
        let journal = try await service.journal()
        #expect(journal.ranges(of: "\"absoluteUrl\"").count == 3, "\(journal)")
        #expect(into.text("poll.stub.json").contains("\"responses\""))
    }

    @Test func `content that is too long is told with an option that there is`() async throws {
        let service = try await service()
        let into = try TemporaryDirectory()
        let end = try await Command.run(
            "record", service.url, "--into", into.path, "--max-body", "4", "--", "/bin/sh", "-c",
            #"curl -s -d 12345 "$MOCKAPI_URL/a.txt""#)
        #expect(end.code == 1, "\(end)")
        #expect(
            end.errors.contains(
                "  ! POST /a.txt                                           413: the content of the request is longer than 4 bytes (--max-body)\n"
            ), "\(end)")
        #expect(end.errors.hasSuffix("  0 new, 0 changed, 0 unchanged, 0 refused, 1 failed\n"), "\(end)")
    }

    @Test func `what cannot be recorded is asked for by each`() async throws {
        let service = try await LiveService([
            "part.stub.json":
                #"{"request": {"urlPath": "/part"}, "response": {"status": 206, "fixedDelayMilliseconds": 50, "body": "x"}}"#
        ])
        let into = try TemporaryDirectory()
        let end = try await Command.run(
            "record", service.url, "--into", into.path, "--mode", "new", "--", "/bin/sh", "-c",
            #"for i in 1 2 3; do curl -s "$MOCKAPI_URL/part" & done; wait"#)
        #expect(end.code == 1, "\(end)")
        #expect(end.output == "xxx", "\(end)")
        #expect(end.errors.hasSuffix("  0 new, 0 changed, 0 unchanged, 3 refused, 0 failed\n"), "\(end)")
    }

    @Test(arguments: ["none", "once"])
    func `a command whose request no fixture answers fails, though it ends well itself`(mode: String) async throws {
        let into = try TemporaryDirectory(["a.txt": "mine"])
        let end = try await Command.run(
            "record", "http://127.0.0.1:1", "--into", into.path, "--mode", mode, "--", "/bin/sh", "-c",
            #"curl -s "$MOCKAPI_URL/a.txt"; for i in 1 2; do curl -s -o /dev/null -w ' %{http_code}' "$MOCKAPI_URL/b?token=hunter2hunter2"; done"#
        )
        #expect(end.code == 1, "\(end)")
        #expect(
            end.errors.hasPrefix("serving \(into.path)/ for http://127.0.0.1:1, recording nothing, proxy on http://"))
        #expect(end.output == "mine 404 404")
        #expect(
            end.errors.contains("  ! GET /b?token=redacted.query.token"), "\(end)")
        #expect(end.errors.contains("  no fixture answers it; record it with --mode new\n"), "\(end)")
        #expect(end.errors.hasSuffix("  0 new, 0 changed, 0 unchanged, 0 refused, 1 failed\n"), "\(end)")
        #expect(!end.errors.contains("hunter2"))
    }

    @Test func `a command whose requests fixtures answer ends well without a recording`() async throws {
        let into = try TemporaryDirectory(["a.txt": "mine"])
        let end = try await Command.run(
            "record", "http://127.0.0.1:1", "--into", into.path, "--mode", "none", "--", "/bin/sh", "-c",
            #"curl -s "$MOCKAPI_URL/a.txt""#)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "mine")
    }

    @Test(arguments: ["none", "once"])
    func `where nothing is recorded a missing fixture is an error`(mode: String) async throws {
        let into = try TemporaryDirectory(["a.txt": "mine"])
        let end = try await Command.run(
            "record", "http://127.0.0.1:1", "--into", into.path, "--mode", mode, "--get", "/a.txt", "--get", "/b")
        #expect(end.code == 1)
        #expect(
            end.output == """
                serving \(into.path)/ for http://127.0.0.1:1, recording nothing
                  = GET /a.txt                                            unchanged  the fixtures answer it
                  ! GET /b                                                no fixture answers it; record it with --mode new
                  0 new, 0 changed, 1 unchanged, 0 refused, 1 failed

                """)
    }

    @Test func `many places that were redacted are counted`() async throws {
        let items = (1...9).map { "{\"email\": \"u\($0)@example.com\"}" }.joined(separator: ",")
        let service = try await LiveService(["a.json": "[\(items)]"])
        let into = try TemporaryDirectory()
        let end = try await Command.run(
            "record", service.url, "--into", into.path, "--get", "/a.json", "--redact", "$[*].email")
        #expect(
            end.output.contains(
                "  redacted: response.0.email, response.1.email, response.2.email, response.3.email, and 5 more\n"),
            "\(end)")
    }

    @Test(arguments: [
        (["http://u:hunter2@a/x"], "\"http://a/x\" has more than a host"),
        (["http://a", "--also", "http://u:hunter2@b:x"], "\"http://b:x\" is not an upstream"),
        (["http://a", "--also", "http://a:80"], "http://a is given twice"),
        (["http://a", "--header", "hunter2"], "--header: a header line without a colon; write Name: value"),
        (
            ["http://a", "--header", "http://b hunter2"],
            "--header: a service without a header line; write URL=Name: value"
        ),
        (["http://a", "--header", "http://b=hunter2"], "--header: a header line without a colon; write Name: value"),
        (
            ["http://a", "--header", "http://b=X-Key: hunter2"],
            "--header http://b: this is none of the services; name it with --also"
        ),
        (["http://a", "--connect-to", "a:b"], "--connect-to a:b must be HOST:PORT:HOST:PORT"),
        (["http://a", "--samples", "6"], "--samples must be between 1 and 5"),
        (["http://a", "--redact", "a"], "--redact a must begin with $, as $.user.email does"),
        (["http://a", "--volatile", "at"], "--volatile at is none of $.items[*].at, $..updated_at and header:NAME"),
        (["http://a", "--vary", "header:X"], "--vary header:X is not one of query:NAME, form:NAME, $.sentAt and path"),
        (["http://a", "--allow", "a"], "--allow a must begin with $, as $.public.key does"),
        (["http://a", "--http1.1", "--http2"], "--http1.1 does not go with --http2"),
        (["http://a", "--mode", "passthrough", "--get", "/"], "--mode passthrough records nothing"),
        (
            ["http://a", "--also", "http://b=99999"],
            "--also http://b must have a port between 0 and 65535 behind its ="
        ),
    ])
    func `what is wrong in the arguments is told without secrets`(arguments: [String], text: String) async throws {
        let end = try await Command.run(["record"] + arguments)
        #expect(end.code == 64)
        #expect(end.errors.contains("error: \(text)"), "\(end.errors)")
        #expect(!(end.output + end.errors).contains("hunter2"))
    }

    @Test func `what cannot be done ends with 4`() async throws {
        let into = try TemporaryDirectory(["requests.json": "[{}]"])
        let file = "\(into.path)/requests.json"
        let wrong = try await Command.run("record", "http://a", "--into", into.path, "--requests", file)
        #expect(wrong.code == 4)
        #expect(wrong.errors == "\(file):1:2: error: a request without \"path\"\n")
        let missing = try await Command.run(
            "record", "http://a", "--into", into.path, "--", "/nonexistent/command")
        #expect(missing.code == 4)
        #expect(missing.errors.hasSuffix("\nerror: /nonexistent/command cannot be run: No such file or directory\n"))
    }

    @Test func `the modes and the options are in the help`() async throws {
        let help = try await Command.run("record", "--help").output
        for option in [
            "--into", "--mode", "--port", "--host", "--get", "--requests", "--quiet", "--also", "--header", "--cacert",
            "--insecure", "--connect-to", "--http1.1", "--http2", "--timeout", "--samples", "--pretty", "--redact ",
            "--redact-header", "--volatile", "--vary", "--allow",
        ] {
            #expect(help.contains(option))
        }
    }
}
