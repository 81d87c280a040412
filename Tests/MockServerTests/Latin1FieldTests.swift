// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiProxy
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Values of request fields that are not UTF-8, which clients send as ISO 8859-1 (RFC 9110 §5.5).
@Suite(.supervised) struct Latin1FieldTests {
    private static let files: KeyValuePairs = [
        "equal.stub.json": #"""
        {"request": {"urlPath": "/equal", "headers": {"X-Name": {"equalTo": "é"}}}, "response": {"body": "hit"}}
        """#,
        "pattern.stub.json": #"""
        {"request": {"urlPath": "/pattern", "headers": {"X-Name": {"matches": "[à-ý]"}}}, "response": {"body": "hit"}}
        """#,
        "cookie.stub.json": #"""
        {"request": {"urlPath": "/cookie", "cookies": {"n": {"equalTo": "é"}}}, "response": {"body": "hit"}}
        """#,
        "told.stub.json": #"""
        {"request": {"urlPath": "/told"},
         "response": {"body": "{{request.headers.X-Name}}", "transformers": ["response-template"]}}
        """#,
    ]

    private static func message(_ path: String, _ name: String = "X-Name: ", _ value: [UInt8] = [0xE9]) -> [UInt8] {
        Array("GET \(path) HTTP/1.1\r\nHost: a\r\n\(name)".utf8) + value + Array("\r\n\r\n".utf8)
    }

    private func ask(_ server: TestServer, _ message: [UInt8]) throws -> WireResponse {
        let client = try server.connect()
        try client.send(message)
        return try client.response()
    }

    @Test(arguments: [[0xE9], Array("é".utf8)])
    func `a value is matched as the text that it is, in either charset`(value: [UInt8]) async throws {
        try await TestServer.serving(Self.files) { server throws in
            for path in ["/equal", "/pattern"] {
                #expect(try ask(server, Self.message(path, value)).text == "hit", "\(path)")
            }
            #expect(try ask(server, Self.message("/cookie", "Cookie: n=", value)).text == "hit")
            #expect(try ask(server, Self.message("/told", value)).body == Array("é".utf8))
            let found = server.journal.entries.last?.fields.first { $0.name == "X-Name" }
            #expect(found?.value == "é")
        }
    }

    private static func message(_ path: String, _ value: [UInt8]) -> [UInt8] { message(path, "X-Name: ", value) }

    @Test func `two values that differ in a byte are two`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            let miss = try ask(server, Self.message("/equal", [0xFF]))
            #expect(miss.status == 404)
            #expect(miss.text.contains(#"headers.X-Name: expected equalTo "é", found "ÿ""#), "\(miss.text)")
        }
    }

    @Test func `the same holds over HTTP 2`() async throws {
        try await TestServer.serving(Self.files) { server throws in
            let client = try FrameClient(port: server.port)
            let request = HTTP2Frame.request(stream: 1, "/equal")
            // A literal that is not indexed (RFC 7541 §6.2.2).
            let literal: [UInt8] = [0x00, 6] + Array("x-name".utf8) + [1, 0xE9]
            try client.send(
                HTTP2Frame(kind: request.kind, flags: request.flags, stream: 1, payload: request.payload + literal))
            #expect(try client.response(stream: 1).text == "hit")
        }
    }

    @Test func `another server gets the bytes that the client has sent`() async throws {
        let upstream = try RawServer()
        let stub = #"{"request": {"urlPath": "/"}, "response": {"proxyBaseUrl": "\#(upstream.base)"}}"#
        try await TestServer.serving(["x.stub.json": stub], { $0.forwarder = StubProxy() }) { server async throws in
            async let sent = blocking {
                let peer = try upstream.accept()
                var lines: [[UInt8]] = []
                while let line = Optional(try peer.rawLine()), !line.isEmpty { lines.append(line) }
                try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
                return lines
            }
            let port = server.port
            let answer = try await blocking {
                let client = try WireClient(port: port)
                try client.send(Self.message("/", [0xE9]))
                return try client.response().text
            }
            #expect(answer == "ok")
            #expect(try await sent.contains(Array("X-Name: ".utf8) + [0xE9]))
        }
    }
}
