// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPServer

@Suite(.supervised) struct StreamedResponseHTTP2Tests {
    /// A client that one thread after the other uses.
    ///
    /// `@unchecked Sendable`: whoever lends it out waits until it comes back.
    private final class Held: @unchecked Sendable {
        let client: FrameClient

        init(_ client: FrameClient) {
            self.client = client
        }
    }

    /// The next frame of a stream, in short: `HEADERS 1 201`, `DATA 1 abc END`, `RST_STREAM 1 2`.
    private func next(_ client: FrameClient) async throws -> String? {
        let held = Held(client)
        return try await blocking {
            while let frame = try held.client.next() {
                let end = frame.endsStream ? " END" : ""
                switch HTTP2Frame.Kind(rawValue: frame.kind) {
                case .headers:
                    return "HEADERS \(frame.stream) \(held.client.fields(frame).first?.value ?? "")\(end)"
                case .data: return "DATA \(frame.stream) \(String(decoding: frame.payload, as: UTF8.self))\(end)"
                case .reset: return "RST_STREAM \(frame.stream) \(frame.number(at: 0))"
                default: continue
                }
            }
            return nil
        }
    }

    @Test func `each piece is with the client before the producer goes on, on each of two streams`() async throws {
        try await LiveServer.serving { server in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/a"), .request(stream: 3, "/b"))
            let first = try await server.call(0)
            let second = try await server.call(1)
            second.begin(LiveServer.head(202))
            #expect(try await next(client) == "HEADERS 3 202")
            first.begin(LiveServer.head(201))
            #expect(try await next(client) == "HEADERS 1 201")
            for piece in ["x", "y"] {
                #expect(await first.send(Array(piece.utf8)))
                #expect(try await next(client) == "DATA 1 \(piece)")
                #expect(await second.send(Array(piece.utf8)))
                #expect(try await next(client) == "DATA 3 \(piece)")
            }
            second.finish(trailers: [WireField("X-Sum", "2")])
            #expect(try await next(client) == "HEADERS 3 2 END")
            first.finish()
            #expect(try await next(client) == "DATA 1  END")
            #expect(server.told == ["/b began 202", "/a began 201"])
        }
    }

    @Test func `a response larger than every bound comes whole, side by side with others`() async throws {
        try await LiveServer.serving { server in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/large"), .request(stream: 3, "/plain"))
            let answer = try await server.call()
            let producer = Task {
                answer.begin(LiveServer.head(200, .length(10_000_000)))
                for number in 0..<100 {
                    guard await answer.send([UInt8](repeating: UInt8(number), count: 100_000)) else { return }
                }
                answer.finish()
            }
            let held = Held(client)
            let response = try await blocking { try held.client.response(stream: 1) }
            #expect(response.body.count == 10_000_000)
            #expect((0..<100).allSatisfy { response.body[$0 * 100_000 + 99_999] == UInt8($0) })
            await producer.value
        }
    }

    @Test(arguments: [false, true]) func `a response that fails is a reset`(hasBegun: Bool) async throws {
        try await LiveServer.serving { server in
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/a"))
            let answer = try await server.call()
            if hasBegun {
                answer.begin(LiveServer.head(200, .length(2)))
                #expect(try await next(client) == "HEADERS 1 200")
            }
            answer.fail()
            #expect(try await next(client) == "RST_STREAM 1 2")
            try client.send(.request(stream: 3, "/plain"))
            #expect(try await next(client) == "HEADERS 3 200")
        }
    }

    @Test(arguments: [false, true]) func `a client that goes away is told to the producers`(resets: Bool) async throws {
        try await LiveServer.serving { server in
            let calls = Mutex<[Int]>([])
            let client = try FrameClient(port: server.port)
            try client.send(.request(stream: 1, "/a"), .request(stream: 3, "/b"))
            for number in 0..<2 {
                try await server.call(number).whenAbandoned { calls.withLock { $0.append(number) } }
            }
            if resets {
                try client.send(.reset(stream: 3, code: 8))
                #expect(try await until({ calls.withLock { $0 } }, is: [1]))
                #expect(server.told == ["/b began with nothing", "abandoned 3 8"])
            }
            client.wire.close()
            #expect(try await until({ calls.withLock { $0 }.sorted() }, is: [0, 1]))
            #expect(await (try server.call(0)).send([1]) == false)
            #expect(try await until({ server.hasConnections }, is: false))
        }
    }

    @Test func `a client whose window is shut is dropped, and one that waits for the producer is not`() async throws {
        try await LiveServer.serving(loops: 1) {
            $0.idleTimeout = .milliseconds(100)
        } _: { server in
            let waiting = try FrameClient(port: server.port)
            try waiting.send(.request(stream: 1, "/waiting"))
            let late = try await server.call()
            late.begin(LiveServer.head(200, .length(2)))
            #expect(try await next(waiting) == "HEADERS 1 200")
            let stuck = try FrameClient(port: server.port, [(4, 1)])
            try stuck.send(.request(stream: 1, "/stuck"))
            let answer = try await server.call(1)
            answer.begin(LiveServer.head())
            while await answer.send([UInt8](repeating: 1, count: 100_000)) {}
            let held = Held(stuck)
            #expect(try await blocking { try held.client.next(.goAway)?.number(at: 4) } == 11)
            #expect(await late.send(Array("ok".utf8)))
            #expect(try await next(waiting) == "DATA 1 ok")
            late.finish()
            #expect(try await next(waiting) == "DATA 1  END")
        }
    }

    @Test func `a server that stops lets a response come to its end`() async throws {
        let server = try LiveServer()
        let client = try FrameClient(port: server.port)
        try client.send(.request(stream: 1, "/a"))
        let answer = try await server.call()
        let stopping = Task { await server.server.stop(grace: .seconds(90)) }
        #expect(try await until({ server.server.isStopping }, is: true))
        answer.begin(LiveServer.head(200, .length(2)))
        #expect(try await next(client) == "HEADERS 1 200")
        #expect(await answer.send(Array("ok".utf8)))
        answer.finish()
        let last = try await next(client)
        #expect(last == "DATA 1 ok END" || last == "DATA 1 ok")
        await stopping.value
    }
}
