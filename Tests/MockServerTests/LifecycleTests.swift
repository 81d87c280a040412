// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.supervised) struct LifecycleTests {
    /// Why a server does not start.
    private func startError(
        _ path: String, _ configure: (inout MockServer.Configuration) -> Void = { _ in }
    ) async -> MockServerError? {
        var configuration = MockServer.Configuration()
        configure(&configuration)
        do throws(MockServerError) {
            let server = try await MockServer.start(fixtures: path, configuration: configuration)
            await server.stop()
            return nil
        } catch {
            return error
        }
    }

    @Test func `a server is reached by its base URL, and what came is in its journal`() async throws {
        try await TestServer.serving(["hello.txt": "hello\n"]) { server throws in
            let url = server.server.baseURL
            #expect(url.absoluteString == "http://127.0.0.1:\(server.port)")
            let (data, response) = try await URLSession.shared.data(from: url.appendingPathComponent("hello.txt"))
            #expect(String(decoding: data, as: UTF8.self) == "hello\n")
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
            let entry = try #require(server.journal.entries.first)
            #expect(entry.request.path == "/hello.txt")
            #expect(entry.request.authority == "127.0.0.1:\(server.port)")
            #expect(entry.outcome == .file("hello.txt"))
            #expect(entry.status == 200)
            #expect(entry.responseSize == 6)
            #expect(entry.protocolName == "HTTP/1.1")
        }
    }

    @Test func `a stopped server has freed its port`() async throws {
        // A test that listens on all addresses may be given the port in between, which does not happen thrice.
        for _ in 0..<3 {
            if try await freesItsPort() { return }
        }
        Issue.record("the port was taken three times")
    }

    /// Whether a server can listen where one has stopped, and nobody answers there before.
    private func freesItsPort() async throws -> Bool {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        // An address of its own: on 127.0.0.1 another test could have the port by now.
        var configuration = MockServer.Configuration()
        configuration.host = "127.0.0.2"
        let first = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        let port = try #require(first.baseURL.port)
        await first.stop()
        if (try? WireClient(port: port, host: 2)) != nil { return false }
        configuration.port = port
        let second: MockServer
        do {
            second = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        } catch {
            #expect("\(error)".contains("port \(port) is in use"))
            return false
        }
        #expect(try WireClient(port: port, host: 2).request("GET", "/a.txt").text == "a")
        await second.stop()
        await second.stop()
        return true
    }

    @Test func `stopping closes connections that wait`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try await MockServer.start(fixtures: directory.path)
        let client = try WireClient(port: try #require(server.baseURL.port))
        #expect(try client.request("GET", "/a.txt").text == "a")
        await server.stop(grace: .seconds(60))
        #expect(try client.remainder().isEmpty)
    }

    @Test func `three hundred servers run side by side, each with fixtures and a journal of its own`() async throws {
        let directories = try (0..<3).map { try TemporaryDirectory(["name.txt": "\($0)"]) }
        var servers: [MockServer] = []
        for number in 0..<300 {
            servers.append(try await MockServer.start(fixtures: directories[number % 3].path))
        }
        #expect(Set(servers.map(\.baseURL)).count == 300)
        for (number, server) in servers.enumerated() {
            let client = try WireClient(port: try #require(server.baseURL.port))
            #expect(try client.request("GET", "/name.txt").text == "\(number % 3)")
        }
        #expect(servers.allSatisfy { $0.journal.entries.count == 1 })
        await withTaskGroup(of: Void.self) { group in
            for server in servers { group.addTask { await server.stop() } }
        }
    }

    @Test func `a port in use is an error that says so`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let error = await startError(server.directory.path) { $0.port = server.port }
            #expect(error?.reason == .portInUse(server.port))
            #expect(
                error?.description
                    == "port \(server.port) is in use: stop what listens there, or choose another with port (0 lets the system choose)"
            )
        }
    }

    @Test func `a missing directory is an error that names it`() async throws {
        let error = await startError("/tmp/mockapi-there-is-none")
        #expect(error?.description == "the fixture directory /tmp/mockapi-there-is-none does not exist")
    }

    @Test func `fixtures with errors are not served, warnings do no harm`() async throws {
        let broken = try TemporaryDirectory([
            "a.stub.json": #"{"request": {"urlPat": "/a"}, "response": {"status": 200}}"#
        ])
        let error = await startError(broken.path)
        guard case .fixturesUnusable(let findings) = error?.reason else {
            Issue.record("expected unusable fixtures, found \(String(describing: error))")
            return
        }
        #expect(
            findings == [#"a.stub.json:1:14: error: unknown key "urlPat"; did you mean "urlPath"? (/request/urlPat)"#])
        try await TestServer.serving(["a.png": "no image"]) { server throws in
            #expect(try server.get("/a.png").text == "no image")
        }
    }

    @Test func `a host that is none is an error`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let error = await startError(directory.path) { $0.host = "no host" }
        #expect(
            error?.description
                == "no host is not a name or address of this machine: host = \"127.0.0.1\" listens for this machine alone, host = \"0.0.0.0\" for its network"
        )
        // An address for documentation (RFC 5737), which nobody has.
        let foreign = await startError(directory.path) { $0.host = "203.0.113.7" }
        #expect(foreign?.description.hasPrefix("203.0.113.7 is not a name or address of this machine") == true)
    }
}
