// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The information that the name of a member gives about its value.
struct JSONNaming: Sendable {
    var name = ""
    var rule: ValueRule?
    /// Whether the value may look like anything without being a secret.
    var isExempt = false
    /// Whether the value stands for that of the name above, as `equalTo` does in a stub.
    var isMatcher = false
    /// Whether the values below are about secrets rather than holding them: messages, labels, schemas.
    var isTalk = false
    /// Whether the value is Base64 of a content.
    var isBase64 = false

    /// Whether members beside it show that the value is not a secret, though it is called one.
    var isBesideWords = false
    var isBesideKeyID = false

    init() {}

    /// Whether the members beside the value of a secret name show that it is public, or not a secret at all.
    func isPublic(_ value: Bytes) -> Bool {
        guard rule != nil, !value.isEmpty else { return false }
        if isBesideWords, !TextTraits(value).isRealToken { return true }
        // 32 bytes beside the id of a key: the public key that secrets are sealed with.
        if isBesideKeyID, value.count == 44, value[43] == UInt8(ascii: "=") { return true }
        switch name.lowercased() {
        // The directory that somebody is in.
        case "pwd":
            return value[0] == UInt8(ascii: "/") || value[0] == UInt8(ascii: "~")
                || value.count > 2 && value[1] == UInt8(ascii: ":") && value[2] == UInt8(ascii: "\\")
        // The token that a wiki gives to anonymous users.
        case "csrftoken", "token", "logintoken": return value.count == 2 && value[0] == UInt8(ascii: "+")
        default: return false
        }
    }

    init(_ name: String) {
        self.name = name
        var key = name
        rule = SecretNames.rule(for: name, use: .member)
        isExempt = key.withUTF8 { SecretNames.isExemptFromEntropy($0) }
        isMatcher = Self.matchers.contains(name)
        isTalk = Self.talk.contains(name.lowercased())
        isBase64 = name == "base64Body" || name == "binaryEqualTo"
    }

    /// The namings of names seen so far, since documents of one service share them; 4,096 names of at most 64 bytes.
    private static let cache = Mutex<[String: JSONNaming]>([:])
    private static let cacheLimit = 4096

    /// The namings that were kept.
    static var kept: [String: JSONNaming] { cache.withLock { $0 } }

    /// Keeps namings for the next document.
    static func keep(_ namings: [String: JSONNaming]) {
        cache.withLock { cache in
            for (name, naming) in namings where cache.count < cacheLimit && name.utf8.count <= 64 {
                cache[name] = naming
            }
        }
    }

    private static let matchers: Set<String> = [
        "equalTo", "contains", "matches", "doesNotContain", "doesNotMatch", "hasExactly", "includes", "and", "or",
        "not",
    ]

    private static let talk: Set<String> = [
        "error", "errors", "message", "messages", "label", "labels", "translations", "i18n", "validation",
        "validations",
        "properties", "definitions", "schema", "schemas", "placeholders", "hints",
    ]
}
