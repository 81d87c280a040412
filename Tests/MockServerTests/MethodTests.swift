// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct MethodTests {
    private let files: KeyValuePairs = [
        "x.stub.json": #"""
        {"stubs": [
          {"request": {"method": "GET", "urlPath": "/a"}, "response": {"body": "a"}},
          {"request": {"method": "PATCH", "urlPath": "/a"}, "response": {"body": "a"}},
          {"request": {"method": "OPTIONS", "urlPath": "/own"}, "response": {"headers": ["X-Own: 1"]}},
          {"request": {"method": "TRACE", "urlPath": "/trace"}, "response": {"body": "traced"}},
          {"request": {"method": "M-SEARCH", "urlPath": "/token"}, "response": {"body": "found"}}]}
        """#,
        "file.txt": "file",
    ]

    @Test func `a known path under another method is 405 with what it allows`() async throws {
        try await TestServer.serving(files) { server throws in
            for (target, allow) in [("/a", "GET, HEAD, OPTIONS, PATCH"), ("/file.txt", "GET, HEAD, OPTIONS")] {
                let answer = try server.request("PUT", target)
                #expect(answer.status == 405)
                #expect(answer["Allow"] == allow)
            }
            // Method names are case-sensitive (RFC 9110 §9.1).
            #expect(try server.request("get", "/a").status == 405)
        }
    }

    @Test func `OPTIONS tells the methods of a path, of the server, or what a stub says`() async throws {
        try await TestServer.serving(files) { server throws in
            let path = try server.request("OPTIONS", "/a")
            #expect(path.status == 204)
            #expect(path["Allow"] == "GET, HEAD, OPTIONS, PATCH")
            let all = try server.request("OPTIONS", "*")
            #expect(all.status == 204)
            #expect(all["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
            let own = try server.request("OPTIONS", "/own")
            #expect(own.status == 200)
            #expect(own["X-Own"] == "1")
            #expect(try server.request("OPTIONS", "/none").status == 404)
        }
    }

    @Test func `CONNECT and TRACE are not implemented, any other token can have a stub`() async throws {
        try await TestServer.serving(files) { server throws in
            let connect = try server.request("CONNECT", "example.com:443")
            #expect(connect.status == 501)
            #expect(connect.text == "CONNECT asks for a tunnel, and this server makes none\n")
            // Over HTTP/2 its stream stays open for the tunnel (RFC 9113 §8.5).
            let client = try FrameClient(port: server.port)
            try client.send(.headers(stream: 1, [(":method", "CONNECT"), (":authority", "a:1")], endsStream: false))
            let tunnel = try client.response(stream: 1)
            #expect(tunnel.status == 501 && tunnel.text == connect.text)
            let trace = try server.request("TRACE", "/none")
            #expect(trace.status == 501)
            #expect(trace.text == "TRACE is not implemented\n")
            #expect(try server.request("TRACE", "/trace").text == "traced")
            #expect(try server.request("M-SEARCH", "/token").text == "found")
        }
    }

    @Test func `a message that breaks the protocol is refused and in the journal`() async throws {
        try await TestServer.serving(files) { server throws in
            let client = try server.connect()
            try client.send("GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
            let answer = try client.response()
            #expect(answer.status == 400)
            #expect(answer["Connection"] == "close")
            #expect(server.journal.entries.map(\.outcome) == [.refused])
            #expect(server.journal.unmatched.isEmpty)
        }
    }

    @Test func `a request that breaks HTTP/2 is answered, and in the journal as a dropped connection is`() async throws
    {
        try await TestServer.serving(files) { server throws in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/a", [("authorization", "Bearer s3cret ")]))
            let answer = try client.response(stream: 1)
            let words = "the value of authorization has white space behind it, which HTTP/2 does not allow"
            #expect(answer.status == 400 && answer.text == words + "\n")
            try client.send(.data(stream: 0, [1]))
            while try client.next() != nil {}
            let entries = server.journal.entries
            #expect(entries.map(\.outcome) == [.refused, .refused])
            #expect(entries.first?.request.path == "/a" && entries.first?.status == 400)
            #expect(entries.last?.status == 0)
            #expect(server.journal.unmatched.isEmpty)
        }
    }
}
