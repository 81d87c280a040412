// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The end of a request's target as it is meant.
package enum TargetText {
    /// Path and query decoded; the query without its `?`, its pairs in their order.
    package static func decoded(_ target: String) -> String {
        guard let question = target.firstIndex(of: "?") else { return decode(target[...], plusIsSpace: false) }
        let query = target[target.index(after: question)...].split(ascii: "&", omittingEmptySubsequences: false)
        let pairs = query.map { pair in
            pair.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { decode($0, plusIsSpace: true) }.joined(separator: "=")
        }
        return decode(target[..<question], plusIsSpace: false) + pairs.joined(separator: "&")
    }

    /// The same with capitals in its escapes, whose letters mean nothing (RFC 3986 §6.2.2.1).
    static func withCapitalEscapes(_ target: String) -> String {
        let parts = target.split(ascii: "%", omittingEmptySubsequences: false)
        let escaped = parts.dropFirst().map { "%" + $0.prefix(2).uppercased() + $0.dropFirst(2) }
        return (parts.first.map { String($0) } ?? "") + escaped.joined()
    }

    /// Names and values of a target's query, decoded.
    package static func pairs(_ target: String) -> [(name: String, value: String)] {
        guard let question = target.firstIndex(of: "?") else { return [] }
        return target[target.index(after: question)...].split(ascii: "&").map { pair in
            let parts = pair.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts[0], plusIsSpace: true), parts.count > 1 ? decode(parts[1], plusIsSpace: true) : "")
        }
    }

    private static func decode(_ text: Substring, plusIsSpace: Bool) -> String {
        String(decoding: PercentCoding.decode(text.utf8, plusIsSpace: plusIsSpace), as: UTF8.self)
    }
}
