// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct TimeoutTests {
    /// What a request to a server that sends a text and no more ends with.
    private func timeout(
        _ timeouts: UpstreamTimeouts, scheme: String = "http", after text: String = ""
    ) async throws -> UpstreamError? {
        let server = try RawServer()
        async let ended: Void = blocking {
            let peer = try server.accept()
            // On a busy machine the client may be gone before it has sent its request.
            if !text.isEmpty, (try? peer.head()) != nil { try? peer.send(text) }
            _ = try? peer.remainder()
        }
        let request = UpstreamRequest("GET", "\(scheme)://127.0.0.1:\(server.port)/", timeouts: timeouts)
        let error = await failure { _ = try await UpstreamClient().send(request) }
        try await ended
        return error
    }

    @Test func `a connection that does not come about in time ends the request`() async throws {
        let error = try await timeout(UpstreamTimeouts(connect: .milliseconds(50)), scheme: "https")
        #expect(error?.kind == .timeout(.connect))
        #expect(error?.text.hasSuffix("; check the address, or allow more time for the connection") == true)
    }

    @Test func `a response that is not whole in time ends the request`() async throws {
        let timeouts = UpstreamTimeouts(whole: .milliseconds(50))
        for text in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"] {
            let error = try await timeout(timeouts, after: text)
            #expect(error?.kind == .timeout(.whole))
            #expect(error?.text.hasSuffix("; allow more time for the whole request") == true)
        }
    }

    @Test func `a response of which nothing comes for too long ends the request`() async throws {
        let timeouts = UpstreamTimeouts(idle: .milliseconds(50))
        for text in ["", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"] {
            let error = try await timeout(timeouts, after: text)
            #expect(error?.kind == .timeout(.idle))
            #expect(error?.text == "no byte was received or sent for 0.05 seconds; allow more time without a byte")
        }
    }

    @Test func `the time in which the stream's consumer is waited for is not idle`() async throws {
        let server = try RawServer()
        let content = [UInt8](repeating: 5, count: 16 * 1024 * 1024)
        let (held, tell) = AsyncStream<Int>.makeStream()
        let served = Background {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\r\n")
            // Held up for longer than the time-out.
            let sent = try peer.sendUntilHeldUp(content, microseconds: 4_000_000)
            tell.yield(sent)
            try peer.send(Array(content[sent...]))
        }
        let request = UpstreamRequest("GET", server.base, timeouts: UpstreamTimeouts(idle: .seconds(3)))
        let stream = try await UpstreamClient().stream(request)
        for await _ in held.prefix(1) {}
        #expect(try await stream.body.reduce(0) { $0 + $1.count } == content.count)
        try await served.value
    }
}
