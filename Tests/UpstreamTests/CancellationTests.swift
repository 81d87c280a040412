// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct CancellationTests {
    private let client = UpstreamClient()

    /// A server that reads a head, sends a text and tells when it has come that far.
    ///
    /// - Returns: when the client has closed.
    private func serve(_ server: RawServer, _ text: String, then tell: AsyncStream<Void>.Continuation) async throws {
        try await blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send(text)
            tell.yield()
            #expect(try peer.remainder().isEmpty)
        }
    }

    @Test func `a cancelled task ends its request and the connection`() async throws {
        let server = try RawServer()
        let (reached, tell) = AsyncStream<Void>.makeStream()
        async let closed: Void = serve(server, "", then: tell)
        let client = client
        let task = Task { try await client.send(UpstreamRequest("GET", server.base)) }
        for await _ in reached.prefix(1) {}
        task.cancel()
        let error = await failure { _ = try await task.value }
        #expect(error?.kind == .cancelled)
        #expect(error?.description == "\(server.base): the request was cancelled")
        try await closed
    }

    @Test func `a task that is cancelled before it begins sends nothing`() async throws {
        let client = client
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await client.send(UpstreamRequest("GET", "http://127.0.0.1:1/"))
        }
        #expect(await failure { _ = try await task.value }?.kind == .cancelled)
    }

    @Test func `a cancelled task ends the stream it reads and the connection`() async throws {
        let server = try RawServer()
        let (reached, tell) = AsyncStream<Void>.makeStream()
        async let closed: Void = serve(server, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", then: tell)
        let stream = try await client.stream(UpstreamRequest("GET", server.base))
        #expect(try await stream.body.next() == Array("abc".utf8))
        let task = Task { for try await _ in stream.body {} }
        task.cancel()
        #expect(await failure { try await task.value }?.kind == .cancelled)
        #expect(await failure { _ = try await stream.body.next() }?.kind == .cancelled)
        try await closed
        withExtendedLifetime(reached) {}
    }

    @Test func `a stream that is let go of ends its connection, with the client gone too`() async throws {
        let server = try RawServer()
        let (reached, tell) = AsyncStream<Void>.makeStream()
        async let closed: Void = serve(server, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", then: tell)
        do {
            let body = try await UpstreamClient().stream(UpstreamRequest("GET", server.base)).body
            #expect(try await body.next() == Array("abc".utf8))
        }
        try await closed
        withExtendedLifetime(reached) {}
    }

    @Test func `a name that is still looked up holds nobody up`() async throws {
        let client = client
        let server = try RawServer()
        let task = Task { try await client.send(UpstreamRequest("GET", "http://never.invalid/")) }
        task.cancel()
        async let _ = server.answer("HTTP/1.1 204 No Content\r\n\r\n")
        #expect(try await client.send(UpstreamRequest("GET", server.base)).status == 204)
        _ = await task.result
    }

    @Test func `requests that are cancelled leave the others of their connection alone`() async throws {
        try await HandlerServer.serving { _, _ in
            HandlerServer.response([UInt8](repeating: 1, count: 200_000))
        } _: { server async throws in
            let client = client
            let request = UpstreamRequest("GET", "http://127.0.0.1:\(server.port)/", version: .h2c)
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<60 {
                    group.addTask {
                        if number % 3 == 0 {
                            let task = Task { try await client.send(request) }
                            if number % 2 == 0 { await Task.yield() }
                            task.cancel()
                            _ = await task.result
                            return 0
                        }
                        return try await client.send(request).body.count
                    }
                }
                let count = try await group.reduce(0, +)
                #expect(count == 40 * 200_000)
            }
        }
    }
}
