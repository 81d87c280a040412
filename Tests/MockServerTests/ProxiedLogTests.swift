// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiTestSupport
import Testing

@testable import MockServer

/// What the log says of requests that were passed on.
@Suite(.supervised) struct ProxiedLogTests {
    private func line(_ beginning: StreamBeginning, isHead: Bool = false) -> RequestLogLine {
        let proxied = ProxiedSummary(beginning, isHead: isHead)
        var head = RequestHead()
        head.bytes = Array("GET /b".utf8)
        head.method = ByteRange(0, 3)
        head.target = ByteRange(4, 6)
        var record = JournalRecord(peer: .none)
        record.status = Int32(proxied.head?.status ?? 0)
        record.responseSize = proxied.size
        record.duration = 12_300_000
        record.connection = 7
        record.version = Int32(HTTPVersion.http11.rawValue)
        return RequestLogLine(
            record, head,
            ServedResponse(
                response: Response(head: ResponseHead(status: 502, fields: [], framing: .none)), outcome: .proxied),
            FixtureSet(root: ""), reason: proxied.head == nil ? "no response from the upstream" : nil, proxied: proxied)
    }

    /// The words of a line, whatever stands between them.
    private func text(_ beginning: StreamBeginning, isHead: Bool = false) -> String {
        StreamLog.text(line(beginning, isHead: isHead), at: "10:00:00.000").dropFirst(13).split(separator: "   ")
            .map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }.joined(separator: " | ")
    }

    private func head(_ framing: ResponseHead.Framing) -> StreamBeginning {
        .head(ResponseHead(status: 200, fields: [], framing: framing))
    }

    @Test func `in a narrow terminal the status stands behind the method, and the connection if there is room`() {
        let line = line(head(.length(6600)))
        func text(_ columns: Int?, isColored: Bool = false) -> String {
            StreamLog.text(line, at: "10:00:00.000", isColored: isColored, columns: columns)
        }
        let words = "10:00:00.000 GET 200 /b   6.6 kB   12.3 ms   from the upstream"
        #expect(text(words.count + 14) == words + "   HTTP/1.1 c7")
        #expect(text(words.count + 13) == words)
        #expect(
            text(119, isColored: true).hasPrefix(
                "\u{1B}[2m10:00:00.000\u{1B}[0m GET \u{1B}[32m200\u{1B}[0m /b   6.6 kB"))
        #expect(text(120) == text(nil))
    }

    @Test func `a line says where the response came from, and its size where that is known`() {
        let response = Response(head: ResponseHead(status: 502, fields: [], framing: .none))
        #expect(text(head(.length(6600))) == "GET /b | 200 | 6.6 kB | 12.3 ms | from the upstream | HTTP/1.1 c7")
        #expect(text(head(.chunked)) == "GET /b | 200 | 12.3 ms | from the upstream | HTTP/1.1 c7")
        #expect(
            text(head(.length(6600)), isHead: true) == "GET /b | 200 | 0 B | 12.3 ms | from the upstream | HTTP/1.1 c7")
        #expect(text(.response(response)) == "GET /b | 502 | 0 B | 12.3 ms | instead of the upstream | HTTP/1.1 c7")
        #expect(text(.nothing) == "GET /b | 0 | no response from the upstream | HTTP/1.1 c7")
    }

    @Test func `a length is told that no content can have`() {
        let announced = head(.length(.max))
        #expect(text(announced).hasPrefix("GET /b | 200 | 9223372036854.8 MB | 12.3 ms | "))
        #expect(StreamLog.json(line(announced))["bytes"]?.number?.integer == .max)
    }

    @Test func `a line of JSON says so too`() {
        let node = StreamLog.json(line(head(.chunked)))
        #expect(node["upstream"]?.bool == true && node["bytes"]?.isNull == true && node["file"]?.isNull == true)
        #expect(StreamLog.json(line(.nothing))["explanation"]?.string == "no response from the upstream")
    }
}
