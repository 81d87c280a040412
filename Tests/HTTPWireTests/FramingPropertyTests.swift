// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiHTTPWire

/// Every response, whatever it is made of, ends where its own head says: the next one of the connection is read whole.
@Suite(.supervised) struct FramingPropertyTests {
    private struct Case: CustomStringConvertible {
        let status: Int
        let body: Int
        let framing: ResponseHead.Framing
        let trailers: Bool
        let delivery: Delivery?
        let method: String

        var description: String {
            "\(method) \(status), \(body) bytes, \(framing)\(trailers ? ", trailers" : "")\(delivery == nil ? "" : ", delivered")"
        }

        var response: Response {
            var response = Response(
                head: ResponseHead(
                    status: status, fields: trailers ? [WireField("Trailer", "X-T")] : [], framing: framing),
                body: .bytes([UInt8](repeating: UInt8(ascii: "x"), count: body)),
                trailers: trailers ? [WireField("X-T", "1")] : [])
            response.delivery = delivery
            return response
        }

        var hasContent: Bool { method != "HEAD" && ![204, 205, 304].contains(status) }
    }

    private static let deliveries: [Delivery?] = {
        var delayed = Delivery()
        delayed.delay = 1_000_000
        var dribbled = Delivery()
        dribbled.pace = .parts(count: 3, pause: 1_000_000)
        return [nil, delayed, dribbled]
    }()

    private static let cases: [Case] = [200, 201, 204, 205, 206, 304, 404, 412, 500].flatMap { status in
        [0, 1, 3000].flatMap { body in
            [false, true].flatMap { trailers in
                deliveries.flatMap { delivery in
                    ["GET", "HEAD", "POST"].map { method in
                        Case(
                            status: status, body: body, framing: trailers ? .chunked : .length(body),
                            trailers: trailers,
                            delivery: delivery, method: method)
                    }
                }
            }
        }
    }

    @Test func `over HTTP/1.1 the response behind any other is read whole`() throws {
        for each in Self.cases {
            let text = Self.conversation(each)
            guard let rest = try? Self.behindMessage(text, of: each) else {
                Issue.record("\(each): the message has no end in \(text.prefix(300))")
                continue
            }
            #expect(
                rest.hasPrefix("HTTP/1.1 200 OK\r\n") && rest.hasSuffix("\r\n\r\nok"), "\(each): \(rest.prefix(100))")
        }
    }

    /// What goes out for a request, and for one behind it.
    private static func conversation(_ each: Case) -> String {
        let session = HTTP1Session(
            limits: RequestLimits(), input: ByteBuffer(), output: OutputQueue(), outputLimit: 1 << 18)
        let date = Array("Sat, 21 Nov 2026 07:00:00 GMT".utf8)
        let length = each.method == "POST" ? "Content-Length: 0\r\n" : ""
        session.input.append(
            Array("\(each.method) /a HTTP/1.1\r\nHost: a\r\n\(length)\r\nGET /ok HTTP/1.1\r\nHost: a\r\n\r\n".utf8))
        var text = ""
        var now: UInt64 = 1_000_000_000
        var responses = 0
        for _ in 0..<20 {
            while let event = session.nextEvent() {
                guard case .request = event else { continue }
                responses += 1
                let response = responses == 1 ? each.response : HTTP2SessionHarness.response(body: "ok")
                session.send(.whole(response), date: date, now: now)
            }
            text += Self.drained(session.output)
            now += 5_000_000
            session.advance(date: date, now: now)
        }
        return text
    }

    private static func drained(_ output: OutputQueue) -> String {
        var text = ""
        while true {
            switch output.front() {
            case .run(let run):
                text += String(decoding: run, as: UTF8.self)
                output.sent(run.count)
            case .bytes(let array, let range):
                text += String(decoding: array[range], as: UTF8.self)
                output.sent(range.count)
            case .nothing, .file: return text
            }
        }
    }

    private struct Unreadable: Error {}

    /// What follows a message, by a reader that knows no length but the message's own (RFC 9112 §6.3).
    private static func behindMessage(_ text: String, of each: Case) throws -> String {
        let bytes = Array(text.utf8)
        func rest(_ place: Int) -> String { String(decoding: bytes.dropFirst(place), as: UTF8.self) }
        var place = try after("\r\n\r\n", in: bytes, from: 0)
        let head = String(decoding: bytes[..<place], as: UTF8.self).lowercased()
        if each.method == "HEAD" || each.status == 204 || each.status == 304 { return rest(place) }
        if head.contains("transfer-encoding: chunked") {
            while true {
                let end = try after("\r\n", in: bytes, from: place)
                guard let count = Int(String(decoding: bytes[place..<(end - 2)], as: UTF8.self), radix: 16) else {
                    throw Unreadable()
                }
                place = end + count + 2
                if count > 0 { continue }
                place = end
                while true {
                    let line = try after("\r\n", in: bytes, from: place)
                    defer { place = line }
                    if line == place + 2 { return rest(line) }
                }
            }
        }
        guard let field = head.split(separator: "\r\n").first(where: { $0.hasPrefix("content-length: ") }),
            let count = Int(field.dropFirst(16))
        else { throw Unreadable() }
        if each.status == 205 { #expect(count == 0) }
        return rest(place + count)
    }

    private static func after(_ mark: String, in bytes: [UInt8], from start: Int) throws -> Int {
        let mark = Array(mark.utf8)
        for place in start..<max(start, bytes.count - mark.count + 1)
        where Array(bytes[place..<(place + mark.count)]) == mark {
            return place + mark.count
        }
        throw Unreadable()
    }

    @Test func `over HTTP/2 content and trailers come where the response may have them, and only there`() {
        for each in Self.cases {
            let harness = HTTP2SessionHarness { _ in each.response }
            harness.feed(.request(stream: 1, each.method, "/"))
            var frames = harness.frames()
            for _ in 0..<6 {
                harness.advance(milliseconds: 5)
                frames += harness.frames()
            }
            let content = frames.filter { $0.isKind(.data) }.reduce(0) { $0 + $1.payload.count }
            let heads = frames.filter { $0.isKind(.headers) }.count
            #expect(content == (each.hasContent ? each.body : 0), "\(each)")
            #expect(heads == (each.hasContent && each.trailers ? 2 : 1), "\(each)")
            #expect(frames.last?.endsStream == true, "\(each)")
        }
    }
}
