// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@Suite(.supervised) struct ReloadTests {
    /// Tells tasks to end.
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private func sequence(_ last: String) -> String {
        #"{"name": "s", "request": {"urlPath": "/s"}, "responses": [{"body": "0"}, {"body": "1"}, {"body": "\#(last)"}]}"#
    }

    @Test func `a sequence that is unchanged goes on, a changed one begins again`() async throws {
        try await TestServer.serving(["s.stub.json": sequence("2"), "a.txt": "a"]) { server throws in
            let client = try server.connect()
            #expect(try client.request("GET", "/s").text == "0")
            try server.directory.write("a.txt", "b")
            try server.reload()
            #expect(try server.get("/a.txt").text == "b")
            #expect(try client.request("GET", "/s").text == "1")
            try server.directory.write("s.stub.json", sequence("changed"))
            try server.reload()
            #expect(try server.get("/s").text == "0")
        }
    }

    @Test func `entries of fixtures that were served before keep what answered them`() async throws {
        try await TestServer.serving(["a.txt": "a", "b.txt": "b"]) { server throws in
            _ = try server.get("/b.txt")
            server.directory.remove("a.txt")
            try server.reload()
            _ = try server.get("/b.txt")
            #expect(server.journal.entries.map(\.outcome) == [.file("b.txt"), .file("b.txt")])
        }
    }

    @Test func `no request is lost while fixtures are loaded over and over`() async throws {
        try await TestServer.serving(["a.txt": "a", "s.stub.json": sequence("2")]) { server async throws in
            let done = Flag()
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let client = try server.connect()
                        var count = 0
                        while !done.isSet.load(ordering: .relaxed) || count == 0 {
                            let answer = try client.request("GET", "/a.txt")
                            #expect(answer.text == "a")
                            count += 1
                        }
                        return count
                    }
                }
                for number in 0..<100 {
                    try server.directory.write("other.txt", "\(number)")
                    // A load that is not served counts, too.
                    if number % 3 == 0 { _ = try server.server.reload(server.directory.path, wireMock: false) }
                    try server.reload()
                    await Task.yield()
                }
                done.isSet.store(true, ordering: .relaxed)
                let sent = try await group.reduce(0, +)
                let entries = server.journal.entries
                #expect(entries.last?.sequence == UInt64(sent))
                #expect(entries.allSatisfy { $0.outcome == .file("a.txt") })
            }
        }
    }

    /// An entry names what answered by itself: the fixtures that a request under way was answered from may be gone when it is read.
    @Test func `loads that were not served do not make the journal forget what answered`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server async throws in
            let done = Flag()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let client = try server.connect()
                        while !done.isSet.load(ordering: .relaxed) { _ = try client.request("GET", "/a.txt") }
                    }
                }
                defer { done.isSet.store(true, ordering: .relaxed) }
                for _ in 0..<200 {
                    _ = try server.server.reload(server.directory.path, wireMock: false)
                    let next = try server.server.reload(server.directory.path, wireMock: false)
                    server.journal.removeAll()
                    server.server.replace(next)
                    #expect(server.journal.entries.allSatisfy { $0.outcome == .file("a.txt") })
                }
            }
        }
    }
}
