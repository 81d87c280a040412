// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiRecording
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Messages at random, which pass a proxy that records them as they pass without one, whichever protocol the client speaks to it.
@Suite(.supervised) struct PassedMessagesTests {
    /// What a service gets, or a client: all but what belongs to the connection, with `ORIGIN` for the service's URL.
    private struct Seen: Equatable {
        var start = ""
        var fields: [String] = []
        var body: [UInt8] = []

        /// - Parameter isHTTP2: whether the message passed HTTP/2, or is compared with one that did: names are in lower case there (RFC 9113 §8.2).
        init(_ start: String, _ fields: [String], _ body: [UInt8], base: String, isHTTP2: Bool) {
            let text = { (text: String) in text.replacing(base, with: "ORIGIN") }
            self.start = text(start)
            // A server with a clock adds Date where there is none (RFC 9110 §6.6.1).
            let left = ["host", "connection", "content-length", "transfer-encoding", "date"]
            self.fields = fields.map { text($0) }.compactMap { line in
                let name = line.prefix { $0 != ":" }
                if left.contains(name.lowercased()) { return nil }
                let value = line[name.endIndex...].dropFirst().drop { $0 == " " }
                return "\(isHTTP2 ? name.lowercased() : String(name)): "
                    + String(value.reversed().drop { $0 == " " }.reversed())
            }
            if isHTTP2 { joinCookies() }
            self.body = body
            if let string = String(validating: body, as: UTF8.self) { self.body = Array(text(string).utf8) }
        }

        /// Lines of cookies are one in HTTP/1.1, however many they were in HTTP/2 (RFC 9113 §8.2.3).
        private mutating func joinCookies() {
            let name = "cookie: "
            let cookies = fields.filter { $0.hasPrefix(name) }.map { $0.dropFirst(name.count) }
            guard let first = fields.firstIndex(where: { $0.hasPrefix(name) }) else { return }
            fields.removeAll { $0.hasPrefix(name) }
            fields.insert(name + cookies.joined(separator: "; "), at: first)
        }
    }

    @Test(arguments: [false, true], 1...UInt64(Thoroughness.rounds(2, thorough: 20)))
    func `service and client get what they would get without it, but for the origin`(
        isHTTP2: Bool, seed: UInt64
    ) async throws {
        let upstream = try RawServer()
        var random = SplitMix(seed: seed)
        let messages = (0..<Thoroughness.rounds(40, thorough: 150)).map { _ in RandomMessage(&random) }
        try await ProxyBed.recording([upstream.base]) { bed in
            for message in messages {
                let direct = try await Self.exchange(
                    message, upstream, by: Self.http1, port: upstream.port, host: "127.0.0.1", isHTTP2: isHTTP2)
                let passed = try await Self.exchange(
                    message, upstream, by: isHTTP2 ? Self.http2 : Self.http1, port: bed.port, host: "localhost",
                    isHTTP2: isHTTP2)
                #expect(passed.request == direct.request, "\(message.request)")
                #expect(passed.answer == direct.answer, "\(message.request) \(message.answer)")
            }
            let failed = await bed.outcomes.filter { $0.kind == .failed }
            #expect(failed.map(\.notes) == [])
        }
    }

    private static func exchange(
        _ message: RandomMessage, _ upstream: RawServer,
        by send: @escaping @Sendable (RandomMessage, Int, String, String) throws -> WireResponse, port: Int,
        host: String, isHTTP2: Bool
    ) async throws -> (request: Seen, answer: Seen) {
        let base = "http://\(host):\(port)"
        async let request = blocking {
            let peer = try upstream.accept()
            let head = try peer.head()
            let body = try content(of: peer, head)
            let text = message.answer.replacing("ORIGIN", with: upstream.base)
            try peer.send(framed(text, message.answerBody(upstream.base), message.framing))
            return Seen(head[0], Array(head.dropFirst()), body, base: upstream.base, isHTTP2: isHTTP2)
        }
        let answer = try await blocking {
            let response = try send(message, port, "\(host):\(port)", base)
            return Seen(
                isHTTP2 ? "\(response.status)" : "\(response.status) \(response.reason)",
                response.fields.map { "\($0.name): \($0.value)" }, response.body, base: base, isHTTP2: isHTTP2)
        }
        return (try await request, answer)
    }

