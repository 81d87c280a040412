// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRecording
import MockapiSecrets
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RecorderTests {
    @Test func `a new response becomes a stub and its body, readable in a diff`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let outcome = try await session.record(
            "GET", "/api/contents?page=1",
            .json(
                "{\"a\": 1}\n", UpstreamField("ETag", "\"5f2b\""),
                UpstreamField("Date", "Fri, 20 Nov 2026 10:00:00 GMT")))
        #expect(outcome.kind == .new)
        #expect(outcome.files == ["api/contents.page-1.stub.json", "api/contents.page-1.json"])
        #expect(directory.text("api/contents.page-1.json") == "{\"a\": 1}\n")
        #expect(
            directory.text("api/contents.page-1.stub.json")
                == #"""
                {
                  "request": {
                    "method": "GET",
                    "urlPath": "/api/contents",
                    "queryParameters": { "page": { "equalTo": "1" } },
                    "otherQueryParameters": "refuse"
                  },
                  "response": {
                    "status": 200,
                    "headers": [
                      "Content-Type: application/json",
                      "ETag: \"5f2b\""
                    ],
                    "bodyFile": "contents.page-1.json"
                  },
                  "recorded": {
                    "from": "https://api.example.com",
                    "request": "GET /api/contents?page=1",
                    "key": "KEY",
                    "at": "2026-11-20T10:00:00Z",
                    "protocol": "http/1.1"
                  }
                }

                """#.replacing("KEY", with: try key(directory, "api/contents.page-1.stub.json")))
    }

    @Test func `an origin to rewrite that was added by hand stays`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1"))
        let origins = #""rewriteOrigins": ["https://other.example"],"#
        let text = directory.text("a.stub.json").replacing(#""status": 200,"#, with: #""status": 200, "# + origins)
        try directory.write("a.stub.json", text)
        #expect(try await directory.record("GET", "/a", .json("1")).kind == .unchanged)
        #expect(directory.text("a.stub.json") == text)
        #expect(try await directory.record("GET", "/a", .json("2")).kind == .changed)
        #expect(directory.text("a.stub.json").contains(#""rewriteOrigins": ["https://other.example"]"#))
    }

    @Test func `an unchanged answer changes no byte of any file, at another time and over another protocol`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let fields = [
            UpstreamField("Content-Type", "application/json"), UpstreamField("Server", "a"),
            UpstreamField("X-Request-Id", "1"),
        ]
        try await directory.record("GET", "/a", Answer(fields: fields, body: Array("{}".utf8)))
        let before = directory.snapshot()
        let again = [
            UpstreamField("content-type", "application/json"), UpstreamField("server", "b"),
            UpstreamField("x-request-id", "2"),
        ]
        let outcome = try await directory.record(
            "GET", "/a", Answer(fields: again, body: Array("{}".utf8), version: .http2), at: "2027-01-01T00:00:00Z")
        #expect(outcome.kind == .unchanged)
        #expect(outcome.files == ["a.json"])
        #expect(directory.snapshot() == before)
    }

    @Test func `a changed value is told by its name and written`() async throws {
        let directory = try TemporaryDirectory()
        let old = #"{"released_at": "x", "items": [{"popularity": 1}, {"popularity": 2}], "gone": 1}"#
        let new = #"{"released_at": "y", "items": [{"popularity": 3}, {"popularity": 4}], "come": 1}"#
        try await directory.record("GET", "/a", .json(old))
        let outcome = try await directory.record("GET", "/a", .json(new))
        #expect(outcome.kind == .changed)
        #expect(
            outcome.notes == [
                "3 values changed (released_at, popularity ×2)", "1 value added (come)", "1 value removed (gone)",
            ])
        #expect(directory.text("a.json") == new)
    }

    @Test func `equal responses are one response, and as soon as one differs all are kept in order`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        for body in ["1", "1", "2", "2", "1"] { try await session.record("GET", "/job", .json(body)) }
        let stub = try JSONParser.parse(directory.bytes("job.stub.json"))
        #expect(
            stub["responses"]?.array?.map { $0["bodyFile"]?.string } == [
                "job.json", "job.json", "job.3.json", "job.3.json", "job.json",
            ])
        _ = await session.recorder.finish()
        let before = directory.snapshot()
        let again = try Session(directory)
        for body in ["1", "1", "2", "2", "1", "1"] {
            #expect(try await again.record("GET", "/job", .json(body)).kind == .unchanged)
        }
        #expect(directory.snapshot() == before)
    }

    @Test func `a sequence that is another from its second step on is written again from there`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        for body in ["1", "2", "3"] { try await session.record("GET", "/job", .json(body)) }
        _ = await session.recorder.finish()
        let again = try Session(directory)
        for body in ["1", "9"] { try await again.record("GET", "/job", .json(body)) }
        let stub = try JSONParser.parse(directory.bytes("job.stub.json"))
        #expect(stub["responses"]?.array?.count == 2)
        #expect(directory.text("job.2.json") == "9")
        #expect(directory.bytes("job.3.json").isEmpty)
    }

    @Test func `requests that differ in their body get stubs of their own that match it`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let fields = [UpstreamField("Content-Type", "application/json")]
        for name in ["A", "B"] {
            try await session.record(
                "POST", "/graphql", fields: fields, body: "{\"operationName\": \"\(name)\"}",
                .json("{\"data\": \"\(name)\"}"))
        }
        #expect(directory.text("graphql.POST.A.json") == #"{"data": "A"}"#)
        let stub = try JSONParser.parse(directory.bytes("graphql.POST.B.stub.json"))
        #expect(stub["request"]?["bodyPatterns"]?.array?.first?["equalToJson"]?["operationName"]?.string == "B")
        #expect(stub["request"]?["headers"]?["Content-Type"]?["equalTo"]?.string == "application/json")
    }

    @Test func `matching that was widened by hand survives, with the text around it`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a?page=1", .json("1"))
        let written = directory.text("a.page-1.stub.json")
        let widened = written.replacing("\"equalTo\": \"1\"", with: "\"matches\":   \"[0-9]+\"")
        try directory.write("a.page-1.stub.json", widened)
        let session = try Session(directory, at: "2027-01-01T00:00:00Z")
        #expect(try await session.record("GET", "/a?page=1", .json("2")).kind == .changed)
        #expect(directory.text("a.page-1.stub.json") == widened.replacing("2026-11-20T10:00", with: "2027-01-01T00:00"))
        let covered = try await session.record("GET", "/a?page=7", .json("7"))
        #expect(covered.kind == .unchanged)
        #expect(covered.notes == ["answered by this stub, whose matching was widened"])
        #expect(covered.files == ["a.page-1.stub.json"])
    }

    @Test func `a stub file with line breaks of its own keeps them`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1"))
        try directory.write("a.stub.json", directory.text("a.stub.json").replacing("\n", with: "\r\n"))
        let before = directory.bytes("a.stub.json")
        try await directory.record("GET", "/a", .json("2"))
        #expect(directory.bytes("a.stub.json") == before)
    }

    @Test func `what the user wrote into a response stays there`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1"))
        let slow = directory.text("a.stub.json").replacing(
            "\"bodyFile\": \"a.json\"", with: "\"bodyFile\": \"a.json\", \"fixedDelayMilliseconds\": 5")
        try directory.write("a.stub.json", slow)
        try await directory.record("GET", "/a", .json("2"))
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        #expect(stub["response"]?["fixedDelayMilliseconds"]?.number?.integer == 5)
        #expect(directory.text("a.json") == "2")
    }

    @Test func `what two samples show to differ is volatile from then on`() async throws {
        let directory = try TemporaryDirectory()
        func body(_ id: Int, _ second: Int, _ order: String) -> Answer {
            .json(
                """
                {"id": \(id), "at": "2026-11-20T10:00:0\(second)Z", "tags": \(order), "name": "x", \
                "image": "https://cdn.example.com/a.png?Expires=\(second)"}
                """)
        }
        let outcome = try await directory.record(
            "GET", "/a", body(1, 1, "[1, 2]"), samples: [body(2, 2, "[2, 1]")])
        #expect(outcome.kind == .new)
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        let volatile = stub["recorded"]?["volatile"]?.array?.map {
            "\($0["path"]?.string ?? "") \($0["kind"]?.string ?? "")"
        }
        #expect(volatile == ["$.at timestamp", "$.id counter", "$.image signed URL", "$.tags order"])
        let before = directory.snapshot()
        #expect(try await directory.record("GET", "/a", body(9, 9, "[2, 1]")).kind == .unchanged)
        #expect(directory.snapshot() == before)
        #expect(
            try await directory.record("GET", "/a", body(9, 9, "[3, 1]")).notes == [
                "2 values changed (tags ×2)"
            ])
    }

    @Test(arguments: [206, 304]) func `a part and a 304 are refused`(status: Int) async throws {
        let directory = try TemporaryDirectory()
        let outcome = try await directory.record("GET", "/a", .status(status))
        #expect(outcome.kind == .refused)
        #expect(directory.snapshot().isEmpty)
    }

    @Test func `errors are recorded like any other response, with their phrase`() async throws {
        let directory = try TemporaryDirectory()
        var answer = Answer.json("{}")
        answer.status = 503
        answer.reason = "Gone Fishing"
        try await directory.record("DELETE", "/a/b", answer)
        let stub = try JSONParser.parse(directory.bytes("a/b.DELETE.stub.json"))
        #expect(stub["response"]?["status"]?.number?.integer == 503)
        #expect(stub["response"]?["reason"]?.string == "Gone Fishing")
    }

    @Test func `of two upstreams that answer one request otherwise the first is recorded, and the second refused`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let session = try Session(directory, origins: ["https://api.example.com", "https://images.example.com"])
        try await session.record("GET", "/a", .json("1"))
        let same = try await session.record("GET", "/a", origin: "https://images.example.com", .json("1"))
        #expect(same.kind == .unchanged)
        #expect(same.notes == ["the same as of https://api.example.com"])
        let other = try await session.record("GET", "/a", origin: "https://images.example.com", .json("2"))
        #expect(other.kind == .refused)
        #expect(
            other.notes == [
                "https://api.example.com answers this request otherwise, but a server has one response to it; record https://images.example.com into a directory of its own"
            ])
        #expect(directory.snapshot().keys.sorted() == ["a.json", "a.stub.json"])
    }

    @Test func `what was recorded from an upstream of before is of the new one once it differs`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1"))
        let before = directory.snapshot()
        let origin = "https://staging.example.com"
        let session = try Session(directory, origins: [origin])
        #expect(try await session.record("GET", "/a", origin: origin, .json("1")).kind == .unchanged)
        #expect(directory.snapshot() == before)
        _ = await session.recorder.finish()
        let again = try Session(directory, origins: [origin])
        #expect(try await again.record("GET", "/a", origin: origin, .json("2")).kind == .changed)
        #expect(directory.snapshot().keys.sorted() == ["a.json", "a.stub.json"])
        let stub = try JSONParser.parse(directory.bytes("a.stub.json"))
        #expect(stub["recorded"]?["from"]?.string == origin)
    }

    @Test func `what was redacted by a rule stays so where the rule is forgotten`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory) { $0.redaction.jsonPaths = ["$.users[*].email"] }
        try await session.record("GET", "/a", .json(#"{"users": [{"email": "ann@example.com"}]}"#))
        _ = await session.recorder.finish()
        let before = directory.snapshot()
        #expect(directory.text("a.json").contains("ann@") == false)
        let again = #"{"users": [{"email": "bea@example.com"}]}"#
        #expect(try await directory.record("GET", "/a", .json(again)).kind == .unchanged)
        #expect(directory.snapshot() == before)
    }

    @Test func `origins that stand in the text or in a location are rewritten when it is served`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory, origins: ["https://api.example.com", "https://images.example.com"])
        try await session.record("GET", "/a", .json(#"{"image": "https:\/\/images.example.com\/a.png"}"#))
        try await session.record("GET", "/b", .status(302, UpstreamField("Location", "https://api.example.com/a")))
        let text = try JSONParser.parse(directory.bytes("a.stub.json"))
        #expect(text["response"]?["rewriteOrigins"]?.array?.map(\.string) == ["https://images.example.com"])
        let redirect = try JSONParser.parse(directory.bytes("b.stub.json"))
        #expect(redirect["response"]?["rewriteOrigins"]?.array?.map(\.string) == ["https://api.example.com"])
        #expect(redirect["response"]?["bodyFile"] == nil)
    }

    @Test func `two recordings into one directory at a time are refused`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        #expect(
            throws: RecordingError(
                "another mockapi records into \(directory.path); end it, or record into a directory of its own")
        ) {
            try Session(directory)
        }
        withExtendedLifetime(session) {}
    }

    @Test func `fixtures with errors are not recorded into`() throws {
        let directory = try TemporaryDirectory(["a.stub.json": "{\"respons\": {}}"])
        let error = #expect(throws: RecordingError.self) { try Session(directory) }
        #expect(
            error?.description.hasPrefix(
                "the fixtures in \(directory.path) have errors, which come first: a.stub.json:1:") == true)
    }

    @Test func `a secret that is learnt later is taken out of what was written before`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let value = "kR7" + "tQ2mZ9" + "pLw4"
        try await session.record("GET", "/a", .json("{\"code\": \"\(value)\", \"n\": 1}"))
        #expect(directory.text("a.json").contains(value))
        let bearer = UpstreamField("Authorization", "Bearer \(value)")
        try await session.record("GET", "/b", fields: [bearer], .json("{}"))
        let outcomes = await session.recorder.finish()
        #expect(outcomes.map(\.files) == [["a.json"]])
        #expect(directory.text("a.json") == #"{"code": "redacted.header.Authorization", "n": 1}"#)
    }

    @Test func `requests that differ in their credentials are called so`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        let bearer = UpstreamField("Authorization", "Bearer kR7tQ2mZ9pLw4")
        let first = try await session.record("GET", "/a", .status(401))
        let second = try await session.record("GET", "/a", fields: [bearer], .json("{}"))
        #expect(first.files == ["a.stub.json"])
        #expect(second.files == ["a.authorized.stub.json", "a.authorized.json"])
    }

    private func key(_ directory: TemporaryDirectory, _ path: String) throws -> String {
        try #require(try JSONParser.parse(directory.bytes(path))["recorded"]?["key"]?.string)
    }
}
