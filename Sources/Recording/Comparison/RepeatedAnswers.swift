// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import Upstream

/// Knows an answer that is the same as the one before it to the same request, so that it need not be looked through once more.
struct RepeatedAnswers {
    /// What was sent, or what came, in a hash of 128 bits.
    fileprivate struct Fingerprint: Hashable {
        private var first: UInt64
        private var second: UInt64

        init(_ bytes: [UInt8]) {
            first = ContentHash.of(bytes)
            second = ContentHash.of(bytes, seed: 0x9B05_688C_2B3E_6C1F)
        }
    }

    struct Known {
        fileprivate var answer: Fingerprint
        /// The key of the request.
        var key: String
        /// How often the stub had been written.
        fileprivate var version: Int
        var outcome: RecordingOutcome
    }

    private var known: [Fingerprint: Known] = [:]
    /// How often the stubs were written, by the keys of their requests.
    private var versions: [String: Int] = [:]

    /// What came of an answer that is the last step of its stub; nil where it was another, or is not held in memory.
    func last(_ exchange: Exchange) -> Known? {
        guard let answer = Self.answer(exchange), let last = known[Self.request(exchange)], last.answer == answer,
            last.version == versions[last.key, default: 0]
        else { return nil }
        return last
    }

    /// Takes note of an answer that is the last step of its stub.
    mutating func note(_ exchange: Exchange, key: String, _ outcome: RecordingOutcome) {
        guard let answer = Self.answer(exchange) else { return }
        known[Self.request(exchange)] = Known(
            answer: answer, key: key, version: versions[key, default: 0], outcome: outcome)
    }

    /// The stub of a request is another: what was known of its last step is so no more.
    mutating func forget(_ key: String) {
        versions[key, default: 0] += 1
    }

    private static func request(_ exchange: Exchange) -> Fingerprint {
        var bytes = Array("\(exchange.origin)\n\(exchange.method)\n\(exchange.target)\n".utf8)
        for field in exchange.requestFields { append(field, to: &bytes) }
        return Fingerprint(bytes + exchange.requestBody)
    }

    private static func answer(_ exchange: Exchange) -> Fingerprint? {
        guard case .bytes(let content) = exchange.content.storage else { return nil }
        var bytes = Array(
            "\(exchange.head.status) \(exchange.head.reason)\n\(exchange.content.decodedFrom ?? "")\n".utf8)
        for field in exchange.head.fields {
            switch ResponseHeaders.treatment(of: field.name.lowercased()) {
            case .dropped: if exchange.method == "HEAD" { append(field, to: &bytes) }
            case .volatile: append(UpstreamField(field.name, ""), to: &bytes)
            case .kept, .ofBody: append(field, to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "\n"))
        for field in exchange.trailers { append(field, to: &bytes) }
        bytes.append(UInt8(ascii: "\n"))
        return Fingerprint(bytes + content)
    }

    private static func append(_ field: UpstreamField, to bytes: inout [UInt8]) {
        bytes += field.name.utf8
        bytes.append(UInt8(ascii: ":"))
        bytes += field.bytes
        bytes.append(UInt8(ascii: "\n"))
    }
}
