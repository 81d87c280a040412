// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// What a parser made of a connection's bytes, for comparison.
///
/// Where two things are wrong with a response, the pieces it comes in decide which of them is told: that there is a fault is compared.
private struct Reading: Equatable {
    var heads: [[UInt8]] = []
    var bodies: [[UInt8]] = []
    var trailers: [Int] = []
    var isFault = false
}

/// Reads all that a head points to: every range must lie in its bytes.
private func touch(_ head: ReceivedHead) {
    _ = head.string(head.reason)
    for field in head.fields {
        _ = head.string(field.name)
        _ = head.string(field.value)
    }
}

/// Parses bytes that come in pieces, and the end of the connection behind them; the first byte says which of the requests was HEAD.
///
/// - Parameter cut: gives the size of each piece from its number; at least 1.
private func read(_ bytes: UnsafeBufferPointer<UInt8>, cut: (Int) -> Int) -> Reading {
    let methods = Int(bytes.first ?? 0)
    let bytes = UnsafeBufferPointer(rebasing: bytes.dropFirst())
    let input = ByteBuffer()
    var parser = HTTP1ResponseParser(maxHead: 4096)
    var reading = Reading()
    var body: [UInt8] = []
    var count = 0
    func take(_ event: HTTP1ResponseParser.Event) -> Bool {
        switch event {
        case .needsMore: return false
        case .head:
            touch(parser.head)
            reading.heads.append(parser.head.bytes)
            body = []
        case .body(let bytes):
            precondition(!bytes.isEmpty, "content without a byte")
            body.append(contentsOf: bytes)
        case .end:
            reading.bodies.append(body)
            reading.trailers.append(parser.trailers.count)
            for field in parser.trailers { _ = parser.head.string(field.value) }
            count += 1
            parser.begin(isHead: methods >> (count % 8) & 1 == 1)
        case .invalid(let fault):
            if case .invalid(let again) = parser.next(input) {
                precondition(again == fault, "a faulty connection says something else")
            } else {
                preconditionFailure("a faulty connection goes on")
            }
            reading.isFault = true
            return false
        }
        return true
    }
    parser.begin(isHead: methods & 1 == 1)
    var offset = 0
    var piece = 0
    while offset < bytes.count, !reading.isFault {
        let end = min(bytes.count, offset + max(1, cut(piece)))
        input.append(UnsafeBufferPointer(rebasing: bytes[offset..<end]))
        offset = end
        piece += 1
        while take(parser.next(input)) {}
    }
    if !reading.isFault { _ = take(parser.finish()) }
    return reading
}

/// The same bytes mean the same in whatever pieces they come.
///
/// Nothing is paid for here: each byte is read once, and the limits of heads and contents bound all of them.
enum ResponseParserFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        let whole = read(bytes) { _ in max(1, bytes.count) }
        let single = read(bytes) { _ in 1 }
        let seed = Int(bytes.first ?? 0) + bytes.count
        let pieces = read(bytes) { (seed &* 31 &+ $0 &* 17) % 23 + 1 }
        precondition(whole == single, "one byte at a time is read otherwise than in one piece")
        precondition(whole == pieces, "pieces are read otherwise than the whole")
    }
}
