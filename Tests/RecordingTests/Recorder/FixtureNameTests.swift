// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct FixtureNameTests {
    /// Targets, media types, and what the stub and the body are called.
    @Test(arguments: [
        ("/", "application/json", "index.stub.json", "index.json"),
        ("/api/contents", "application/vnd.api+json", "api/contents.stub.json", "api/contents.json"),
        ("/api/contents/", "application/json", "api/contents/index.stub.json", "api/contents/index.json"),
        ("/uploads/logo.png", "image/png", "uploads/logo.png.stub.json", "uploads/logo.png"),
        ("/photo.jpeg", "image/jpeg", "photo.jpeg.stub.json", "photo.jpeg"),
        ("/logo.png?w=100", "image/png", "logo.w-100.png.stub.json", "logo.w-100.png"),
        ("/v1.0", "application/json", "v1.0.stub.json", "v1.0.json"),
        ("/page", "text/html", "page.stub.json", "page.html"),
        ("/stream", "text/event-stream", "stream.stub.json", "stream.sse"),
        (
            "/c?filter%5Bcontent_types%5D%5B%5D=article&page%5Bnumber%5D=2", "application/json",
            "c.filter-content_types-article.page-number-2.stub.json",
            "c.filter-content_types-article.page-number-2.json"
        ),
        ("/a%20b/%C3%A9t%C3%A9", "application/json", "a-b/été.stub.json", "a-b/été.json"),
        ("/.hidden/..%2Fx", "application/json", "_hidden/_.-x.stub.json", "_hidden/_.-x.json"),
        // A letter that combines with the dot in front of it does not unhide the file.
        ("/.%CD%85x", "application/json", "_\u{345}x.stub.json", "_\u{345}x.json"),
        ("/a//b", "application/json", "a/_/b.stub.json", "a/_/b.json"),
        ("/x.stub.json", "application/json", "x.stub_.json.stub.json", "x.stub_.json"),
        ("/rental.contract", "application/json", "rental.contract_.stub.json", "rental.contract_.json"),
    ])
    func `files are called by the path and the query`(
        target: String, mediaType: String, stub: String, body: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let answer = Answer(fields: [UpstreamField("Content-Type", mediaType)], body: content(mediaType))
        let outcome = try await directory.record("GET", target, answer)
        #expect(outcome.files == [stub, body])
        #expect(try await directory.record("GET", target, answer).kind == .unchanged)
    }

    private func content(_ mediaType: String) -> [UInt8] {
        switch mediaType {
        case "image/png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0]
        case "image/jpeg": [0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0, 0, 0, 0, 0, 0]
        case "text/html": Array("<!doctype html><p>x</p>".utf8)
        default: Array("{}".utf8)
        }
    }

    @Test func `a long query is cut, and a hash tells it from others`() async throws {
        let directory = try TemporaryDirectory()
        let long = String(repeating: "abcdefghij", count: 30)
        let session = try Session(directory)
        let first = try await session.record("GET", "/a?q=\(long)1", .json("1"))
        let second = try await session.record("GET", "/a?q=\(long)2", .json("2"))
        #expect(first.files != second.files)
        #expect(first.files.allSatisfy { $0.utf8.count < 120 && $0.hasPrefix("a.q-abcdefghij") })
    }

    @Test func `a name of many long words fits into a file system`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        func long(_ letter: String) -> String { String(repeating: letter, count: 150) }
        for tail in ["1", "2"] {
            let outcome = try await session.record(
                "POST", "/\(long("p"))?q=\(long("q"))", fields: [UpstreamField("Content-Type", "application/json")],
                body: "{\"operationName\": \"\(long("o"))\(tail)\"}", .json(tail))
            #expect(outcome.kind == .new)
            #expect(outcome.files.allSatisfy { $0.utf8.count < 220 })
        }
        #expect(directory.snapshot().count == 4)
    }

    @Test func `a path below a file is in one name`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        try await session.record("GET", "/a", .json("1"))
        let outcome = try await session.record("GET", "/a.json/b", .json("2"))
        #expect(outcome.kind == .new)
        #expect(outcome.files.allSatisfy { $0.hasPrefix("a.json-b.") })
        #expect(try await session.record("GET", "/a.json/b", .json("3")).kind == .changed)
    }

    @Test func `names that differ only in case are told apart by a hash`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        try await session.record("GET", "/users", .json("1"))
        let other = try await session.record("GET", "/Users", .json("2"))
        #expect(other.files.first?.lowercased() != "users.stub.json")
        #expect(other.files.first?.wholeMatch(of: /Users\.[0-9a-f]{8}\.stub\.json/) != nil, "\(other.files)")
    }

    @Test func `requests of one path are told apart by their header lines`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        func varying(_ text: String) -> Answer { .json(text, UpstreamField("Vary", "Accept-Language")) }
        let token = UpstreamField("Authorization", "Bearer abcdef0123456789")
        let names = [
            try await session.record("GET", "/me", fields: [token], .json("1")),
            try await session.record("GET", "/me", .json("2")),
            try await session.record("GET", "/a", fields: [UpstreamField("Accept-Language", "de")], varying("1")),
            try await session.record("GET", "/a", fields: [UpstreamField("Accept-Language", "en")], varying("2")),
            try await session.record("GET", "/a", varying("3")),
        ].map { $0.files.first }
        #expect(
            names == [
                "me.stub.json", "me.anonymous.stub.json", "a.stub.json", "a.en.stub.json", "a.otherwise.stub.json",
            ])
    }

    @Test func `header lines that both requests have alike give no word`() async throws {
        let session = try Session(try TemporaryDirectory())
        let fields = [
            UpstreamField("Content-Type", "application/json"),
            UpstreamField("Authorization", "Bearer abcdef0123456789"),
        ]
        var names: [String?] = []
        for number in 1...2 {
            let body = #"{"operationName": "Article", "variables": {"n": \#(number)}}"#
            names.append(
                try await session.record("POST", "/q", fields: fields, body: body, .json("\(number)")).files.first)
        }
        #expect(names == ["q.POST.Article.stub.json", "q.POST.Article.n-2.stub.json"])
    }

    @Test(arguments: [
        (
            "application/json", #"{"operationName": "A", "variables": {"n": 1}}"#,
            #"{"operationName": "A", "variables": {"n": 2, "token": "s3cr3tTokenValue99"}}"#, "q.POST.A.n-2.stub.json"
        ),
        ("application/json", #"{"a": 1, "b": [1]}"#, #"{"a": "x y", "b": [1]}"#, "q.POST.a-x-y.stub.json"),
        (
            "application/x-www-form-urlencoded", "a=1", "a=2&password=hunter2hunter2", "q.POST.a-2.stub.json"
        ),
    ])
    func `requests that differ only in the content are told apart by its parameters, but for secrets`(
        mediaType: String, first: String, second: String, name: String
    ) async throws {
        let session = try Session(try TemporaryDirectory())
        let fields = [UpstreamField("Content-Type", mediaType)]
        try await session.record("POST", "/q", fields: fields, body: first, .json("1"))
        let outcome = try await session.record("POST", "/q", fields: fields, body: second, .json("2"))
        #expect(outcome.files.first == name)
    }

    @Test func `what is called contract is recorded so that it can be served`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.inSession { session in
            let fields = [UpstreamField("Content-Type", "application/json")]
            let body = #"{"operationName": "contract", "query": "query contract { x }"}"#
            try await session.record("POST", "/graphql", fields: fields, body: body, .json(#"{"x": 1}"#))
            try await session.record("GET", "/rental.contract", .json(#"{"x": 2}"#))
        }
        try await Replay.of(directory) { replay in
            let text = try await replay.text("GET", "/rental.contract")
            #expect(text == #"200 {"x": 2}"#)
        }
    }

    @Test func `a path that is longer than systems take is recorded, and served`() async throws {
        let directory = try TemporaryDirectory()
        let path = String(repeating: "/" + String(repeating: "d", count: 90), count: 60)
        try await directory.inSession { session in
            for target in [path, path + "/e"] {
                let outcome = try await session.record("GET", target, .json("\(target.utf8.count)"))
                #expect(outcome.kind == .new)
            }
        }
        #expect(directory.visible().allSatisfy { $0.utf8.count < 800 })
        try await Replay.of(directory) { replay in
            for target in [path, path + "/e"] {
                let text = try await replay.text("GET", target)
                #expect(text == "200 \(target.utf8.count)")
            }
        }
    }

    @Test func `a long text with a secret in it is stored and not matched, so that the directory can be served`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let token = "kR7" + "tQ2mZ9" + "pLw4"
        let body = String(repeating: "a line of a log (1)\n", count: 5_000) + "Authorization: Bearer \(token)\n"
        try await directory.inSession { session in
            let fields = [UpstreamField("Content-Type", "text/plain")]
            let outcome = try await session.record("POST", "/log", fields: fields, body: body, .json("1"))
            #expect(outcome.notes == ["the request's content is stored without its secrets, and not matched"])
        }
        try await Replay.of(directory) { replay in
            let text = try await replay.text("POST", "/log", [UpstreamField("Content-Type", "text/plain")], body: "x")
            #expect(text == "200 1")
        }
    }

    @Test func `a file that is not the recorder's keeps its name`() async throws {
        let directory = try TemporaryDirectory([
            "a.json": "mine", "b.stub.json": #"{"request": {"urlPath": "/b"}, "response": {}}"#, "c": "a file",
        ])
        let session = try Session(directory)
        try await session.record("GET", "/a", .json("1"))
        try await session.record("GET", "/b", .json("2"))
        try await session.record("GET", "/c/d", .json("3"))
        #expect(directory.text("a.json") == "mine")
        #expect(directory.text("b.stub.json").contains("recorded") == false)
        #expect(directory.text("c") == "a file")
    }
}
