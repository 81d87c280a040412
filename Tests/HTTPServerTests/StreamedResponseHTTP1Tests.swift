// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Synchronization
import Testing

@testable import MockapiHTTPServer

@Suite(.supervised) struct StreamedResponseHTTP1Tests {
    private func get(_ target: String, _ method: String = "GET", version: String = "1.1") -> String {
        "\(method) \(target) HTTP/\(version)\r\nHost: a\r\n\r\n"
    }

    private func waits(on client: WireClient, for text: String) async throws {
        let wire = Held(client)
        try await blocking {
            var seen = ""
            while !seen.contains(text) {
                guard let bytes = try wire.client.some() else { throw WireError.closedEarly(Array(seen.utf8)) }
                seen += String(decoding: bytes, as: UTF8.self)
            }
        }
    }

    /// A client that one thread after the other uses.
    ///
    /// `@unchecked Sendable`: whoever lends it out waits until it comes back.
    private final class Held: @unchecked Sendable {
        let client: WireClient

        init(_ client: WireClient) {
            self.client = client
        }
    }

    private func response(_ client: WireClient, isHead: Bool = false) async throws -> WireResponse {
        let wire = Held(client)
        return try await blocking { try wire.client.response(isHead: isHead) }
    }

    private func remainder(_ client: WireClient) async throws -> String {
        let wire = Held(client)
        return String(decoding: try await blocking { try wire.client.remainder() }, as: UTF8.self)
    }

