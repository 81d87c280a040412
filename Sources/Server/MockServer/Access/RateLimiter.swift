// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import Synchronization

/// Counts the requests of each client in windows that begin with its first.
final class RateLimiter: Sendable {
    private struct Window {
        var start: UInt64
        var count: Int
    }

    /// The quota left to a client.
    struct Standing {
        let isAdmitted: Bool
        /// The fields that say so to the client: RateLimit and RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers),
        /// and the older X-RateLimit fields.
        let fields: [WireField]
        /// Whole seconds until the window ends, one at least.
        let seconds: UInt64
    }

    /// Bytes of a field's value that tell clients apart. 256.
    private static let keyLimit = 256

    let limit: RateLimit
    private let windows = Mutex(BoundedTable<Window>())

    init(_ limit: RateLimit) {
        self.limit = limit
    }

    func reset() {
        windows.withLock { $0 = BoundedTable() }
    }

    /// Counts a request.
    ///
    /// - Parameter now: nanoseconds of a clock that only goes forward.
    func count(_ head: borrowing RequestHead, from peer: SocketAddress, now: UInt64) -> Standing {
        let key = key(head, peer)
        let length = UInt64(limit.milliseconds) &* 1_000_000
        let window = windows.withLock { windows in
            var window = windows[key] ?? Window(start: now, count: 0)
            if now > window.start, now - window.start >= length { window = Window(start: now, count: 0) }
            window.count += window.count <= limit.requests ? 1 : 0
            windows[key] = window
            return window
        }
        let passed = now > window.start ? now - window.start : 0
        let seconds = max(1, Self.seconds(length - min(passed, length)))
        let remaining = max(0, limit.requests - window.count)
        let fields = [
            WireField("RateLimit-Policy", "\"default\";q=\(limit.requests);w=\(max(1, Self.seconds(length)))"),
            WireField("RateLimit", "\"default\";r=\(remaining);t=\(seconds)"),
            WireField("X-RateLimit-Limit", "\(limit.requests)"),
            WireField("X-RateLimit-Remaining", "\(remaining)"),
            WireField("X-RateLimit-Reset", "\(seconds)"),
        ]
        return Standing(isAdmitted: window.count <= limit.requests, fields: fields, seconds: seconds)
    }

    /// Whole seconds, rounded up.
    private static func seconds(_ nanoseconds: UInt64) -> UInt64 { (nanoseconds + 999_999_999) / 1_000_000_000 }

    private func key(_ head: borrowing RequestHead, _ peer: SocketAddress) -> String {
        switch limit.party {
        case .all: return ""
        case .client: return peer.host
        case .field(let name):
            let value = head.fields.first { head.string($0.name).lowercased() == name }?.value ?? .empty
            return String(decoding: head.bytes[value.range].prefix(Self.keyLimit), as: UTF8.self)
        }
    }

    /// The response to a request beyond the limit (RFC 6585 §4).
    func refusal(_ standing: Standing, isHead: Bool) -> Response {
        PlainResponse.text(
            429, "429: \(reason); the next is answered in \(standing.seconds) s\n",
            fields: [WireField("Retry-After", "\(standing.seconds)")] + standing.fields, isHead: isHead)
    }

    /// Why a request is refused.
    var reason: String {
        let time =
            limit.milliseconds % 1000 == 0 ? "\(limit.milliseconds / 1000) s" : "\(limit.milliseconds) ms"
        let party =
            switch limit.party {
            case .all: ""
            case .client: " of one client"
            case .field(let name): " with one value of \(name)"
            }
        return "more than \(Counts.count(limit.requests, "request"))\(party) in \(time)"
    }
}
