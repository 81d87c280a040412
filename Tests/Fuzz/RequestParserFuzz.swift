// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// What a parser made of a connection's bytes, for comparison.
///
/// Where two things are wrong with a message, the pieces it comes in decide which of them is told: that it is refused is compared, not
/// why.
private struct Reading: Equatable {
    var heads: [[UInt8]] = []
    var bodies: [[UInt8]] = []
    var trailers: [Int] = []
    var isRefused = false
}

/// Reads all that a head points to: every range must lie in its bytes, whatever came, refused or not.
private func touch(_ head: RequestHead) {
    for range in [head.method, head.target, head.path, head.query ?? .empty, head.authority] { _ = head.string(range) }
    for field in head.fields {
        _ = head.string(field.name)
        _ = head.string(field.value)
    }
}

/// Parses bytes that come in pieces.
///
/// - Parameter cut: gives the size of each piece from its number; at least 1.
private func read(_ bytes: UnsafeBufferPointer<UInt8>, cut: (Int) -> Int) -> Reading {
    let input = ByteBuffer()
    var parser = HTTP1Parser(limits: RequestLimits(maxHead: 4096, maxBody: 4096))
    var reading = Reading()
    var body: [UInt8] = []
    var offset = 0
    var piece = 0
    while offset < bytes.count {
        let end = min(bytes.count, offset + max(1, cut(piece)))
        input.append(UnsafeBufferPointer(rebasing: bytes[offset..<end]))
        offset = end
        piece += 1
        parsing: while true {
            switch parser.next(input) {
            case .needsMore: break parsing
            case .head:
                touch(parser.head)
                reading.heads.append(parser.head.bytes)
                body = []
            case .body(let bytes):
                body.append(contentsOf: bytes)
                precondition(body.count <= 4096, "more content than the limit")
            case .end:
                reading.bodies.append(body)
                reading.trailers.append(parser.trailers.count)
                for field in parser.trailers { _ = parser.head.string(field.value) }
            case .invalid(let error):
                reading.isRefused = true
                touch(parser.head)
                if case .invalid(let again) = parser.next(input) {
                    precondition(again == error, "a refused connection says something else")
                } else {
                    preconditionFailure("a refused connection goes on")
                }
                return reading
            }
        }
    }
    return reading
}

/// The same bytes mean the same in whatever pieces they come.
///
/// Nothing is paid for here: each byte is read once, and the limits of heads and contents bound all of them.
enum RequestParserFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let whole = read(bytes) { _ in bytes.count }
        let single = read(bytes) { _ in 1 }
        let seed = Int(bytes.first ?? 0) + bytes.count
        let pieces = read(bytes) { (seed &* 31 &+ $0 &* 17) % 23 + 1 }
        precondition(whole == single, "one byte at a time is read otherwise than in one piece")
        precondition(whole == pieces, "pieces are read otherwise than the whole")
    }
}
