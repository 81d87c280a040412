// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// A value that identifies the sender of a request; in memory only.
struct Credential {
    enum Place: Hashable {
        /// The name in lower case.
        case header(String)
        case cookie(String)
        case parameter(String)
        /// A field of a form.
        case field(String)
        /// A member of JSON, by the names on the way to it.
        case member(JSONPlace)
        /// In the path, in a list, or in a part: no matcher is derived of it.
        case elsewhere(SentDigests.Place)
    }

    var place: Place
    /// The name of its place in the request.
    var name: String
    var value: [UInt8]
    /// Whether it is of Basic authentication (RFC 7617).
    var isBasic = false

    /// Whether it shows an account with each request, as tokens and cookies do, rather than opening one, as a password does.
    var isOfAccount: Bool {
        switch place {
        case .header, .cookie: return true
        case .parameter(let name): return CredentialNames.isOfAccount(parameter: name)
        default: return false
        }
    }

    /// Its place among those that a stub may ask for; nil if it shows an account in each request, and for a place that no stub names.
    var sentPlace: SentPlace? {
        switch place {
        case .parameter(let name): .parameter(name)
        case .field(let name): .field(name)
        case .member(let path): .member(path)
        case .header, .cookie, .elsewhere: nil
        }
    }

    /// Its place among those whose values have digests; nil for a header line and a cookie, which all have.
    var digestPlace: SentDigests.Place? {
        switch place {
        case .parameter(let name): .parameter(name)
        // As the name was sent, which may be coded.
        case .field: .field(name)
        case .member(let path): .member(path)
        case .elsewhere(let place): place
        case .header, .cookie: nil
        }
    }

    /// Whether a secret of a name is exchanged for an account, or protects a form: another value is another step, and not another thing.
    static func opens(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["refresh", "code", "csrf", "xsrf", "password", "nonce", "state", "assertion"].contains(
            where: name.contains)
    }

    /// The placeholder that a client is to send if nothing else distinguishes it from another.
    func placeholder(_ word: String) -> String {
        let kind =
            switch place {
            case .header: "header"
            case .cookie: "cookie"
            case .parameter: "query"
            case .field, .member, .elsewhere: "request"
            }
        return "redacted.\(kind).\(SenderName.word(name, limit: 60))-\(word)"
    }

    /// A header line that identifies the sender; nil if it is made again for each request.
    static func header(_ name: String, _ value: [UInt8]) -> Credential? {
        let key = name.lowercased()
        if ["csrf", "xsrf", "amz-security-token"].contains(where: key.contains) || value.isEmpty { return nil }
        guard let space = value.firstIndex(of: 0x20), key == "authorization" || key == "proxy-authorization" else {
            return Credential(place: .header(key), name: name, value: value)
        }
        let rest = Array(value[space...].drop { $0 == 0x20 })
        // Parameters (RFC 9110 §11.4) hold a signature of the request, which differs each time.
        if rest.dropLast(2).contains(UInt8(ascii: "=")) || rest.contains(UInt8(ascii: ",")) { return nil }
        let isBasic = String(decoding: value[..<space], as: UTF8.self).lowercased() == "basic"
        return Credential(place: .header(key), name: name, value: rest, isBasic: isBasic)
    }

    /// Beginnings of cookies that networks on the way and counters of visits set, in lower case.
    private static let foreignCookies = [
        "__cf", "_cf", "cf_", "awsalb", "incap_", "visid_", "ak_", "bm_", "_ga", "_gid", "_fbp", "ajs_", "amplitude",
        "_hj",
        "ai_", "datadome", "_dd_s", "intercom",
    ]

    /// The cookies of a line (RFC 6265 §4.2.1) but for those that protect forms or do not identify the sender.
    static func cookies(_ value: String) -> [Credential] {
        FieldText.cookies(of: value).compactMap { name, value in
            let value = value.filter { $0 != " " && $0 != "\"" }
            let key = name.lowercased()
            if ["csrf", "xsrf"].contains(where: key.contains) || value.isEmpty { return nil }
            if foreignCookies.contains(where: key.hasPrefix) { return nil }
            return Credential(place: .cookie(name), name: name, value: Array(value.utf8))
        }
    }

    /// Whether a cookie is called as those of sessions are.
    static func isSession(_ name: String) -> Bool {
        let name = name.lowercased()
        return ["sess", "sid", "token", "auth", "jwt", "login", "user", "remember"].contains(where: name.contains)
    }
}

/// The values of JSON that were replaced.
struct ReplacedValue {
    /// Of each item, if a list is on the way to it.
    var path: JSONPlace
    var name: String
    var value: String
    var placeholder: String

    static func all(in sent: JSONNode, replaced: JSONNode) -> [ReplacedValue] {
        var found: [ReplacedValue] = []
        collect(sent, replaced, .root, "", &found)
        return found
    }

    private static func collect(
        _ sent: JSONNode, _ replaced: JSONNode, _ path: JSONPlace, _ name: String, _ found: inout [ReplacedValue]
    ) {
        switch (sent.value, replaced.value) {
        case (.object(let left), .object(let right)) where left.members.count == right.members.count:
            for (left, right) in zip(left.members, right.members) {
                collect(left.value, right.value, path.member(left.name), left.name, &found)
            }
        case (.array(let left), .array(let right)) where left.count == right.count:
            for (left, right) in zip(left, right) { collect(left, right, path.each, name, &found) }
        case (.string(let value), .string(let placeholder)) where value != placeholder:
            found.append(.init(path: path, name: name, value: value, placeholder: placeholder))
        case (.number(let number), .string(let placeholder)):
            found.append(.init(path: path, name: name, value: number.literal, placeholder: placeholder))
        default: return
        }
    }
}

/// The name of the sender of a request: not a secret, as the request says it.
enum SenderName {
    /// Members and fields that name an account, without `-` and `_` and in lower case.
    private static let names: Set<String> = [
        "username", "user", "login", "loginname", "email", "emailaddress", "account", "accountname", "userid", "name",
        "identifier", "phone", "phonenumber", "nickname", "handle",
    ]

    /// Letters, digits, `.`, `_` and `-`, as placeholders have them.
    static func word(_ text: String, limit: Int = 24) -> String {
        var word = ""
        for scalar in text.unicodeScalars {
            let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            let isKept = isPlain || scalar == "." || scalar == "_"
            if !isKept, word.isEmpty || word.hasSuffix("-") { continue }
            word.unicodeScalars.append(isKept ? scalar : "-")
            if word.utf8.count == limit { break }
        }
        while let last = word.last, "-._".contains(last) { word.removeLast() }
        return word
    }

    /// The account that JSON names, if that is not a secret.
    static func of(_ sent: JSONNode, replaced: JSONNode) -> String? {
        guard let members = sent.object?.members else { return nil }
        for member in members where isName(member.name) {
            guard let text = member.value.string, replaced[member.name] == member.value else { continue }
            let word = word(text)
            if !word.isEmpty { return word }
        }
        return members.lazy.compactMap { member in
            replaced[member.name].flatMap { of(member.value, replaced: $0) }
        }.first
    }

    /// The account that a form names.
    static func of(_ fields: [(name: String, value: String)]) -> String? {
        fields.first { isName($0.name) }.map { word($0.value) }.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func isName(_ name: String) -> Bool {
        let last = name.split { "[].".contains($0) }.last ?? ""
        return names.contains(last.filter { $0 != "-" && $0 != "_" }.lowercased())
    }
}
