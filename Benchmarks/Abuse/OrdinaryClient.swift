// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTLSSupport
import MockapiWireSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A client that asks for one thing over and over, as clients do, looks at each answer, and takes the time.
final class OrdinaryClient {
    /// What is asked, and how.
    enum Kind: String, CaseIterable {
        case stub = "a stub"
        case image = "an image of 60 kB"
        case json = "a stub told by JSON"
        case connection = "on a new connection"
        case miss = "a miss"
        case http2 = "a stub over HTTP/2"
        case tls = "a stub over TLS"
    }

    /// What the responses were.
    struct Figures: Sendable {
        /// Milliseconds, one for each request that was due.
        var times: [Double] = []
        var answered = 0
        /// Connections that were closed between two requests, and made anew.
        var reconnected = 0
        var wrong = 0
        var firstWrong: String?
    }

    /// How long a client waits between the beginnings of two requests. 20 ms.
    static let period = 20.0

    private let kind: Kind
    private let port: Int
    private var wire: WireClient?
    private var frames: FrameClient?
    private var stream: UInt32 = 1
    private var tls: TLSWire?
    private(set) var figures = Figures()

    init(_ kind: Kind, port: Int) {
        self.kind = kind
        self.port = port
    }

    /// Asks once.
    func ask() {
        let began = Self.milliseconds()
        let isReused = isConnected
        do {
            do {
                try judge(try answer())
            } catch  where isReused && Self.isClosedBetween(error) {
                // A connection that has waited may be closed at any time; a client asks again on another.
                figures.reconnected += 1
                disconnect()
                try judge(try answer())
            }
        } catch {
            figures.wrong += 1
            figures.firstWrong = figures.firstWrong ?? "\(kind.rawValue): \((error as? Unexpected)?.text ?? "\(error)")"
            disconnect()
        }
        let time = Self.milliseconds() - began
        figures.answered += 1
        figures.times.append(time)
        // Requests that were due meanwhile would have waited too.
        var waited = time - Self.period
        while waited > 0 {
            figures.times.append(waited)
            waited -= Self.period
        }
    }

    static func milliseconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) * 1_000 + Double(time.tv_nsec) / 1_000_000
    }

    /// Whether a connection had been closed before anything of a response came.
    private static func isClosedBetween(_ error: any Error) -> Bool {
        switch error as? WireError {
        case .closedEarly(let bytes): bytes.isEmpty
        case .system(let call, _): call == "send"
        default: false
        }
    }

    private var isConnected: Bool { wire != nil || frames != nil || tls != nil }

    private func disconnect() {
        wire = nil
        frames = nil
        stream = 1
        tls = nil
    }

    private static let target = "/ordinary?page=1"

    private func answer() throws -> WireResponse {
        switch kind {
        case .stub: return try connection().request("GET", Self.target)
        case .image: return try connection().request("GET", "/image.bin")
        case .json: return try connection().request("POST", "/ordinary", body: AbuseFixtures.expectedJSON)
        case .miss: return try connection().request("GET", "/ordinary?page=2")
        case .connection:
            defer { disconnect() }
            return try connection().request("GET", "/article.txt")
        case .http2:
            return try streamed()
        case .tls:
            let client = try tls ?? TLSWire(port: port)
            tls = client
            try client.send("GET \(Self.target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let text = try client.read(until: AbuseFixtures.article)
            guard let end = text.firstRange(of: "\r\n\r\n") else { throw WireError.closedEarly(Array(text.utf8)) }
            var response = WireResponse()
            response.status = Int(text.dropFirst(9).prefix(3)) ?? 0
            response.body = Array(text[end.upperBound...].utf8)
            return response
        }
    }

    /// Asks on the next stream of a connection of HTTP/2.
    ///
    /// What the last response took of the connection's window is given back in the same packet, so that nothing waits for a delayed
    /// acknowledgement of TCP.
    private func streamed() throws -> WireResponse {
        let client = try frames ?? FrameClient(port: port, [(4, 1 << 20)])
        frames = client
        stream += 2
        let request = HTTP2Frame.request(stream: stream, Self.target)
        try client.send(.windowUpdate(stream: 0, UInt32(AbuseFixtures.article.utf8.count)), request)
        var response = WireResponse()
        while let frame = try client.next() {
            guard frame.stream == stream else { continue }
            if frame.isKind(.headers) { response.status = client.fields(frame).first.flatMap { Int($0.value) } ?? 0 }
            if frame.isKind(.data) { response.body += frame.payload }
            if frame.isKind(.reset) { throw WireError.reset(code: frame.number(at: 0), response) }
            if frame.endsStream { return response }
        }
        throw WireError.closedEarly(response.status == 0 ? [] : response.body + [0])
    }

    private func connection() throws -> WireClient {
        let client = try wire ?? WireClient(port: port)
        wire = client
        return client
    }

    private func judge(_ answer: WireResponse) throws {
        let isRight =
            switch kind {
            case .stub, .http2, .tls, .connection: answer.status == 200 && answer.text == AbuseFixtures.article
            case .image: answer.status == 200 && answer.body == AbuseFixtures.image
            case .json: answer.status == 201 && answer.text == "made"
            case .miss: answer.status == 404 && answer.text.contains("page")
            }
        guard isRight else {
            throw Unexpected(text: "answered \(answer.status): \(answer.text.prefix(200))")
        }
    }
}
