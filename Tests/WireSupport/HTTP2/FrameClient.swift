// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A connection that speaks HTTP/2 frame by frame, with blocking calls.
package final class FrameClient {
    package let wire: WireClient
    private var input: [UInt8] = []
    private var frames: [HTTP2Frame] = []
    private let headers = HeaderReader()
    private var nextStream: UInt32 = 1

    /// Connects and sends the preface.
    package init(port: Int, _ settings: [(UInt16, UInt32)] = []) throws {
        wire = try WireClient(port: port)
        try wire.send(HTTP2Frame.opening(settings))
    }

    /// Goes on with a connection that has been upgraded.
    package init(upgraded wire: WireClient) throws {
        self.wire = wire
        try wire.send(HTTP2Frame.opening())
        nextStream = 3
    }

    package func send(_ frames: HTTP2Frame...) throws {
        try wire.send(frames.flatMap(\.bytes))
    }

    /// The next frame; nil where the server has closed.
    package func next() throws -> HTTP2Frame? {
        while frames.isEmpty {
            guard let bytes = try wire.some() else { return nil }
            input += bytes
            frames = HTTP2Frame.take(from: &input)
        }
        return frames.removeFirst()
    }

    /// The next frame of a kind; others are passed over. Nil where the server has closed.
    package func next(_ kind: HTTP2Frame.Kind) throws -> HTTP2Frame? {
        while let frame = try next() {
            if frame.isKind(kind) { return frame }
        }
        return nil
    }

    /// The fields of a header frame.
    package func fields(_ frame: HTTP2Frame) -> [(name: String, value: String)] {
        headers.read(frame.payload)
    }

    /// Sends one request and reads its response.
    package func request(
        _ method: String, _ path: String, _ fields: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> WireResponse {
        let stream = nextStream
        nextStream += 2
        try send(.request(stream: stream, method, path, fields, endsStream: body == nil))
        if let body { try send(.data(stream: stream, body)) }
        return try response(stream: stream)
    }

    package func get(_ path: String, _ fields: [(String, String)] = []) throws -> WireResponse {
        try request("GET", path, fields)
    }

    /// Reads the response on a stream; windows are opened for it as it comes.
    package func response(stream: UInt32) throws -> WireResponse {
        var response = WireResponse()
        response.version = "HTTP/2"
        while let frame = try next() {
            guard frame.stream == stream else { continue }
            if frame.isKind(.headers) {
                let fields = fields(frame)
                if response.status < 200 {
                    response.status = fields.first.flatMap { Int($0.value) } ?? 0
                    response.fields = Array(fields.dropFirst())
                } else {
                    response.trailers = fields
                }
            } else if frame.isKind(.data) {
                response.body += frame.payload
                if !frame.payload.isEmpty, !frame.endsStream {
                    let count = UInt32(frame.payload.count)
                    try send(.windowUpdate(stream: 0, count), .windowUpdate(stream: stream, count))
                } else if !frame.payload.isEmpty {
                    try send(.windowUpdate(stream: 0, UInt32(frame.payload.count)))
                }
            } else if frame.isKind(.reset) {
                throw WireError.reset(code: frame.number(at: 0), response)
            }
            if frame.endsStream, frame.isKind(.headers) || frame.isKind(.data) { return response }
        }
        throw WireError.closedEarly(response.body)
    }
}
