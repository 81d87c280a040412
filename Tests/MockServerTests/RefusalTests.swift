// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct RefusalTests {
    @Test(arguments: [
        ("HEAD /x HTTP/1.1\r\nHost: a\r\nbad\r\n\r\n", "HEAD", "/x"),
        ("HEAD /x HTTP/1.1\r\nHos", "HEAD", "/x"),
        ("GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET", "/x"),
        ("HEAD /x HTTP/9.9\r\n\r\n", "HEAD", "/x"),
        ("POST /a#b HTTP/1.1\r\n\r\n", "POST", "/a#b"),
        ("PUT /x\r\n\r\n", "PUT", "/x"),
        ("\r\nDELETE /x y HTTP/1.1\r\n\r\n", "DELETE", "/x"),
        ("(nothing) of this\r\n\r\n", "GET", ""),
    ])
    func `what was read of a refused message is in the journal`(text: String, method: String, path: String) async throws
    {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try await MockServer.start(fixtures: directory.path)
        let client = try WireClient(port: try #require(server.baseURL.port))
        #expect(try client.request("GET", "/a.txt").text == "a")
        try client.send(text)
        client.finishSending()
        #expect(String(decoding: try client.remainder(), as: UTF8.self).contains("Connection: close"))
        let entry = try #require(server.journal.entries.last)
        #expect(server.journal.entries.count == 2 && entry.outcome == .refused)
        #expect(entry.request.method.rawValue == method && entry.request.path == path)
        await server.stop()
    }

    @Test func `a request beyond a limit is told the limit and the option that sets it`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        let server = try await MockServer.start(fixtures: directory.path)
        let port = try #require(server.baseURL.port)
        let head = try WireClient(port: port).request("GET", "/a.txt", ["X: " + String(repeating: "a", count: 70_000)])
        #expect(head.status == 431)
        #expect(head.text == "the head of the request is longer than 65536 bytes (maxHead)\n")
        let body = try WireClient(port: port)
        try body.send("POST /a.txt HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999\r\n\r\n")
        let answer = String(decoding: try body.remainder(), as: UTF8.self)
        #expect(answer.hasSuffix("the content of the request is longer than 16777216 bytes (maxBody)\n"))
        #expect(server.journal.entries.map(\.outcome) == [.refused, .refused])
        await server.stop()
    }

    @Test func `a client that speaks TLS where there is none is told so`() async throws {
        let directory = try TemporaryDirectory(["a.txt": "a"])
        var configuration = MockServer.Configuration()
        configuration.tls = nil
        let server = try await MockServer.start(fixtures: directory.path, configuration: configuration)
        let port = try #require(server.baseURL.port)
        // The beginning of a ClientHello, at once and with a line feed in it.
        for rest in [[UInt8](repeating: 1, count: 8), [3, 1, 10, 13, 10, 1]] {
            let client = try WireClient(port: port)
            try client.send([0x16, 3, 1] + rest)
            client.finishSending()
            #expect(
                String(decoding: try client.remainder(), as: UTF8.self).hasSuffix(
                    "the client speaks TLS, and this port does not: ask by http://\n"))
        }
        await server.stop()
    }
}
