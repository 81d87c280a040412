// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Recordings beside fixtures that were written by hand, and answers that differ in lines of the moment.
@Suite(.supervised) struct ForeignFixturesTests {
    @Test func `a recording of what a stub by hand, or a plain file, answers is told`() async throws {
        let directory = try TemporaryDirectory([
            "hand.stub.json": #"{"request": {"urlPath": "/a"}, "response": {"status": 503}}"#, "b.json": "1",
        ])
        let stub =
            "hand.stub.json answers this request, too: of two stubs the one of the lower priority, then of more conditions, goes first"
        #expect(try await directory.record("GET", "/a", .json("1")).notes == [stub])
        let file = "b.json is served by its name, too: a stub goes before it"
        #expect(try await directory.record("GET", "/b.json", .json("2")).notes == [file])
        #expect(try await directory.record("GET", "/c", .json("3")).notes == [])
        // Once is enough.
        #expect(try await directory.record("GET", "/a", .json("1")).notes == [])
    }

    @Test(arguments: ["openai-processing-ms", "X-Db-Latency", "X-Elapsed-Ms", "X-Upstream-Service-Time"])
    func `how long a service has worked is not a change`(name: String) async throws {
        let directory = try TemporaryDirectory()
        try await directory.record("GET", "/a", .json("1", UpstreamField(name, "12")))
        let again = try await directory.record("GET", "/a", .json("1", UpstreamField(name, "345")))
        #expect(again.kind == .unchanged, "\(again)")
        #expect(directory.text("a.stub.json").contains("\(name): 12"))
    }
}
