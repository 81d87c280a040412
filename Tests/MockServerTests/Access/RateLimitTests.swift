// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockServer

/// Requests that come too often.
@Suite(.supervised) struct RateLimitTests {
    /// The lines of a response that tell of rates.
    private static func lines(_ answer: WireResponse) -> [String] {
        answer.fields.filter { $0.name.contains("RateLimit") || $0.name == "Retry-After" }
            .map { "\($0.name): \($0.value)" }
            // What is left of an hour is another number each time.
            .map { $0.replacing(/(t=|Reset: |After: )3[56]\d\d/, with: { "\($0.output.1)3600" }) }
    }

    @Test func `requests beyond a limit are answered 429 until they are reset`() async throws {
        let stub =
            #"{"rateLimit": {"requests": 2, "per": "1h"}, "responses": [{"body": "1"}, {"body": "2"}, {"body": "3"}]}"#
        try await TestServer.serving(stub: stub) { server throws in
            let first = try server.get("/")
            #expect(first.text == "1")
            #expect(
                Self.lines(first) == [
                    #"RateLimit-Policy: "default";q=2;w=3600"#, #"RateLimit: "default";r=1;t=3600"#,
                    "X-RateLimit-Limit: 2", "X-RateLimit-Remaining: 1", "X-RateLimit-Reset: 3600",
                ])
            #expect(try server.get("/").text == "2")
            for _ in 0..<2 {
                let refused = try server.get("/")
                #expect(refused.status == 429)
                #expect(
                    refused.text.hasPrefix(
                        "429: more than 2 requests of one client in 3600 s; the next is answered in 3"))
                #expect(
                    Self.lines(refused) == [
                        "Retry-After: 3600", #"RateLimit-Policy: "default";q=2;w=3600"#,
                        #"RateLimit: "default";r=0;t=3600"#, "X-RateLimit-Limit: 2", "X-RateLimit-Remaining: 0",
                        "X-RateLimit-Reset: 3600",
                    ])
            }
            #expect(try server.request("POST", "/__admin/reset").status == 200)
            #expect(try server.get("/").text == "1")
        }
    }

    @Test func `a window ends`() async throws {
        let stub = #"{"rateLimit": {"requests": 1, "per": "50ms", "by": "all"}, "response": {"body": "in"}}"#
        try await TestServer.serving(stub: stub) { server async throws in
            #expect(try server.get("/").text == "in")
            #expect(try await until({ try? server.get("/").status }, is: 200))
        }
    }

    @Test func `clients are told apart by a header line`() async throws {
        let stub = #"{"protects": "/", "rateLimit": {"requests": 1, "per": "1h", "by": "header:X-Api-Key"}}"#
        try await TestServer.serving(["guard.stub.json": stub, "a.txt": "a"]) { server throws in
            #expect(try server.get("/a.txt", "X-Api-Key: one").text == "a")
            #expect(try server.get("/a.txt", "x-api-key: two").text == "a")
            let refused = try server.get("/a.txt", "X-Api-Key: one")
            #expect(refused.status == 429)
            #expect(refused.text.hasPrefix("429: more than 1 request with one value of x-api-key in 3600 s; "))
            #expect(try server.get("/a.txt").text == "a")
            #expect(try server.get("/a.txt").status == 429)
        }
    }

    @Test func `the table of clients is bounded`() {
        var table = BoundedTable<Int>()
        for number in 0..<25_000 { table["\(number)"] = number }
        #expect(table.count <= 10_000 && table["24999"] == 24_999 && table["0"] == nil)
        table["24999"] = nil
        #expect(table["24999"] == nil)
    }
}
