// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import HTTPTypes
import MockServer
import TestSupport
import Testing
import WireSupport

@Suite(.supervised) struct RefusalTests {
    @Test(arguments: [
        ("HEAD /x HTTP/1.1\r\nHost: a\r\nbad\r\n\r\n", "HEAD", "/x"),
        ("HEAD /x HTTP/1.1\r\nHos", "HEAD", "/x"),
        ("GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", "GET", "/x"),
        ("HEAD /x HTTP/9.9\r\n\r\n", "GET", ""),
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
        #expect(server.journal.entries.count == 2 && entry.answer == .refused)
        #expect(entry.request.method.rawValue == method && entry.request.path == path)
        await server.stop()
    }
}
