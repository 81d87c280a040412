// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiHTTPWire

/// Every response, whatever it is made of and however it comes, ends where its own head says: the next one of the connection is read whole.
@Suite(.supervised) struct FramingPropertyTests {
    private static let date = DateLine("Sat, 21 Nov 2026 07:00:00 GMT")

    @Test(arguments: [HTTPVersion.http11, .http10])
    func `over HTTP/1 the response behind any other is read whole`(version: HTTPVersion) {
        for each in FramingCase.all {
            var reader = StrictReader(Self.conversation(each, version))
            do {
                let message = try reader.message(to: each.method)
                #expect(message.status == each.status, "\(each)")
                #expect(message.body.count == (each.hasContent ? each.body : 0), "\(each)")
                let hasTrailers = each.hasContent && each.trailers && version == .http11
                #expect(message.trailers.map(\.name) == (hasTrailers ? ["x-t"] : []), "\(each)")
                if version == .http10 { #expect(message.all("transfer-encoding").isEmpty, "\(each)") }
                // Where only the end of the connection ends a message, no other follows.
                if version == .http10, message.all("connection") == ["close"] { continue }
                let next = try reader.message(to: "GET")
                #expect(next.status == 200 && next.body == Array("ok".utf8) && reader.isAtEnd, "\(each)")
            } catch {
                Issue.record("\(each): \(error.reason)")
            }
        }
    }

    @Test func `a head says once where its content ends, whatever lines it is given`() throws {
        let lines = [WireField("content-length", "99"), WireField("Transfer-Encoding", "chunked"), WireField("X", "1")]
        let head = ResponseHead(status: 200, fields: lines, framing: .length(2))
        let other = ResponseHead(status: 200, fields: [], framing: .length(2)).replacing(fields: lines)
        for head in [head, other] {
            #expect(String(decoding: head.http1, as: UTF8.self) == "HTTP/1.1 200 OK\r\nX: 1\r\nContent-Length: 2\r\n")
            #expect(head.fields == [WireField("X", "1")])
            let unframed = head.unframed
            #expect(String(decoding: unframed.http1, as: UTF8.self) == "HTTP/1.1 200 OK\r\nX: 1\r\n")
        }
    }

    /// What goes out for a request, and for one behind it.
    private static func conversation(_ each: FramingCase, _ version: HTTPVersion) -> [UInt8] {
        let session = HTTP1Session(
            limits: RequestLimits(), input: ByteBuffer(), output: OutputQueue(), outputLimit: 1 << 18)
        let length = each.method == "POST" ? "Content-Length: 0\r\n" : ""
        let fields = "\(version.name)\r\nHost: a\r\nConnection: keep-alive\r\n"
        session.input.append(
            Array("\(each.method) /a \(fields)\(length)\r\nGET /ok \(fields)\r\n".utf8))
        var sent: [UInt8] = []
        var now: UInt64 = 1_000_000_000
        let (reply, steps) = each.reply
        var left = steps[...]
        var isFirst = true
        // One round more than there are parts, and steps of a producer.
        for _ in 0..<8 {
            while let event = session.nextEvent() {
                guard case .request = event else { continue }
                session.send(isFirst ? reply : .whole(HTTP2SessionHarness.response(body: "ok")), date: date, now: now)
                isFirst = false
            }
            left.popFirst()?()
            session.advance(date: date, now: now)
            sent += drained(session.output)
            now += 5_000_000
        }
        return sent
    }

    private static func drained(_ output: OutputQueue) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            switch output.front() {
            case .run(let run):
                bytes += run
                output.sent(run.count)
            case .bytes(let array, let range):
                bytes += array[range]
                output.sent(range.count)
            case .nothing, .file: return bytes
            }
        }
    }

    @Test(arguments: [UInt32(65_535), 1, 0])
    func `over HTTP/2 content and trailers come where the response may have them, and only there`(window: UInt32) {
        for each in FramingCase.all where each.body <= window {
            let (reply, steps) = each.reply
            let ok = Reply.whole(HTTP2SessionHarness.response(body: "k"))
            let harness = HTTP2SessionHarness(settings: [(4, window)], reply: { $0.id == 1 ? reply : ok })
            harness.feed(.request(stream: 1, each.method, "/"))
            var frames = harness.frames()
            for step in steps {
                step()
                harness.wake(1)
                frames += harness.frames()
            }
            for _ in 0..<6 {
                harness.advance(milliseconds: 5)
                frames += harness.frames()
            }
            Self.judge(frames.filter { $0.stream == 1 }, each)
            if window == 0 { continue }
            // The next response of the connection.
            harness.feed(.request(stream: 3, "GET", "/ok"))
            let next = harness.frames().filter { $0.stream == 3 }
            #expect(next.map(\.kind) == [1, 0] && next.last?.payload == Array("k".utf8), "\(each)")
        }
    }

    /// Judges the frames of a response's stream: a head, content, trailers, and one end, behind all (RFC 9113 §8.1).
    private static func judge(_ frames: [HTTP2Frame], _ each: FramingCase) {
        let reader = HeaderReader()
        // Behind content that has filled a window, an empty trailer section ends the stream.
        let heads = frames.filter { $0.isKind(.headers) && !($0.payload.isEmpty && $0.endsStream) }.map {
            reader.read($0.payload)
        }
        let content = frames.filter { $0.isKind(.data) }.reduce(0) { $0 + $1.payload.count }
        #expect(frames.first?.isKind(.headers) == true, "\(each)")
        #expect(frames.allSatisfy { $0.isKind(.headers) || $0.isKind(.data) }, "\(each)")
        #expect(frames.filter(\.endsStream).count == 1 && frames.last?.endsStream == true, "\(each)")
        #expect(heads.count == (each.hasContent && each.trailers ? 2 : 1), "\(each)")
        #expect(heads.first?.first?.value == "\(each.status)", "\(each)")
        #expect(content == (each.hasContent ? each.body : 0), "\(each)")
        let length = heads.first?.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        if let length, each.hasContent { #expect(length == content, "\(each)") }
        if each.status == 204 { #expect(length == nil, "\(each)") }
        #expect(heads.first?.contains { $0.name == "transfer-encoding" } == false, "\(each)")
        if heads.count == 2 {
            #expect(frames.last?.isKind(.headers) == true && heads[1].first?.name == "x-t", "\(each)")
        }
    }
}
