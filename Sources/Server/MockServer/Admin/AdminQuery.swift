// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiStubMatching

/// The query parameters of a request to the admin API, decoded; the first of a name counts.
struct AdminQuery {
    private var values: [String: String] = [:]

    init() {}

    init(_ head: borrowing RequestHead) {
        self.init(head.query.map { head.string($0) } ?? "")
    }

    init(_ query: String) {
        for (name, value) in QueryText.decodedPairs(of: query) where values[name] == nil { values[name] = value }
    }

    subscript(name: String) -> String? { values[name] }

    /// The value as a number that is not negative; nil if the parameter is not there.
    func number(_ name: String) throws(AdminError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), number >= 0 else { throw AdminError(400, "\(text) is not a number", 10, name) }
        return number
    }
}
