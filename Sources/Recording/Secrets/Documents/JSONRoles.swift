// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The information that the members of one JSON object give about each other's values.
struct JSONRoles {
    /// The information that a member's name gives about the members beside it.
    private struct Role: OptionSet {
        var rawValue: UInt8

        /// Names the content of the member for the value.
        static let name = Role(rawValue: 1)
        static let value = Role(rawValue: 2)
        /// Stands beside the words of a text that was taken apart.
        static let words = Role(rawValue: 4)
        static let keyID = Role(rawValue: 8)
        /// Stands in addresses.
        static let place = Role(rawValue: 16)
        /// Stands beside the secrets of people.
        static let owner = Role(rawValue: 32)
    }

    /// The secret name that the object gives beside a value, as the text of a member such as `name` or `key`; nil for none.
    private var named: JSONNaming?
    /// The secret name that the object stands behind.
    private var above: JSONNaming?
    private var roles: Role = []
    /// In a call of GraphQL, the names of the arguments that its variables are passed to.
    private(set) var variables: [String: String]?

    init(_ object: JSONObject, below naming: JSONNaming) {
        if let rule = naming.rule {
            if case .digits = rule {} else { above = naming }
        }
        var first: String?
        for member in object.members where member.name.utf8.count <= 16 {
            guard let role = Self.known[member.name] else { continue }
            roles.formUnion(role)
            guard role.contains(.name), let text = member.value.string, text.utf8.count <= 64 else { continue }
            if SecretNames.rule(for: text, use: .member) != nil { first = first ?? text }
        }
        if roles.contains(.value), let first { named = JSONNaming(first) }
        if object.members.count <= 8, let query = object["query"]?.string, object["variables"]?.object != nil {
            variables = Self.arguments(of: query)
        }
    }

    /// The naming that a member's value has, if that is not the member's own.
    func naming(of member: JSONObject.Member, _ own: JSONNaming) -> JSONNaming? {
        if own.rule == nil {
            guard named != nil || above != nil, Self.known[member.name]?.contains(.value) == true else { return nil }
            return named ?? above
        }
        if case .digits = own.rule, isPostal(member) { return JSONNaming() }
        guard roles.contains(.words) || roles.contains(.keyID) else { return nil }
        var naming = own
        naming.isBesideWords = roles.contains(.words) && own.rule != .any
        naming.isBesideKeyID = roles.contains(.keyID)
        return naming
    }

    /// Whether a `pin` is the number of a place, as addresses have it: six digits, and nothing beside that has a secret number.
    private func isPostal(_ member: JSONObject.Member) -> Bool {
        guard member.name.lowercased() == "pin" else { return false }
        if roles.contains(.place) { return true }
        return !roles.contains(.owner) && (member.value.string ?? "").utf8.count == 6
    }

    private static let known: [String: Role] = {
        let names = [
            "name", "key", "field", "header", "param", "parameter", "property", "variable", "attribute", "var",
            "option",
            "setting", "k", "n", "envName", "id",
        ]
        let values = [
            "value", "content", "val", "v", "secretValue", "plaintext", "stringValue", "string_value", "currentValue",
            "rawValue", "s", "defaultValue", "current", "raw", "text_value", "_value", "$", "#text", "_text", "$t",
        ]
        let words = [
            "start", "end", "start_offset", "startOffset", "position", "logprob", "pos", "lemma", "tag", "word",
            "offset",
            "start_position", "pos_tag", "ner", "deprel", "top_logprobs", "symbol", "decimals", "whitespace", "dep",
        ]
        let places = [
            "city", "state", "street", "address", "country", "district", "postal", "locality", "area", "region", "lat",
            "lng", "landmark", "house", "line1", "address1", "town", "taluk", "zip", "village", "latitude",
        ]
        let owners = [
            "card", "cardNumber", "card_number", "password", "otp", "cvv", "cvc", "account", "user", "username",
            "login",
            "token", "secret", "pan", "iban", "email", "userId", "user_id",
        ]
        var roles: [String: Role] = ["key_id": .keyID, "keyId": .keyID, "keyID": .keyID]
        for (names, role) in [
            (names, Role.name), (values, .value), (words, .words), (places, .place), (owners, .owner),
        ] {
            for name in names {
                // As languages whose members begin with a capital write it, too.
                for written in [name, name.prefix(1).uppercased() + name.dropFirst()] {
                    roles[written, default: []].formUnion(role)
                }
            }
        }
        return roles
    }()

    /// The arguments that variables are passed to, if the argument has a secret name: `login(password: $p)`.
    private static func arguments(of query: String) -> [String: String] {
        var arguments: [String: String] = [:]
        var query = query
        query.withUTF8 { text in
            for (index, byte) in text.enumerated() where byte == UInt8(ascii: "$") {
                let end = text.end(of: .word, from: index + 1, limit: index + 65)
                var colon = index
                while colon > 0, ByteClass.space.contains(text[colon - 1]), index - colon < 16 { colon -= 1 }
                guard end > index + 1, colon > 0, text[colon - 1] == UInt8(ascii: ":") else { continue }
                var last = colon - 1
                while last > 0, ByteClass.space.contains(text[last - 1]), colon - last < 16 { last -= 1 }
                var start = last
                while start > 0, last - start < 64, ByteClass.word.contains(text[start - 1]) { start -= 1 }
                guard SecretNames.rule(for: text.slice(start..<last), use: .member) != nil else { continue }
                arguments[String(decoding: text[index + 1..<end], as: UTF8.self)] = String(
                    decoding: text[start..<last], as: UTF8.self)
            }
        }
        return arguments
    }
}
