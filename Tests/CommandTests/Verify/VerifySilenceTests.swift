// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// What `mockapi verify` says where it could not look, where the service is away for a moment, and where nothing of its own is at fault.
@Suite(.supervised) struct VerifySilenceTests {
    private typealias Service = LiveService

    private static func json(_ path: String, _ body: String, _ rest: String = "") -> String {
        #"{"request": {"method": "GET", "urlPath": "\#(path)"}, "response": {"headers": ["Content-Type: application/json"], "jsonBody": \#(body)}\#(rest)}"#
    }

    /// A service that answers the first requests by a status each, and then by a body.
    private static func flaky(_ path: String, _ statuses: [String], _ body: String) -> String {
        let steps = statuses.map { #"{"status": \#($0)}"# }
        let last = #"{"headers": ["Content-Type: application/json"], "jsonBody": \#(body)}"#
        return #"{"request": {"urlPath": "\#(path)"}, "responses": [\#((steps + [last]).joined(separator: ", "))]}"#
    }

    @Test func `a fixture whose own body cannot be read is not checked, and the reason is told`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.json": "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 9\n", "b.json": #"{"id": 1,}"#,
        ])
        let service = try await Service(["a.json": #"{"error": "gone"}"#, "b.json": #"{"error": "gone"}"#])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url, "--json", "-")
        #expect(end.code == 4, "\(end)")
        #expect(
            end.errors.contains("not checked: the fixture's own body is a pointer of Git LFS: git lfs pull"), "\(end)")
        #expect(
            end.errors.contains("the fixture's own body is not JSON: line 1, column 9: a comma in front of '}'"),
            "\(end)")
        #expect(end.errors.contains("  0 honoured · 2 not checked\n"), "\(end)")
        #expect(end.output.contains(#"{"state":"not checked","file":"a.json","line":1"#), "\(end)")
    }

    @Test func `a status that passes is asked again, and one that stays is not checked`() async throws {
        let fixtures = try TemporaryDirectory(["a.stub.json": Self.json("/a", #"{"id": 1}"#)])
        let passing = try await Service(["a.stub.json": Self.flaky("/a", ["502", "500"], #"{"id": 2}"#)])
        let end = try await Command.run("verify", fixtures.path, "--against", passing.url)
        #expect(end.output == "  1 honoured: 1 field, 1 header set\n", "\(end)")
        let staying = try await Service(["a.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 503}}"#]
        )
        let away = try await Command.run("verify", fixtures.path, "--against", staying.url, "--retries", "0")
        #expect(away.code == 4, "\(away)")
        #expect(away.output.contains("not checked: it answered 503 1 times"), "\(away)")
        let limited = try await Service([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {"status": 403, "headers": ["Retry-After: 0"]}}"#
        ])
        let limit = try await Command.run("verify", fixtures.path, "--against", limited.url)
        #expect(limit.output.contains("it answered 403 again and again, its limit of requests"), "\(limit)")
    }

    @Test func `an outage and a page are not written over a good fixture`() async throws {
        let good = try await Service(["a.stub.json": Self.json("/a", #"{"id": 1}"#)])
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run("record", good.url, "--into", fixtures.path, "--get", "/a")
        #expect(recorded.code == 0, "\(recorded)")
        let before = fixtures.text("a.json")
        let page = try await Service([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {"headers": ["Content-Type: text/html"], "body": "<h1>log in</h1>"}}"#
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", page.url, "--update")
        #expect(end.code == 1, "\(end)")
        #expect(
            end.errors.contains("a.stub.json is left as it is: a page has come in the place of application/json"),
            "\(end)")
        #expect(fixtures.text("a.json") == before)
        // The response that was judged is written, and none is asked for anew.
        let moved = try await Service([
            "a.stub.json": #"""
            {"request": {"urlPath": "/a"}, "responses": [
              {"headers": ["Content-Type: application/json"], "jsonBody": {"id": "x"}}, {"status": 404, "body": "gone"}]}
            """#
        ])
        let update = try await Command.run("verify", fixtures.path, "--against", moved.url, "--update")
        #expect(update.code == 1, "\(update)")
        #expect(fixtures.text("a.json").contains(#""id": "x""#) || fixtures.text("a.json").contains(#""id":"x""#))
        #expect(try await moved.targets() == ["/a"])
    }

    @Test func `a recorded request has the lines that the client sent, and no credential`() async throws {
        let service = try await Service([
            "a.stub.json": #"""
            {"request": {"urlPath": "/v", "headers": {"Stripe-Version": {"equalTo": "2020-08-27"}}},
             "response": {"headers": ["Content-Type: application/json"], "jsonBody": {"id": 1, "name": "x"}}}
            """#,
            "b.stub.json": #"{"request": {"urlPath": "/v"}, "priority": 9, "response": {"jsonBody": {"other": 1}}}"#,
        ])
        let fixtures = try TemporaryDirectory()
        let recorded = try await Command.run(
            "record", service.url, "--into", fixtures.path, "--", "sh", "-c",
            "curl -s -o /dev/null -H 'Stripe-Version: 2020-08-27' -H 'Authorization: Bearer abcdefgh12345678' $MOCKAPI_URL/v"
        )
        #expect(recorded.code == 0, "\(recorded)")
        #expect(fixtures.text("v.stub.json").contains("Stripe-Version: 2020-08-27"))
        #expect(!fixtures.text("v.stub.json").contains("abcdefgh12345678"))
        #expect(!fixtures.text("v.stub.json").contains("User-Agent"))
        let end = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--header", "Authorization: Bearer x")
        #expect(end.output == "  1 honoured: 2 fields, 1 header set\n", "\(end)")
    }

    @Test func `what changes something is asked once, and a refusal without credentials`() async throws {
        let fixtures = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"method": "DELETE", "urlPath": "/a"}, "response": {"status": 204}}"#,
            "m.stub.json":
                #"{"request": {"method": "GET", "urlPath": "/m"}, "response": {"status": 401, "jsonBody": {"e": 1}}}"#,
        ])
        let service = try await Service([
            "a.stub.json":
                #"{"request": {"method": "DELETE", "urlPath": "/a"}, "responses": [{"status": 204}, {"status": 404}]}"#,
            "m.stub.json": #"""
            {"stubs": [{"request": {"urlPath": "/m", "headers": {"Authorization": {"matches": ".+"}}}, "response": {"jsonBody": {"id": 1}}},
              {"request": {"urlPath": "/m"}, "priority": 9, "response": {"status": 401, "jsonBody": {"e": 1}}}]}
            """#,
        ])
        let end = try await Command.run(
            "verify", fixtures.path, "--against", service.url, "--allow-unsafe", "--samples", "2", "--header",
            "Authorization: Bearer x")
        #expect(end.code == 0, "\(end)")
        #expect(try await service.targets() == ["/a", "/m", "/m"])
    }

    @Test func `a stub for another state of the service is not checked`() async throws {
        let fixtures = try TemporaryDirectory([
            "s.stub.json": #"""
            {"stubs": [
              {"scenarioName": "x", "requiredScenarioState": "Started", "request": {"method": "GET", "urlPath": "/s"},
               "response": {"status": 404, "jsonBody": {"e": 1}}},
              {"scenarioName": "x", "requiredScenarioState": "there", "request": {"method": "GET", "urlPath": "/s"},
               "response": {"jsonBody": {"id": 1}}}]}
            """#
        ])
        let service = try await Service([
            "s.stub.json": #"{"request": {"urlPath": "/s"}, "response": {"status": 404, "jsonBody": {"e": 1}}}"#
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 4, "\(end)")
        #expect(
            end.output.contains("not checked: the service answers as s.stub.json:2 says, which is for another state"))
        #expect(end.output.contains("  1 honoured: 1 field, 1 header set · 1 not checked\n"), "\(end)")
    }

    @Test func `a baseline is of its stub, and keeps what was not judged`() async throws {
        let fixtures = try TemporaryDirectory([
            "all.stub.json": #"{"stubs": [\#(Self.json("/a", #"{"id": 1}"#)), \#(Self.json("/b", #"{"id": 1}"#))]}"#
        ])
        let one = try await Service([
            "a.stub.json": Self.json("/a", #"{"id": "1"}"#), "b.stub.json": Self.json("/b", #"{"id": 2}"#),
        ])
        let baseline = fixtures.path + "/known.jsonl"
        _ = try await Command.run("verify", fixtures.path, "--against", one.url, "--write-baseline", baseline)
        let both = try await Service([
            "a.stub.json": Self.json("/a", #"{"id": "2"}"#), "b.stub.json": Self.json("/b", #"{"id": "2"}"#),
        ])
        let arguments = ["verify", fixtures.path, "--only", "all.stub.json", "--baseline", baseline, "--against"]
        let end = try await Command.run(arguments + [both.url])
        #expect(end.code == 1, "\(end)")
        #expect(end.output.contains("  0 honoured · 1 compatible · 1 broken · 1 known · 1 not chosen\n"), "\(end)")
        let known = fixtures.text("known.jsonl")
        let away = try await Command.run(arguments + ["http://127.0.0.1:1", "--write-baseline", baseline])
        #expect(away.code == 4, "\(away)")
        #expect(fixtures.text("known.jsonl") == known)
    }

    @Test func `a report of an earlier run does not outlive one that could not begin`() async throws {
        let fixtures = try TemporaryDirectory(["a.json": #"{"id": 1}"#])
        let report = fixtures.path + "/.j.xml"
        let good = try await Command.run("diff", fixtures.path, fixtures.path, "--junit", report)
        #expect(good.code == 0, "\(good)")
        let bad = try await Command.run("diff", fixtures.path, fixtures.path, "--junit", report, "--baseline", "none")
        #expect(bad.code == 4, "\(bad)")
        #expect(
            fixtures.text(".j.xml").contains(#"name="diff.begun: the command begins""#), "\(fixtures.text(".j.xml"))")
    }

    @Test func `a response that no client can decode is broken`() async throws {
        let fixtures = try TemporaryDirectory(["a.stub.json": Self.json("/a", #"{"id": 1}"#)])
        let service = try await Service([
            "a.stub.json":
                #"{"request": {"urlPath": "/a"}, "response": {"headers": ["Content-Type: application/json", "Content-Encoding: gzip"], "base64Body": "eyJpZCI6IDF9"}}"#
        ])
        let end = try await Command.run("verify", fixtures.path, "--against", service.url)
        #expect(end.code == 1, "\(end)")
        #expect(end.output.contains("body malformed (application/json → bytes that are not gzip)"), "\(end)")
    }
}
