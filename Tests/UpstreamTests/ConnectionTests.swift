// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ConnectionTests {
    @Test func `a hundred requests at once share one connection of HTTP 2`() async throws {
        try await HandlerServer.serving { target, request in
            HandlerServer.response("\(request.connection.id) \(target)")
        } _: { server async throws in
            let client = UpstreamClient()
            let answers = try await withThrowingTaskGroup(of: UpstreamResponse.self) { group in
                for number in 0..<100 {
                    let url = "http://127.0.0.1:\(server.port)/\(number)"
                    group.addTask { try await client.send(UpstreamRequest("GET", url, version: .h2c)) }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(Set(answers.map { $0.text.split(separator: " ")[0] }).count == 1)
            #expect(Set(answers.map { $0.text.split(separator: " ")[1] }).count == 100)
            #expect(answers.reduce(0) { $0 + $1.info.newConnections } == 1)
            #expect(answers.allSatisfy { $0.head.version == .http2 && $0.head.reason.isEmpty })
        }
    }

    @Test func `requests at once have connections of their own in HTTP 1, up to the limit`() async throws {
        try await HandlerServer.serving { _, request in
            HandlerServer.response("\(request.connection.id)")
        } _: { server async throws in
            var configuration = UpstreamConfiguration()
            configuration.maxConnectionsPerHost = 3
            let client = UpstreamClient(configuration)
            let url = "http://127.0.0.1:\(server.port)/"
            let answers = try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<100 { group.addTask { try await client.send(UpstreamRequest("GET", url)).text } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(answers.count == 100)
            #expect((1...3).contains(Set(answers).count))
        }
    }

    /// As of sysown/proxysql#2908 and tinyproxy#274, where what a server has closed stays open for ever.
    @Test func `a connection is closed some time behind the last request, whether another comes or not`() async throws {
        let server = try RawServer()
        var configuration = UpstreamConfiguration()
        configuration.keepsIdle = .milliseconds(20)
        let client = UpstreamClient(configuration)
        for _ in 0..<3 {
            async let isClosed = blocking {
                let peer = try server.accept()
                _ = try peer.head()
                try peer.send("HTTP/1.1 204 No Content\r\n\r\n")
                do {
                    _ = try peer.line()
                    return false
                } catch WireError.closedEarly {
                    return true
                }
            }
            #expect(try await client.send(UpstreamRequest("GET", server.base)).status == 204)
            #expect(try await isClosed)
        }
    }

    @Test func `each protocol has connections of its own`() async throws {
        try await HandlerServer.serving { _, request in
            HandlerServer.response("\(request.stream > 0 ? 2 : 1) \(request.connection.id)")
        } _: { server async throws in
            let client = UpstreamClient()
            let url = "http://127.0.0.1:\(server.port)/"
            let versions: [UpstreamProtocol] = [.http1, .h2c, .http1, .h2c, .automatic]
            var answers: [UpstreamResponse] = []
            for version in versions {
                answers.append(try await client.send(UpstreamRequest("GET", url, version: version)))
            }
            #expect(answers.map(\.text.first) == ["1", "2", "1", "2", "1"])
            #expect(answers.map(\.info.newConnections) == [1, 1, 0, 0, 1])
            #expect(answers.map(\.head.version) == [.http11, .http2, .http11, .http2, .http11])
        }
    }

    @Test func `a server may go on in HTTP 2 where it is asked to`() async throws {
        try await HandlerServer.serving { target, _ in
            HandlerServer.response(target)
        } _: { server async throws in
            let client = UpstreamClient()
            let url = "http://127.0.0.1:\(server.port)"
            let first = try await client.send(UpstreamRequest("GET", url + "/a", version: .h2cUpgrade))
            #expect(first.head.version == .http2)
            #expect(first.interim.map(\.status) == [101])
            #expect(first.text == "/a")
            let second = try await client.send(UpstreamRequest("GET", url + "/b", version: .h2cUpgrade))
            #expect(second.interim.isEmpty)
            #expect(second.text == "/b")
            #expect(second.info.newConnections == 0)
        }
        let server = try RawServer()
        async let head = server.answer("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let answer = try await UpstreamClient().send(UpstreamRequest("GET", server.base, version: .h2cUpgrade))
        #expect(answer.head.version == .http11)
        #expect(try await head.contains("Upgrade: h2c"))
    }

    @Test func `content goes up in HTTP 2, whole and in chunks`() async throws {
        try await HandlerServer.serving { _, request in
            HandlerServer.response(request.body)
        } _: { server async throws in
            let client = UpstreamClient()
            let url = "http://127.0.0.1:\(server.port)/"
            let bytes = (0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
            let whole = UpstreamRequest("PUT", url, body: .bytes(bytes), version: .h2c)
            #expect(try await client.send(whole).body == bytes)
            for length in [nil, bytes.count] {
                let chunks = AsyncStream<[UInt8]> { feed in
                    for start in stride(from: 0, to: bytes.count, by: 100_000) {
                        feed.yield(Array(bytes[start..<(start + 100_000)]))
                    }
                    feed.finish()
                }
                let body = UpstreamRequestBody.sequence(chunks, length: length)
                #expect(try await client.send(UpstreamRequest("POST", url, body: body, version: .h2c)).body == bytes)
            }
        }
    }

    @Test func `a route leads to another address and leaves the name alone`() async throws {
        let server = try RawServer()
        async let head = server.answer("HTTP/1.1 204 No Content\r\n\r\n")
        var configuration = UpstreamConfiguration()
        configuration.connectTo = [
            UpstreamRoute(host: "other.example.com", toHost: "127.0.0.1", toPort: 1),
            UpstreamRoute(host: "api.example.com", port: 8080, toHost: "127.0.0.1", toPort: server.port),
        ]
        let client = UpstreamClient(configuration)
        let answer = try await client.send(UpstreamRequest("GET", "http://api.example.com:8080/x"))
        #expect(answer.info.address == "127.0.0.1")
        #expect(answer.info.port == server.port)
        #expect(try await head == ["GET /x HTTP/1.1", "Host: api.example.com:8080"])
    }

    @Test(arguments: [UpstreamProtocol.http1, .h2c, .h2cUpgrade])
    func `a mock server is seen as it is`(version: UpstreamProtocol) async throws {
        let directory = try TemporaryDirectory([
            "x.stub.json": #"""
            {"request": {"urlPath": "/a", "headers": {"X-Key": {"equalTo": "1"}}},
             "response": {"headers": ["X-B: 1", "X-A: 2", "X-B: 3"], "body": "hello", "trailers": ["X-Sum: 1"]}}
            """#
        ])
        let server = try await MockServer.start(fixtures: directory.path)
        let request = UpstreamRequest(
            "GET", "\(server.baseURL)/a", fields: [.init("X-Key", "1"), .init("TE", "trailers")], version: version)
        let answer = try await UpstreamClient().send(request)
        #expect(answer.status == 200)
        #expect(answer.text == "hello")
        let fields = answer.head.fields.filter { $0.name.lowercased().hasPrefix("x-") }
        #expect(fields.map { "\($0.name.lowercased()): \($0.value)" } == ["x-b: 1", "x-a: 2", "x-b: 3"])
        #expect(answer.trailers.map { "\($0.name.lowercased()): \($0.value)" } == ["x-sum: 1"])
        #expect(answer.head.version == (version == .http1 ? .http11 : .http2))
        await server.stop()
    }
}
