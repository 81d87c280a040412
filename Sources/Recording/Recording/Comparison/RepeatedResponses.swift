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

    /// The known outcome of a response that is the last step of its stub; nil where it is another.
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

    /// The stub of a request is another: what was known of its last step is so no more.
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
        hash.combine("")
        for field in exchange.trailers { hash.combine(field) }
        return hash.value
    }
}

/// A 128-bit hash of a stream of bytes; no defence against anybody who means harm.
struct Fingerprint: Hashable, Sendable {
    fileprivate var first: UInt64
    fileprivate var second: UInt64
}

extension SpooledContent {
    /// That of the content: known where it went to a file while it came, made where it is in memory.
    fileprivate var fingerprint: Fingerprint {
        guard case .bytes(let bytes) = storage else { return streamed ?? StreamHash().value }
        var hash = StreamHash()
        hash.combine(bytes)
        return hash.value
    }
}

/// Makes the fingerprint of bytes as they come, the same in whatever pieces that is.
///
/// Four words are mixed at a time, each with a state of its own, so that none waits for the one before it.
struct StreamHash: Sendable {
    private typealias States = (UInt64, UInt64, UInt64, UInt64)

    private var states: States = (
        0x6A09_E667_F3BC_C909, 0xBB67_AE85_84CA_A73B, 0x3C6E_F372_FE94_F82B, 0xA54F_F53A_5F1D_36F1
    )
    private var blocks = HashBlocks(of: block)
    private static let block = 32

    mutating func combine(_ bytes: [UInt8]) {
        bytes.withUnsafeBytes { combine($0) }
    }

    /// Each text with its length, so that no two lists of texts are one.
    mutating func combine(_ texts: String...) {
        for var text in texts {
            text.withUTF8 { bytes in
                combine(length: bytes.count)
                combine(UnsafeRawBufferPointer(bytes))
            }
        }
    }

    mutating func combine(_ field: UpstreamField) {
        combine(field.name)
        combine(length: field.bytes.count)
        combine(field.bytes)
    }

    private mutating func combine(length: Int) {
        withUnsafeBytes(of: UInt64(length).littleEndian) { combine($0) }
    }

    mutating func combine(_ bytes: UnsafeRawBufferPointer) {
        blocks.append(bytes) { Self.mix($0, into: &states) }
    }

    private static func mix(_ bytes: UnsafeRawBufferPointer, into states: inout States) {
        var (first, second, third, fourth) = states
        var offset = 0
        while offset < bytes.count {
            first = mix(first, word(bytes, offset))
            second = mix(second, word(bytes, offset &+ 8))
            third = mix(third, word(bytes, offset &+ 16))
            fourth = mix(fourth, word(bytes, offset &+ 24))
            offset &+= block
        }
        states = (first, second, third, fourth)
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func mix(_ state: UInt64, _ word: UInt64) -> UInt64 {
        let product = (state ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.low ^ product.high &+ (word << 31 | word >> 33)
    }

    /// The fingerprint of what has been combined; its length counts, so that zeros at the end do.
    var value: Fingerprint {
        var last = states
        let padded = blocks.rest + [UInt8](repeating: 0, count: Self.block - blocks.rest.count)
        padded.withUnsafeBytes { Self.mix($0, into: &last) }
        let (first, second, third, fourth) = last
        return Fingerprint(
            first: [first, second, third, fourth].reduce(blocks.length, Self.mix),
            second: [third, first, fourth, second].reduce(~blocks.length, Self.mix))
    }
}
