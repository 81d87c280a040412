// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage

/// The parameters of a query, decoded, in their order.
struct QueryItems {
    /// Nil where a name or a value is no text: such a query is matched as it is.
    let items: [(name: String, value: String)]?

    init(_ query: Substring) {
        var items: [(name: String, value: String)] = []
        for part in query.utf8.split(separator: UInt8(ascii: "&")) {
            let sign = part.firstIndex(of: UInt8(ascii: "=")) ?? part.endIndex
            guard let name = Self.text(part[..<sign]), let value = Self.text(part[sign...].dropFirst()), !name.isEmpty
            else {
                self.items = nil
                return
            }
            items.append((name, value))
        }
        self.items = items
    }

    /// A name or a value as far as it is text.
    static func lossyText(_ raw: Substring) -> String {
        String(decoding: PercentCoding.decode(raw.utf8, plusIsSpace: true), as: UTF8.self)
    }

    private static func text(_ bytes: Substring.UTF8View.SubSequence) -> String? {
        String(validating: PercentCoding.decode(bytes, plusIsSpace: true), as: UTF8.self)
    }
}
