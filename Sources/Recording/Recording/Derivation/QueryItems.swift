// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The parameters of a query, decoded, in their order.
struct QueryItems {
    /// Nil if a name or a value is not text: such a query is matched as it is.
    let items: [(name: String, value: String)]?

    init(_ query: Substring) {
        var items: [(name: String, value: String)] = []
        for pair in QueryText.pairs(of: Array(query.utf8)) {
            guard let name = Self.text(pair.name), let value = Self.text(pair.value ?? []), !name.isEmpty else {
                self.items = nil
                return
            }
            items.append((name, value))
        }
        self.items = items
    }

    /// A name or a value as far as it is text.
    static func lossyText(_ raw: Substring) -> String {
        QueryText.decoded(raw.utf8)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        String(validating: PercentCoding.decode(bytes, plusIsSpace: true), as: UTF8.self)
    }
}
