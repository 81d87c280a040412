// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Frames that go out past nghttp2: a last word to a client that is dropped, and faults.
enum HTTP2RawFrame {
    /// Bytes of a frame's head (RFC 9113 §4.1).
    static let headSize = 9

    static func goAway(lastStream: UInt32, code: UInt32, debug: [UInt8]) -> [UInt8] {
        frame(kind: 7, stream: 0, bytes(lastStream) + bytes(code) + debug)
    }

    static func data(stream: UInt32, _ content: [UInt8]) -> [UInt8] {
        frame(kind: 0, stream: stream, content)
    }

    /// A frame without flags.
    private static func frame(kind: UInt8, stream: UInt32, _ payload: [UInt8]) -> [UInt8] {
        // A length of 24 bits, kind, no flags, stream (RFC 9113 §4.1).
        var frame = Array(bytes(UInt32(payload.count))[1...])
        frame += [kind, 0]
        frame += bytes(stream)
        return frame + payload
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}
