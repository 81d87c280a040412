// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The parameters that a request's content names, without those that are secrets.
enum ContentItems {
    /// Bytes of a value that tells files apart; a longer one does not. 40.
    private static let valueLimit = 40

    /// The variables of GraphQL, the parameters of JSON-RPC, or the members of an object.
    ///
    /// - Parameter replaced: the same with placeholders for secrets.
    static func ofJSON(sent: JSONNode, replaced: JSONNode) -> [(name: String, value: String)] {
        for name in ["variables", "params"] {
            if let inner = sent[name], inner.object != nil, let other = replaced[name] {
                return ofJSON(sent: inner, replaced: other)
            }
        }
        return (sent.object?.members ?? []).compactMap { member in
            guard replaced[member.name] == member.value, let value = text(member.value),
                value.utf8.count <= valueLimit
            else { return nil }
            return (member.name, value)
        }
    }

    /// The fields of a form.
    ///
    /// - Parameter replaced: the same with placeholders for secrets.
    static func ofForm(sent: [UInt8], replaced: [UInt8]) -> [(name: String, value: String)] {
        guard let before = fields(sent), let after = fields(replaced), before.count == after.count else { return [] }
        return zip(before, after).filter { $0 == $1 && $0.value.utf8.count <= valueLimit }.map(\.0)
    }

    private static func fields(_ bytes: [UInt8]) -> [(name: String, value: String)]? {
        QueryItems(String(decoding: bytes, as: UTF8.self)[...]).items
    }

    private static func text(_ node: JSONNode) -> String? {
        switch node.value {
        case .string(let text): text
        case .number, .bool: String(decoding: JSONWriter.compact(node), as: UTF8.self)
        default: nil
        }
    }
}
