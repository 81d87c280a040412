// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiWireSupport

@testable import MockapiHTTPWire

/// A session with its client on paper: frames in, frames out, a clock that stands until it is moved.
final class HTTP2SessionHarness {
    let session: HTTP2Session
    var now: UInt64 = 1_000_000_000
    /// What each request is answered with.
    private let reply: (HTTP2Stream) -> Reply
    private(set) var requests: [String] = []
    private(set) var refusals: [RequestError] = []
    /// What was told of answers under way.
    private(set) var told: [String] = []
    /// Why the connection is dropped; nil where it is not.
    var dropCause: String? {
        told.first { $0.hasPrefix("dropped  0: ") }.map { String($0.split(separator: "§7): ").last ?? "") }
    }
    private let output = OutputQueue()
    private let reader = HeaderReader()
    private let date = DateLine("Sat, 21 Nov 2026 07:00:00 GMT")

    init(
        limits: RequestLimits = RequestLimits(), settings: [(UInt16, UInt32)] = [], knowsSettings: Bool = true,
        reply: @escaping (HTTP2Stream) -> Reply
    ) {
        session = HTTP2Session(limits: limits, pool: HTTP2StreamPool())
        self.reply = reply
        feed(HTTP2Frame.opening(settings))
        if knowsSettings { feed(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement)) }
        _ = frames()
    }

    convenience init(
        limits: RequestLimits = RequestLimits(), settings: [(UInt16, UInt32)] = [], knowsSettings: Bool = true,
        answer: @escaping (HTTP2Stream) -> Response = { _ in response(body: "ok") }
    ) {
        self.init(limits: limits, settings: settings, knowsSettings: knowsSettings, reply: { .whole(answer($0)) })
    }

    static func response(
        _ status: Int = 200, _ fields: [(String, String)] = [], body: String = "", _ delivery: Delivery? = nil
    ) -> Response {
        var response = Response(
            head: ResponseHead(
                status: status, fields: fields.map { WireField($0.0, $0.1) }, framing: .length(body.utf8.count)),
            body: .bytes(Array(body.utf8)))
        response.delivery = delivery
        return response
    }

    func feed(_ frames: HTTP2Frame...) {
        feed(frames.flatMap(\.bytes))
    }

    /// Gives the session bytes, in pieces of a size.
    func feed(_ bytes: [UInt8], piece: Int = .max) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(piece))
            rest = rest.dropFirst(piece)
            part.withUnsafeBufferPointer { session.receive($0, now: now) }
            answerAll()
        }
    }

    private func answerAll() {
        while let event = session.nextEvent() {
            switch event {
            case .abandoned(let stream, let code): told.append("abandoned \(stream) \(code)")
            case .began(_, .head(let head)): told.append("began \(head.status)")
            case .began(_, .response(let response)): told.append("began \(response.head.status) as a whole")
            case .began(_, .nothing): told.append("began with nothing")
            case .unsent(let head, let status, let stream):
                told.append("unsent \(status) to \(head.string(head.target)) \(stream)")
            case .dropped(let head, let stream, let reason):
                told.append("dropped \(head.string(head.target)) \(stream): \(reason)")
            case .request(let stream):
                requests.append(stream.text)
                session.send(reply(stream), on: stream, date: date, now: now)
            case .refused(let stream, let error):
                refusals.append(error)
                session.send(
                    .whole(Self.response(error.status, body: error.text)), on: stream, date: date, now: now)
            }
        }
    }

    /// Does what a live response asks for that has more.
    func wake(_ stream: UInt32) {
        session.advanceStreamed(stream: stream, now: now, date: date)
        answerAll()
    }

    func advance(milliseconds: UInt64) {
        now += milliseconds * 1_000_000
        session.advance(now: now, date: date)
    }

    /// What the session has written since the last call.
    func bytes(limit: Int = .max) -> [UInt8] {
        session.write(to: output, limit: limit)
        var bytes: [UInt8] = []
        while true {
            switch output.front() {
            case .run(let run):
                bytes += run
                output.sent(run.count)
            case .bytes(let array, let range):
                bytes += array[range]
                output.sent(range.count)
            case .nothing, .file:
                answerAll()
                return bytes
            }
        }
    }

    func frames() -> [HTTP2Frame] {
        var bytes = bytes()
        return HTTP2Frame.take(from: &bytes)
    }

    /// The frames in short: `HEADERS 1`, `DATA 1 2 END`, `RST_STREAM 1 8`, `GOAWAY 0 11`.
    func story() -> [String] {
        frames().map { frame in
            let end = frame.endsStream ? " END" : ""
            switch HTTP2Frame.Kind(rawValue: frame.kind) {
            case .headers:
                let fields = reader.read(frame.payload)
                return "HEADERS \(frame.stream) \(fields.first?.value ?? "")\(end)"
            case .data: return "DATA \(frame.stream) \(frame.payload.count)\(end)"
            case .reset: return "RST_STREAM \(frame.stream) \(frame.number(at: 0))"
            case .goAway: return "GOAWAY \(frame.number(at: 0)) \(frame.number(at: 4))"
            case .windowUpdate: return "WINDOW_UPDATE \(frame.stream) \(frame.number(at: 0))"
            case .settings: return frame.flags == 0 ? "SETTINGS" : "SETTINGS ACK"
            case .ping: return frame.flags == 0 ? "PING" : "PING ACK"
            default: return "frame of kind \(frame.kind)"
            }
        }
    }
}

private func response(body: String) -> Response {
    HTTP2SessionHarness.response(body: body)
}

extension HTTP2Stream {
    /// A request on one line: method, target, authority, fields, content, trailers.
    var text: String {
        let head = request.head
        let fields = head.fields.map { "\(head.string($0.name)): \(head.string($0.value))" }
        let trailers = request.trailers.map { "\(head.string($0.name)): \(head.string($0.value))" }
        return
            ([head.string(head.method), head.string(head.target), head.string(head.authority)] + fields
            + [String(decoding: request.body, as: UTF8.self)] + trailers).joined(separator: "|")
    }
}
