// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiProxy
import MockapiUpstream
import Synchronization

/// The fingerprints of a request as it was sent, and of all of its response that a recording holds.
struct ExchangeDigest: Hashable, Sendable {
    let request: Fingerprint
    let head: Fingerprint
    let content: Fingerprint

    /// - Parameters:
    ///   - decodedFrom: the codings that were undone.
    ///   - givesRanges: whether the service responds to a request for a range with a part.
    init(
        request: RequestDigest, head: ReceivedHead, trailers: [UpstreamField], content: SpooledContent,
        givesRanges: Bool?, _ treatments: KnownTreatments
    ) {
        self.request = request.value
        let decodedFrom = content.decodedFrom ?? ""
        let ways = treatments.of(head)
        let size = trailers.reduce(head.bytes.count + decodedFrom.utf8.count) {
            $0 + $1.name.utf8.count + $1.bytes.count
        }
        self.head = DigestedText.fingerprint(texts: 4 + 2 * (ways.count + trailers.count), bytes: size) { hash in
            hash.append(UInt64(head.status))
            hash.append(decodedFrom)
            hash.append(givesRanges == nil ? 0 : givesRanges == true ? 1 : 2)
            head.bytes.withUnsafeBufferPointer { bytes in
                hash.append(UnsafeBufferPointer(rebasing: bytes[head.reason.range]))
                for (field, treatment) in zip(head.fields, ways) {
                    if treatment == .dropped, !request.isHead { continue }
                    hash.append(UnsafeBufferPointer(rebasing: bytes[field.name.range]))
                    if treatment == .volatile { continue }
                    hash.append(UnsafeBufferPointer(rebasing: bytes[field.value.range]))
                }
            }
            for field in trailers {
                hash.append(field.name)
                hash.append(field.bytes)
            }
        }
        self.content = content.fingerprint
    }

    init(_ exchange: Exchange, _ treatments: KnownTreatments) {
        self.init(
            request: RequestDigest(
                origin: exchange.origin, method: exchange.method, target: exchange.target,
                fields: exchange.requestFields, body: exchange.requestBody),
            head: ReceivedHead(exchange.head), trailers: exchange.trailers, content: exchange.content,
            givesRanges: exchange.givesRanges, treatments)
    }
}

/// The fingerprint of a request as it was sent.
struct RequestDigest {
    let value: Fingerprint
    let isHead: Bool

    init(origin: String, method: String, target: String, fields: [UpstreamField], body: [UInt8]) {
        let size = fields.reduce(origin.utf8.count + method.utf8.count + target.utf8.count) {
            $0 + $1.name.utf8.count + $1.bytes.count
        }
        let body = StreamHash.fingerprint(of: body)
        value = DigestedText.fingerprint(texts: 5 + 2 * fields.count, bytes: size) { hash in
            for text in [origin, method, target] { hash.append(text) }
            for field in fields {
                hash.append(field.name)
                hash.append(field.bytes)
            }
            hash.append(body.first)
            hash.append(body.second)
        }
        isHead = method == "HEAD"
    }
}

/// The treatments of the fields of heads, made once for all heads that have the same names in the same order.
final class KnownTreatments: Sendable {
    private let known = Mutex<[Fingerprint: [ResponseHeaders.Treatment]]>([:])
    /// Lists of names that are remembered; beyond them all are forgotten. 1,024.
    private static let listLimit = 1024

    /// The treatment of each field, in their order.
    func of(_ head: ReceivedHead) -> [ResponseHeaders.Treatment] {
        let list = DigestedText.fingerprint(texts: head.fields.count, bytes: head.bytes.count) { names in
            head.bytes.withUnsafeBufferPointer { bytes in
                for field in head.fields { names.append(UnsafeBufferPointer(rebasing: bytes[field.name.range])) }
            }
        }
        return known.withLock { known in
            if let treatments = known[list] { return treatments }
            let treatments = head.fields.map { ResponseHeaders.treatment(of: head.string($0.name).lowercased()) }
            if known.count >= Self.listLimit { known = [:] }
            known[list] = treatments
            return treatments
        }
    }
}

extension SpooledContent {
    /// That of the content: known if it went to a file while it came, made where it is in memory.
    fileprivate var fingerprint: Fingerprint {
        guard case .bytes(let bytes) = storage else { return streamed ?? StreamHash().value }
        return StreamHash.fingerprint(of: bytes)
    }
}
