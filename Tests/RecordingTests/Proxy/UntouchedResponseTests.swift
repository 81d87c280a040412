// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiContentCodings
import MockapiRecording
import MockapiTestSupport
import MockapiUpstream
import MockapiWireSupport
import Testing

/// Answers in which no URL of an upstream stands.
@Suite(.supervised) struct UntouchedResponseTests {
    /// What the client of a proxy is sent by an upstream that sends bytes of a test, and what is told of it.
    private func relayed(
        _ answer: [UInt8], to method: String = "GET", records: Bool = true
    ) async throws -> (response: WireResponse, outcomes: [RecordingOutcome]) {
        let upstream = try RawServer()
        var response = WireResponse()
        var outcomes: [RecordingOutcome] = []
        try await ProxyBed.recording([upstream.base], records: records) { bed in
            async let served: Void = blocking {
                let peer = try upstream.accept()
                _ = try peer.head()
                try peer.send(answer)
            }
            response = try await bed.raw(
                "\(method) /a HTTP/1.1\r\nHost: localhost\r\n\r\n", isHead: method == "HEAD")
            try await served
            outcomes = await bed.outcomes
        }
        return (response, outcomes)
    }

    @Test(arguments: [true, false])
    func `text without a URL of an upstream keeps its length, its tag and its digests`(records: Bool) async throws {
        let text = #"{"url": "http://elsewhere.example/a"}"#
        let (response, _) = try await relayed(
            Array(
                """
                HTTP/1.1 200 OK\r
                Content-Type: application/json\r
                ETag: "a"\r
                Content-MD5: x\r
                Accept-Ranges: bytes\r
                Content-Length: \(text.utf8.count)\r
                \r
                \(text)
                """.utf8), records: records)
        #expect(response.text == text)
        #expect(
            response.fields.map { "\($0.name): \($0.value)" }.filter { !$0.hasPrefix("Date") } == [
                "Content-Type: application/json", "ETag: \"a\"", "Content-MD5: x", "Accept-Ranges: bytes",
                "Content-Length: \(text.utf8.count)",
            ])
    }

    @Test func `coded text without a URL of an upstream keeps its coding`() async throws {
        let coded = try ContentCoding.gzip.encode(Array("nothing to see".utf8))
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nETag: \"a\"\r\nContent-Length: \(coded.count)\r\n\r\n"
        let (response, outcomes) = try await relayed(Array(head.utf8) + coded)
        #expect(response["Content-Encoding"] == "gzip")
        #expect(response["ETag"] == "\"a\"")
        #expect(response["Content-Length"] == "\(coded.count)")
        #expect(response.body == coded)
        #expect(outcomes.map(\.kind) == [.new])
    }

    @Test func `chunks stay chunks, and trailers come behind them`() async throws {
        let (response, _) = try await relayed(
            Array(
                """
                HTTP/1.1 200 OK\r
                Content-Type: text/plain\r
                ETag: "a"\r
                Transfer-Encoding: chunked\r
                \r
                2\r
                hi\r
                0\r
                X-Sum: 1\r
                \r\n
                """.utf8))
        #expect(response.text == "hi")
        #expect(response["ETag"] == "\"a\"" && response["Transfer-Encoding"] == "chunked")
        #expect(response.trailers.map { "\($0.name): \($0.value)" } == ["X-Sum: 1"])
    }

    @Test func `a response to HEAD keeps what it says of text`() async throws {
        let (response, outcomes) = try await relayed(
            Array("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nETag: \"a\"\r\nContent-Length: 1234\r\n\r\n".utf8),
            to: "HEAD")
        #expect(response["Content-Length"] == "1234")
        #expect(response["ETag"] == "\"a\"")
        #expect(outcomes.map(\.kind) == [.new])
    }

    @Test func `text that has not the coding it says passes as it came`() async throws {
        let gzip = try ContentCoding.gzip.encode(Array(repeating: 0x61, count: 5000))
        let long = [UInt8](repeating: 0x61, count: 300_000)
        for body in [Array("not gzip".utf8), long, Array(gzip.dropLast(3)), gzip + Array("garbage".utf8)] {
            let head =
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count)\r\n\r\n"
            let (response, outcomes) = try await relayed(Array(head.utf8) + body)
            #expect(response.body == body)
            #expect(response["Content-Encoding"] == "gzip")
            #expect(outcomes.map(\.kind) == [.new])
            #expect(outcomes.first?.notes.first?.hasPrefix("the content is stored as it came: ") == true, "\(outcomes)")
        }
    }

    @Test func `text that does not come whole at once is rewritten as it comes`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            let (text, tag) = try await blocking { [port = bed.port] in
                let client = try WireClient(port: port)
                try client.send("GET /a HTTP/1.1\r\nHost: localhost:\(port)\r\n\r\n")
                let peer = try upstream.accept()
                _ = try peer.head()
                let text = "first \(upstream.base)/a last"
                try peer.send(
                    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nETag: \"a\"\r\nContent-Length: \(text.utf8.count)\r\n\r\nfirst "
                )
                // The head is here although the content is not.
                var lines: [String] = []
                while case let line = try client.line(), !line.isEmpty { lines.append(line) }
                #expect(lines.contains("Transfer-Encoding: chunked"))
                #expect(try client.line() == "6")
                #expect(try client.line() == "first ")
                try peer.send(String(text.dropFirst(6)))
                var rest = ""
                while case let size = try client.line(), size != "0" { rest += try client.line() }
                return (rest, lines.first { $0.hasPrefix("ETag") })
            }
            #expect(text == "http://localhost:\(bed.port)/a last")
            #expect(tag == "ETag: W/\"a\"")
            #expect(await bed.outcomes.map(\.kind) == [.new])
        }
    }

    @Test func `rewritten text that has come whole has its length`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            async let head = upstream.answer(
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nsee \(upstream.base)/b")
            let response = try await bed.raw("GET /a HTTP/1.1\r\nHost: localhost:\(bed.port)\r\n\r\n")
            _ = try await head
            #expect(response.text == "see http://localhost:\(bed.port)/b")
            #expect(response["Content-Length"] == "\(response.body.count)")
        }
    }

    @Test func `lines that are no UTF-8 reach the client byte for byte`() async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            let seen = try await blocking { [port = bed.port] in
                let client = try WireClient(port: port)
                try client.send("GET /a HTTP/1.1\r\nHost: localhost\r\n\r\n")
                let peer = try upstream.accept()
                _ = try peer.head()
                try peer.send(
                    latin1(
                        "HTTP/1.1 200 Tr\u{E8}s bien\r\nX-Name: caf\u{E9}\u{FF}\r\n"
                            + "Set-Cookie: n=\u{E9}; Domain=x; Path=/\r\nContent-Length: 0\r\n\r\n"))
                var bytes: [UInt8] = []
                while !bytes.suffix(4).elementsEqual("\r\n\r\n".utf8), let more = try client.some() { bytes += more }
                return bytes.split(separator: 10).map { Array($0.dropLast()) }
            }
            #expect(seen.first == latin1("HTTP/1.1 200 Tr\u{E8}s bien"))
            #expect(seen.contains(latin1("X-Name: caf\u{E9}\u{FF}")))
            #expect(seen.contains(latin1("Set-Cookie: n=\u{E9}; Path=/")))
        }
    }

    @Test func `a response that comes by HTTP 2 passes untouched too`() async throws {
        let directory = try TemporaryDirectory(["a.json": "[1]"])
        let upstream = try await MockServer.start(fixtures: directory.path)
        try await ProxyBed.recording([upstream.address], { $0.version = .http2 }) { bed in
            let port = try #require(upstream.address.split(separator: ":").last.flatMap { Int($0) })
            let direct = try await blocking { try WireClient(port: port).request("GET", "/a.json") }
            let response = try await bed.request("GET", "/a.json")
            #expect(response.text == "[1]")
            #expect(response["ETag"] == direct["ETag"] && direct["ETag"]?.hasPrefix("\"") == true)
            #expect(response["Content-Length"] == "3")
        }
        await upstream.stop()
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nX-A: 1\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n\r\nshort",
    ])
    func `a response that is cut off or could be read in two ways is not recorded, and the client is told`(
        answer: String
    ) async throws {
        let upstream = try RawServer()
        try await ProxyBed.recording([upstream.base]) { bed in
            async let head = upstream.answer(answer)
            let response = try? await bed.request("GET", "/a")
            _ = try await head
            #expect(response == nil || response?.status == 502)
            let outcomes = await bed.outcomes
            #expect(outcomes.map(\.kind) == [.failed])
            #expect(bed.into.visible().isEmpty)
        }
    }
}
