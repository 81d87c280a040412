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
