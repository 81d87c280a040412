// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Which requests are the same one.
@Suite(.supervised) struct RequestKeyTests {
    private static let json = UpstreamField("Content-Type", "application/json")

    @Test func `the order of members and of parameters makes no other request`() async throws {
        let directory = try TemporaryDirectory()
        let session = try Session(directory)
        try await session.record(
            "POST", "/a?x=1&y=2", fields: [Self.json], body: #"{"a": 1, "b": {"c": [1, 2], "d": 2}}"#, .json("1"))
        let again = try await session.record(
            "POST", "/a?y=2&x=1", fields: [Self.json], body: #"{"b": {"d": 2, "c": [1, 2]}, "a": 1}"#, .json("1"))
        #expect(again.kind == .unchanged)
        let other = try await session.record(
            "POST", "/a?y=2&x=1", fields: [Self.json], body: #"{"b": {"d": 2, "c": [2, 1]}, "a": 1}"#, .json("1"))
        #expect(other.kind == .new)
    }

    @Test func `the case of header names makes no other request`() async throws {
        let directory = try TemporaryDirectory()
        let answer = Answer.json("1", UpstreamField("Vary", "Accept-Language"))
        try await directory.inSession { session in
            let fields = [
                UpstreamField("Accept-Language", "de"), UpstreamField("Authorization", "Bearer abcdefgh12345678"),
            ]
            _ = try await session.record("GET", "/a", fields: fields, answer)
        }
        let session = try Session(directory)
        let fields = [
            UpstreamField("authorization", "Bearer abcdefgh12345678"), UpstreamField("accept-language", "de"),
        ]
        #expect(try await session.record("GET", "/a", fields: fields, answer).kind == .unchanged)
    }

    @Test func `a media type in another spelling makes no other request, and changes no file`() async throws {
        let directory = try TemporaryDirectory()
        func type(_ text: String) -> [UpstreamField] { [UpstreamField("Content-Type", text)] }
        try await directory.inSession { session in
            _ = try await session.record(
                "POST", "/a", fields: type("application/json; charset=utf-8"), body: "{}", .json("1"))
        }
        let written = directory.snapshot()
        for spelling in ["application/json;charset=UTF-8", "Application/JSON; charset=\"utf-8\""] {
            try await directory.inSession { session in
                let again = try await session.record("POST", "/a", fields: type(spelling), body: "{}", .json("1"))
                #expect(again.kind == .unchanged)
            }
            #expect(directory.snapshot() == written)
        }
        let session = try Session(directory)
        let other = try await session.record("POST", "/a", fields: type("text/plain"), body: "{}", .json("2"))
        #expect(other.kind == .new)
    }

    @Test func `the line beside a recording is as it came, and a value that is not UTF-8 stays`() async throws {
        let directory = try TemporaryDirectory()
        let latin = UpstreamField("Content-Type", bytes: Array("text/plain; name=\"caf".utf8) + [0xE9, 0x22])
        try await directory.inSession { session in
            _ = try await session.record(
                "POST", "/a", fields: [UpstreamField("Content-Type", "Text/Plain;charset=UTF-8")], body: "a", .json("1")
            )
            _ = try await session.record("POST", "/b", fields: [latin], body: "a", .json("2"))
        }
        #expect(directory.text("a.POST.stub.json").contains("\"Content-Type: Text/Plain;charset=UTF-8\""))
        #expect(directory.text("a.POST.stub.json").contains("\"text/plain; charset=utf-8\""))
        try await directory.inSession { session in
            let again = try await session.record("POST", "/b", fields: [latin], body: "a", .json("2"))
            #expect(again.kind == .unchanged)
        }
    }

    @Test func `a stub of an earlier version keeps the spelling that it has, and its key`() async throws {
        let directory = try TemporaryDirectory()
        // As it was written when each spelling was a type of its own.
        let stub = """
            {
              "request": {
                "method": "POST",
                "urlPath": "/x",
                "otherQueryParameters": "refuse",
                "headers": { "Content-Type": { "equalTo": "application/json;charset=UTF-8" } },
                "bodyPatterns": [{ "equalToJson": { "a": 1 } }]
              },
              "response": {
                "status": 200,
                "headers": ["Content-Type: application/json"],
                "bodyFile": "x.POST.json"
              },
              "recorded": {
                "from": "http://127.0.0.1:41487",
                "request": "POST /x",
                "headers": ["Content-Type: application/json;charset=UTF-8"],
                "key": "401ab581725378a2",
                "at": "2026-11-27T08:35:10.938Z",
                "protocol": "http/1.1"
              }
            }

            """
        try directory.write("x.POST.json", #"{"ok":"json"}"#)
        try directory.write("x.POST.stub.json", stub)
        func record(_ type: String, _ content: String) async throws -> RecordingOutcome {
            try await directory.inSession { session in
                try await session.record(
                    "POST", "/x", fields: [UpstreamField("Content-Type", type)], body: #"{"a":1}"#,
                    origin: "http://127.0.0.1:41487", .json(content))
            }
        }
        // Another request of the directory has the other spelling.
        try await directory.inSession { session in
            _ = try await session.record(
                "POST", "/y", fields: [UpstreamField("Content-Type", "application/json; charset=utf-8")], body: "{}",
                origin: "http://127.0.0.1:41487", .json("1"))
        }
        for spelling in ["application/json;charset=UTF-8", "application/json; charset=utf-8"] {
            #expect(try await record(spelling, #"{"ok":"json"}"#).kind == .unchanged)
        }
        #expect(directory.text("x.POST.stub.json") == stub)
        #expect(try await record("application/json; charset=utf-8", "2").kind == .changed)
        #expect(directory.snapshot().keys.filter { $0.hasPrefix("x.") }.count == 2)
    }

    @Test func `a stub whose request was written in another order by hand is no widened one`() async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a?x=1&y=2", .json("1"))
        let stub = "a.x-1.y-2.stub.json"
        let text = directory.text(stub)
        let edited = text.replacing("\"method\": \"GET\",\n", with: "").replacing(
            "\"otherQueryParameters\": \"refuse\"", with: "\"otherQueryParameters\": \"refuse\", \"method\": \"GET\"")
        #expect(edited != text)
        try directory.write(stub, edited)
        let outcome = try await directory.record("GET", "/a?y=2&x=1", .json("2"))
        #expect(outcome.kind == .changed)
        #expect(outcome.files.first == stub)
    }
}
