// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ResponseTests {
    private let client = UpstreamClient()

    private func response(_ text: String, to method: String = "GET") async throws -> UpstreamResponse {
        let server = try RawServer()
        async let head = server.answer(text)
        let response = try await client.send(UpstreamRequest(method, server.base))
        _ = try await head
        return response
    }

    @Test func `fields come in their order, repeats and spelling kept`() async throws {
        let response = try await response(
            "HTTP/1.1 299 Quite Fine\r\nset-cookie: a=1\r\nX-Empty:\r\nSet-Cookie:\tb=2 \t\r\n"
                + "X-Fold: one\r\n  two\r\nContent-Length: 0\r\n\r\n")
        #expect(response.head.version == .http11)
        #expect(response.status == 299)
        #expect(response.head.reason == "Quite Fine")
        #expect(
            response.head.fields.map(\.description)
                == ["set-cookie: a=1", "X-Empty: ", "Set-Cookie: b=2", "X-Fold: one two", "Content-Length: 0"])
        #expect(response.interim.isEmpty)
        #expect(response.trailers.isEmpty)
    }

    @Test func `a value that is not UTF-8 comes byte for byte`() async throws {
        let server = try RawServer()
        async let _ = try blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send(latin1("HTTP/1.1 204 \r\nX: \u{E9} \u{FF}\r\n\r\n"))
        }
        let response = try await client.send(UpstreamRequest("GET", server.base))
        #expect(response.head.fields.map(\.bytes) == [[0xE9, 0x20, 0xFF]])
        #expect(response.head.reason == "")
    }

    @Test func `content is not decoded, and no redirect followed`() async throws {
        let coded = try await response(
            "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip")
        #expect(coded.text == "not gzip")
        let moved = try await response(
            "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 5\r\n\r\nthere")
        #expect(moved.status == 302)
        #expect(moved.text == "there")
    }

    @Test func `interim responses are kept apart`() async throws {
        let response = try await response(
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(response.interim.map(\.status) == [103, 102])
        #expect(response.interim.first?.fields == [UpstreamField("Link", "</a>")])
        #expect(response.head.fields.map(\.name) == ["Content-Length"])
        #expect(response.text == "ok")
    }

    @Test func `trailers are kept apart from fields`() async throws {
        let response = try await response(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n"
                + "X-Sum: 1\r\nx-sum: 2\r\n\r\n")
        #expect(response.text == "abcde")
        #expect(response.head.fields.map(\.description) == ["Transfer-Encoding: chunked"])
        #expect(response.trailers.map(\.description) == ["X-Sum: 1", "x-sum: 2"])
    }

    @Test func `content may end with the connection`() async throws {
        let response = try await response("HTTP/1.0 200 OK\r\n\r\nto the end")
        #expect(response.head.version == .http10)
        #expect(response.text == "to the end")
    }

    @Test func `a response that has no content by its status ends with its head`() async throws {
        let response = try await response("HTTP/1.1 304 Not Modified\r\nContent-Length: 999999999\r\n\r\n")
        #expect(response.status == 304)
        #expect(response.body.isEmpty)
    }

    @Test func `a switch of protocols that nothing of HTTP follows is the response`() async throws {
        let response = try await response("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\nbytes of x")
        #expect(response.status == 101)
        #expect(response.interim.isEmpty)
        #expect(response.text == "bytes of x")
    }

    @Test func `a response names the address and whether a connection was made`() async throws {
        let server = try RawServer()
        async let _ = try blocking {
            let peer = try server.accept()
            for _ in 0..<2 {
                _ = try peer.head()
                try peer.send("HTTP/1.1 204 No Content\r\n\r\n")
            }
        }
        let first = try await client.send(UpstreamRequest("GET", server.base))
        let second = try await client.send(UpstreamRequest("GET", server.base))
        #expect(first.info.address == "127.0.0.1")
        #expect(first.info.port == server.port)
        #expect(first.info.newConnections == 1)
        #expect(first.info.duration > .zero)
        #expect(second.info.newConnections == 0)
    }
}
