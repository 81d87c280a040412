// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiStubMatching
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockServer

/// Stubs that are added while a server has many, or reads its files again.
@Suite(.supervised) struct StubAdditionTests {
    private func stub(_ number: Int, _ body: String) -> String {
        #"{"request": {"urlPath": "/s/\#(number)"}, "response": {"body": "\#(body)"}}"#
    }

    /// A file of 150 stubs.
    private func many(_ body: String = "file") -> String {
        let stubs = (0..<150).map { stub($0, body) }.joined(separator: ", ")
        return #"{"stubs": [\#(stubs)]}"#
    }

    private func post(_ client: WireClient, _ target: String, _ body: String) throws -> Int {
        try client.request("POST", "/__admin\(target)", ["Content-Type: application/json"], body: body).status
    }

    @Test func `stubs that are added to many one by one are made ready at once, by the next request`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let client = try server.connect()
            let before = server.server.core.current.generation
            for number in 0..<20 { #expect(try post(client, "/mappings", stub(number, "posted")) == 201) }
            #expect(server.server.core.current.generation == before)
            #expect(server.server.stubs.count == 170)
            let listed = try client.request("GET", "/__admin/mappings?limit=1").text
            #expect(listed.contains(#""total":170"#) || listed.contains(#""total": 170"#))
            #expect(try client.request("GET", "/s/0").text == "posted")
            #expect(server.server.core.current.generation == before + 1)
            #expect(try client.request("GET", "/s/19").text == "posted")
            #expect(try client.request("GET", "/s/20").text == "file")
            // What changes the stubs otherwise meets those that wait, too.
            #expect(try post(client, "/mappings", stub(20, "late")) == 201)
            try server.server.add(RequestMatch.get("/s/20").respond(body: "code"))
            #expect(try client.request("GET", "/s/20").text == "code")
            #expect(try post(client, "/mappings", stub(21, "gone")) == 201)
            #expect(try post(client, "/mappings/reset", "") == 200)
            #expect(try client.request("GET", "/s/21").text == "file")
            #expect(try client.request("GET", "/s/20").text == "code")
        }
    }

    @Test func `stubs of code that are added to many one by one wait for the next request, too`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let before = server.server.core.current.generation
            for number in 0..<300 {
                try server.server.add(RequestMatch.get("/s/\(number)").respond(body: "code \(number)"))
            }
            try server.server.add(RequestMatch.get("/own").respond { _ in MockResponse(200, body: .text("computed")) })
            #expect(server.server.core.current.generation == before)
            #expect(server.server.stubs.count == 451)
            let refusal = #expect(throws: MockServerError.self) {
                try server.server.add(RequestMatch.path(matching: "/(").respond())
            }
            #expect(refusal?.description.contains("StubAdditionTests.swift:") == true)
            let client = try server.connect()
            #expect(try client.request("GET", "/s/0").text == "code 0")
            #expect(try client.request("GET", "/s/299").text == "code 299")
            #expect(try client.request("GET", "/own").text == "computed")
            #expect(server.server.core.current.generation == before + 1)
            #expect(try post(client, "/mappings/reset", "") == 200)
            #expect(try client.request("GET", "/s/7").text == "code 7")
        }
    }

    @Test func `no stub is lost that is added while requests make others ready`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let client = try server.connect()
            let core = server.server.core
            let requests = Task {
                while !Task.isCancelled {
                    _ = core.current.fixtures
                    await Task.yield()
                }
            }
            defer { requests.cancel() }
            for number in 0..<200 { #expect(try post(client, "/mappings", stub(1000 + number, "posted")) == 201) }
            for number in 0..<200 { #expect(try client.request("GET", "/s/\(1000 + number)").text == "posted") }
        }
    }

    @Test func `a request makes those stubs ready that wait, and no others`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let client = try server.connect()
            let root = server.server.core.current.ready.index
            for number in 0..<300 { #expect(try post(client, "/mappings", stub(1000 + number, "posted")) == 201) }
            #expect(server.server.core.current.ready.index === root)
            #expect(try client.request("GET", "/s/1299").text == "posted")
            #expect(try client.request("GET", "/s/0").text == "file")
            let ready = server.server.core.current.ready.index
            #expect(ready.root === root && ready.addedCount == 300)
            // A miss names stubs of both.
            let miss = try client.request("GET", "/s/1300")
            #expect(miss.status == 404 && miss.text.contains("/s/130"))
        }
    }

    @Test func `a stub that is long to index is ready with the response to its own request, and no other waits for it`()
        async throws
    {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let client = try server.connect()
            let current = server.server.core.current
            let before = current.generation
            #expect(try post(client, "/mappings", stub(1000, "short")) == 201)
            #expect(current.isUnready && current.generation == before)
            let patterns = (0..<200).map { #""q\#($0)": {"matches": "\#($0)[a-z]+"}"# }.joined(separator: ", ")
            let long =
                #"{"id": "11111111-2222-4333-8444-555555555555", "request": {"urlPath": "/long", "queryParameters": {\#(patterns)}}}"#
            #expect(try post(client, "/mappings", long) == 201)
            #expect(!current.isUnready && current.ready.index.addedCount == 2)
            #expect(try post(client, "/mappings", long) == 422)
            // Those that come behind it are not indexed together with it.
            #expect(try post(client, "/mappings", stub(1001, "short")) == 201)
            #expect(try client.request("GET", "/s/1001").text == "short")
            #expect(current.ready.index.count == 1 && current.ready.index.below?.count == 2)
        }
    }

    @Test func `stubs that have become many are indexed together beside the requests, and none is lost`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server async throws in
            let current = server.server.core.current
            for number in 0..<600 {
                try server.server.add(RequestMatch.get("/own/\(number)").respond(body: "code \(number)"))
            }
            // The stub that was one too many to wait has made all ready.
            #expect(!current.isUnready || current.ready.set.stubs.count > 150)
            let client = try server.connect()
            #expect(try client.request("GET", "/own/599").text == "code 599")
            try await until({ current.ready.index.root.count > 150 }, is: true)
            #expect(current.ready.index.root.count + current.ready.index.addedCount == 750)
            #expect(try post(client, "/mappings", stub(0, "late")) == 201)
            for (target, text) in [("/own/0", "code 0"), ("/own/599", "code 599"), ("/s/0", "late"), ("/s/1", "file")] {
                #expect(try client.request("GET", target).text == text)
            }
            #expect(current.ready.set.stubs.count == 751)
            #expect(try post(client, "/mappings/reset", "") == 200)
            #expect(try client.request("GET", "/own/7").text == "code 7")
            #expect(try client.request("GET", "/s/0").text == "file")
        }
    }

    private final class Stop: Sendable {
        let isAsked = Atomic<Bool>(false)
    }

    @Test func `who sees that no stub waits sees the load that has it`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let current = server.server.core.current
            let stop = Stop()
            defer { stop.isAsked.store(true, ordering: .relaxed) }
            BlockingThreads.startThread { while !stop.isAsked.load(ordering: .relaxed) { _ = current.fixtures } }
            for number in 0..<400 {
                try server.server.add(RequestMatch.get("/own/\(number)").respond(body: "code"))
                while current.isUnready {}
                let generation = current.generation
                #expect(generation == current.ready.generation)
                if generation != current.ready.generation { break }
            }
        }
    }

    @Test func `making stubs ready forgets no hold that was released`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let client = try server.connect()
            let core = server.server.core
            #expect(try post(client, "/mappings", stub(1000, "first")) == 201)
            // As one that is posted and released while the first stub is made ready.
            core.holds.release("late", of: ["late"])
            #expect(try client.request("GET", "/s/1000").text == "first")
            #expect(core.holds.wait(for: "late") { _ in } == nil)
        }
    }

    @Test func `a persistent stub is indexed beside many, and all are not indexed again`() async throws {
        let mappings = (0..<150).map { stub($0, "file") }.joined(separator: ", ")
        let files: KeyValuePairs = ["mappings/many.json": #"{"mappings": [\#(mappings)]}"#]
        try await TestServer.serving(files, { $0.writesFixtures = true }) { server throws in
            let client = try server.connect()
            let current = server.server.core.current
            let root = current.ready.index.root
            let own = #"{"persistent": true, "request": {"urlPath": "/own"}, "response": {"body": "own"}}"#
            #expect(try post(client, "/mappings", own) == 201)
            #expect(try client.request("GET", "/own").text == "own")
            #expect(current.ready.index.root === root && current.ready.index.addedCount == 1)
            #expect(current.ready.givenStubs.count == 151)
        }
    }

    @Test func `a stub that waits is sound, and its id is its own`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server throws in
            let client = try server.connect()
            let broken = #"{"request": {"urlPathPattern": "/("}}"#
            #expect(try post(client, "/mappings", broken) == 422)
            let named = #"{"id": "11111111-2222-4333-8444-555555555555", "request": {"urlPath": "/n"}}"#
            #expect(try post(client, "/mappings", named) == 201)
            let answer = try client.request(
                "POST", "/__admin/mappings", ["Content-Type: application/json"], body: named)
            #expect(answer.status == 422)
            #expect(answer.text.contains("'11111111-2222-4333-8444-555555555555' is already taken"))
            #expect(try client.request("GET", "/n").status == 200)
        }
    }

    @Test func `a sequence goes on where it was when other stubs are added`() async throws {
        let sequence = #"{"request": {"urlPath": "/q"}, "responses": [{"body": "0"}, {"body": "1"}, {"body": "2"}]}"#
        try await TestServer.serving(["many.stub.json": many(), "q.stub.json": sequence]) { server throws in
            let client = try server.connect()
            for number in 0..<3 {
                #expect(try client.request("GET", "/q").text == "\(number)")
                #expect(try post(client, "/mappings", stub(number, "posted")) == 201)
            }
        }
    }

    @Test func `a stub that is added while the files are read again stays`() async throws {
        for files in [many(), stub(1, "file")] {
            try await TestServer.serving(["a.stub.json": files]) { server throws in
                let client = try server.connect()
                try server.directory.write("a.stub.json", files.replacing("file", with: "changed"))
                let loaded = try server.server.reload(server.directory.path, wireMock: false)
                #expect(try post(client, "/mappings", stub(500, "posted")) == 201)
                try server.server.add(RequestMatch.get("/s/501").respond(body: "code"))
                server.server.replace(loaded)
                #expect(try client.request("GET", "/s/500").text == "posted")
                #expect(try client.request("GET", "/s/501").text == "code")
                #expect(try client.request("GET", "/s/1").text == "changed")
                #expect(try post(client, "/mappings/reset", "") == 200)
                #expect(try client.request("GET", "/s/500").status == 404)
                #expect(try client.request("GET", "/s/501").text == "code")
            }
        }
    }

    @Test func `stubs that many clients add beside requests and reloads are all there`() async throws {
        try await TestServer.serving(["many.stub.json": many()]) { server async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for client in 0..<3 {
                    group.addTask {
                        let connection = try server.connect()
                        for number in 0..<8 {
                            let name = 1000 + client * 100 + number
                            #expect(try post(connection, "/mappings", stub(name, "posted \(name)")) == 201)
                            #expect(try connection.request("GET", "/s/\(name)").text == "posted \(name)")
                        }
                    }
                }
                group.addTask { for _ in 0..<8 { try server.reload() } }
                try await group.waitForAll()
            }
            #expect(server.server.stubs.count == 174)
        }
    }
}
