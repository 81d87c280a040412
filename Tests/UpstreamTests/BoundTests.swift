// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockServer
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Responses at their limits and beyond, and requests that are sent again.
@Suite(.supervised) struct BoundTests {
    /// What a request to a server of one response ends with.
    private func result(
        of text: String, method: String = "GET", _ change: (inout UpstreamConfiguration) -> Void
    ) async throws -> String {
        var configuration = UpstreamConfiguration()
        change(&configuration)
        let server = try RawServer()
        async let answered = try? server.answer(text)
        let client = UpstreamClient(configuration)
        defer { withExtendedLifetime(client) {} }
        let result: String
        do throws(UpstreamError) {
            result = try await client.send(UpstreamRequest(method, server.base)).text
        } catch {
            result = "\(error.kind)"
        }
        _ = await answered
        return result
    }

    @Test func `a head and a content of the limit pass`() async throws {
        let line = "HTTP/1.1 200 OK\r\n"
        for framing in ["Content-Length: 5\r\n", ""] {
            let text = line + framing + "\r\nabcde"
            #expect(try await result(of: text) { $0.maxBody = 5 } == "abcde")
            #expect(try await result(of: text) { $0.maxBody = 4 } == "tooLarge")
            let head = text.utf8.count - 5
            #expect(try await result(of: text) { $0.maxHead = head } == "abcde")
            #expect(try await result(of: text) { $0.maxHead = head - 1 } == "tooLarge")
        }
        // A length that says nothing of content to come.
        let long = line + "Content-Length: 999\r\n\r\n"
        #expect(try await result(of: long, method: "HEAD") { $0.maxBody = 4 } == "")
        let unmodified = "HTTP/1.1 304 Not Modified\r\nContent-Length: 999\r\n\r\n"
        #expect(try await result(of: unmodified) { $0.maxBody = 4 } == "")
        #expect(try await result(of: line + "Content-Length: -1\r\n\r\n") { $0.maxBody = 4 } != "tooLarge")
    }

    /// libcurl reports no byte of a chunk's extension, so that nothing else bounds it.
    @Test(arguments: [(1_040_000, false), (1_060_000, true)])
    func `bytes that belong to no response are taken up to their limit`(count: Int, isTooMuch: Bool) async throws {
        let server = try RawServer()
        let hasHead = DispatchSemaphore(value: 0)
        async let sent: Void = blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            hasHead.wait()
            // A client that has had enough closes the connection.
            try? peer.send(Array("2;".utf8) + [UInt8](repeating: 120, count: count))
            if isTooMuch { _ = try? peer.remainder() } else { try peer.send("\r\nok\r\n0\r\n\r\n") }
        }
        let stream: UpstreamStream
        do {
            defer { hasHead.signal() }
            stream = try await UpstreamClient().stream(UpstreamRequest("GET", server.base))
        }
        do throws(UpstreamError) {
            let chunk = try await stream.body.next()
            #expect(chunk == Array("ok".utf8) && !isTooMuch)
        } catch {
            #expect(isTooMuch && error.kind == .tooLarge, "\(error)")
            #expect(error.text == "more than 1048576 bytes in a row belong to no response; mend the server")
        }
        try await sent
    }

    @Test(arguments: [("GET", true), ("PUT", true), ("POST", false)])
    func `a request that GOAWAY gave up is sent again once if it may be carried out twice`(
        method: String, isSentAgain: Bool
    ) async throws {
        for gives in [1, 2] {
            let stub = RequestMatch.any("/a").respond(
                inTurn: Array(repeating: MockResponse(fault: .goAway(afterThisStream: false)), count: gives)
                    + [MockResponse(body: "again")])
            let server = try await MockServer.start(stubs: [stub])
            let client = UpstreamClient()
            var request = UpstreamRequest(method, "\(server.baseURL)/a", version: .h2c)
            if method != "GET" { request.body = .bytes([1, 2, 3]) }
            do throws(UpstreamError) {
                let response = try await client.send(request)
                #expect(response.text == "again" && isSentAgain && gives == 1)
                #expect(server.journal.entries.last?.body == (method == "GET" ? [] : [1, 2, 3]))
            } catch {
                #expect(!isSentAgain || gives == 2, "\(error)")
                #expect(error.kind == .protocol)
            }
            #expect(server.journal.entries.count == (isSentAgain ? 2 : 1))
            await server.stop()
        }
    }

    @Test func `the time in which the source of the content is waited for is not idle`() async throws {
        let server = try RawServer()
        async let content = blocking {
            let peer = try server.accept()
            _ = try peer.head()
            let content = try peer.read(2)
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            return content
        }
        let client = UpstreamClient()
        let timeouts = UpstreamTimeouts(idle: .milliseconds(100))
        let silent = try RawServer()
        let turn = Counter()
        let body = UpstreamRequestBody.chunks(length: 2) {
            // The same time-out ends a request that begins while this one waits.
            if await turn.next() == 1 {
                let later = UpstreamRequest("GET", silent.base, timeouts: timeouts)
                #expect(await failure { _ = try await client.send(later) }?.kind == .timeout(.idle))
            }
            return [7]
        }
        let request = UpstreamRequest("PUT", server.base, body: body, timeouts: timeouts)
        #expect(try await client.send(request).text == "ok")
        #expect(try await content == [7, 7])
    }

    @Test func `a client that is let go of closes its connections`() async throws {
        let server = try RawServer()
        async let rest = blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 204 No Content\r\n\r\n")
            return try peer.remainder()
        }
        var configuration = UpstreamConfiguration()
        configuration.keepsIdle = .seconds(600)
        #expect(try await UpstreamClient(configuration).send(UpstreamRequest("GET", server.base)).status == 204)
        #expect(try await rest.isEmpty)
    }

    private actor Counter {
        private var count = -1

        func next() -> Int {
            count += 1
            return count
        }
    }
}
