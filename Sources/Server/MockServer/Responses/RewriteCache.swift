// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSecrets

/// Responses with their origins rewritten, for the few names by which one loop's clients call the server.
final class RewriteCache {
    /// Bytes kept of responses made on the loop; beyond them all are forgotten and made again. 8 MiB.
    private static let limit = 8 * 1024 * 1024
    /// Bytes kept of responses made beside the loop, the last used in any case. 64 MiB.
    private static let largeLimit = 64 * 1024 * 1024

    private let identity: ServerIdentity
    /// The entry that was asked for last: the next request is often for the same.
    @exclusivity(unchecked) private var recent: RewriteEntry?
    @exclusivity(unchecked) private var entries: [ObjectIdentifier: [RewriteEntry]] = [:]
    private var size = 0
    /// The entries that were made beside the loop.
    private var large = RecentlyUsed<RewriteEntry>(limit: largeLimit)

    init(identity: ServerIdentity) {
        self.identity = identity
    }

    /// The representation for the name a request calls the server by; nil if its file has changed since it was loaded, or cannot be
    /// coded.
    func representation(
        of response: PreparedResponse, isCoded: Bool, for head: borrowing RequestHead
    ) -> Representation? {
        var known = entry(of: response, for: head)
        if known == nil || isCoded && known?.coded == nil {
            guard let made = making(of: response, isCoded: isCoded, for: head).make() else { return nil }
            known = add(made)
        }
        return isCoded ? known?.coded : known?.plain
    }

    /// The work that a representation still needs; nil if there is none.
    func missing(of response: PreparedResponse, isCoded: Bool, for head: borrowing RequestHead) -> Making? {
        if let known = entry(of: response, for: head), !isCoded || known.coded != nil { return nil }
        return making(of: response, isCoded: isCoded, for: head)
    }

    /// Keeps a new response.
    @discardableResult
    func add(_ made: Making.Made) -> RewriteEntry {
        let making = made.making
        let response = making.response
        let entry: RewriteEntry
        if let known = entries[ObjectIdentifier(response)]?.first(where: { $0.base == making.base }) {
            entry = known
        } else {
            var fields = response.fields(rewrittenBy: making.rewriter)
            if made.isChanged { fields.removeAll { FieldNames.isDigest($0.name.lowercased()) } }
            let plain = Representation(response, body: made.body, fields: fields)
            entry = RewriteEntry(making, plain)
            makeRoom(plain.head.http1.count + (response.hasRewritableBody ? made.body.count : 0), for: entry)
            entries[ObjectIdentifier(response), default: []].append(entry)
        }
        if let bytes = made.coded, entry.coded == nil {
            makeRoom(bytes.count, for: entry)
            entry.coded = Representation(response, coded: bytes, fields: entry.plain.head.fields)
        }
        return entry
    }

    private func entry(of response: PreparedResponse, for head: borrowing RequestHead) -> RewriteEntry? {
        if let recent, recent.making.response === response, recent.isFor(head, identity) { return recent }
        guard let known = entries[ObjectIdentifier(response)]?.first(where: { $0.isFor(head, identity) }) else {
            return nil
        }
        recent = known
        if response.mayTakeLong { large.use(known) }
        return known
    }

    private func making(of response: PreparedResponse, isCoded: Bool, for head: borrowing RequestHead) -> Making {
        let base = identity.base(for: head)
        return Making(
            response: response, base: base, authority: Array(head.bytes[head.authority.range]), isSecure: head.isSecure,
            rewriter: OriginRewriter(response.rewriteOrigins.map { (origin: $0, base: base) }), isCoded: isCoded)
    }

    /// Forgets entries to make room for bytes that are kept with an entry.
    private func makeRoom(_ count: Int, for entry: RewriteEntry) {
        if entry.making.response.mayTakeLong {
            for old in large.add(count, to: entry) {
                if recent === old { recent = nil }
                let key = ObjectIdentifier(old.making.response)
                entries[key]?.removeAll { $0 === old }
                if entries[key]?.isEmpty == true { entries[key] = nil }
            }
            return
        }
        if size + count > Self.limit {
            entries = entries.filter { $0.value.first?.making.response.mayTakeLong == true }
            recent = nil
            size = 0
        }
        size += count
    }
}

/// A response under one of the names by which clients call the server.
final class RewriteEntry {
    let making: RewriteCache.Making
    let plain: Representation
    @exclusivity(unchecked) var coded: Representation?

    var base: String { making.base }

    init(_ making: RewriteCache.Making, _ plain: Representation) {
        self.making = making
        self.plain = plain
    }

    func isFor(_ head: borrowing RequestHead, _ identity: ServerIdentity) -> Bool {
        if identity.trustsForwarded { return base.isExactly(identity.base(for: head)) }
        return making.isSecure == head.isSecure && head.equals(head.authority, making.authority)
    }
}

extension RewriteCache {
    /// The rewriting and the coding of one body, which may be done beside the loop.
    struct Making: Sendable {
        /// Keeps the response alive, so that no other can take its identity.
        let response: PreparedResponse
        /// The URL that the origins are rewritten to.
        let base: String
        /// The host and port that the request named.
        let authority: [UInt8]
        let isSecure: Bool
        let rewriter: OriginRewriter
        let isCoded: Bool

        struct Made: Sendable {
            let making: Making
            let body: Body
            let coded: [UInt8]?
            /// Whether the body differs from the response's own, so that the checksums of that are wrong.
            var isChanged = false
        }

        /// Nil if the file of the body has changed since it was loaded, or the body cannot be coded.
        func make() -> Made? {
            // A body without a rewritten origin stays where it is.
            guard response.hasRewritableBody else {
                guard isCoded else { return Made(making: self, body: response.body, coded: nil) }
                return response.codedBody().map { Made(making: self, body: response.body, coded: $0) }
            }
            guard let original = response.body.loaded() else { return nil }
            let origins = ContentOrigins(rewriter, mediaType: response.mediaType)
            var bytes = origins?.rewritten(original) ?? original
            // A client compares the issuer of its token with the issuer that it has found (OpenID Connect Core §3.1.3.7).
            if let tokens = Placeholders.rewritten(bytes, claims: rewriter.rewritten) { bytes = tokens }
            let isChanged = bytes != original
            guard isCoded else { return Made(making: self, body: .bytes(bytes), coded: nil, isChanged: isChanged) }
            guard let coded = try? response.coding?.encode(bytes) else { return nil }
            return Made(making: self, body: .bytes(bytes), coded: coded, isChanged: isChanged)
        }
    }
}
