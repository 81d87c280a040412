// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// What a session made of a connection's bytes, for comparison.
private struct Reading: Equatable {
    /// Each request as the bytes of its head, its content and the number of its trailers.
    var requests: [[UInt8]] = []
    var isOver = false
}

private let date = DateLine("Sat, 21 Nov 2026 07:00:00 GMT")
private let small = ResponseHead(status: 200, fields: [WireField("Content-Type", "text/plain")], framing: .length(5))
private let large = ResponseHead(status: 200, fields: [], framing: .length(200_000))
private let chunked = ResponseHead(status: 200, fields: [], framing: .chunked)
private let content = [UInt8](repeating: 0x78, count: 200_000)

/// One of several kinds of answers, by a number: short, long, with trailers, slow, broken off.
private func plan(_ kind: Int) -> Response {
    var plan = Response(head: small, body: .bytes(Array("fuzzy".utf8)))
    var delivery = Delivery()
    switch kind % 8 {
    case 1: plan = Response(head: large, body: .bytes(content))
    case 2: plan = Response(head: chunked, body: .bytes([1, 2, 3]), trailers: [WireField("X-Sum", "6")])
    case 3:
        delivery.delay = 10
        delivery.pace = .parts(count: 3, pause: 5)
        plan.delivery = delivery
    case 4:
        delivery.bodyLimit = 2
        delivery.ending = .resetStream(code: 8)
        plan.delivery = delivery
    case 5:
        delivery.sendsHead = false
        delivery.garbage = [1, 2, 3]
        delivery.ending = .resetStream(code: 1)
        plan.delivery = delivery
    case 6:
        delivery.ending = .stall
        delivery.bodyLimit = 1
        plan.delivery = delivery
    default: break
    }
    return plan
}

/// Runs a session on bytes that come in pieces, answers what is asked, and lets time go by.
///
/// - Parameter cut: gives the size of each piece from its number; at least 1.
private func read(_ bytes: UnsafeBufferPointer<UInt8>, cut: (Int) -> Int) -> Reading {
    let session = HTTP2Session(limits: RequestLimits(maxHead: 4096, maxBody: 4096), pool: HTTP2StreamPool())
    let output = OutputQueue()
    var reading = Reading()
    var now: UInt64 = 1_000_000_000

    func answerAll() {
        while let event = session.nextEvent() {
            switch event {
            case .abandoned, .began, .unsent, .dropped: break
            case .request(let stream):
                precondition(stream.request.body.count <= 4096, "more content than the limit")
                let head = stream.request.head
                for range in [head.method, head.target, head.path, head.query ?? .empty, head.authority] {
                    _ = head.string(range)
                }
                for field in head.fields + stream.request.trailers {
                    _ = head.string(field.name)
                    _ = head.string(field.value)
                }
                reading.requests.append(
                    head.bytes + stream.request.body + [UInt8(truncatingIfNeeded: stream.request.trailers.count)])
                session.send(.whole(plan(reading.requests.count)), on: stream, date: date, now: now)
            case .refused(let stream, let error):
                let response = Response(
                    head: ResponseHead(status: error.status, fields: [], framing: .length(0)))
                session.send(.whole(response), on: stream, date: date, now: now)
            }
        }
    }

    func send() {
        session.write(to: output, limit: 64 * 1024)
        output.removeAll()
    }

    func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
        session.receive(bytes, now: now)
        answerAll()
        send()
    }

    let preface = HTTP2Session.preface
    receive(UnsafeBufferPointer(start: preface.utf8Start, count: preface.utf8CodeUnitCount))
    settings.withUnsafeBufferPointer { receive($0) }
    var offset = 0
    var piece = 0
    while offset < bytes.count {
        let end = min(bytes.count, offset + max(1, cut(piece)))
        receive(UnsafeBufferPointer(rebasing: bytes[offset..<end]))
        offset = end
        piece += 1
    }
    // Answers that wait for a moment meet it; a client that is slow meets its deadline.
    for _ in 0..<8 {
        now += 10_000_000
        session.advance(now: now, date: date)
        send()
    }
    reading.isOver = session.isFinished
    if session.hasStalled(since: now) { session.dropStalled() } else { session.finishDrain() }
    send()
    return reading
}

/// An empty SETTINGS frame and an acknowledgement of ours.
private let settings: [UInt8] = [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0]

/// Raw frames behind a preface mean the same requests in whatever pieces they come.
///
/// Nothing is paid for here: each byte is read once, and the limits of heads and contents bound all of them.
enum HTTP2SessionFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let whole = read(bytes) { _ in bytes.count }
        let single = read(bytes) { _ in 1 }
        let seed = Int(bytes.first ?? 0) + bytes.count
        let pieces = read(bytes) { (seed &* 31 &+ $0 &* 17) % 23 + 1 }
        // Answers that go out between the pieces make room for streams that would else be refused.
        guard whole.requests.count < 64 else { return }
        precondition(
            whole.requests.starts(with: single.requests) || single.requests.starts(with: whole.requests),
            "one byte at a time")
        precondition(
            whole.requests.starts(with: pieces.requests) || pieces.requests.starts(with: whole.requests), "in pieces")
    }
}
