// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPServer

/// A client on a loop of its own, and a server of a test that it asks.
private struct Asking: Sendable {
    let loop: EventLoop
    let client: HTTPClient
    let target: ClientTarget

    init(
        _ server: RawServer, host: String = "127.0.0.1", _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        try self.init(port: server.port, host: host, configure)
    }

    init(
        port: Int, host: String = "127.0.0.1", _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        loop = try EventLoop(index: 0)
        var configuration = ClientConfiguration()
        configure(&configuration)
        client = HTTPClient(configuration, on: loop)
        target = ClientTarget(host: host, port: port)
    }

    /// Sends a request.
    func ask(_ method: String, _ path: String, body: [UInt8] = [], holds: Bool = false) -> Told {
        let told = Told(loop, holds: holds)
        loop.execute { [client, target] _ in
            var head = "\(method) \(path) HTTP/1.1\r\nHost: a\r\n"
            if !body.isEmpty { head += "Content-Length: \(body.count)\r\n" }
            let exchange = ClientExchange(
                head: Array((head + "\r\n").utf8), body: body, isHead: method == "HEAD",
                isIdempotent: method != "POST", delegate: told)
            told.exchange = exchange
            client.start(exchange, to: target)
        }
        return told
    }
}

/// What a delegate was told of one answer.
///
/// `@unchecked Sendable`: `exchange` and `holds` are touched on the loop only.
private final class Told: ClientExchangeDelegate, @unchecked Sendable {
    private let loop: EventLoop
    private var holds: Bool
    private let state = Mutex(
        (status: 0, body: [UInt8](), trailers: [String](), end: ClientFailure?.none, isOver: false))
    var exchange: ClientExchange?

    init(_ loop: EventLoop, holds: Bool) {
        self.loop = loop
        self.holds = holds
    }

    /// Status and content once the response is over, or what it failed with.
    var outcome: String? {
        state.withLock { state in
            guard state.isOver else { return nil }
            if let failure = state.end { return "\(failure)" }
            return ([String(state.status), String(decoding: state.body, as: UTF8.self)] + state.trailers).joined(
                separator: " ")
        }
    }

    var received: Int { state.withLock { $0.body.count } }

    /// Reads on, and holds no more.
    func release() {
        loop.execute { [self] _ in
            holds = false
            exchange?.resume()
        }
    }

    func cancel() {
        loop.execute { [self] _ in exchange?.cancel() }
    }

    func began(_ head: ReceivedHead) {
        state.withLock { $0.status = head.status }
    }

    func received(_ bytes: [UInt8]) {
        state.withLock { $0.body += bytes }
        if holds { exchange?.hold() }
    }

    func paused() {}

    func completed(trailers: [(name: [UInt8], value: [UInt8])]) {
        state.withLock { state in
            state.trailers = trailers.map { String(decoding: $0.name + [0x3D] + $0.value, as: UTF8.self) }
            state.isOver = true
        }
    }

    func failed(_ failure: ClientFailure) {
        state.withLock { state in
            state.end = failure
            state.isOver = true
        }
    }
}

private let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

@Suite(.supervised) struct HTTPClientTests {
    /// The outcome of a request to a server that answers with a text and ends the connection.
    private func outcome(_ answer: String, to method: String = "GET") async throws -> String? {
        let server = try RawServer()
        let asking = try Asking(server)
        let told = asking.ask(method, "/")
        _ = try await server.answer(answer)
        #expect(try await until({ told.outcome }, { $0 != nil }))
        return told.outcome
    }

