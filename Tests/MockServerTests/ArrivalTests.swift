// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// A request has come when it came, whatever is still to become of it.
@Suite(.supervised) struct ArrivalTests {
    private static func site() -> CallSite { CallSite() }

    /// Opens once, for all who wait.
    private actor Gate {
        private var waiting: [CheckedContinuation<Void, Never>] = []
        private var isOpen = false

        func wait() async {
            if isOpen { return }
            await withCheckedContinuation { waiting.append($0) }
        }

        func open() {
            isOpen = true
            for continuation in waiting { continuation.resume() }
            waiting = []
        }
    }

    @Test func `a request that code is still answering has come, in its order`() async throws {
        try await TestServer.serving([:]) { server throws in
            let gate = Gate()
            try server.server.add(
                RequestMatch.get("/slow").respond { _ in
                    await gate.wait()
                    return .json("[]")
                }, RequestMatch.get("/quick").respond(204))
            let slow = try server.connect()
            try slow.send("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
            let came = try await server.server.expect(.get("/slow"), .once, within: .seconds(60), at: Self.site())
            #expect(came.map(\.status) == [0])
            #expect(try server.get("/quick").status == 204)
            server.server.expectInOrder([.get("/slow"), .get("/quick")], at: Self.site())
            #expect(server.server.verify().isEmpty)
            server.server.expectInOrder([.get("/quick"), .get("/slow")], at: Self.site())
            #expect(server.server.verify().count == 1)
            await gate.open()
            #expect(try slow.response().status == 200)
            #expect(server.journal.entries.map(\.status) == [200, 204])
            #expect(server.journal.entries.map(\.target) == ["/slow", "/quick"])
        }
    }

    @Test func `a body that the journal has in part is no evidence either way`() async throws {
        try await TestServer.serving([:], { $0.journalLimit = 1024 * 1024 }) { server throws in
            try server.server.add(RequestMatch.post("/up").respond(201))
            server.server.expect(.post("/up").body(.contains("the end")), .once, at: Self.site())
            _ = try server.request("POST", "/up", body: String(repeating: "x", count: 2_000_000) + "the end")
            #expect(server.server.verify().isEmpty)
            server.server.expect(.post("/up").body(.contains("the end")), .never, at: Self.site())
            let failures = server.server.verify()
            try #require(failures.count == 1)
            #expect(
                failures[0].text.contains(
                    "never, which cannot be judged: the journal has the bodies of 1 request in part"),
                "\(failures[0].text)")
            #expect(failures[0].text.contains(" of 2000007 bytes of request 1"))
        }
    }

    @Test func `what is expected too late of a journal that has lost it cannot be judged`() async throws {
        try await TestServer.serving(["a.txt": "a"], { $0.journalLimit = 1 }) { server throws in
            let client = try server.connect()
            for _ in 0..<20 {
                _ = try client.request("GET", "/a.txt", ["X: " + String(repeating: "x", count: 30_000)])
            }
            server.server.expect(.get("/b"), .never, at: Self.site())
            server.server.expect(.get("/a.txt"), .atLeast(1), at: Self.site())
            let failures = server.server.verify()
            try #require(failures.count == 1)
            #expect(
                failures[0].text.contains(
                    #/expected GET /b never, which cannot be judged: .* held the last \d+ of 20 requests/#),
                "\(failures[0].text)")
        }
    }

    @Test func `an expectation over another protocol hides no miss`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            _ = try server.get("/nope")
            server.server.expect(.get("/nope"), .never, over: .http2, at: Self.site())
            server.server.expect(.anyURL(), .atMost(9), over: .http2, at: Self.site())
            #expect(server.server.verify().map(\.kind) == [.unmatched])
            server.server.expect(.get("/nope"), .once, at: Self.site())
            #expect(server.server.verify().isEmpty)
        }
    }

    @Test func `a test that forgets its journal begins again, a client that clears it does not`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            _ = try server.get("/nope")
            _ = try server.request("DELETE", "/__admin/requests")
            #expect(server.journal.entries.isEmpty)
            #expect(server.server.verify().map(\.kind) == [.unmatched])
            server.journal.removeAll()
            #expect(server.server.verify().isEmpty)
        }
    }
}
