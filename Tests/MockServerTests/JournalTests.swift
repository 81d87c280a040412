// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct JournalTests {
    @Test func `what is attached to a failed test names credentials and does not show them`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let secret = "Zk3vQ8pL1xR7tN5w"
            let form = "user=me&password=\(secret)&next=%2Fa"
            _ = try server.request(
                "POST", "/a?token=\(secret)&page=2",
                [
                    "Authorization: Bearer \(secret)", "Cookie: sid=\(secret)", "X-Api-Key: \(secret)",
                    "X-Plain: shown",
                    "Content-Type: application/x-www-form-urlencoded",
                ], body: form)
            _ = try server.request(
                "POST", "/a", ["Content-Type: application/json"], body: #"{"user":"me","password":"\#(secret)"}"#)
            let text = JournalText(server.journal.entries).text
            #expect(!text.contains(secret))
            for line in [
                "1. POST /a?token=***&page=2 HTTP/1.1 c", "    Authorization: (23 bytes)\n", "    Cookie: (20 bytes)\n",
                "    X-Api-Key: (16 bytes)\n", "    X-Plain: shown\n", "user=me&password=", "&next=%2Fa",
                #""user":"me""#,
            ] { #expect(text.contains(line), "\(line)") }
        }
    }

    @Test func `an entry is there when the response is read`() async throws {
        try await TestServer.serving(
            stub: #"{"name": "n", "request": {"urlPath": "/a"}, "response": {"body": "hello"}}"#
        ) { server throws in
            let client = try server.connect()
            for number in 1...200 {
                _ = try client.request("GET", "/a?n=\(number)")
                #expect(server.journal.entries.count == number)
                #expect(server.journal.entries.last?.request.path == "/a?n=\(number)")
            }
        }
    }

    @Test func `an entry has the host of an absolute target in the place of the Host line`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let client = try server.connect()
            try client.send("GET http://127.0.0.1:\(server.port)/a.txt HTTP/1.1\r\nHost: other.test\r\n\r\n")
            #expect(try client.response().text == "a")
            let hosts = server.journal.entries.flatMap(\.fields).filter { $0.name.lowercased() == "host" }
            #expect(hosts.map(\.value) == ["127.0.0.1:\(server.port)"])
        }
    }

    @Test func `a request with an absolute target is found by its path`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let urls = ["http://localhost:\(server.port)/a.txt?x=1", "http://other.test/b", "http://other.test?y=2"]
            for url in urls { _ = try server.get(url) }
            #expect(server.journal.entries.map(\.target) == urls)
            #expect(server.journal.entries.map(\.origin) == ["/a.txt?x=1", "/b", "/?y=2"])
            for pattern in [
                #"{"url": "/a.txt?x=1"}"#, #"{"urlPath": "/b"}"#, #"{"queryParameters": {"y": {"equalTo": "2"}}}"#,
            ] {
                let found = try server.request("POST", "/__admin/requests/count", body: pattern)
                #expect(found.text.contains(#""count": 1"#), "\(found.text)")
            }
        }
    }

    @Test func `an entry holds the request as it came and what answered`() async throws {
        try await TestServer.serving(
            stub: #"{"name": "n", "request": {"urlPath": "/a"}, "response": {"body": "hello"}}"#
        ) { server throws in
            let client = try server.connect()
            let fields = ["Host: example.test", "X-B: 1", "x-a: 2", "X-B: 3"]
            #expect(try client.request("POST", "/a?q=%20", fields, body: "content").status == 200)
            try client.send(
                "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTrailer: X-T\r\n\r\n3\r\nabc\r\n0\r\nX-T: 9\r\n\r\n"
            )
            #expect(try client.response().status == 200)
            let entries = server.journal.entries
            #expect(entries.map(\.sequence) == [1, 2])
            let first = try #require(entries.first)
            #expect(first.request.method == .post)
            #expect(first.request.scheme == "http")
            #expect(first.request.authority == "example.test")
            #expect(first.request.path == "/a?q=%20")
            #expect(
                first.request.headerFields.map { "\($0.name.rawName): \($0.value)" }
                    == fields + ["Content-Length: 7"])
            #expect(String(decoding: first.body, as: UTF8.self) == "content")
            #expect(first.bodySize == 7)
            guard case .stub(let file, let name, _) = first.outcome else {
                Issue.record("no stub")
                return
            }
            #expect(file == "x.stub.json")
            #expect(name == "n")
            #expect(first.status == 200)
            #expect(first.responseSize == 5)
            #expect(first.peer.hasPrefix("127.0.0.1:"))
            let second = try #require(entries.last)
            #expect(second.trailers.map { "\($0.name.rawName): \($0.value)" } == ["X-T: 9"])
            #expect(String(decoding: second.body, as: UTF8.self) == "abc")
            #expect(second.connection == first.connection)
            #expect(second.receivedAt >= first.receivedAt)
        }
    }

    @Test func `what nothing matched can be asked for, and all can be forgotten`() async throws {
        try await TestServer.serving(["a.txt": "a"]) { server throws in
            let client = try server.connect()
            for target in ["/a.txt", "/none", "/a.txt", "/nothing"] { _ = try client.request("GET", target) }
            #expect(server.journal.unmatched.compactMap(\.request.path) == ["/none", "/nothing"])
            server.journal.removeAll()
            #expect(server.journal.entries.isEmpty)
            _ = try client.request("GET", "/a.txt")
            #expect(server.journal.entries.map(\.sequence) == [5])
        }
    }

    @Test func `without a journal requests are answered and forgotten`() async throws {
        try await TestServer.serving(["a.txt": "a"], { $0.journalLimit = 0 }) { server throws in
            #expect(try server.get("/a.txt").text == "a")
            #expect(!server.journal.isEnabled)
            #expect(server.journal.entries.isEmpty)
        }
    }

    /// Whatever their sizes, what is kept is an unbroken run that ends with the newest.
    @Test(arguments: 1...UInt64(Thoroughness.rounds(2, thorough: 20)))
    func `a full ring gives up its oldest and keeps the newest whole`(seed: UInt64) async throws {
        var random = SplitMix(seed: seed)
        let limit = 1024 * 1024
        try await TestServer.serving(["a.txt": "a"], { $0.journalLimit = limit }) { server throws in
            let client = try server.connect()
            var sizes: [Int] = []
            var longest = 0
            for number in 0..<400 {
                let size = [0, 10, 500, 5_000, 40_000][Int(random.next() % 5)] + Int(random.next() % 400)
                sizes.append(size)
                _ = try client.request("POST", "/\(number)", body: String(repeating: "\(number % 10)", count: size))
                guard number % 7 == 0 else { continue }
                let entries = server.journal.entries
                let first = try #require(entries.first).sequence
                #expect(entries.map(\.sequence) == Array(first...UInt64(number + 1)))
                var kept = 0
                for entry in entries {
                    let place = Int(entry.sequence) - 1
                    #expect(entry.request.path == "/\(place)")
                    #expect(entry.bodySize == sizes[place])
                    #expect(entry.body.allSatisfy { $0 == UInt8(ascii: "0") + UInt8(place % 10) })
                    kept += entry.body.count
                }
                #expect(kept <= limit)
                longest = max(longest, entries.count)
            }
            #expect(server.journal.entries.count < 400)
        }
    }

    @Test func `a body too long for its place is kept in part, with its size`() async throws {
        try await TestServer.serving(["a.txt": "a"], { $0.journalLimit = 1024 * 1024 }) { server throws in
            _ = try server.request("POST", "/a", body: String(repeating: "x", count: 2_000_000))
            let entry = try #require(server.journal.entries.first)
            #expect(entry.bodySize == 2_000_000)
            #expect(!entry.body.isEmpty)
            #expect(entry.body.count < 1024 * 1024)
        }
    }
}
