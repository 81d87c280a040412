// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiUpstream

/// Recognises a response that equals the one before it to the same request, so that it need not be examined again.
struct RepeatedResponses {
    /// The fingerprints of a response's head and content.
    fileprivate struct ResponseDigest: Equatable {
        var head: Fingerprint
        var content: Fingerprint
    }

    struct Known {
        fileprivate var digest: ResponseDigest
        /// The key of the request.
        var key: String
        /// Where its requests are counted.
        var counted: CountedRequest?
        /// How often the stub had been written.
        fileprivate var version: Int
        var outcome: RecordingOutcome
    }

    private var known: [Fingerprint: Known] = [:]
    /// How often the stubs were written, by the keys of their requests.
    private var versions: [String: Int] = [:]
    /// The treatment of header fields, by their names as they are written.
    private var treatments: [String: ResponseHeaders.Treatment] = [:]
    /// Names that are remembered. 1,024.
    private static let nameLimit = 1024

    /// The known outcome of a response that is the last step of its stub; nil if it is not.
    mutating func last(_ exchange: Exchange) -> Known? {
        guard let last = known[Self.request(exchange)], last.version == versions[last.key, default: 0],
            last.digest.head == head(exchange), last.digest.content == exchange.content.fingerprint
        else { return nil }
        return last
    }

    /// Takes note of a response that is the last step of its stub.
    mutating func note(
        _ exchange: Exchange, key: String, _ counted: CountedRequest?, _ outcome: RecordingOutcome
    ) {
        let digest = ResponseDigest(head: head(exchange), content: exchange.content.fingerprint)
        known[Self.request(exchange)] = Known(
            digest: digest, key: key, counted: counted, version: versions[key, default: 0], outcome: outcome)
    }

    /// The stub of a request has changed: the known facts of its last step do not hold any more.
    mutating func forget(_ key: String) {
        versions[key, default: 0] += 1
    }

    private static func request(_ exchange: Exchange) -> Fingerprint {
        var hash = StreamHash()
        hash.combine(exchange.origin, exchange.method, exchange.target)
        for field in exchange.requestFields { hash.combine(field) }
        hash.combine(exchange.requestBody)
        return hash.value
    }

    private mutating func treatment(of name: String) -> ResponseHeaders.Treatment {
        if let known = treatments[name] { return known }
        let treatment = ResponseHeaders.treatment(of: name.lowercased())
        if treatments.count < Self.nameLimit { treatments[name] = treatment }
        return treatment
    }

    private mutating func head(_ exchange: Exchange) -> Fingerprint {
        var hash = StreamHash()
        hash.combine("\(exchange.head.status)", exchange.head.reason, exchange.content.decodedFrom ?? "")
        for field in exchange.head.fields {
            switch treatment(of: field.name) {
            case .dropped: if exchange.method == "HEAD" { hash.combine(field) }
            case .volatile: hash.combine(field.name)
            case .kept, .ofBody: hash.combine(field)
            }
        }
        hash.combine(exchange.givesRanges.map { "\($0)" } ?? "")
        for field in exchange.trailers { hash.combine(field) }
        return hash.value
    }
}

extension SpooledContent {
    /// That of the content: known if it went to a file while it came, made where it is in memory.
    fileprivate var fingerprint: Fingerprint {
        guard case .bytes(let bytes) = storage else { return streamed ?? StreamHash().value }
        var hash = StreamHash()
        hash.combine(bytes)
        return hash.value
    }
}
