// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ContentCodings
import Fixtures
import HTTPSyntax
import HTTPWire

/// Answers with their origins rewritten, for the few names that one loop's clients call the server by.
final class RewriteCache {
    private struct Entry {
        /// The host and port that the request named.
        let authority: [UInt8]
        let isSecure: Bool
        /// Keeps the response alive, so that no other can take its identity.
        let response: PreparedResponse
        let plain: Representation
        var coded: Representation?

        func isFor(_ head: borrowing RequestHead) -> Bool {
            guard isSecure == head.isSecure, authority.count == head.authority.count else { return false }
            let start = Int(head.authority.start)
            for index in authority.indices where authority[index] != head.bytes[start + index] { return false }
            return true
        }
    }

    /// Bytes kept in all; beyond them everything is forgotten and made anew. 8 MiB.
    private static let limit = 8 * 1024 * 1024

    private let identity: ServerIdentity
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
        let key = ObjectIdentifier(response)
        let known = entries[key] ?? []
        guard let index = known.firstIndex(where: { $0.isFor(head) }) else {
            let bytes = head.bytes[head.authority.range]
            let base = identity.base(for: head)
            let rewriter = OriginRewriter(response.rewriteOrigins.map { (origin: $0, base: base) })
            guard let body = body(of: response, rewrittenBy: rewriter) else { return nil }
            let plain = Representation(response, body: body, fields: response.fields(rewrittenBy: rewriter))
            makeRoom(plain.head.http1.count + (response.hasRewritableBody ? body.count : 0))
            entries[key, default: []].append(
                Entry(authority: Array(bytes), isSecure: head.isSecure, response: response, plain: plain))
            return isCoded ? representation(of: response, isCoded: true, for: head) : plain
        }
        let plain = known[index].plain
        guard isCoded else { return plain }
        if let coded = known[index].coded { return coded }
        guard let bytes = coded(plain) else { return nil }
        let coded = Representation(response, coded: bytes, fields: plain.head.fields)
        size += bytes.count
        entries[key]?[index].coded = coded
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
            size = 0
        }
        size += count
    }
}