    @Test func `head and first byte are with the client before the producer goes on`() async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/a"))
            let answer = try await server.call()
            answer.begin(LiveServer.head(201))
            try await waits(on: client, for: "\r\n\r\n")
            #expect(server.told == ["/a began 201"])
            for piece in ["1", "22", "333"] {
                #expect(await answer.send(Array(piece.utf8)))
                try await waits(on: client, for: "\(piece.utf8.count)\r\n\(piece)\r\n")
            }
            answer.finish(trailers: [WireField("X-Sum", "6")])
            try await waits(on: client, for: "0\r\nX-Sum: 6\r\n\r\n")
        }
    }

    @Test(arguments: [ResponseHead.Framing.chunked, .length(20_000_000)])
    func `a slow reader holds up the producer, and gets all`(framing: ResponseHead.Framing) async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port, receiveBuffer: 65_536)
            try client.send(get("/"))
            let answer = try await server.call()
            let pieces = Mutex(0)
            let producer = Task {
                answer.begin(LiveServer.head(200, framing))
                for number in 0..<200 {
                    guard await answer.send([UInt8](repeating: UInt8(number), count: 100_000)) else { return }
                    pieces.withLock { $0 += 1 }
                }
                answer.finish()
            }
            // Nothing is read: the response fills the socket's buffers, the queue and the response's own bound.
            var seen = -1
            #expect(
                try await until({ pieces.withLock { $0 } }) { now in
                    defer { seen = now }
                    return now > 0 && now == seen && now < 200
                })
            let response = try await response(client)
            #expect(response.body.count == 20_000_000)
            #expect((0..<200).allSatisfy { response.body[$0 * 100_000 + 99_999] == UInt8($0) })
            await producer.value
        }
    }

    @Test func `requests after a response wait for their turn`() async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/a") + get("/plain") + get("/b") + get("/plain"))
            for number in 0..<2 {
                let answer = try await server.call(number)
                answer.begin(LiveServer.head(200, number == 0 ? .chunked : .length(1)))
                #expect(await answer.send([UInt8(ascii: "x")]))
                answer.finish()
                #expect(try await response(client).text == "x")
                #expect(try await response(client).text == "plain")
            }
            #expect(server.told == ["/a began 200", "/b began 200"])
        }
    }

    @Test(arguments: [ResponseHead.Framing.chunked, .length(10)])
    func `a response that is broken off is seen to be`(framing: ResponseHead.Framing) async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/"))
            let answer = try await server.call()
            answer.begin(LiveServer.head(200, framing))
            #expect(await answer.send(Array("abc".utf8)))
            answer.fail()
            let text = try await remainder(client)
            #expect(text.hasSuffix(framing == .chunked ? "\r\n\r\n3\r\nabc\r\n" : "\r\n\r\nabc"))
        }
    }

    @Test func `a response that fails before its head is none`() async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/plain") + get("/a"))
            try await server.call().fail()
            #expect(try await response(client).text == "plain")
            #expect(try await remainder(client) == "")
            #expect(server.told == ["/a began with nothing"])
        }
    }

    @Test func `a plan takes the place of a response, and the connection lives on`() async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/a") + get("/plain"))
            let head = ResponseHead(status: 502, fields: [], framing: .length(2))
            try await server.call().respond(with: Response(head: head, body: .bytes(Array("no".utf8))))
            let refusal = try await response(client)
            #expect(refusal.status == 502 && refusal.text == "no")
            #expect(try await response(client).text == "plain")
            #expect(server.told == ["/a began 502 as a plan"])
        }
    }

    @Test(arguments: [("HEAD", 200), ("GET", 204), ("GET", 304)])
    func `responses without content end with their head`(method: String, status: Int) async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/a", method) + get("/plain"))
            let answer = try await server.call()
            answer.begin(LiveServer.head(status, .none))
            #expect(try await response(client, isHead: true).status == status)
            #expect(try await response(client).text == "plain")
            #expect(await answer.send([1]))
        }
    }

    @Test(arguments: [false, true])
    func `a client of HTTP-1.0 reads to the end of the connection`(fails: Bool) async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
            let answer = try await server.call()
            answer.begin(LiveServer.head())
            #expect(await answer.send(Array("abc".utf8)))
            try await waits(on: client, for: "Connection: close\r\n\r\nabc")
            if fails { answer.fail() } else { answer.finish() }
            #expect(try await remainder(client) == "")
            #expect(client.wasReset == fails)
        }
    }

    @Test(arguments: [false, true])
    func `a client that goes away is told to the producer`(hasBegun: Bool) async throws {
        try await LiveServer.serving { server in
            let calls = Mutex(0)
            let client = try WireClient(port: server.port)
            try client.send(get("/a"))
            let answer = try await server.call()
            answer.whenAbandoned { calls.withLock { $0 += 1 } }
            if hasBegun {
                answer.begin(LiveServer.head())
                try await waits(on: client, for: "\r\n\r\n")
            }
            client.close()
            #expect(try await until({ calls.withLock { $0 } }, is: 1))
            #expect(await answer.send([1]) == false)
            #expect(server.told == [hasBegun ? "/a began 200" : "/a began with nothing", "abandoned 0 -"])
            #expect(try await until({ server.hasConnections }, is: false))
        }
    }

    @Test func `a client that ends its side has given up, but gets the responses before`() async throws {
        try await LiveServer.serving { server in
            let client = try WireClient(port: server.port)
            try client.send(get("/plain") + get("/a"))
            client.finishSending()
            #expect(try await response(client).text == "plain")
            #expect(try await remainder(client) == "")
            #expect(await (try server.call()).send([1]) == false)
            #expect(server.told == ["/a began with nothing", "abandoned 0 -"])
        }
    }

    @Test func `a client that takes nothing is cut, and one that waits for the producer is not`() async throws {
        try await LiveServer.serving(loops: 1) {
            $0.idleTimeout = .milliseconds(100)
        } _: { server in
            let waiting = try WireClient(port: server.port)
            try waiting.send(get("/waiting"))
            let late = try await server.call()
            let stuck = try WireClient(port: server.port, receiveBuffer: 65_536)
            try stuck.send(get("/stuck"))
            let answer = try await server.call(1)
            answer.begin(LiveServer.head())
            // Goes on until the client is given up for taking nothing, which is later than the other's time is over.
            while await answer.send([UInt8](repeating: 1, count: 100_000)) {}
            late.begin(LiveServer.head(200, .length(2)))
            #expect(await late.send(Array("ok".utf8)))
            late.finish()
            #expect(try await response(waiting).text == "ok")
        }
    }

    @Test func `a server that stops lets a response come to its end`() async throws {
        let server = try LiveServer()
        let client = try WireClient(port: server.port)
        try client.send(get("/a"))
        let answer = try await server.call()
        answer.begin(LiveServer.head(200, .length(2)))
        try await waits(on: client, for: "\r\n\r\n")
        let stopping = Task { await server.server.stop(grace: .seconds(90)) }
        #expect(try await until({ server.server.isStopping }, is: true))
        #expect(await answer.send(Array("ok".utf8)))
        answer.finish()
        #expect(try await remainder(client) == "ok")
        await stopping.value
    }

    @Test func `a server that stops without grace cuts a response`() async throws {
        let server = try LiveServer()
        let client = try WireClient(port: server.port)
        try client.send(get("/a"))
        let answer = try await server.call()
        let calls = Mutex(0)
        answer.whenAbandoned { calls.withLock { $0 += 1 } }
        await server.server.stop()
        #expect(calls.withLock { $0 } == 1)
        #expect(await answer.send([1]) == false)
        #expect(try await remainder(client) == "")
    }
}
