// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

@testable import MockapiHTTPWire

/// A response of some status, content, trailers and framing, sent in some way to some request.
struct FramingCase: CustomStringConvertible {
    /// How the response comes to the session, and goes out.
    enum Way: CaseIterable {
        /// Whole and at once.
        case atOnce
        case delayed
        case dribbled
        /// From elsewhere, all of it before the session asks.
        case streamed
        /// From elsewhere, one part after another.
        case streamedInParts
        /// From elsewhere, where a whole response comes in place of a head.
        case replaced
        /// The same, delayed.
        case replacedAndDelayed
    }

    let status: Int
    /// Bytes of content.
    let body: Int
    let framing: ResponseHead.Framing
    let trailers: Bool
    let way: Way
    let method: String

    var description: String { "\(method) \(status), \(body) bytes, \(framing)\(trailers ? ", trailers" : ""), \(way)" }

    private static let statuses = [200, 201, 204, 205, 206, 304, 404, 412, 500]

    /// Every combination.
    static let all: [FramingCase] = statuses.flatMap { status in
        [0, 1, 3000].flatMap { body in
            [(ResponseHead.Framing.length(body), false), (.chunked, false), (.chunked, true)].flatMap { framing in
                Way.allCases.flatMap { way in
                    ["GET", "HEAD", "POST"].map { method in
                        FramingCase(
                            status: status, body: body, framing: framing.0, trailers: framing.1, way: way,
                            method: method)
                    }
                }
            }
        }
    }

    var hasContent: Bool { method != "HEAD" && ![204, 205, 304].contains(status) }

    private var content: [UInt8] { [UInt8](repeating: UInt8(ascii: "x"), count: body) }
    private var trailerFields: [WireField] { trailers ? [WireField("X-T", "1")] : [] }
    private var head: ResponseHead {
        ResponseHead(status: status, fields: trailers ? [WireField("Trailer", "X-T")] : [], framing: framing)
    }

    private func whole(delivery: Delivery? = nil) -> Response {
        var response = Response(head: head, body: .bytes(content), trailers: trailerFields)
        response.delivery = delivery
        return response
    }

    private static let delay: Delivery = {
        var delivery = Delivery()
        delivery.delay = 1_000_000
        return delivery
    }()

    private static let parts: Delivery = {
        var delivery = Delivery()
        delivery.pace = .parts(count: 3, pause: 1_000_000)
        return delivery
    }()

    /// The reply, and what its producer still does behind it, one step after another.
    var reply: (Reply, steps: [() -> Void]) {
        switch way {
        case .atOnce: return (.whole(whole()), [])
        case .delayed: return (.whole(whole(delivery: Self.delay)), [])
        case .dribbled: return (.whole(whole(delivery: Self.parts)), [])
        case .streamed, .streamedInParts:
            let streamed = StreamedResponse()
            let half = body / 2
            let steps: [() -> Void] = [
                { streamed.begin(head) }, { if half > 0 { streamed.push(Array(content[..<half])) } },
                { if body > 0 { streamed.push(Array(content[half...])) } },
                { streamed.finish(trailers: trailerFields) },
            ]
            guard way == .streamed else { return (.streamed(streamed), steps) }
            for step in steps { step() }
            return (.streamed(streamed), [])
        case .replaced, .replacedAndDelayed:
            let streamed = StreamedResponse()
            let delivery = way == .replaced ? nil : Self.delay
            return (.streamed(streamed), [{ streamed.respond(with: whole(delivery: delivery)) }])
        }
    }
}

/// A reader of HTTP/1.1 that knows no length but the message's own (RFC 9112 §6.3).
struct StrictReader {
    struct Unreadable: Error {
        let reason: String
    }

    struct Message {
        var status = 0
        var fields: [(name: String, value: String)] = []
        var body: [UInt8] = []
        var trailers: [(name: String, value: String)] = []

        func all(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// The next message, which responds to a request of a method.
    mutating func message(to method: String) throws(Unreadable) -> Message {
        var message = Message()
        let words = try line().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard words.count == 3, words[0] == "HTTP/1.1", let status = Int(words[1]) else {
            throw Unreadable(reason: "not a status line: \(words.joined(separator: " ").prefix(60))")
        }
        message.status = status
        message.fields = try fields()
        let lengths = message.all("content-length")
        let codings = message.all("transfer-encoding")
        guard lengths.count + codings.count <= 1 else { throw Unreadable(reason: "its length is said twice") }
        if status < 200 || status == 204 {
            guard lengths.isEmpty, codings.isEmpty else { throw Unreadable(reason: "\(status) says a length") }
        }
        if method == "HEAD" || status < 200 || status == 204 || status == 304 { return message }
        if codings == ["chunked"] {
            while true {
                guard let count = Int(try line(), radix: 16) else { throw Unreadable(reason: "not a chunk's size") }
                if count == 0 { break }
                message.body += try take(count)
                guard try line().isEmpty else { throw Unreadable(reason: "a chunk longer than its size") }
            }
            message.trailers = try fields()
        } else if let length = lengths.first.flatMap({ Int($0) }) {
            message.body = Array(try take(length))
        } else {
            message.body = Array(rest)
            rest = []
        }
        return message
    }

    private mutating func fields() throws(Unreadable) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        while true {
            let line = try line()
            if line.isEmpty { return fields }
            guard let colon = line.firstIndex(of: ":") else { throw Unreadable(reason: "not a field line: \(line)") }
            fields.append((line[..<colon].lowercased(), String(line[colon...].dropFirst(2))))
        }
    }

    private mutating func line() throws(Unreadable) -> String {
        guard let feed = rest.firstIndex(of: ASCII.lineFeed), feed > rest.startIndex,
            rest[feed - 1] == ASCII.carriageReturn
        else { throw Unreadable(reason: "no line at \(String(decoding: rest.prefix(60), as: UTF8.self))") }
        defer { rest = rest[(feed + 1)...] }
        return String(decoding: rest[..<(feed - 1)], as: UTF8.self)
    }

    private mutating func take(_ count: Int) throws(Unreadable) -> ArraySlice<UInt8> {
        guard rest.count >= count else { throw Unreadable(reason: "\(count) bytes are announced, \(rest.count) come") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
