// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Many servers of one process, one after the other.
@Suite(.supervised) struct ManyStartsTests {
    @Test func `servers that start one after the other have ports of their own`() async throws {
        var ports: [Int] = []
        for _ in 0..<20 {
            let server = try await MockServer.start()
            ports.append(server.baseURL.port ?? 0)
            await server.stop()
        }
        #expect(Set(ports).count == ports.count)
    }

    /// More starts than a system has ports: Linux offers some 7,000, a narrow range few.
    @Test(arguments: [(7_000, 1_000), (300, 100)])
    func `a port comes again late, even once the system has offered all that it has`(ports: Int, distance: Int) {
        let used = UsedPorts()
        var state: UInt64 = 1
        // The system's choice, the same in each run; a generator's high bits are the random ones.
        func offer() -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return 32_768 + Int(state >> 33) % ports
        }
        var starts: [Int: Int] = [:]
        var shortest = Int.max
        for start in 0..<20_000 {
            let first = offer()
            let port = used.choose(first, port: { $0 }, another: { offer() }).taken
            if let last = starts.updateValue(start, forKey: port) { shortest = min(shortest, start - last) }
        }
        #expect(shortest > distance)
    }

    private struct Choice: Equatable {
        var taken: Int
        var declined: [Int]
        /// What was not looked at.
        var left: [Int]
    }

    @Test func `of the ports that are offered the one taken longest ago is taken, and the others are declined`() {
        let used = UsedPorts()
        func choose(_ offers: Int...) -> Choice {
            var rest = offers[...]
            let choice = used.choose(rest.removeFirst(), port: { $0 }, another: { rest.popFirst() })
            return Choice(taken: choice.taken, declined: choice.declined, left: Array(rest))
        }
        for port in 1...3 { #expect(choose(port, 9) == Choice(taken: port, declined: [], left: [9])) }
        #expect(choose(3, 2, 3, 1, 2) == Choice(taken: 1, declined: [3, 3, 2, 2], left: []))
        #expect(choose(1, 4, 5) == Choice(taken: 4, declined: [1], left: [5]))
        #expect(choose(4) == Choice(taken: 4, declined: [], left: []))
    }

    @Test func `a port that is asked for is that one`() async throws {
        let first = try await MockServer.start()
        let port = try #require(first.baseURL.port)
        await first.stop()
        var configuration = MockServer.Configuration()
        configuration.port = port
        let second = try await MockServer.start(configuration: configuration)
        #expect(second.baseURL.port == port)
        await second.stop()
    }

    private func serve(_ directory: TemporaryDirectory) async throws -> MockServer {
        try await MockServer.start(fixtures: directory.path)
    }

    private func age(_ path: String) throws {
        let hour = Date(timeIntervalSinceNow: -3600)
        try FileManager.default.setAttributes([.modificationDate: hour], ofItemAtPath: path)
    }

    @Test func `a directory is read once while it stays as it is`() async throws {
        let stub = #"{"request": {"urlPath": "/a"}, "response": {"body": "one"}}"#
        let directory = try TemporaryDirectory(["a.stub.json": stub])
        let path = "\(directory.path)/a.stub.json"
        let young = [try await serve(directory), try await serve(directory)]
        #expect(young[0].stubs[0] !== young[1].stubs[0])
        try age(path)
        try age(directory.path)
        let old = [try await serve(directory), try await serve(directory)]
        #expect(old[0].stubs[0] === old[1].stubs[0])
        // Its sequences and counters are each server's own.
        try old[0].add(RequestMatch.get("/b").respond())
        #expect(old[1].stubs.count == 1)
        try Data(stub.replacing("one", with: "two").utf8).write(to: URL(fileURLWithPath: path))
        try age(path)
        let changed = try await serve(directory)
        let port = changed.baseURL.port ?? 0
        #expect(try await blocking { try WireClient(port: port).request("GET", "/a").text } == "two")
        try Data(stub.utf8).write(to: URL(fileURLWithPath: "\(directory.path)/b.stub.json"))
        let more = try await serve(directory)
        #expect(more.stubs.count == 2)
        for server in young + old + [changed, more] { await server.stop() }
    }

    @Test func `fixtures are looked for in each folder above the file, as far as the package's root`() throws {
        let directory = try TemporaryDirectory([
            "Package.swift": "", "Fixtures/a.json": "{}", "Tests/AppTests/Golden/a.json": "{}",
            "Tests/AppTests/Sub/Deep/T.swift": "", "Tests/AppTests/Fixtures/a.json": "{}",
        ])
        let root = directory.path
        let file = "\(root)/Tests/AppTests/Sub/Deep/T.swift"
        #expect(try FixturePlace.find("Fixtures", besideFile: file) == "\(root)/Tests/AppTests/Fixtures")
        #expect(try FixturePlace.find("Golden", besideFile: file) == "\(root)/Tests/AppTests/Golden")
        #expect(try FixturePlace.find("Fixtures", besideFile: "\(root)/Tests/T.swift") == "\(root)/Fixtures")
        let error = #expect(throws: MockServerError.self) {
            _ = try FixturePlace.find("None", besideFile: "\(root)/Tests/AppTests/T.swift")
        }
        #expect(
            error?.description.contains(
                "looked at \(root)/Tests/AppTests/None and \(root)/Tests/None and \(root)/None") == true)
        // A test without a file, started from elsewhere: the package that it was built in.
        let binary = "\(root)/.build/debug/AppPackageTests.xctest"
        #expect(try FixturePlace.find("Fixtures", besideFile: nil, executable: binary).hasSuffix("/Fixtures"))
    }
}
