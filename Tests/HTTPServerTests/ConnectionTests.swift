// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPWire
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ConnectionTests {
    @Test func `a thousand requests in one write are answered in order`() async throws {
        let echo = try EchoServer()
        let client = try WireClient(port: echo.port)
        try client.send((0..<1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
        for number in 0..<1000 { #expect(try client.response().text == "/\(number)") }
        await echo.server.stop()
    }

    @Test func `pipelined responses larger than the output holds all come`() async throws {
        let echo = try EchoServer()
        let client = try WireClient(port: echo.port, receiveBuffer: 65_536)
        try client.send(String(repeating: "GET /bytes/200000 HTTP/1.1\r\nHost: a\r\n\r\n", count: 100))
        for _ in 0..<100 { #expect(try client.response().body.count == 200_000) }
        await echo.server.stop()
    }

    @Test func `a request that comes a byte at a time is answered`() async throws {
        let echo = try EchoServer()
        let client = try WireClient(port: echo.port)
        for byte in "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok".utf8 { try client.send([byte]) }
        #expect(try client.response().text == "/aok")
        await echo.server.stop()
    }

    @Test func `the invitation to send content comes before the content`() async throws {
        let echo = try EchoServer()
        let client = try WireClient(port: echo.port)
        try client.send("POST /a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        #expect(try client.line() == "HTTP/1.1 100 Continue")
        #expect(try client.line() == "")
        try client.send("ok")
        #expect(try client.response().text == "/aok")
        await echo.server.stop()
    }

    @Test func `a client that has ended its side still gets its responses`() async throws {
        let echo = try EchoServer()
        let client = try WireClient(port: echo.port)
        try client.send("GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\nHost: a\r\n\r\n")
        client.finishSending()
        #expect(try client.response().text == "/1")
        #expect(try client.response().text == "/2")
        #expect(try client.remainder() == [])
        await echo.server.stop()
    }

    @Test(arguments: [
        "GET", "GET / HTTP/1.1\r\nHost: a\r\n", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nhalf",
    ])
    func `half a request is answered 400 when the client ends its side`(text: String) async throws {
        let echo = try EchoServer()
        let client = try WireClient(port: echo.port)
        try client.send(text)
        client.finishSending()
        let response = try client.response()
        #expect(response.status == 400 && response.text == "the request ends before it is complete")
        await echo.server.stop()
    }

    @Test func `a client whose content is refused can read why, though it goes on sending`() async throws {
        let echo = try EchoServer { $0.limits = RequestLimits(maxBody: 1000) }
        let client = try WireClient(port: echo.port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n")
        try client.send([UInt8](repeating: 1, count: 500_000))
        let response = try client.response()
        #expect(response.status == 413 && response["Connection"] == "close")
        #expect(try client.remainder() == [])
        await echo.server.stop()
    }

    @Test func `a head that does not come to its end is answered 408`() async throws {
        let echo = try EchoServer { $0.idleTimeout = .milliseconds(100) }
        let client = try WireClient(port: echo.port)
        try client.send("GET / HTTP/1.1\r\nHost: ")
        let response = try client.response()
        #expect(response.status == 408 && response.text == "the head of the request did not come in time")
        await echo.server.stop()
    }

    @Test func `content that does not come is answered 408`() async throws {
        let echo = try EchoServer { $0.idleTimeout = .milliseconds(100) }
        let client = try WireClient(port: echo.port)
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe")
        let response = try client.response()
        #expect(response.status == 408 && response.text == "the content of the request did not come in time")
        await echo.server.stop()
    }

    @Test func `an idle connection is closed without a word`() async throws {
        let echo = try EchoServer { $0.idleTimeout = .milliseconds(100) }
        let silent = try WireClient(port: echo.port)
        let served = try WireClient(port: echo.port)
        #expect(try served.request("GET", "/").status == 200)
        #expect(try silent.remainder() == [])
        #expect(try served.remainder() == [])
        await echo.server.stop()
    }

    @Test func `beyond the limit the connection that has waited longest gives way`() async throws {
        let echo = try EchoServer(loops: 1) { $0.maxConnections = 8 }
        var clients: [WireClient] = []
        for _ in 0..<8 {
            let client = try WireClient(port: echo.port)
            #expect(try client.request("GET", "/").status == 200)
            clients.append(client)
        }
        // The first has just been served again, so the second has waited longest.
        #expect(try clients[0].request("GET", "/").status == 200)
        let newest = try WireClient(port: echo.port)
        #expect(try newest.request("GET", "/").status == 200)
        #expect(try clients[1].remainder() == [])
        #expect(try clients[0].request("GET", "/").status == 200)
        await echo.server.stop()
    }

    @Test func `a slow reader does not hold up others`() async throws {
        let echo = try EchoServer(loops: 1)
        let slow = try WireClient(port: echo.port, receiveBuffer: 65_536)
        try slow.send("GET /bytes/20000000 HTTP/1.1\r\nHost: a\r\n\r\n")
        for _ in 0..<100 {
            #expect(try WireClient(port: echo.port).request("GET", "/x").text == "/x")
        }
        #expect(try slow.response().body.count == 20_000_000)
        await echo.server.stop()
    }
}
