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

/// `mockapi verify` against `mockapi serve`, which plays the live API.
@Suite(.supervised) struct VerifyTests {
    private static let stub = """
        {
          "request": { "method": "GET", "urlPath": "/api/contents" },
          "response": {
            "status": 200,
            "headers": [
              "Content-Type: application/json",
              "ETag: \\"a\\""
            ],
            "bodyFile": "contents.json"
          },
          "recorded": { "from": "https://api.example.com", "request": "GET /api/contents", "at": "2026-11-20T10:00:00Z" }
        }
        """
    private static let body = """
        {
          "data": [
            { "id": 1, "popularity": 1366 },
            { "id": 2, "popularity": 7 }
          ]
        }
        """

    private func fixtures() throws -> TemporaryDirectory {
        try TemporaryDirectory(["api/contents.stub.json": Self.stub, "api/contents.json": Self.body])
    }

    @Test func `an API that answers as recorded is honoured`() async throws {
        let fixtures = try fixtures()
        let service = try await LiveService(["api/contents.stub.json": Self.stub, "api/contents.json": Self.body])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "  1 honoured: 2 fields, 1 header set\n")
        #expect(try await service.targets() == ["/api/contents"])
    }

    @Test func `what moved is told at the fixture's line, as text, as JSON and as the exit code`() async throws {
        let fixtures = try fixtures()
        let live = #"{"data": [{"id": 1, "popularity": 1366.5}]}"#
        let service = try await LiveService(["api/contents.json": live])
        let output = try TemporaryDirectory()
        let end = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--json", "\(output.path)/drift.jsonl")
        #expect(end.code == 1, "\(end)")
        #expect(
            end.output == """
                  ✗ api/contents.json:3   /data/*/popularity   integer became number (1366 → 1366.5)   breaking
                  0 honoured · 1 broken

                """)
        #expect(
            output.text("drift.jsonl") == """
                {"level":"info","id":"header-added","file":"api/contents.stub.json","line":3,\
                "pointer":"header:Accept-Ranges","recorded":null,"received":"bytes","state":"broken",\
                "samples":{"recorded":1,"live":1}}
                {"level":"info","id":"cache-control-changed","file":"api/contents.stub.json","line":3,\
                "pointer":"header:Cache-Control","recorded":null,"received":"no-cache","state":"broken",\
                "samples":{"recorded":1,"live":1}}
                {"level":"breaking","id":"integer-became-number","file":"api/contents.json","line":3,\
                "pointer":"/data/*/popularity","recorded":"1366","received":"1366.5","state":"broken",\
                "samples":{"recorded":1,"live":1}}
                {"summary":{"honoured":0,"compatible":0,"drifted":0,"broken":1,"skipped":0,"unchecked":0}}

                """)
    }

    @Test func `a header line that is gone is a warning, which --fail-on makes count`() async throws {
        let fixtures = try fixtures()
        let bare = Self.stub.replacing(",\n      \"ETag: \\\"a\\\"\"", with: "")
        let service = try await LiveService(["api/contents.stub.json": bare, "api/contents.json": Self.body])
        let arguments = ["verify", fixtures.path, "--against", service.url]
        let end = try await Command.run(arguments)
        #expect(end.code == 0, "\(end)")
        #expect(
            end.output == """
                  ! api/contents.stub.json:7   header ETag is gone   warning
                  0 honoured · 1 drifted

                """)
        #expect(try await Command.run(arguments + ["--fail-on", "warning"]).code == 1)
    }

    @Test func `a baseline keeps known drift quiet until it changes`() async throws {
        let fixtures = try fixtures()
        let service = try await LiveService(["api/contents.json": #"{"data": [{"id": "x", "popularity": 1}]}"#])
        let other = try await LiveService(["api/contents.json": #"{"data": [{"id": true, "popularity": 1}]}"#])
        let output = try TemporaryDirectory()
        let baseline = "\(output.path)/known.jsonl"
        let first = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--write-baseline", baseline)
        #expect(first.code == 1)
        let second = try await Command.run("verify", fixtures.path, "--against", service.url, "--baseline", baseline)
        #expect(second.code == 0, "\(second)")
        #expect(second.output == "  0 honoured · 1 compatible · 1 known\n")
        let third = try await Command.run("verify", fixtures.path, "--against", other.url, "--baseline", baseline)
        #expect(third.code == 1, "\(third)")
    }

    @Test func `what cannot be found out is neither drift nor clean`() async throws {
        let fixtures = try fixtures()
        let away = try await Command.run("verify", fixtures.path, "--against", "http://127.0.0.1:1")
        #expect(away.code == 4, "\(away)")
        #expect(away.output.contains("  ? api/contents.stub.json:1   GET /api/contents   not checked: no response: "))
        #expect(away.output.hasSuffix("  0 honoured · 1 not checked\n"))
        let service = try await LiveService([
            "a.stub.json": #"{"request": {"urlPath": "/api/contents"}, "response": {"status": 401}}"#
        ])
        let refused = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(refused.code == 4, "\(refused)")
        #expect(refused.output.contains("it answered 401: give the credentials with --header or --secret"))
    }

    @Test func `unsafe methods are skipped, patterns are not checked, and both are told`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"method": "POST", "urlPath": "/a"}, "response": {"status": 201}}"#,
            "b.stub.json": #"{"request": {"urlPathPattern": "/b/.*"}, "response": {"status": 200}}"#,
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"status": 204}}"#,
            "d.stub.json":
                #"{"verify": true, "request": {"method": "PUT", "urlPath": "/d"}, "response": {"status": 204}}"#,
        ])
        let service = try await LiveService([
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"status": 204}}"#,
            "d.stub.json": #"{"request": {"method": "PUT", "urlPath": "/d"}, "response": {"status": 204}}"#,
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 4, "\(end)")
        #expect(
            end.output == """
                  ? b.stub.json:1   not checked: it answers to a pattern of URLs
                  2 honoured: 2 statuses · 1 skipped (unsafe methods) · 1 not checked

                """)
        let chosen = try await Command.run("verify", fixtures.path, "--against", service.url, "--only", "c.stub.json")
        #expect(chosen.code == 0, "\(chosen)")
        #expect(chosen.output == "  1 honoured: 1 status · 3 not chosen\n")
    }

    @Test func `a report in JUnit XML has a case for each fixture`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"method": "POST", "urlPath": "/a"}, "response": {"status": 201}}"#,
            "b.stub.json": #"{"request": {"urlPathPattern": "/b/.*"}, "response": {"status": 200}}"#,
            "c.stub.json": #"{"request": {"urlPath": "/c"}, "response": {"status": 200}}"#,
            "d.stub.json":
                #"{"request": {"urlPath": "/d"}, "response": {"status": 204, "headers": ["Vary: Accept"]}}"#,
        ])
        let service = try await LiveService([
            "d.stub.json": #"{"request": {"urlPath": "/d"}, "response": {"status": 204}}"#
        ])
        let output = try TemporaryDirectory()
        let end = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--junit", "\(output.path)/junit.xml")
        #expect(end.code == 4, "\(end)")
        let lines = output.text("junit.xml").split(separator: "\n").map { $0.drop { $0 == " " } }
        #expect(lines.contains { $0.contains(#" tests="4" failures="1" errors="1" skipped="1" "#) }, "\(lines)")
        for name in ["a", "b", "c", "d"] {
            #expect(lines.contains { $0.hasPrefix(#"<testcase classname="verify" name="\#(name).stub.json" "#) })
        }
        #expect(lines.contains(#"<skipped message="unsafe methods"/>"#))
        #expect(lines.contains { $0.hasPrefix(#"<error message="not checked: it answers to a pattern of URLs""#) })
        #expect(lines.contains { $0.hasPrefix(#"<failure message="status changed (200 → 404)""#) })
        #expect(lines.contains { $0.hasPrefix("<system-out>! d.stub.json:1   header Vary") })
    }

    @Test func `a request is made of what was recorded and of secrets from the environment and of earlier responses`()
        async throws
    {
        let fixtures = try TemporaryDirectory([
            "1.stub.json": #"""
            {"capture": {"item": "/items/0/id"}, "request": {"urlPath": "/items"}, "response": {"jsonBody": {"items": [{"id": 7}]}},
             "recorded": {"request": "GET /items?api_key=redacted.query.api_key", "headers": ["Accept-Language: de"], "at": "2026-11-20T10:00:00Z"}}
            """#,
            "2.stub.json": #"""
            {"request": {"urlPath": "/items/{item}", "queryParameters": {"q": {"equalTo": "a b"}}}, "response": {"jsonBody": {"id": 7}},
             "recorded": {"at": "2026-11-20T10:00:01Z"}}
            """#,
        ])
        let service = try await LiveService([
            "1.stub.json": #"""
            {"request": {"urlPath": "/items", "headers": {"Accept-Language": {"equalTo": "de"}}, "queryParameters": {"api_key": {"equalTo": "h&nter2"}}},
             "response": {"jsonBody": {"items": [{"id": 99}]}}}
            """#,
            "2.stub.json": #"""
            {"request": {"urlPath": "/items/99", "queryParameters": {"q": {"equalTo": "a b"}}}, "response": {"jsonBody": {"id": 99}}}
            """#,
        ])
        let missing = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(missing.code == 4)
        #expect(
            missing.output.contains(
                "it needs a value for redacted.query.api_key; give --secret query.api_key=env:VARIABLE"), "\(missing)")
        let secret = try TemporaryDirectory(["key": "h&nter2\n"])
        let end = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--secret", "query.api_key=file:\(secret.path)/key")
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "  2 honoured: 2 fields, 2 header sets\n")
    }

    @Test func `an identifier that a response gave is followed to where it is asked for`() async throws {
        func service(_ id: Int) async throws -> LiveService {
            try await LiveService([
                "1.stub.json":
                    #"{"request": {"urlPath": "/items"}, "response": {"jsonBody": {"items": [{"id": \#(id)}]}}}"#,
                "2.stub.json": #"{"request": {"urlPath": "/items/\#(id)"}, "response": {"jsonBody": {"id": \#(id)}}}"#,
            ])
        }
        let first = try await service(1701)
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run(
            "record", first.url, "--into", fixtures.path, "--get", "/items", "--get", "/items/1701")
        #expect(recorded.code == 0, "\(recorded)")
        let second = try await service(4242)
        let end = try await Command.run("verify", fixtures.path, "--against", second.url)
        #expect(end.output == "  2 honoured: 2 fields, 2 header sets\n", "\(end)")
        #expect(try await second.targets() == ["/items", "/items/1701", "/items/4242"])
    }

    @Test func `a conditional request asks for what the service has now, a part for what it has`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a.txt", "headers": {"If-None-Match": {"equalTo": "\"old\""}}}, "response": {"status": 304}}
            """#,
            "b.stub.json": #"""
            {"request": {"urlPath": "/a.txt", "headers": {"Range": {"equalTo": "bytes=0-1"}}},
             "response": {"status": 206, "headers": ["Content-Type: text/plain", "Content-Range: bytes 0-1/5"], "body": "ab"}}
            """#,
        ])
        let service = try await LiveService(["a.txt": "another"])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 0, "\(end)")
        let without = try await LiveService([
            "a.stub.json": #"{"request": {"urlPath": "/a.txt"}, "response": {"status": 201, "body": "a"}}"#
        ])
        let lost = try await Command.run("verify", fixtures.path, "--against", without.url)
        #expect(lost.output.contains("status changed (304 → 201)"), "\(lost)")
        #expect(lost.output.contains("status changed (206 → 201)"), "\(lost)")
    }

    @Test func `a service that is busy is asked again when it says so`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": "{\"a\": 1}"])
        let service = try await LiveService([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a.json"}, "responses": [
              {"status": 429, "headers": ["Retry-After: 0"]}, {"status": 503, "headers": ["Retry-After: 0"]}, {"jsonBody": {"a": 2}}]}
            """#
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 0, "\(end)")
        let busy = try await LiveService([
            "a.stub.json":
                #"{"request": {"urlPath": "/a.json"}, "response": {"status": 429, "headers": ["Retry-After: 0"]}}"#
        ])
        let stays = try await Command.run("verify", fixtures.path, "--against", busy.url)
        #expect(stays.code == 4, "\(stays)")
    }

    @Test func `a plain file is asked for by the paths that it answers`() async throws {
        let fixtures = try TemporaryDirectory(["api/jobs.json": #"{"jobs": []}"#, "logo.svg": "<svg/>"])
        let service = try await LiveService([
            "jobs.stub.json": #"""
            {"request": {"urlPath": "/api/jobs"}, "response": {"headers": ["Content-Type: application/vnd.api+json"], "jsonBody": {"jobs": []}}}
            """#,
            "logo.svg": "<svg></svg>",
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 0, "\(end)")
        #expect(end.output == "  2 honoured: 1 image, 1 value, 2 header sets\n")
    }

    @Test func `a service is asked over HTTP/2, with TLS and without, and its authority has to be known`() async throws
    {
        let state = try TemporaryDirectory()
        let variables = ["XDG_STATE_HOME": state.path]
        let fixtures = try TemporaryDirectory(["a.json": #"{"a": 1}"#])
        let command = try Command(["serve", fixtures.path, "--port", "0", "--quiet"], environment: variables)
        let port = try await command.port()
        let authority = try await Command(["ca"], environment: variables).end().output.dropLast()
        for arguments in [
            ["https://localhost:\(port)", "--cacert", String(authority), "--http2"],
            ["http://127.0.0.1:\(port)", "--http2"],
        ] {
            let end = try await Command.run(["verify", fixtures.path, "--against"] + arguments)
            #expect(end.code == 0, "\(end)")
            #expect(end.output == "  1 honoured: 1 field, 1 header set\n")
        }
        let stranger = try await Command.run("verify", fixtures.path, "--against", "https://localhost:\(port)")
        #expect(stranger.code == 4, "\(stranger)")
        #expect(stranger.output.contains("(--cacert FILE, --insecure)"), "\(stranger)")
    }

    @Test func `a watch tells its state over HTTP until it is told to stop`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": #"{"a": 1}"#])
        let service = try await LiveService(["a.json": #"{"a": "x"}"#])
        let watch = try Command([
            "verify", fixtures.path, "--against", service.url, "--every", "1h", "--serve", ":0",
        ])
        _ = try await until({ Self.port(in: watch.errors) }, { $0 > 0 })
        let port = Self.port(in: watch.errors)
        _ = try await until(
            { try WireClient(port: port).request("GET", "/metrics").text }, { $0.contains("runs_total 1\n") })
        let metrics = try WireClient(port: port).request("GET", "/metrics").text
        #expect(metrics.contains("mockapi_verify_fixtures{state=\"broken\"} 1\n"))
        #expect(metrics.contains("mockapi_verify_findings{level=\"breaking\"} 1\n"))
        let status = try JSONParser.parse(try WireClient(port: port).request("GET", "/status").text)
        #expect(status["state"]?.string == "broken")
        #expect(status["findings"]?.array?.first?["id"]?.string == "type-changed")
        watch.send(SIGTERM)
        let end = try await watch.end()
        #expect(end.code == 0, "\(end)")
    }

    /// The port of the line that says where the metrics are; 0 where there is none yet.
    private static func port(in errors: String) -> Int {
        guard let range = errors.firstRange(of: "metrics on http://127.0.0.1:") else { return 0 }
        return Int(errors[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }

    @Test(arguments: [
        ["verify"], ["verify", ".", "--against", "http://127.0.0.1:1", "--serve", ":0"],
        ["verify", ".", "--against", "example.com"],
        ["verify", ".", "--against", "http://127.0.0.1:1", "--secret", "a=hunter2"],
        ["verify", ".", "--against", "http://127.0.0.1:1", "--rate", "fast"], ["diff", "."],
    ])
    func `a command line that is none ends with 64`(_ arguments: [String]) async throws {
        let end = try await Command.run(arguments)
        #expect(end.code == 64, "\(end)")
        #expect(!end.errors.contains("hunter2"))
    }
}