    /// Sends a message in HTTP/1.1.
    @Sendable private static func http1(
        _ message: RandomMessage, port: Int, authority: String, base: String
    ) throws -> WireResponse {
        let client = try WireClient(port: port)
        let text = message.request.replacing("ORIGIN", with: base).replacing("HOST", with: authority)
        try client.send(framed(text, message.requestBody(base), message.isChunked ? .chunks : .length))
        return try client.response()
    }

    /// The same in HTTP/2.
    @Sendable private static func http2(
        _ message: RandomMessage, port: Int, authority: String, base: String
    ) throws -> WireResponse {
        let lines = message.request.replacing("ORIGIN", with: base).split(separator: "\r\n")
        let start = lines[0].split(separator: " ").map(String.init)
        let fields = lines.dropFirst(2).map { line in
            let name = line.prefix { $0 != ":" }
            // A value with a blank at its ends would be malformed (RFC 9113 §8.2.1).
            let value = line.dropFirst(name.count + 1).split(separator: " ", omittingEmptySubsequences: true)
            return (name.lowercased(), value.joined(separator: " "))
        }
        let body = message.requestBody(base)
        let client = try FrameClient(port: port)
        try client.send(
            .request(stream: 1, start[0], start[1], fields, authority: authority, endsStream: body == nil))
        if let body { try client.send(.data(stream: 1, body)) }
        return try client.response(stream: 1)
    }

    /// A head without its last line, and its content behind it.
    private static func framed(_ head: String, _ body: [UInt8]?, _ framing: RandomMessage.Framing) -> [UInt8] {
        guard let body else { return Array("\(head)\r\n".utf8) }
        switch framing {
        case .length: return Array("\(head)Content-Length: \(body.count)\r\n\r\n".utf8) + body
        case .end: return Array("\(head)\r\n".utf8) + body
        case .chunks:
            let middle = body.count / 2
            var pieces: [UInt8] = []
            for piece in [Array(body[..<middle]), Array(body[middle...])] where !piece.isEmpty {
                pieces += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
            }
            return Array("\(head)Transfer-Encoding: chunked\r\n\r\n".utf8) + pieces + Array("0\r\n\r\n".utf8)
        }
    }

    private static func content(of peer: RawPeer, _ head: [String]) throws -> [UInt8] {
        func value(_ name: String) -> String? {
            head.first { $0.lowercased().hasPrefix("\(name):") }.map {
                String($0.dropFirst(name.count + 1).drop { $0 == " " })
            }
        }
        if let length = value("content-length").flatMap({ Int($0) }) { return try peer.read(length) }
        guard value("transfer-encoding") != nil else { return [] }
        var body: [UInt8] = []
        while let count = Int(try peer.line(), radix: 16), count > 0 {
            body += try peer.read(count)
            _ = try peer.line()
        }
        _ = try peer.line()
        return body
    }
}

/// A request and a response at random, with `ORIGIN` in the places of the service's URL.
private struct RandomMessage: Sendable {
    enum Framing: CaseIterable { case length, chunks, end }

    let request: String
    let answer: String
    let framing: Framing
    let isChunked: Bool
    private let bodies: (request: [UInt8]?, answer: [UInt8]?)
    private let areTexts: (request: Bool, answer: Bool)

    func requestBody(_ base: String) -> [UInt8]? { Self.body(bodies.request, areTexts.request, base) }

    func answerBody(_ base: String) -> [UInt8]? { Self.body(bodies.answer, areTexts.answer, base) }

    private static func body(_ body: [UInt8]?, _ isText: Bool, _ base: String) -> [UInt8]? {
        guard isText, let body else { return body }
        return Array(String(decoding: body, as: UTF8.self).replacing("ORIGIN", with: base).utf8)
    }

