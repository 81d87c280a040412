// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import Testing

@testable import MockapiHTTPWire

/// What a parser makes of the bytes of one connection that end with it.
private struct Answers: Equatable, CustomStringConvertible {
    struct Answer: Equatable {
        var line: String
        var fields: [String]
        var body = ""
        var trailers: [String] = []
        var keepsAlive: Bool
    }

    var answers: [Answer] = []
    var fault: ResponseFault?
    /// Bytes that nobody asked for.
    var rest = 0

    var description: String { "\(answers) \(fault.map { "\($0.text)" } ?? "") \(rest)" }

    init(_ bytes: [UInt8], _ feeding: Feeding, methods: [String], endsConnection: Bool, maxHead: Int) {
        let input = ByteBuffer()
        var parser = HTTP1ResponseParser(maxHead: maxHead)
        var methods = methods[...]
        var body: [UInt8] = []
        func text(_ range: ByteRange) -> String {
            String(String.UnicodeScalarView(parser.head.bytes[range.range].map { Unicode.Scalar($0) }))
        }
        func take(_ event: HTTP1ResponseParser.Event) -> Bool {
            switch event {
            case .needsMore: return false
            case .head: body = []
            case .body(let bytes): body += bytes
            case .end:
                let head = parser.head
                answers.append(
                    Answer(
                        line: "\(head.version.name) \(head.status) \(text(head.reason))",
                        fields: head.fields.map { "\(text($0.name)): \(text($0.value))" },
                        body: String(decoding: body, as: UTF8.self),
                        trailers: parser.trailers.map { "\(text($0.name)): \(text($0.value))" },
                        keepsAlive: parser.keepsAlive))
                guard let next = methods.popFirst() else { return false }
                parser.begin(isHead: next == "HEAD")
            case .invalid(let fault):
                self.fault = fault
                return false
            }
            return true
        }
        parser.begin(isHead: methods.popFirst() == "HEAD")
        var offset = 0
        var piece = 0
        while offset < bytes.count, fault == nil {
            let end = min(bytes.count, offset + feeding.size(piece, of: bytes.count))
            input.append(Array(bytes[offset..<end]))
            offset = end
            piece += 1
            while take(parser.next(input)) {}
        }
        // How much had come when the fault was seen depends on the pieces.
        if fault == nil { rest = input.count }
        if endsConnection, fault == nil { _ = take(parser.finish()) }
    }
}

/// Parses a text, in which a scalar below 256 is a byte, in all ways of feeding it; nil where the readings differ.
private func read(
    _ text: String, to methods: [String] = ["GET"], endsConnection: Bool = true, maxHead: Int = 4096
) -> Answers? {
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let readings = Feeding.allCases.map {
        Answers(bytes, $0, methods: methods, endsConnection: endsConnection, maxHead: maxHead)
    }
    return readings.allSatisfy { $0 == readings[0] } ? readings[0] : nil
}

