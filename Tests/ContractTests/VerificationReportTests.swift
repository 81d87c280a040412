// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContract
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What tests expected, as JUnit XML.
@Suite(.supervised) struct VerificationReportTests {
    @Test func expectationsAndMissesAreCases() async throws {
        let server = try await MockServer.start(stubs: [RequestMatch.get("/food").respond()])
        _ = try WireClient(port: server.baseURL.port ?? 0).request("GET", "/food")
        _ = try WireClient(port: server.baseURL.port ?? 0).request("GET", "/drink?a=<1>")
        server.expect(.get("/food"), .once, at: CallSite(filePath: "/tests/FoodTests.swift", line: 12))
        server.expect(.get("/food"), .never, at: CallSite(filePath: "/tests/FoodTests.swift", line: 13))
        await server.stop()
        let directory = try TemporaryDirectory()
        let results = server.verification(allowsUnmatched: false)
        try VerificationReport.write(results, of: "App.FoodTests/food()", directory: directory.path + "/junit")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path + "/junit")
        #expect(names.count == 1)
        let name = try #require(names.first)
        #expect(name.hasPrefix("TEST-App.FoodTests_food__-") && name.hasSuffix(".xml"))
        let xml = directory.text("junit/" + name)
        #expect(xml.contains(#"<testsuite name="App.FoodTests/food()" tests="3" failures="2" errors="0" skipped="0""#))
        #expect(xml.contains(#"<testcase classname="App.FoodTests/food()" name="GET /food once" time="0.000"/>"#))
        #expect(xml.contains(#"<failure message="expected GET /food never, but it came once" type="contract">"#))
        #expect(xml.contains("&#10;/tests/FoodTests.swift:13</failure>"))
        #expect(xml.contains(#"name="GET /drink?a=&lt;1&gt; is answered""#))
        #expect(xml.contains("404: nothing answers GET /drink?a=&lt;1&gt;&#10;"))
    }

    @Test func aServerThatDoesNotStartIsAnErrorOfItsTest() async throws {
        let fixtures = try TemporaryDirectory(["b.stub.json": "{"])
        let directory = try TemporaryDirectory()
        do {
            _ = try await MockServer.start(fixtures: fixtures.path)
            Issue.record("a broken stub is served")
        } catch {
            try VerificationReport.write(unstarted: error, of: "App.food()", arguments: "1", directory: directory.path)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let xml = directory.text(try #require(names.first))
        #expect(xml.contains(#"tests="1" failures="0" errors="1""#), "\(xml)")
        #expect(xml.contains(#"<testcase classname="App.food()" name="the server starts [1]""#))
        #expect(xml.contains("b.stub.json:1:2"))
    }

    @Test func noTwoCasesHaveOneName() async throws {
        let server = try await MockServer.start()
        let place = CallSite(filePath: "/tests/FoodTests.swift", line: 12)
        for _ in 0..<2 { server.expect(.get("/food"), .never, at: place) }
        await server.stop()
        let results = server.verification(allowsUnmatched: false)
        let directory = try TemporaryDirectory()
        for arguments in ["", "", "1, a", "1, a"] {
            try VerificationReport.write(results, of: "App.food()", arguments: arguments, directory: directory.path)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).flatMap { name in
            directory.text(name).matches(of: /<testcase classname="App.food\(\)" name="([^"]*)"/).map { String($0.1) }
        }
        #expect(
            names.sorted() == [
                "GET /food never", "GET /food never #2", "GET /food never [#2]", "GET /food never [#2] #2",
                "GET /food never [1, a #2]", "GET /food never [1, a #2] #2", "GET /food never [1, a]",
                "GET /food never [1, a] #2",
            ])
    }

    @Test func withoutADirectoryNothingIsWritten() throws {
        let before = try FileManager.default.contentsOfDirectory(atPath: ".").sorted()
        for directory in [nil, ""] {
            var isAsked = false
            func arguments() -> String {
                isAsked = true
                return "1"
            }
            try VerificationReport.write([], of: "a", arguments: arguments(), directory: directory)
            #expect(!isAsked)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: ".").sorted() == before)
    }
}
