// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Stubs that nothing asked for, and recordings that are old.
@Suite(.supervised) struct ScopeStubTests {
    private static func recorded(_ path: String, at: String) -> String {
        """
        {"request": {"method": "GET", "urlPath": "\(path)"}, "response": {"body": "x"},
         "recorded": {"from": "https://api.example.com", "at": "\(at)"}}
        """
    }

    @Test func `stubs that were not used fail a test that asks for all`() async throws {
        let directory = try TemporaryDirectory([
            "food.stub.json": #"{"request": {"urlPath": "/food"}, "response": {}}"#,
            "bread.stub.json": #"{"request": {"method": "PUT", "urlPathTemplate": "/bread/{id}"}, "response": {}}"#,
        ])
        let line = #line + 1
        let stubs = [RequestMatch.get("/drink").respond(), RequestMatch.anyURL("PURGE").respond()]
        let body: @Sendable () async throws -> Void = {
            try await get("/food")
            try await get("/drink")
        }
        let all = try await issues(of: .mockServer(fixtures: directory.path, stubs: stubs, verifying: .allStubs), body)
        #expect(
            all.map(\.text) == [
                """
                2 of 4 stubs answered nothing:
                     bread.stub.json: PUT /bread/{id}
                     ScopeStubTests.swift:\(line): PURGE any URL
                """
            ])
        let code = try await issues(
            of: .mockServer(fixtures: directory.path, stubs: stubs, verifying: .stubsInCode), body)
        #expect(
            code.map(\.text) == [
                "1 of 2 stubs answered nothing:\n     ScopeStubTests.swift:\(line): PURGE any URL"
            ])
        #expect(try await issues(of: .mockServer(fixtures: directory.path, stubs: stubs), body).isEmpty)
    }

    @Test func `a stub that answered is used, whatever the journal has lost`() async throws {
        var configuration = MockServer.Configuration()
        configuration.journalLimit = 1
        let trait = MockServerTrait.mockServer(
            stubs: [RequestMatch.get("/a").respond(), RequestMatch.get("/b").respond()], configuration: configuration,
            verifying: .allStubs)
        let issues = try await issues(of: trait) {
            let port = MockServer.current.baseURL.port ?? 0
            // On one connection, so that one loop has them all.
            try await blocking {
                let client = try WireClient(port: port)
                _ = try client.request("GET", "/a")
                for _ in 0..<20 { _ = try client.request("GET", "/b", ["X: " + String(repeating: "x", count: 30_000)]) }
            }
        }
        #expect(issues.isEmpty)
    }

    @Test func `recordings past their age fail or warn, where they answered`() async throws {
        let directory = try TemporaryDirectory([
            "old.stub.json": Self.recorded("/old", at: "2020-01-02T03:04:05Z"),
            "older.stub.json": Self.recorded("/older", at: "2019-01-02T03:04:05Z"),
            "new.stub.json": Self.recorded("/new", at: "9999-01-02T03:04:05Z"),
            "odd.stub.json": Self.recorded("/odd", at: "yesterday"),
        ])
        let body: @Sendable () async throws -> Void = {
            for path in ["/old", "/new", "/odd"] { try await get(path) }
        }
        // An issue that only warns came with Swift 6.3; before, there is none to see.
        #if compiler(>=6.3)
            let ages: [RecordingAge] = [.failing(afterDays: 30), .warning(afterDays: 30)]
        #else
            let ages: [RecordingAge] = [.failing(afterDays: 30)]
        #endif
        for age in ages {
            let issues = try await issues(of: .mockServer(fixtures: directory.path, recordings: age), body)
            #expect(
                issues.map { $0.text.replacing(#/\d+ days ago/#, with: "N days ago") } == [
                    "old.stub.json was recorded N days ago, on 2020-01-02, and may be 30 days old: record it again"
                ])
            #expect(issues.map(\.isWarning) == [age == .warning(afterDays: 30)])
        }
    }
}
