// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestScope
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Tests that are run against a live service, and recorded by that.
@Suite(.supervised) struct ScopeModeTests {
    private static let stub = #"{"request": {"method": "GET", "urlPath": "/known"}, "response": {"body": "fixture"}}"#
    private let directory: TemporaryDirectory
    private let service: MockServer

    init() async throws {
        directory = try TemporaryDirectory(["Fixtures/known.stub.json": Self.stub])
        service = try await MockServer.start(stubs: [
            RequestMatch.get("/known").respond(body: "live"),
            RequestMatch.get("/more").respond(json: #"{"more": true}"#),
        ])
    }

    private var url: String { "http://127.0.0.1:\(service.baseURL.port ?? 0)" }

    private func options(_ mode: MockServer.Mode) -> ScopeOptions {
        var options = ScopeOptions()
        options.fixtures = directory.path + "/Fixtures"
        options.stubs = [RequestMatch.get("/code").respond(body: "code")]
        options.mode = mode
        return options
    }

    /// Asks the server of a scope, and returns what was answered and what is to be said of it.
    private func run(
        _ options: ScopeOptions, _ variables: [String: String] = [:], asking paths: [String]
    ) async throws -> (texts: [String], failures: [String]) {
        let scope = try await ServerScope(options, environment: variables)
        let client = try WireClient(port: scope.server.baseURL.port ?? 0)
        let texts = try paths.map { String(try client.request("GET", $0).text.prefix { $0 != "\n" }) }
        return (texts, await scope.end().compactMap { $0.failure.map { String($0.text.prefix { $0 != "\n" }) } })
    }

    @Test func `a suite is recorded by running it, and replayed then`() async throws {
        let paths = ["/known", "/more", "/code"]
        let recorded = try await run(options(.record(from: url)), asking: paths)
        #expect(recorded.texts == ["fixture", #"{"more": true}"#, "code"])
        #expect(recorded.failures == [])
        #expect(service.journal.entries.map(\.target) == ["/more"])
        #expect(directory.text("Fixtures/more.json") == #"{"more": true}"#)
        await service.stop()
        let replayed = try await run(options(.replay), asking: paths)
        #expect(replayed.texts == recorded.texts)
        #expect(replayed.failures == [])
    }

    @Test func `tests side by side record into one directory, which need not be there`() async throws {
        var options = options(.recordAll(from: url))
        options.fixtures = directory.path + "/New"
        let paths = ["/known", "/more"]
        try await withThrowingTaskGroup { group in
            for path in paths + paths {
                group.addTask { [options] in
                    let (_, failures) = try await run(options, asking: [path])
                    #expect(failures == [])
                }
            }
            try await group.waitForAll()
        }
        #expect(directory.text("New/known.txt") == "live")
        #expect(directory.text("New/more.json") == #"{"more": true}"#)
        // The last of them has let go of the directory.
        #expect(try await run(options, asking: ["/more"]).failures == [])
    }

    @Test func `a suite passes through, recording nothing, or is run live`() async throws {
        let paths = ["/known", "/more", "/code"]
        let before = directory.snapshot()
        let through = try await run(options(.passthrough(to: url)), asking: paths)
        #expect(through.texts == ["fixture", #"{"more": true}"#, "code"])
        let live = try await run(options(.live(at: url)), asking: paths)
        #expect(live.texts == ["live", #"{"more": true}"#, "404: nothing answers GET /code"])
        #expect(live.failures == [])
        #expect(directory.snapshot() == before)
    }

    @Test func `the environment says so for tests that have fixtures and a service`() async throws {
        let variables = ["MOCKAPI_TEST_MODE": "live", "MOCKAPI_TEST_UPSTREAM": url]
        #expect(try await run(options(.replay), variables, asking: ["/known"]).texts == ["live"])
        var named = options(.replay)
        named.upstream = url
        #expect(
            try await run(named, ["MOCKAPI_TEST_MODE": "passthrough"], asking: ["/known", "/more"]).texts == [
                "fixture", #"{"more": true}"#,
            ])
        // Without a service, or without fixtures, they are what they are.
        #expect(
            try await run(options(.replay), ["MOCKAPI_TEST_MODE": "live"], asking: ["/known"]).texts == ["fixture"])
        var bare = options(.replay)
        bare.fixtures = nil
        #expect(try await run(bare, variables, asking: ["/code"]).texts == ["code"])
        // What the code asks for, the environment takes back.
        let replayed = try await run(
            options(.live(at: url)), ["MOCKAPI_TEST_MODE": "replay"], asking: ["/known", "/more"])
        #expect(replayed.texts == ["fixture", "404: nothing answers GET /more"])
        #expect(replayed.failures == ["404: nothing answers GET /more"])
    }

    @Test func `what cannot be done says why`() async throws {
        let cases: [([String: String], MockServer.Mode, String)] = [
            (
                ["MOCKAPI_TEST_MODE": "rec"], .replay,
                #"MOCKAPI_TEST_MODE is "rec"; it is one of replay, record, record-all, passthrough, live"#
            ),
            (
                ["MOCKAPI_TEST_MAX_AGE": "old"], .replay,
                #"MOCKAPI_TEST_MAX_AGE is "old"; it is a number of days, such as 90"#
            ),
            (
                ["MOCKAPI_TEST_LATE": "60001"], .replay,
                #"MOCKAPI_TEST_LATE is "60001"; it is a number of milliseconds, 60000 at most"#
            ),
            (
                [:], .live,
                "the mode live needs the URL of the service: give it with the mode, as upstream: or in MOCKAPI_TEST_UPSTREAM"
            ),
            (
                ["CI": "true"], .record(from: "http://127.0.0.1:1"),
                "CI is set, and the mode record would change fixtures; record on your machine and commit them"
            ),
            (
                [:], .passthrough(to: "ftp://x"),
                #""ftp://x" is not an upstream: write http:// or https:// before its host"#
            ),
        ]
        for (variables, mode, text) in cases {
            let error = await #expect(throws: (any Error).self) {
                try await run(options(mode), variables, asking: [])
            }
            #expect(error.map { "\($0)" } == text)
        }
    }

    @Test func `a service that does not answer fails the test that records`() async throws {
        await service.stop()
        let (_, failures) = try await run(options(.record(from: url)), asking: ["/more"])
        #expect(failures.count == 1)
        #expect(failures[0].hasPrefix("GET /more of \(url): "))
    }

    @Test func `the environment has an age for all recordings`() async throws {
        let old = """
            {"request": {"urlPath": "/old"}, "response": {},
             "recorded": {"from": "https://api.example.com", "at": "2020-01-02T03:04:05Z"}}
            """
        let aged = try TemporaryDirectory(["old.stub.json": old])
        var options = ScopeOptions()
        options.fixtures = aged.path
        let (_, failures) = try await run(options, ["MOCKAPI_TEST_MAX_AGE": "90"], asking: ["/old"])
        #expect(failures.count == 1)
        #expect(failures[0].contains("on 2020-01-02, and may be 90 days old: record it again"))
    }
}