    init(_ random: inout SplitMix) {
        func number(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }
        func one<Element>(_ elements: [Element]) -> Element { elements[number(elements.count)] }
        func body(_ type: String) -> [UInt8] {
            if type == "application/octet-stream" || type == "image/png" {
                return (0..<number(300)).map { _ in UInt8(number(256)) }
            }
            let text = one(Self.texts)
            if type.hasPrefix("multipart") {
                let parts = [
                    "", "Content-Type: application/json", "Content-Type: application/http\r\n\r\nGET ORIGIN/a HTTP/1.1",
                ].map { "--b\r\n\($0)\r\n\r\n\(text)\r\n" }
                return Array("\(parts.shuffled(using: &random).joined())--b--\r\n".utf8)
            }
            return Array(type == "application/json" ? "{\"a\":[\"\(text)\",1.50]}".utf8 : text.utf8)
        }
        let method = one(["GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND", "REPORT", "get"])
        var target = (0...number(4)).map { _ in "/" + one(Self.segments) }.joined()
        if target.hasPrefix("//") { target = "/x" + target }
        if number(2) == 0 { target += "?" + (0...number(3)).map { _ in one(Self.parameters) }.joined(separator: "&") }
        var head = "\(method) \(target) HTTP/1.1\r\nHost: HOST\r\n"
        for _ in 0..<number(3) { head += one(Self.lines) + "\r\n" }
        if number(3) == 0 { head += "Accept-Encoding: gzip, br\r\n" }
        for _ in 0..<number(3) { head += one(Self.lines) + "\r\n" }
        let hasContent = method != "GET" && number(3) > 0
        let type = one(Self.types)
        if hasContent { head += "Content-Type: \(type)\r\n" }
        request = head
        isChunked = number(3) == 0
        let status = one([200, 200, 201, 202, 204, 301, 303, 400, 404, 409, 418, 500, 503, 599])
        var answer = "HTTP/1.1 \(status) \(one(["OK", "Fine", "Not as such", "\u{E9}t\u{E9}", ""]))\r\n"
        for _ in 0..<number(6) { answer += one(Self.answerLines) + "\r\n" }
        let answerType = one(Self.types)
        let isEmpty = status == 204
        if !isEmpty { answer += "Content-Type: \(answerType)\r\n" }
        framing = one(Framing.allCases)
        self.answer = answer + "Connection: close\r\n"
        bodies = (hasContent ? body(type) : nil, isEmpty ? nil : body(answerType))
        areTexts = (Self.isText(type), Self.isText(answerType))
    }

    private static func isText(_ type: String) -> Bool { type != "application/octet-stream" && type != "image/png" }

    private static let types = [
        "application/json", "text/plain; charset=utf-8", "text/html", "application/xml", "application/octet-stream",
        "image/png", "text/csv", "multipart/mixed; boundary=b",
    ]
    private static let texts = [
        "", "plain", "see ORIGIN/a and ORIGIN", "ORIGIN/b?c=1&amp;d=2", "x\r\ny\r\n", "\u{20AC} ORIGIN/\u{E9}",
    ]
    private static let segments = [
        "a", "b%2Fc", "..", ".", "%7Eu", "~u", "a;b=1", "x:y", "@", "*", "a+b", "%e2%82%ac", "", "a%20b", "%", "(1)",
        "'q'",
    ]
    private static let parameters = [
        "q=1+2", "q=%20", "=", "", "a", "a=b=c", "x[]=1", "x[]=2", "u=%3A%2F", "'", "z=%zz",
    ]
    private static let lines = [
        "X-A: 1", "x-a:  two ", "X-A: 3", "Cookie: a=b; c=d", "Accept: text/html;q=0.5, */*", "Referer: ORIGIN/from",
        "X-Link: <ORIGIN/x>; rel=\"y\"", "User-Agent: t/1 (\"x\")", "If-Match: \"v1\"",
        "Authorization: Basic eDp5", "X-Empty:", "Accept-Language: de, en;q=0.1", "Idempotency-Key: 7",
        "Prefer: return=minimal",
    ]
    private static let answerLines = [
        "X-B: 1", "x-b:  2 ", "Set-Cookie: a=1; Path=/; HttpOnly",
        "Set-Cookie: b=2; Expires=Thu, 23 Mar 2034 18:01:20 GMT",
        "Location: ORIGIN/next?x=1", "Link: <ORIGIN/2>; rel=next, <ORIGIN/9>; rel=last", "Vary: Accept",
        "Cache-Control: no-store",
        "Content-Location: ORIGIN/self", "WWW-Authenticate: Bearer realm=\"ORIGIN/token\"", "Retry-After: 3",
        "Operation-Location: ORIGIN/op", "X-Empty:", "Server: s/1", "Content-Language: de", "X-Request-Id: 1",
    ]
}