@Suite(.supervised) struct HTTP1ResponseParserTests {
    @Test func `content comes by its length, in chunks, or to the end of the connection`() throws {
        let text =
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
            + "HTTP/1.1 201 \r\nTransfer-Encoding: Chunked\r\n\r\n3\r\nhel\r\n2 ;a=b\r\nlo\r\n0\r\nX-Sum: 1 \r\n\r\n"
            + "HTTP/1.1 202\r\nContent-Length: 0, 0\r\nContent-Length: 0\r\n\r\n"
            + "HTTP/1.0 404 Not Found\r\nX-A: b\r\n\r\nto the end"
        let reading = try #require(read(text, to: ["GET", "POST", "GET", "GET"]))
        #expect(reading.fault == nil)
        #expect(
            reading.answers.map(\.line)
                == ["HTTP/1.1 200 OK", "HTTP/1.1 201 ", "HTTP/1.1 202 ", "HTTP/1.0 404 Not Found"])
        #expect(reading.answers.map(\.body) == ["hello", "hello", "", "to the end"])
        #expect(reading.answers.map(\.trailers) == [[], ["X-Sum: 1"], [], []])
        #expect(reading.answers.map(\.keepsAlive) == [true, true, true, false])
    }

    @Test func `a response without content by its request or its status ends with its head`() throws {
        let text =
            "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n" + "HTTP/1.1 204 No Content\r\nContent-Length: 3\r\n\r\n"
            + "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"
        let reading = try #require(read(text, to: ["HEAD", "GET", "GET", "GET"]))
        #expect(reading.fault == nil)
        #expect(reading.answers.map(\.body) == ["", "", "", "hi"])
    }

    @Test func `interim responses are passed over`() throws {
        let reading = try #require(
            read(
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 X\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na"
            ))
        #expect(reading.answers.map(\.fields) == [["Content-Length: 1"]])
        #expect(reading.answers.map(\.body) == ["a"])
    }

    @Test func `lines come byte for byte, with what a recipient is to put right put right`() throws {
        let reading = try #require(
            read(
                "HTTP/1.1 200 Tr\u{E8}s bien\nX-\u{41}: caf\u{E9}\u{FF} \r\nx-a :\t2 \r\nX-Fold: one\r\n \t two\r\n three \r\n"
                    + "X-Empty:\r\nContent-Length: 0\r\n\r\n"))
        #expect(reading.fault == nil)
        #expect(reading.answers.first?.line == "HTTP/1.1 200 Tr\u{E8}s bien")
        #expect(
            reading.answers.first?.fields == [
                "X-A: caf\u{E9}\u{FF}", "x-a : 2", "X-Fold: one two three", "X-Empty: ", "Content-Length: 0",
            ])
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: a, Close\r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: Keep-Alive\r\n", true), ("HTTP/1.0", "Connection: keep-alive, close\r\n", false),
    ])
    func `the connection lives on as version and Connection say`(version: String, line: String, lives: Bool) throws {
        let reading = try #require(read("\(version) 200 OK\r\n\(line)Content-Length: 0\r\n\r\n"))
        #expect(reading.answers.map(\.keepsAlive) == [lives])
    }

    @Test(arguments: [
        // What is not a response of HTTP.
        ("220 mail ESMTP\r\n", "the response does not start with a status line of HTTP/1.x"),
        ("HTTP/2 200\r\n\r\n", "the response does not start with a status line of HTTP/1.x"),
        ("\r\nHTTP/1.1 200 OK\r\n\r\n", "the response does not start with a status line of HTTP/1.x"),
        ("HTTP/1.1 20 OK\r\n\r\n", "the response's status line is not: version, space, three digits, space, reason"),
        ("HTTP/1.1 099 OK\r\n\r\n", "the response's status line is not: version, space, three digits, space, reason"),
        ("HTTP/1.1 2000 OK\r\n\r\n", "the response's status line is not: version, space, three digits, space, reason"),
        ("HTTP/1.1 101 Switching\r\n\r\n", "the server switches to another protocol, which it was not asked for"),
        // Lines that another reader would see otherwise.
        ("HTTP/1.1 200 OK\r\nX-A\r\n\r\n", "a field line of the response does not start with a name and a colon"),
        ("HTTP/1.1 200 OK\r\n: a\r\n\r\n", "a field line of the response does not start with a name and a colon"),
        ("HTTP/1.1 200 OK\r\n a: b\r\n\r\n", "a field line of the response does not start with a name and a colon"),
        ("HTTP/1.1 200 OK\r\nX: a\rb\r\n\r\n", "a line of the response's head has a NUL or a CR in its middle"),
        ("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n", "a line of the response's head has a NUL or a CR in its middle"),
        // Where the content ends.
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            "the response has Content-Length lines that differ"
        ),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1, 2\r\n\r\n", "the response has Content-Length lines that differ"),
        ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "the response's Content-Length is not a decimal number"),
        ("HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n", "the response's Content-Length is not a decimal number"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9999999999999999999\r\n\r\n",
            "the response's Content-Length is not a decimal number"
        ),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
            "the response has both Transfer-Encoding and Content-Length"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
            "the response has a transfer coding that it was not asked for"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
            "the response has a transfer coding that it was not asked for"
        ),
        // Chunks.
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
            "a chunk of the response does not start with its size"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab",
            "a chunk of the response is longer than its size says"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1 2\r\n",
            "what follows the size of a chunk is not a chunk extension"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1000000000000000\r\n",
            "the size of a chunk has more than 15 digits"
        ),
        // Answers that are cut off.
        ("", "there was no response"),
        ("HTTP/1.1 200 OK\r\nX-A: 1\r\n", "the head of the response was cut off"),
        ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na", "the response was cut off 2 bytes before its end"),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n",
            "the response was cut off before its last chunk"
        ),
        (
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: 1\r\n",
            "the response was cut off before its last chunk"
        ),
        ("HTTP/1.1 100 Continue\r\n\r\n", "the head of the response was cut off"),
    ])
    func `a response whose end could be seen in two places, or is not there, is a fault`(text: String, fault: String)
        throws
    {
        let reading = try #require(read(text))
        #expect(reading.fault?.text == fault)
        #expect(reading.answers.isEmpty)
    }

    @Test func `heads and trailers have a limit, interim ones counted`() throws {
        let long = "X: \(String(repeating: "x", count: 60))\r\n"
        for text in [
            "HTTP/1.1 200 OK\r\n\(long)\(long)\r\n", "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 200))",
            "HTTP/1.1 100 A\r\n\(long)\r\nHTTP/1.1 100 B\r\n\(long)\r\n",
        ] {
            let reading = try #require(read(text, maxHead: 100))
            #expect(reading.fault == ResponseFault(.tooLarge, "the response's fields are more than 100 bytes"))
        }
        let trailers =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + String(repeating: long, count: 1100)
        #expect(
            read(trailers)?.fault
                == ResponseFault(.tooLarge, "the trailers of the response are longer than 65536 bytes"))
    }

    @Test func `a value that is folded very often is joined once`() {
        let folds = String(repeating: "\n a", count: 60_000)
        let input = ByteBuffer()
        var parser = HTTP1ResponseParser(maxHead: 256 * 1024)
        parser.begin(isHead: false)
        input.append(Array("HTTP/1.1 204 X\r\nX-A: b\(folds)\r\nX-B: c\r\n d\r\n\r\n".utf8))
        guard case .head = parser.next(input) else { return #expect(Bool(false), "the head is complete") }
        #expect(parser.head.fields.map { $0.value.count } == [120_001, 3])
        #expect(parser.head.bytes.count < 512 * 1024)
    }

    @Test func `what comes after a response is left alone`() throws {
        let reading = try #require(read("HTTP/1.1 204 X\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", endsConnection: false))
        #expect(reading.answers.count == 1)
        #expect(reading.fault == nil)
        #expect(reading.rest == 19)
    }
}
