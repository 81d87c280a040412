// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire
import Synchronization

/// The origins of pages that cannot read the responses they get: the browser says "Failed to fetch", and the log 200.
final class UnreadPages: Sendable {
    private let origins = Mutex<Set<String>>([])
    /// Origins that are named; pages of further ones are not. 100.
    private static let limit = 100

    /// The note on a response that a page of another origin cannot read; nil if it can, or its origin was named before.
    func note(on response: ResponseHead, to head: borrowing RequestHead, _ names: SettingNames) -> String? {
        // Forms, WebSockets and `no-cors` name their origin, too, and are not read by their page.
        let mode = head.firstValue("sec-fetch-mode").map { head.string($0) }
        guard mode == nil || mode == "cors", head.firstValue("upgrade") == nil, !head.equals(head.method, "OPTIONS"),
            let origin = CrossOrigin.origin(of: head),
            !response.fields.contains(where: { $0.name.lowercased() == "access-control-allow-origin" })
        else { return nil }
        // A browser names the origin of this server's own pages, too, unless the request is a GET.
        if let host = head.firstValue("host"), origin.hasSuffix("://" + head.string(host)) { return nil }
        let isNew = origins.withLock { $0.count < Self.limit && $0.insert(origin).inserted }
        return isNew ? "pages of \(origin) cannot read this response (CORS); \(names(.allowsCORS)) lets them" : nil
    }
}
