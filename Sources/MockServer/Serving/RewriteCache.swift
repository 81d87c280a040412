// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPWire

/// Bodies with their origins rewritten, for the few names that one loop's clients call the server by.
final class RewriteCache {
    private struct Key: Hashable {
        let response: ObjectIdentifier
        let base: String
    }

    private struct Entry {
        /// Keeps the response alive, so that no other can take its identity.
        let response: PreparedResponse
        let body: [UInt8]
        var coded: [UInt8]?
    }

    /// Bytes kept in all; beyond them everything is forgotten and made anew. 8 MiB.
    private static let limit = 8 * 1024 * 1024

    private var entries: [Key: Entry] = [:]
    private var size = 0

    /// The body for a base URL such as `http://127.0.0.1:8080`; nil where its file has changed since it was loaded.
    func body(of response: PreparedResponse, base: String) -> [UInt8]? {
        let key = Key(response: ObjectIdentifier(response), base: base)
        if let entry = entries[key] { return entry.body }
        guard let original = response.body.loaded() else { return nil }
        let body = OriginRewriting.rewrite(original, origins: response.rewriteOrigins, to: base)
        makeRoom(body.count)
        entries[key] = Entry(response: response, body: body)
        return body
    }

    /// The same in the response's content coding.
    func coded(_ body: [UInt8], of response: PreparedResponse, base: String) -> [UInt8]? {
        let key = Key(response: ObjectIdentifier(response), base: base)
        if let coded = entries[key]?.coded { return coded }
        guard let coded = try? response.coding?.encode(body) else { return nil }
        size += coded.count
        entries[key]?.coded = coded
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
