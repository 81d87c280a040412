// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiWireSupport

extension Abuse {
    /// HTTP/2 connections that cost more than they ask for, each until the server ends it.
    static let frames = [
        flood("streams opened and cancelled") { stream in
            [.request(stream: stream, "PUT", "/ordinary", endsStream: false), .reset(stream: stream, code: 8)]
        },
        flood("streams that the server has to reset") { stream in
            [
                .request(stream: stream, "PUT", "/ordinary", endsStream: false),
                .windowUpdate(stream: stream, 0x7FFF_FFFF),
            ]
        },
        flood("PING") { _ in [HTTP2Frame(.ping, [UInt8](repeating: 0, count: 8))] },
        flood("SETTINGS") { _ in [.settings([(4, 65_535)])] },
        flood("PRIORITY") { [HTTP2Frame(.priority, stream: $0, [0, 0, 0, 0, 1])] },
        flood("frames of unknown types") { _ in [HTTP2Frame(kind: 0x77, flags: 0, stream: 0, payload: [1, 2, 3])] },
        flood("WINDOW_UPDATE", once: [.request(stream: 1, "/large.bin")]) { _ in [.windowUpdate(stream: 0, 1)] },
        flood("DATA without content", once: [.request(stream: 1, "PUT", "/ordinary", endsStream: false)]) { _ in
            [.data(stream: 1, [], endsStream: false)]
        },
        flood(
            "CONTINUATION",
            once: [HTTP2Frame(.headers, stream: 1, HeaderBlock.encode([(":method", "GET"), (":path", "/")]))]
        ) { _ in [HTTP2Frame(.continuation, stream: 1, HeaderBlock.encode([("x", "y")]))] },
        flood("a header section that unfolds without measure") { stream in
            var block = HeaderBlock.encode([
                (":method", "GET"), (":scheme", "http"), (":path", "/"), (":authority", "a"),
            ])
            block += [0x40] + HeaderBlock.encode([("x", String(repeating: "y", count: 3_000))]).dropFirst()
            block += [UInt8](repeating: 0xBE, count: 2_000)
            return [HTTP2Frame(.headers, flags: HTTP2Frame.endHeaders | HTTP2Frame.endStream, stream: stream, block)]
        },
        Abuse("more streams than there may be") { ground in
            let client = try FrameClient(port: ground.port)
            // Until its settings are known, what is beyond is refused, and no more than that.
            var bytes: [UInt8] = []
            for number in 0..<ground.pick(400, 4_000) {
                bytes += HTTP2Frame.request(stream: UInt32(2 * number + 1), "PUT", "/ordinary", endsStream: false).bytes
            }
            try? client.wire.send(bytes)
            // The server has ended the connection, or answers all the same.
            try? client.send(HTTP2Frame(.ping, [UInt8](repeating: 1, count: 8)))
            while let frame = try client.next() {
                if frame.isKind(.ping) || frame.isKind(.goAway) { return }
            }
        },
        Abuse("large responses without a window") { ground in
            let clients = try (0..<ground.pick(2, 20)).map { _ in try FrameClient(port: ground.port, [(4, 0)]) }
            for client in clients {
                for number in 0..<ground.pick(10, 100) {
                    try client.send(.request(stream: UInt32(2 * number + 1), "/large.bin"))
                }
            }
            ground.rest(milliseconds: 1_000)
        },
        Abuse("uploads on very many streams") { ground in
            let client = try FrameClient(port: ground.port)
            _ = try client.next(.settings)
            try client.send(HTTP2Frame(.settings, flags: HTTP2Frame.acknowledgement))
            let content = [UInt8](repeating: 0x61, count: 16_000)
            for number in 0..<ground.pick(10, 100) {
                let stream = UInt32(2 * number + 1)
                try client.send(.request(stream: stream, "POST", "/extra", endsStream: false))
                try client.send(.data(stream: stream, content, endsStream: false))
                try client.send(.data(stream: stream, content, endsStream: false))
            }
            ground.rest(milliseconds: 500)
        },
    ]

    /// Frames without end, until the server ends the connection.
    ///
    /// - Parameters:
    ///   - once: what is sent first.
    ///   - frames: what is sent over and over, of a stream's number that is new each time.
    private static func flood(
        _ name: String, once: [HTTP2Frame] = [], _ frames: @escaping @Sendable (UInt32) -> [HTTP2Frame]
    ) -> Abuse {
        let limit = 20_000
        let batch = 500
        return Abuse("a flood of " + name) { ground in
            let client = try FrameClient(port: ground.port)
            try client.wire.send(once.flatMap(\.bytes))
            for start in stride(from: 1, to: limit, by: batch) {
                let bytes = (start..<start + batch).flatMap { frames(UInt32(2 * $0 + 1)) }.flatMap(\.bytes)
                // Who has been dropped may find the connection closed before it has read why.
                guard (try? client.wire.send(bytes)) != nil else { break }
            }
            var reason: UInt32?
            while let frame = try client.next() {
                if frame.isKind(.goAway) { reason = frame.number(at: 4) }
            }
            guard reason ?? 11 == 11 else {
                throw Unexpected(text: "the last word is GOAWAY with error \(reason ?? 0)")
            }
        }
    }
}
