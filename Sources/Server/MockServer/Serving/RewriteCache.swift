// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire

/// Responses with their origins rewritten, for the few names that one loop's clients call the server by.
final class RewriteCache {
    private final class Entry {
        /// The URL that the origins are rewritten to.
        let base: String
        /// The host and port that the request named.
        let authority: [UInt8]
        let isSecure: Bool
        /// Keeps the response alive, so that no other can take its identity.
        let response: PreparedResponse
        let plain: Representation
        @exclusivity(unchecked) var coded: Representation?

        init(base: String, authority: [UInt8], isSecure: Bool, response: PreparedResponse, plain: Representation) {
            self.base = base
            self.authority = authority
            self.isSecure = isSecure
            self.response = response
            self.plain = plain
        }

        func isFor(_ head: borrowing RequestHead, _ identity: ServerIdentity) -> Bool {
            if identity.trustsForwarded { return base.isExactly(identity.base(for: head)) }
            return isSecure == head.isSecure && head.equals(head.authority, authority)
        }
    }

    /// Bytes kept in all; beyond them everything is forgotten and made anew. 8 MiB.
    private static let limit = 8 * 1024 * 1024

    private let identity: ServerIdentity
    /// The one that was asked for last: the next is often for the same.
    @exclusivity(unchecked) private var recent: Entry?
    @exclusivity(unchecked) private var entries: [ObjectIdentifier: [Entry]] = [:]
    private var size = 0

    init(identity: ServerIdentity) {
        self.identity = identity
    }

    /// The representation for the name a request calls the server by; nil where its file has changed since it was loaded, or cannot be
    /// coded.
    func representation(
        of response: PreparedResponse, isCoded: Bool, for head: borrowing RequestHead
    ) -> Representation? {
        let entry: Entry
        if let recent, recent.response === response, recent.isFor(head, identity) {
            entry = recent
        } else if let known = entries[ObjectIdentifier(response)]?.first(where: { $0.isFor(head, identity) }) {
            entry = known
            recent = known
        } else {
            let bytes = head.bytes[head.authority.range]
            let base = identity.base(for: head)
            let rewriter = OriginRewriter(response.rewriteOrigins.map { (origin: $0, base: base) })
            guard let body = body(of: response, rewrittenBy: rewriter) else { return nil }
            let plain = Representation(response, body: body, fields: response.fields(rewrittenBy: rewriter))
            makeRoom(plain.head.http1.count + (response.hasRewritableBody ? body.count : 0))
            entry = Entry(
                base: base, authority: Array(bytes), isSecure: head.isSecure, response: response, plain: plain)
            entries[ObjectIdentifier(response), default: []].append(entry)
        }
        guard isCoded else { return entry.plain }
        if let coded = entry.coded { return coded }
        guard let bytes = coded(entry.plain) else { return nil }
        let coded = Representation(response, coded: bytes, fields: entry.plain.head.fields)
        size += bytes.count
        entry.coded = coded
        return coded
    }

    /// A body in which nothing is rewritten stays where it is.
    private func body(of response: PreparedResponse, rewrittenBy rewriter: OriginRewriter) -> Body? {
        guard response.hasRewritableBody else { return response.body }
        return response.body.loaded().map { .bytes(rewriter.rewritten($0)) }
    }

    private func coded(_ plain: Representation) -> [UInt8]? {
        guard plain.response.hasRewritableBody else { return plain.response.codedBody() }
        return plain.body.loaded().flatMap { try? plain.response.coding?.encode($0) }
    }

    private func makeRoom(_ count: Int) {
        if size + count > Self.limit {
            entries.removeAll()
            recent = nil
            size = 0
        }
        size += count
    }
}
