// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A frame of HTTP/2 as it is on the wire (RFC 9113 §4.1).
package struct HTTP2Frame: Equatable, Sendable {
    package enum Kind: UInt8, Sendable {
        case data
        case headers
        case priority
        case reset
        case settings
        case pushPromise
        case ping
        case goAway
        case windowUpdate
        case continuation
    }

    package static let endStream: UInt8 = 0x1
    package static let acknowledgement: UInt8 = 0x1
    package static let endHeaders: UInt8 = 0x4

    package var kind: UInt8
    package var flags: UInt8
    package var stream: UInt32
    package var payload: [UInt8]

    package init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
        self.init(kind: kind.rawValue, flags: flags, stream: stream, payload: payload)
    }

    package init(kind: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8]) {
        self.kind = kind
        self.flags = flags
        self.stream = stream
        self.payload = payload
    }

    package var bytes: [UInt8] {
        Self.bytes(UInt32(payload.count)).dropFirst() + [kind, flags] + Self.bytes(stream) + payload
    }

    package var endsStream: Bool { flags & Self.endStream != 0 }

    package func isKind(_ kind: Kind) -> Bool { self.kind == kind.rawValue }

    /// The big-endian number at an offset of the payload.
    package func number(at offset: Int) -> UInt32 {
        payload[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    package static func bytes(_ number: UInt32) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }

    /// Takes the frames that are complete from the start of some bytes.
    package static func take(from bytes: inout [UInt8]) -> [HTTP2Frame] {
        var frames: [HTTP2Frame] = []
        var start = 0
        while bytes.count - start >= 9 {
            let head = bytes[start..<start + 9].map { $0 }
            let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
            guard bytes.count - start >= 9 + count else { break }
            let stream = head[5...].reduce(0) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
            frames.append(
                HTTP2Frame(
                    kind: head[3], flags: head[4], stream: stream,
                    payload: Array(bytes[start + 9..<start + 9 + count])))
            start += 9 + count
        }
        bytes.removeFirst(start)
        return frames
    }
}

extension HTTP2Frame {
    /// What a client says first: its preface and its settings.
    package static func opening(_ settings: [(UInt16, UInt32)] = []) -> [UInt8] {
        Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + self.settings(settings).bytes
    }

    package static func settings(_ settings: [(UInt16, UInt32)]) -> HTTP2Frame {
        HTTP2Frame(.settings, settings.flatMap { bytes(UInt32($0.0)).suffix(2) + bytes($0.1) })
    }

    package static func windowUpdate(stream: UInt32, _ increment: UInt32) -> HTTP2Frame {
        HTTP2Frame(.windowUpdate, stream: stream, bytes(increment))
    }

    package static func reset(stream: UInt32, code: UInt32) -> HTTP2Frame {
        HTTP2Frame(.reset, stream: stream, bytes(code))
    }

    /// A request's header section in one frame.
    package static func request(
        stream: UInt32, _ method: String, _ path: String, _ fields: [(String, String)] = [],
        authority: String? = "localhost", endsStream: Bool = true
    ) -> HTTP2Frame {
        var all = [(":method", method), (":scheme", "http"), (":path", path)]
        if let authority { all.append((":authority", authority)) }
        return headers(stream: stream, all + fields, endsStream: endsStream)
    }

    package static func request(
        stream: UInt32, _ path: String, _ fields: [(String, String)] = [], authority: String? = "localhost"
    ) -> HTTP2Frame {
        request(stream: stream, "GET", path, fields, authority: authority)
    }

    package static func headers(
        stream: UInt32, _ fields: [(String, String)], endsStream: Bool = true
    ) -> HTTP2Frame {
        HTTP2Frame(
            .headers, flags: endHeaders | (endsStream ? endStream : 0), stream: stream, HeaderBlock.encode(fields))
    }

    package static func data(stream: UInt32, _ content: [UInt8], endsStream: Bool = true) -> HTTP2Frame {
        HTTP2Frame(.data, flags: endsStream ? endStream : 0, stream: stream, content)
    }
}
