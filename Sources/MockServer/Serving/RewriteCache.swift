// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPMessage
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
        let bytes = head.bytes[head.authority.range]
        guard
            let index = entries[key]?.firstIndex(where: {
                $0.isSecure == head.isSecure && $0.authority.elementsEqual(bytes)
            })
        else {
            guard let original = response.body.loaded() else { return nil }
            let body = OriginRewriting.rewrite(original, origins: response.rewriteOrigins, to: identity.base(for: head))
            makeRoom(body.count)
            let plain = Representation(response, body: body)
            entries[key, default: []].append(
                Entry(authority: Array(bytes), isSecure: head.isSecure, response: response, plain: plain))
            return isCoded ? representation(of: response, isCoded: true, for: head) : plain
        }
        guard isCoded else { return entries[key]?[index].plain }
        if let coded = entries[key]?[index].coded { return coded }
        guard case .bytes(let body)? = entries[key]?[index].plain.body, let bytes = try? response.coding?.encode(body)
        else { return nil }
        let coded = Representation(response, coded: bytes)
        size += bytes.count
        entries[key]?[index].coded = coded
        return coded
    }

    private func makeRoom(_ count: Int) {
        if size + count > Self.limit {
            entries.removeAll()
            size = 0
        }
        size += count
    }
}
