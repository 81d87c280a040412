// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockServer

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Answers that code computes from their requests.
@Suite(.supervised) struct ComputedResponseTests {
    private struct Refusal: Error, CustomStringConvertible {
        let description = "the price is unknown"
    }

    private func serving(
        _ stubs: MockStub..., body: (MockServer, Int) async throws -> Void
    ) async throws {
        let server = try await MockServer.start(stubs: stubs)
        try await body(server, server.baseURL.port ?? 0)
        await server.stop()
    }

    @Test func `a response is computed from all of its request`() async throws {
        let echo = RequestMatch.any("/users/{id}/notes").respond { request in
            MockResponse(
                201, headers: ["X-User": request.pathParameters["id"] ?? ""],
                body: .text(
                    [
                        request.method, request.path, request.query("page") ?? "", request.header("accept") ?? "",
                        request.text, request.protocolName,
                    ].joined(separator: "|")))
        }
        try await serving(echo) { server, port in
            let client = try WireClient(port: port)
            let answer = try client.request(
                "POST", "/users/a%20b/notes?page=1%2B1", ["Accept: text/html", "Accept: text/plain"], body: "hello")
            #expect(answer.status == 201)
            #expect(answer["X-User"] == "a b")
            #expect(answer.text == "POST|/users/a%20b/notes|1+1|text/html, text/plain|hello|HTTP/1.1")
            let head = try client.request("HEAD", "/users/1/notes")
            #expect(head.status == 201)
            #expect(head.text.isEmpty)
            let entries = server.journal.entries
            #expect(entries.map(\.status) == [201, 201])
            #expect(entries.allSatisfy { if case .stub = $0.outcome { true } else { false } })
        }
    }

    @Test func `a request with a large body is answered by code, too`() async throws {
        let count = RequestMatch.post("/upload").body(.contains("x")).respond { request in
            MockResponse(body: "\(request.body.count)")
        }
        try await serving(count) { _, port in
            let body = String(repeating: "x", count: 100_000)
            let answer = try WireClient(port: port).request("POST", "/upload", body: body)
            #expect(answer.text == "100000")
        }
    }

    @Test func `a response has the delays, faults and files that others have`() async throws {
        let directory = try TemporaryDirectory(["a.json": "[1]"])
        let server = try await MockServer.start(
            fixtures: directory.path,
            stubs: [
                RequestMatch.get("/file").respond { _ in MockResponse(body: .file("a.json")) },
                RequestMatch.get("/cut").respond { _ in
                    MockResponse(body: "0123456789", fault: .truncatedBody(afterBytes: 4))
                },
            ])
        let port = server.baseURL.port ?? 0
        #expect(try WireClient(port: port).request("GET", "/file").text == "[1]")
        #expect(throws: WireError.self) { try WireClient(port: port).request("GET", "/cut") }
        #expect(server.journal.entries.last?.fault == "TRUNCATE_BODY")
        await server.stop()
    }

    @Test func `handlers that block stop nothing else`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let reached = Atomic<Int>(0)
        let slow = RequestMatch.get("/slow").respond { _ in
            reached.wrappingAdd(1, ordering: .relaxed)
            Self.block(on: gate)
            return MockResponse(body: "slow")
        }
        let quick = RequestMatch.get("/computed").respond { _ in MockResponse(body: "computed") }
        try await serving(slow, quick, RequestMatch.get("/quick").respond(body: "quick")) { _, port in
            let clients = try (0..<16).map { _ in try WireClient(port: port) }
            for client in clients { try client.send("GET /slow HTTP/1.1\r\nHost: x\r\n\r\n") }
            #expect(try await until({ reached.load(ordering: .relaxed) }, is: 16))
            #expect(try WireClient(port: port).request("GET", "/quick").text == "quick")
            #expect(try WireClient(port: port).request("GET", "/computed").text == "computed")
            for _ in clients { gate.signal() }
            for client in clients { #expect(try client.response().text == "slow") }
        }
    }

    private static func block(on gate: DispatchSemaphore) {
        _ = gate.wait(timeout: .now() + .seconds(WireClient.patience))
    }

