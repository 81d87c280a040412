// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct TrailerTests {
    private let stub = #"""
        {"stubs": [
          {"request": {"urlPath": "/a"},
           "response": {"headers": ["ETag: \"v1\""], "body": "hello", "trailers": ["X-Sum: 1", "X-End: 2"]}},
          {"request": {"urlPath": "/none"}, "response": {"status": 204, "trailers": ["X-Sum: 1"]}}]}
        """#

    @Test func `trailers go to a client that says it takes them`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            let answer = try client.request("GET", "/a", ["TE: trailers"])
            #expect(answer["Transfer-Encoding"] == "chunked")
            #expect(answer["Content-Length"] == nil)
            #expect(answer["Trailer"] == "X-Sum, X-End")
            #expect(answer.text == "hello")
            #expect(answer.trailers.map { "\($0.name): \($0.value)" } == ["X-Sum: 1", "X-End: 2"])
            for fields in [[], ["TE: gzip"], ["TE: trailers;q=0"]] {
                let plain = try client.request("GET", "/a", fields)
                #expect(plain["Content-Length"] == "5")
                #expect(plain["Trailer"] == nil)
                #expect(plain.text == "hello")
            }
            let part = try client.request("GET", "/a", ["TE: trailers", "Range: bytes=0-1"])
            #expect(part.text == "he")
            #expect(part["Content-Length"] == "2")
        }
    }

    @Test func `a response without content has none, and the connection stays in step`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            let none = try client.request("GET", "/none", ["TE: trailers"])
            #expect(none.fields.map(\.name) == ["Date"])
            #expect(try client.request("HEAD", "/a", ["TE: trailers"]).status == 200)
            #expect(try client.request("GET", "/a", ["TE: trailers", #"If-None-Match: "v1""#]).status == 304)
            #expect(try client.request("GET", "/a").text == "hello")
        }
    }

    @Test func `HTTP 1.0 has no trailers`() async throws {
        try await TestServer.serving(stub: stub) { server throws in
            let client = try server.connect()
            try client.send("GET /a HTTP/1.0\r\nTE: trailers\r\n\r\n")
            let answer = try client.response()
            #expect(answer["Content-Length"] == "5")
            #expect(answer.text == "hello")
        }
    }
}
