// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct FailureTests {
    /// What a request to a server that answers with a text ends with.
    private func failure(
        after text: String, _ configuration: UpstreamConfiguration = UpstreamConfiguration()
    ) async throws -> UpstreamError? {
        let server = try RawServer()
        async let answered = try? server.answer(text)
        let error = await UpstreamTests.failure {
            _ = try await UpstreamClient(configuration).send(UpstreamRequest("GET", server.base))
        }
        _ = await answered
        return error
    }

    @Test func `a name without an address`() async throws {
        let error = await UpstreamTests.failure {
            _ = try await UpstreamClient().send(UpstreamRequest("GET", "http://nobody.invalid/"))
        }
        #expect(error?.kind == .resolve)
        #expect(error?.reason == nil)
        #expect(
            error?.description == "http://nobody.invalid/: Could not resolve host: nobody.invalid; "
                + "check the host's name, or say which address to connect to")
    }

    @Test func `a port that nobody listens on`() async throws {
        let port = try { try RawServer().port }()
        let error = await UpstreamTests.failure {
            _ = try await UpstreamClient().send(UpstreamRequest("GET", "http://127.0.0.1:\(port)/"))
        }
        #expect(error?.kind == .connect)
        #expect(error?.text.hasPrefix("Failed to connect to 127.0.0.1 port \(port)") == true)
        #expect(error?.text.hasSuffix("; check that the service runs and listens on this port") == true)
    }

    @Test func `a server that closes without a response`() async throws {
        let error = try await failure(after: "")
        #expect(error?.kind == .protocol)
        #expect(error?.reason == .connectionLost)
        #expect(error?.text == "Empty reply from server; the server closed without a response; look at its log")
    }

    @Test(arguments: [("GET", true), ("PUT", true), ("DELETE", true), ("POST", false), ("PATCH", false)])
    func `a request on a connection that the server closes is sent again if it may be carried out twice`(
        method: String, isSentAgain: Bool
    ) async throws {
        let server = try RawServer()
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n"
        async let methods = blocking {
            var methods: [String] = []
            do {
                let peer = try server.accept()
                _ = try peer.head()
                try peer.send(answer + "ok")
                methods += try peer.head().prefix(1)
            }
            let next = try server.accept()
            guard isSentAgain else { return methods + [String(decoding: try next.remainder(), as: UTF8.self)] }
            methods += try next.head().prefix(1)
            try next.send(answer + "42")
            return methods
        }
        let client = UpstreamClient()
        #expect(try await client.send(UpstreamRequest("GET", server.base)).text == "ok")
        if isSentAgain {
            #expect(try await client.send(UpstreamRequest(method, server.base)).text == "42")
        } else {
            let error = await UpstreamTests.failure { _ = try await client.send(UpstreamRequest(method, server.base)) }
            #expect(error?.kind == .protocol && error?.reason == .connectionLost)
            #expect(
                error?.text
                    == "the connection ended before a response came, and \(method) is not sent again, since it may "
                    + "have been carried out (RFC 9110 §9.2.2); look at what became of it")
        }
        let line = "\(method) / HTTP/1.1"
        #expect(try await methods == [line, isSentAgain ? line : ""])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nX-A: 1\r\n", "HTTP/1.1 204 No Content\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n",
    ])
    func `a head that is cut before its end`(text: String) async throws {
        let error = try await failure(after: text)
        #expect(error?.kind == .protocol)
        #expect(error?.reason == .connectionLost)
        #expect(error?.text == "the response's head was cut before its end; send the request again")
    }

    @Test(arguments: ["Content-Length: 2\r\nContent-Length: 3", "Content-Length: 2, 3"])
    func `two lengths that differ`(lines: String) async throws {
        let error = try await failure(after: "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\nabc")
        #expect(error?.kind == .protocol)
        #expect(error?.text.isEmpty == false)
    }

    @Test func `the same length twice is one`() async throws {
        let server = try RawServer()
        async let answered = server.answer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 03\r\n\r\nabc")
        let response = try await UpstreamClient().send(UpstreamRequest("GET", server.base))
        _ = try await answered
        #expect(response.body == Array("abc".utf8))
    }

    @Test func `a server that does not speak HTTP`() async throws {
        let error = try await failure(after: "220 mail.example.com ESMTP\r\n")
        #expect(error?.kind == .protocol)
        #expect(
            error?.text == "Received HTTP/0.9 when not allowed; check that the server speaks this version of HTTP")
    }

    @Test func `fields beyond the limit`() async throws {
        var configuration = UpstreamConfiguration()
        configuration.maxHead = 1000
        let long = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 990))\r\n\r\n"
        let error = try await failure(after: long, configuration)
        #expect(error?.kind == .tooLarge)
        #expect(error?.text == "the response's fields are more than 1000 bytes; raise maxHead")
    }

    @Test func `a line beyond what libcurl takes`() async throws {
        let long = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 110_000))\r\n\r\n"
        let error = try await failure(after: long)
        #expect(error?.kind == .tooLarge)
    }

    @Test func `content beyond the limit, said before or not`() async throws {
        var configuration = UpstreamConfiguration()
        configuration.maxBody = 4
        for framing in ["Content-Length: 5\r\n", ""] {
            let error = try await failure(after: "HTTP/1.1 200 OK\r\n\(framing)\r\nabcde", configuration)
            #expect(error?.kind == .tooLarge)
            #expect(
                error?.text
                    == "the response's content is 5 bytes or more, the limit 4; raise maxBody or stream it")
        }
    }
}
