// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import Testing

@testable import MockapiHTTPWire

/// A session with its client on paper: bytes in, bytes out, a clock that stands until it is moved.
final class HTTP1SessionHarness {
    static let date = DateLine("Sat, 21 Nov 2026 07:00:00 GMT")

    let session: HTTP1Session
    var now: UInt64 = 1_000_000_000
    private let reply: (HTTP1Session) -> Reply
    /// What was told, in order.
    private(set) var told: [String] = []
    /// What went out.
    private(set) var sent = ""

    init(
        limits: RequestLimits = RequestLimits(), outputLimit: Int = 1 << 18,
        reply: @escaping (HTTP1Session) -> Reply
    ) {
        session = HTTP1Session(limits: limits, input: ByteBuffer(), output: OutputQueue(), outputLimit: outputLimit)
        self.reply = reply
    }

    convenience init(
        limits: RequestLimits = RequestLimits(), outputLimit: Int = 1 << 18,
        answer: @escaping (HTTP1Session) -> Response = {
            HTTP2SessionHarness.response(body: $0.request.head.string($0.request.head.path))
        }
    ) {
        self.init(limits: limits, outputLimit: outputLimit, reply: { .whole(answer($0)) })
    }

    func feed(_ text: String, _ feeding: Feeding = .whole) {
        let bytes = Array(text.utf8)
        var offset = 0
        var piece = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + feeding.size(piece, of: bytes.count))
            session.input.append(Array(bytes[offset..<end]))
            offset = end
            piece += 1
            handle()
        }
    }

    /// Does what the session tells, until it has no more to tell.
    func handle() {
        while let event = session.nextEvent() { respond(to: event) }
        drain()
    }

    private func respond(to event: HTTP1Session.Event) {
        switch event {
        case .request:
            let head = session.request.head
            told.append("\(head.string(head.method)) \(head.string(head.target)) [\(session.request.body.count)]")
            session.send(reply(session), date: Self.date, now: now)
        case .refused(let error):
            told.append("refused \(error.status): \(error.text)")
            session.refuse(with: HTTP2SessionHarness.response(error.status, body: error.text), date: Self.date)
        case .upgrade(let settings): told.append("upgrade \(settings.count)")
        case .began(_, .head(let head)): told.append("began \(head.status)")
        case .began(_, .response(let response)): told.append("began \(response.head.status) as a whole")
        case .began(_, .nothing): told.append("began with nothing")
        case .abandoned(let givenUp):
            told.append("abandoned")
            givenUp?.abandon()
        }
    }

    /// Moves the clock, and has the session go on with what waited.
    func advance(to moment: UInt64) {
        now = moment
        session.advance(date: Self.date, now: now)
        handle()
    }

    private func drain() {
        while true {
            switch session.output.front() {
            case .run(let run):
                sent += String(decoding: run, as: UTF8.self)
                session.output.sent(run.count)
            case .bytes(let array, let range):
                sent += String(decoding: array[range], as: UTF8.self)
                session.output.sent(range.count)
            case .nothing, .file: return
            }
        }
    }

    /// What has gone out since the last call.
    func take() -> String {
        defer { sent = "" }
        return sent
    }

    /// The heads' first lines of what went out, without content that looks like one.
    var statusLines: [String] {
        sent.split(separator: "\r\n").filter { $0.hasPrefix("HTTP/1.1 ") }.map(String.init)
    }
}
