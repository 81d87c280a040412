// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// The responses to the last requests that matched nothing, for clients that send the same one again and again: the search for the closest fixtures
/// takes a hundred times as long as the response of a stub.
final class RepeatedMisses: Sendable {
    /// Requests that are kept. 32.
    private static let capacity = 32
    /// Bytes of a request's head, and of its body, that are kept. 2 KiB.
    private static let requestLimit = 2 * 1024
    /// Bytes of a response, and of its text for the journal, that are kept. 16 KiB.
    private static let responseLimit = 16 * 1024
    /// Nanoseconds for which a response is repeated: it may name files, which come and go. 1 s.
    private static let lifetime: UInt64 = 1_000_000_000

    private let now: @Sendable () -> UInt64

    /// - Parameter now: a clock that only goes forward, in nanoseconds.
    init(now: @escaping @Sendable () -> UInt64 = Clock.monotonic) {
        self.now = now
    }

    private struct Request: Hashable {
        let head: RequestHead
        let body: [UInt8]

        static func == (one: Self, other: Self) -> Bool {
            one.head.bytes == other.head.bytes && one.body == other.body && one.head.isSecure == other.head.isSecure
                && one.head.version == other.head.version && one.head.method == other.head.method
                && one.head.target == other.head.target && one.head.authority == other.head.authority
                && one.head.fields.elementsEqual(other.head.fields) { $0.name == $1.name && $0.value == $1.value }
        }

        func hash(into hasher: inout Hasher) {
            head.bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
            body.withUnsafeBytes { hasher.combine(bytes: $0) }
        }
    }

    private struct Kept {
        let response: ServedResponse
        let end: UInt64
    }

    private let kept = Mutex<[Request: Kept]>([:])

    /// The response to the same request a moment ago; nil if there is none.
    func response(to head: borrowing RequestHead, _ body: [UInt8]) -> ServedResponse? {
        guard head.bytes.count <= Self.requestLimit, body.count <= Self.requestLimit else { return nil }
        let request = Request(head: copy head, body: body)
        guard let kept = kept.withLock({ $0[request] }), kept.end > now() else { return nil }
        return kept.response
    }

    /// Keeps a response that another request with the same head and body would get, too.
    func keep(_ response: ServedResponse, to head: borrowing RequestHead, _ body: [UInt8]) {
        guard head.bytes.count <= Self.requestLimit, body.count <= Self.requestLimit,
            response.response.bodySize <= Self.responseLimit, response.miss?.text.count ?? 0 <= Self.responseLimit
        else { return }
        let request = Request(head: copy head, body: body)
        let end = now() + Self.lifetime
        kept.withLock { kept in
            if kept.count >= Self.capacity, kept[request] == nil,
                let oldest = kept.min(by: { $0.value.end < $1.value.end })
            {
                kept[oldest.key] = nil
            }
            kept[request] = Kept(response: response, end: end)
        }
    }
}
