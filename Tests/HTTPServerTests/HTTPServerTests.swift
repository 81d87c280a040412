// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiSystemIO
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct HTTPServerTests {
    @Test func `the port is free as soon as the server has stopped`() async throws {
        for attempt in 1... {
            do {
                return try await restartOnOnePort()
            } catch let error as SystemError where attempt < 3 {
                // A test that listens on all addresses may have been given the port in between, which does not happen thrice.
                #expect(error.description == "bind: Address already in use")
            }
        }
    }

    private func restartOnOnePort() async throws {
        // An address of its own: on 127.0.0.1 another test could have the port by now.
        var port = 0
        for _ in 0..<20 {
            let echo = try EchoServer(loops: 1, host: "127.0.0.3", port: port)
            port = echo.port
            let client = try WireClient(port: port, host: 3)
            #expect(try client.request("GET", "/").status == 200)
            await echo.server.stop()
            #expect(try client.remainder() == [])
        }
    }

    @Test func `a port in use is refused`() async throws {
        let echo = try EchoServer(loops: 1)
        let error = #expect(throws: SystemError.self) { try ListeningSocket(host: "127.0.0.1", port: echo.port) }
        #expect(error?.description == "bind: Address already in use")
        await echo.server.stop()
    }

    @Test func `a response under way goes out before the server has stopped`() async throws {
        let echo = try EchoServer(loops: 1)
        let port = echo.port
        let (started, start) = AsyncStream.makeStream(of: Void.self)
        async let rest = blocking {
            let client = try WireClient(port: port, receiveBuffer: 65_536)
            try client.send("GET /bytes/20000000 HTTP/1.1\r\nHost: a\r\n\r\n")
            #expect(try client.line() == "HTTP/1.1 200 OK")
            start.finish()
            return try client.remainder().count
        }
        for await _ in started {}
        await echo.server.stop(grace: .seconds(90))
        #expect(try await rest > 20_000_000)
    }

    @Test func `connections that outlast the grace are cut`() async throws {
        let echo = try EchoServer(loops: 1)
        let client = try WireClient(port: echo.port, receiveBuffer: 65_536)
        try client.send("GET /bytes/50000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(try client.line() == "HTTP/1.1 200 OK")
        await echo.server.stop(grace: .milliseconds(50))
        #expect(throws: (any Error).self) { try client.response() }
    }

    @Test func `stopping twice at once waits for both`() async throws {
        let echo = try EchoServer()
        async let first: Void = echo.server.stop()
        async let second: Void = echo.server.stop()
        _ = await (first, second)
        #expect(throws: (any Error).self) { try WireClient(port: echo.port).request("GET", "/") }
    }
}