    @Test func `requests go by one connection, one after the other`() async throws {
        let server = try RawServer()
        let asking = try Asking(server)
        let heads = Task(executorPreference: BlockingThreads.shared) {
            let peer = try server.accept()
            var heads: [[String]] = []
            for number in 0..<3 {
                heads.append(try peer.head())
                try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)")
            }
            return heads
        }
        for number in 0..<3 {
            let told = asking.ask("GET", "/\(number)")
            #expect(try await until({ told.outcome }, is: "200 \(number)"))
        }
        #expect(try await heads.value.map(\.first) == ["GET /0 HTTP/1.1", "GET /1 HTTP/1.1", "GET /2 HTTP/1.1"])
    }

    @Test func `a response ends with its length, its last chunk, its head or its connection`() async throws {
        #expect(try await outcome(ok) == "200 ok")
        #expect(
            try await outcome("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n\r\n")
                == "200 ok A=b")
        #expect(try await outcome("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", to: "HEAD") == "200 ")
        #expect(try await outcome("HTTP/1.0 200 OK\r\n\r\nto the end") == "200 to the end")
        #expect(try await outcome("HTTP/1.1 103 X\r\n\r\nHTTP/1.1 204 X\r\n\r\n") == "204 ")
    }

    @Test func `a response that does not come whole is a failure`() async throws {
        #expect(try await outcome("") == "noResponse")
        #expect(
            try await outcome("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")
                == "connectionLost(\"the response was cut off 2 bytes before its end\")")
        #expect(
            try await outcome("HTTP/1.1 200 OK\r\nX: 1\r\n")
                == "connectionLost(\"the head of the response was cut off\")")
        #expect(try await outcome("SSH-2.0-x\r\n")?.contains("notHTTP") == true)
    }

    @Test(arguments: ["GET", "POST"])
    func `a kept connection that the server has given up costs no request`(method: String) async throws {
        let server = try RawServer()
        let asking = try Asking(server)
        for number in 0..<3 {
            let told = asking.ask(method, "/\(number)", body: method == "POST" ? [1] : [])
            // Each answer ends its connection without a word about it.
            _ = try await server.answer(ok)
            #expect(try await until({ told.outcome }, is: "200 ok"))
        }
    }

    @Test func `what may be sent once only is not sent again`() async throws {
        for (method, expected) in [("GET", "200 ok"), ("POST", "noResponse")] {
            let server = try RawServer()
            let asking = try Asking(server)
            let first = Task(executorPreference: BlockingThreads.shared) {
                let peer = try server.accept()
                _ = try peer.head()
                try peer.send(ok)
                // The next request comes by this connection, which ends before a response.
                return try peer.head()
            }
            let warm = asking.ask("GET", "/")
            #expect(try await until({ warm.outcome }, is: "200 ok"))
            let told = asking.ask(method, "/once")
            #expect(try await first.value.first == "\(method) /once HTTP/1.1")
            if method == "GET" { _ = try await server.answer(ok) }
            #expect(try await until({ told.outcome }, is: expected))
        }
    }

    @Test func `a connection that says what nobody asked is not used again`() async throws {
        let server = try RawServer()
        let asking = try Asking(server)
        for _ in 0..<2 {
            let told = asking.ask("GET", "/")
            async let head = server.answer(ok + "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil")
            #expect(try await until({ told.outcome }, is: "200 ok"))
            _ = try await head
        }
    }

    @Test func `what is held is not read, and the server is held up`() async throws {
        let server = try RawServer()
        let asking = try Asking(server) { $0.idleTimeout = .milliseconds(200) }
        let content = [UInt8](repeating: 7, count: 16 * 1024 * 1024)
        let told = asking.ask("GET", "/", holds: true)
        let sent = Task(executorPreference: BlockingThreads.shared) {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(content.count)\r\n\r\n")
            // Longer than the time in which a byte must come, which does not count while reading is held.
            let sent = try peer.sendUntilHeldUp(content, microseconds: 500_000)
            told.release()
            try peer.send(Array(content[sent...]))
            return sent
        }
        #expect(try await sent.value < content.count)
        #expect(try await until({ told.outcome }, { $0 != nil }))
        #expect(told.received == content.count)
    }

    @Test func `a large content goes up`() async throws {
        let server = try RawServer()
        let asking = try Asking(server)
        let content = [UInt8](repeating: 0x61, count: 4 * 1024 * 1024)
        let told = asking.ask("PUT", "/", body: content)
        let came = Task(executorPreference: BlockingThreads.shared) {
            let peer = try server.accept()
            _ = try peer.head()
            let body = try peer.read(content.count)
            try peer.send(ok)
            return body == content
        }
        #expect(try await came.value)
        #expect(try await until({ told.outcome }, is: "200 ok"))
    }

    @Test func `a response that comes before the content has gone is the response`() async throws {
        let server = try RawServer()
        let asking = try Asking(server)
        let told = asking.ask("PUT", "/", body: [UInt8](repeating: 0, count: 8 * 1024 * 1024))
        let peer = try await blocking {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send("HTTP/1.1 413 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            return UnsafeSendable(value: peer)
        }
        #expect(try await until({ told.outcome }, is: "413 "))
        withExtendedLifetime(peer) {}
    }

    private struct UnsafeSendable<Value>: @unchecked Sendable {
        let value: Value
    }

    @Test func `a server that says nothing is given up`() async throws {
        let server = try RawServer()
        let asking = try Asking(server) { $0.idleTimeout = .milliseconds(50) }
        let told = asking.ask("GET", "/")
        #expect(try await until({ told.outcome }, is: "idleTimeout"))
    }

    @Test func `a port that nobody listens on, and a name that nobody has`() async throws {
        let nobody = try Asking(port: 1)
        let refused = nobody.ask("GET", "/")
        #expect(try await until({ refused.outcome }, { $0 != nil }))
        #expect(refused.outcome == "unconnected(host: \"127.0.0.1\", port: 1, \"connect: Connection refused\")")
        let nameless = try Asking(port: 1, host: "nobody.invalid")
        let lost = nameless.ask("GET", "/")
        #expect(try await until({ lost.outcome }, is: "unresolved(host: \"nobody.invalid\")"))
    }

    @Test func `a name leads to the address that listens`() async throws {
        let server = try RawServer()
        let asking = try Asking(server, host: "localhost")
        let told = asking.ask("GET", "/")
        _ = try await server.answer(ok)
        #expect(try await until({ told.outcome }, is: "200 ok"))
    }

    @Test func `a request that is given up ends its connection`() async throws {
        let server = try RawServer()
        let asking = try Asking(server)
        let told = asking.ask("GET", "/")
        let rest = Task(executorPreference: BlockingThreads.shared) {
            let peer = try server.accept()
            _ = try peer.head()
            told.cancel()
            return try peer.remainder()
        }
        #expect(try await rest.value.isEmpty)
        #expect(try await until({ told.outcome }, is: "cancelled"))
    }

    @Test func `requests beyond the limit of connections wait for one`() async throws {
        let server = try RawServer()
        let asking = try Asking(server) { $0.maxConnections = 1 }
        let first = asking.ask("GET", "/1")
        let second = asking.ask("GET", "/2")
        let heads = Task(executorPreference: BlockingThreads.shared) {
            let peer = try server.accept()
            return try (0..<2).map { _ in
                let head = try peer.head()
                try peer.send(ok)
                return head.first
            }
        }
        #expect(try await heads.value == ["GET /1 HTTP/1.1", "GET /2 HTTP/1.1"])
        #expect(try await until({ first.outcome }, is: "200 ok"))
        #expect(try await until({ second.outcome }, is: "200 ok"))
    }

    @Test func `connections end with their client`() async throws {
        let server = try RawServer()
        var asking: Asking? = try Asking(server)
        let told = asking?.ask("GET", "/")
        let rest = Task(executorPreference: BlockingThreads.shared) {
            let peer = try server.accept()
            _ = try peer.head()
            try peer.send(ok)
            return try peer.remainder()
        }
        try await until({ told?.outcome }, is: "200 ok")
        asking = nil
        #expect(try await rest.value.isEmpty)
    }
}
