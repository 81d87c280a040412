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
        var hash = DigestedText()
        hash.append(UInt64(head.status))
        hash.append(head.bytes[head.reason.range])
        hash.append((content.decodedFrom ?? "").utf8)
        for (field, treatment) in zip(head.fields, treatments.of(head)) {
            switch treatment {
            case .dropped where !request.isHead: break
            case .volatile: hash.append(head.bytes[field.name.range])
            case .dropped, .kept, .ofBody:
                hash.append(head.bytes[field.name.range])
                hash.append(head.bytes[field.value.range])
            }
        }
        hash.append(givesRanges == nil ? 0 : givesRanges == true ? 1 : 2)
        for field in trailers {
            hash.append(field.name.utf8)
            hash.append(field.bytes)
        }
        self.head = hash.value
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
        var hash = DigestedText()
        for text in [origin, method, target] { hash.append(text.utf8) }
        for field in fields {
            hash.append(field.name.utf8)
            hash.append(field.bytes)
        }
        hash.append(body)
        value = hash.value
        isHead = method == "HEAD"
    }
}

/// Texts one after the other, each with its length, so that no two lists of texts are one.
private struct DigestedText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(1024) }

    mutating func append(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func append(_ text: some Collection<UInt8>) {
        append(UInt64(text.count))
        bytes.append(contentsOf: text)
    }

    var value: Fingerprint {
        var hash = StreamHash()
        hash.combine(bytes)
        return hash.value
    }
}

/// The treatments of the fields of heads, made once for all heads that have the same names in the same order.
final class KnownTreatments: Sendable {
    private let known = Mutex<[Fingerprint: [ResponseHeaders.Treatment]]>([:])
    /// Lists of names that are remembered; beyond them all are forgotten. 1,024.
    private static let listLimit = 1024

    /// The treatment of each field, in their order.
    func of(_ head: ReceivedHead) -> [ResponseHeaders.Treatment] {
        var names = DigestedText()
        for field in head.fields { names.append(head.bytes[field.name.range]) }
        let list = names.value
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
        var hash = StreamHash()
        hash.combine(bytes)
        return hash.value
    }
}