    @Test func `an error that is thrown is a 500 that names the line`() async throws {
        let line = #line + 1
        let stub = RequestMatch.get("/price").respond { _ in throw Refusal() }
        try await serving(stub) { server, port in
            let answer = try WireClient(port: port).request("GET", "/price")
            #expect(answer.status == 500)
            #expect(
                answer.text
                    == "500: the response of ComputedResponseTests.swift:\(line) could not be computed: the price is unknown\n"
            )
            #expect(server.journal.entries.map(\.status) == [500])
        }
    }

    @Test func `a CancellationError to a client that still waits is a failure`() async throws {
        let line = #line + 1
        let stub = RequestMatch.get("/price").respond { _ in throw CancellationError() }
        try await serving(stub) { server, port in
            let text =
                "the response of ComputedResponseTests.swift:\(line) could not be computed: CancellationError()"
            let answer = try WireClient(port: port).request("GET", "/price")
            #expect(answer.status == 500)
            #expect(answer.text == "500: \(text)\n")
            let failures = server.verify().map(\.text)
            #expect(failures.count == 1 && failures.first?.contains(text) == true, "\(failures)")
        }
    }

    @Test func `a response that cannot be sent is a 500 that says why`() async throws {
        let line = #line + 1
        let stub = RequestMatch.get("/odd").respond { _ in MockResponse(99) }
        try await serving(stub) { _, port in
            let text = try WireClient(port: port).request("GET", "/odd").text
            #expect(text.hasPrefix("500: the response of ComputedResponseTests.swift:\(line) cannot be sent: "))
            #expect(text.contains("status"))
        }
    }

    @Test func `what is under way is cancelled when the server stops`() async throws {
        let states = Mutex<[String]>([])
        let stub = RequestMatch.get("/never").respond { _ in
            states.withLock { $0.append("began") }
            do {
                try await Task.sleep(for: .seconds(3600))
            } catch {
                states.withLock { $0.append("cancelled") }
                throw error
            }
            return MockResponse()
        }
        let server = try await MockServer.start(stubs: [stub])
        let client = try WireClient(port: server.baseURL.port ?? 0)
        try client.send("GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
        #expect(try await until({ states.withLock { $0 } }, is: ["began"]))
        await server.stop()
        #expect(try await until({ states.withLock { $0 } }, is: ["began", "cancelled"]))
    }

    @Test func `what is under way is cancelled when its client goes away`() async throws {
        let states = Mutex<[String]>([])
        let stub = RequestMatch.get("/never").respond { _ in
            states.withLock { $0.append("began") }
            try? await Task.sleep(for: .seconds(3600))
            states.withLock { $0.append("cancelled") }
            return MockResponse()
        }
        try await serving(stub) { _, port in
            let client = try WireClient(port: port)
            try client.send("GET /never HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try await until({ states.withLock { $0 } }, is: ["began"]))
            client.close()
            #expect(try await until({ states.withLock { $0 } }, is: ["began", "cancelled"]))
        }
    }

    @Test func `so many responses are computed at once and no more`() async throws {
        let tasks = HandlerTasks()
        let ended = Atomic<Int>(0)
        for _ in 0..<HandlerTasks.limit {
            let cancel = tasks.run {
                try? await Task.sleep(for: .seconds(3600))
                ended.wrappingAdd(1, ordering: .relaxed)
            }
            #expect(cancel != nil)
        }
        #expect(tasks.run {} == nil)
        await tasks.cancel()
        #expect(try await until({ ended.load(ordering: .relaxed) }, is: HandlerTasks.limit))
        #expect(tasks.run {} == nil)
    }

    @Test func `fixtures without a server refuse a response that is computed`() {
        let line = #line + 1
        let stub = RequestMatch.get("/a").respond { _ in MockResponse() }
        let error = #expect(throws: MockServerError.self) {
            try FixtureResponder(fixtures: nil, stubs: [stub], configuration: MockServer.Configuration())
        }
        #expect(
            error?.description
                == "ComputedResponseTests.swift:\(line): error: a response computed in code needs a server; write it out, or start a MockServer"
        )
    }

    @Test func `the delay of the settings reaches a computed response`() async throws {
        try await serving(RequestMatch.get("/a").respond { _ in MockResponse(body: .text("a")) }) { server, port in
            let client = try WireClient(port: port)
            #expect(try client.request("POST", "/__admin/settings", body: #"{"fixedDelay": 60}"#).status == 200)
            #expect(try client.request("GET", "/a").text == "a")
            #expect(server.journal.entries.map(\.addedDelay) == [.milliseconds(60)])
        }
    }
}
