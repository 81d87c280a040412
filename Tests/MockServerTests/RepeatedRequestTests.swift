// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Requests that are the same byte for byte may be answered from memory; nobody must be able to tell.
@Suite(.supervised) struct RepeatedRequestTests {
    @Test func `the same request is matched again where its stub has come to its end or the fixtures changed`()
        async throws
    {
        let sequence =
            #"{"name": "s", "request": {"urlPath": "/a"}, "responses": [{"body": "1"}, {"body": "2"}], "afterLast": "unmatched"}"#
        try await TestServer.serving(["a.stub.json": sequence, "z.stub.json": #"{"response": {"body": "rest"}}"#]) {
            server throws in
            let client = try server.connect()
            var texts: [String] = []
            for _ in 0..<5 { texts.append(try client.request("GET", "/a").text) }
            #expect(texts == ["1", "2", "rest", "rest", "rest"])
            try server.directory.write("z.stub.json", #"{"response": {"body": "new"}}"#)
            try server.reload()
            #expect(try client.request("GET", "/a").text == "new")
            #expect(try client.request("GET", "/a").text == "new")
            #expect(server.journal.entries.count == 7)
        }
    }

    @Test func `requests that differ in one byte get their own responses, again and again`() async throws {
        let stubs = """
            {"stubs": [
              {"request": {"urlPath": "/a", "headers": {"X": {"equalTo": "1"}}}, "response": {"body": "one"}},
              {"request": {"urlPath": "/a", "headers": {"X": {"equalTo": "2"}}}, "response": {"body": "two"}},
              {"request": {"urlPath": "/a", "method": "POST", "bodyPatterns": [{"equalTo": "b"}]}, "response": {"body": "posted"}}
            ]}
            """
        try await TestServer.serving(stub: stubs) { server throws in
            let plain = try server.connect()
            let client = try FrameClient(port: server.port)
            for _ in 0..<3 {
                #expect(try plain.request("GET", "/a", ["X: 1"]).text == "one")
                #expect(try plain.request("GET", "/a", ["X: 2"]).text == "two")
                #expect(try plain.request("GET", "/a", ["X: 3"]).status == 404)
                #expect(try plain.request("HEAD", "/a", ["X: 1"]).body.isEmpty)
                #expect(try plain.request("POST", "/a", body: "b").text == "posted")
                #expect(try plain.request("POST", "/a", body: "c").status == 404)
                #expect(try client.get("/a", [("x", "1")]).text == "one")
                #expect(try client.get("/a", [("x", "2")]).text == "two")
            }
        }
    }
}
