// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// What a parser makes of the bytes of one connection.
struct Reading: Equatable, CustomStringConvertible {
    struct Request: Equatable {
        var method: String
        var path: String
        var query: String?
        var authority: String
        var body: String = ""
        var trailers: [String] = []
        var keepsAlive = true
        var expectsContinue = false
    }

    var requests: [Request] = []
    var refusal: RequestError?

    var description: String { "\(requests) \(refusal.map { "\($0.status) \($0.text)" } ?? "")" }
}

/// The pieces that bytes come in.
enum Feeding: CaseIterable {
    case whole
    case bytewise
    case oddPieces

    func size(_ piece: Int, of count: Int) -> Int {
        switch self {
        case .whole: count
        case .bytewise: 1
        case .oddPieces: (piece * 7) % 11 + 1
        }
    }

    /// Parses bytes that come so.
    func read(_ bytes: [UInt8], limits: RequestLimits = RequestLimits()) -> Reading {
        let input = ByteBuffer()
        var parser = HTTP1Parser(limits: limits)
        var reading = Reading()
        var body: [UInt8] = []
        var offset = 0
        var piece = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + size(piece, of: bytes.count))
            input.append(Array(bytes[offset..<end]))
            offset = end
            piece += 1
            parsing: while true {
                switch parser.next(input) {
                case .needsMore: break parsing
                case .head: body = []
                case .body(let bytes): body.append(contentsOf: bytes)
                case .end: reading.requests.append(Self.request(parser, body))
                case .invalid(let error):
                    reading.refusal = error
                    return reading
                }
            }
        }
        return reading
    }

    private static func request(_ parser: HTTP1Parser, _ body: [UInt8]) -> Reading.Request {
        let head = parser.head
        return Reading.Request(
            method: head.string(head.method), path: head.string(head.path), query: head.query.map(head.string),
            authority: head.string(head.authority), body: String(decoding: body, as: UTF8.self),
            trailers: parser.trailers.map { "\(head.string($0.name)): \(head.string($0.value))" },
            keepsAlive: parser.keepsAlive, expectsContinue: parser.expectsContinue)
    }
}

/// Parses a text in all ways of feeding it and gives the reading they share; nil where they differ.
func readInEveryWay(_ text: String, limits: RequestLimits = RequestLimits()) -> Reading? {
    // A scalar below 256 is one byte, so that a text can hold any.
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    let readings = Feeding.allCases.map { $0.read(bytes, limits: limits) }
    return readings.allSatisfy { $0 == readings[0] } ? readings[0] : nil
}
