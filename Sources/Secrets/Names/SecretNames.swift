// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Names that tell that their values are secrets; case, `-` and `_` do not count.
enum SecretNames {
    /// Where a name stands.
    enum Use: Sendable {
        /// A parameter of a query.
        case query
        /// A member of a JSON object, a form's field, an attribute, a variable.
        case member
        case header
    }

    /// The rule for the values of a name; nil where it tells nothing.
    static func rule(for name: Bytes, use: Use) -> ValueRule? {
        guard mayTell(name), let key = normalized(name) else { return nil }
        return rule(forKey: key, use: use)
    }

    /// Whether a name ends as one of those that tell, at a glance: most do not.
    private static func mayTell(_ name: Bytes) -> Bool {
        var letters: (UInt8, UInt8) = (0, 0)
        var index = name.count
        while index > 0 {
            index -= 1
            let byte = name[index].lowercased
            if "-_]".utf8.contains(byte) { continue }
            if letters.1 != 0 {
                letters.0 = byte
                break
            }
            letters.1 = byte
        }
        let pair = Int(letters.0) << 8 | Int(letters.1)
        return tails[pair >> 6] >> UInt64(pair & 63) & 1 != 0
    }

    /// A bit for each two letters that a name that tells ends with.
    private static let tails: [UInt64] = {
        var tails = [UInt64](repeating: 0, count: 1024)
        for name in Array(rules.keys) + Array(queryRules.keys) + endings {
            let letters = Array(name.utf8.suffix(2))
            let pair = Int(letters[0]) << 8 | Int(letters[1])
            tails[pair >> 6] |= 1 << UInt64(pair & 63)
        }
        return tails
    }()

    static func rule(for name: String, use: Use) -> ValueRule? {
        var name = name
        return name.withUTF8 { rule(for: $0, use: use) }
    }

    private static func rule(forKey key: String, use: Use) -> ValueRule? {
        if let rule = rules[key] { return rule }
        if use == .query, let rule = queryRules[key] { return rule }
        guard let ending = endings.first(where: { key.hasSuffix($0) }) else { return nil }
        return ending == "token" && pageTokens.contains(where: { key.hasSuffix($0) }) ? nil : .token(least: 8)
    }

    /// The name's last part in lower case without `-` and `_`: `user[password]` and `user.password` are `password`, `X-Api-Key` is `apikey`.
    ///
    /// Nil for a name of no or more than 40 letters and digits.
    private static func normalized(_ name: Bytes) -> String? {
        var end = name.count
        while end > 0, name[end - 1] == UInt8(ascii: "]") { end -= 1 }
        var start = end
        while start > 0, name[start - 1] != UInt8(ascii: "."), name[start - 1] != UInt8(ascii: "[") { start -= 1 }
        if name.slice(start..<end).hasInAnyCase("x-", at: 0) { start += 2 }
        guard end - start <= 60 else { return nil }
        var key = ""
        for byte in name[start..<end] where byte != UInt8(ascii: "-") && byte != UInt8(ascii: "_") {
            key.unicodeScalars.append(Unicode.Scalar(byte.lowercased))
        }
        return key.isEmpty || key.utf8.count > 40 ? nil : key
    }

    private static let words = [
        "accesstoken", "amzcredential", "amzsecuritytoken", "amzsignature", "apikey", "apisecret", "apitoken",
        "appsecret",
        "aspnetsessionid", "authenticitytoken", "authkey", "authtoken", "awssecretaccesskey", "awssecretkey",
        "bearertoken", "functionskey",
        "clientassertion", "clientsecret", "connectsid", "consumersecret", "csrf", "csrfmiddlewaretoken", "csrftoken",
        "encryptionkey", "googcredential", "googsignature", "idtoken", "idtokenhint", "jsessionid", "jwt", "masterkey",
        "oauthsignature", "oauthtoken", "oauthtokensecret", "ocpapimsubscriptionkey", "phpsessid", "privatekey",
        "refreshtoken", "requestverificationtoken", "samlresponse", "secret", "secretaccesskey", "secretkey",
        "securitytoken", "sessid", "sessionid", "sessionkey", "sessiontoken", "sharedsecret", "signingkey",
        "signingsecret", "subscriptionkey", "token", "totpsecret", "webhooksecret", "xsrf", "xsrftoken",
    ]

    private static let passwords = [
        "confirmpassword", "currentpassword", "newpassword", "oldpassword", "passcode", "passphrase", "passwd",
        "password", "passwordconfirmation", "pwd", "userpassword",
    ]

    private static let rules: [String: ValueRule] = {
        var rules: [String: ValueRule] = [
            "auth": .token(least: 8), "authorization": .credentials, "proxyauthorization": .credentials,
            "bearer": .token(least: 8), "session": .token(least: 8), "sid": .token(least: 8), "sig": .token(least: 8),
            "signature": .token(least: 16), "hmac": .token(least: 16), "credential": .token(least: 8),
            "credentials": .token(least: 8), "assertion": .token(least: 16), "accesskey": .token(least: 16),
            "codeverifier": .token(least: 16), "oauthverifier": .token(least: 8), "recoverycode": .token(least: 8),
            "recoverycodes": .token(least: 8), "backupcodes": .token(least: 8), "tokens": .token(least: 8),
            "secrets": .token(least: 8), "pass": .token(least: 6), "key": .key, "pin": .digits(4...12),
            "otp": .digits(4...10),
            "totp": .digits(4...10), "mfacode": .digits(4...10), "verificationcode": .digits(4...10),
            "smscode": .digits(4...10), "cvv": .digits(3...4), "cvc": .digits(3...4),
        ]
        for name in words { rules[name] = .word }
        for name in passwords { rules[name] = .any }
        return rules
    }()

    private static let queryRules: [String: ValueRule] = [
        "code": .token(least: 12), "ticket": .token(least: 12), "appid": .key,
    ]

    private static let endings = [
        "token", "secret", "password", "apikey", "privatekey", "secretkey", "accesskey", "signingkey", "applicationkey",
        "masterkey", "accountkey", "sharedkey",
    ]

    /// Tokens that tell a place in a list.
    private static let pageTokens = [
        "pagetoken", "nexttoken", "prevtoken", "previoustoken", "synctoken", "continuationtoken", "paginationtoken",
        "resumetoken", "designtoken", "cancellationtoken", "starttoken", "skiptoken",
    ]

    /// Whether values of a name may look like anything without being a secret: ids, digests, cursors, pictures in small.
    static func isExemptFromEntropy(_ name: Bytes) -> Bool {
        guard let key = normalized(name) else { return false }
        if rule(forKey: key, use: .query) != nil { return false }
        return key.hasSuffix("id") || key.hasSuffix("ids") || exempt.contains { key.utf8.holds($0.utf8) }
            || exemptWhole.contains(key) || pageTokens.contains { key.hasSuffix($0) }
    }

    private static let exempt = [
        "cursor", "etag", "hash", "integrity", "checksum", "digest", "sha1", "sha256", "sha384", "sha512", "md5",
        "blur",
        "thumb", "placeholder", "lqip", "continuation", "pagination", "polyline", "fingerprint", "base64",
    ]

    private static let exemptWhole: Set<String> = [
        "after", "before", "next", "prev", "previous", "href", "src", "srcset", "url", "uri", "path", "slug",
        "binaryequalto",
        "ifnonematch", "ifmatch", "urlpath", "urlpathpattern", "urlpattern", "bodyfile", "class", "nonce",
        "codechallenge", "publickey", "publishablekey", "sitekey", "pubkey",
        "address", "owner", "mint", "wallet", "photoreference", "ref", "rev", "revision", "version", "uuid", "ulid",
        "guid",
        "file", "filename", "image", "photo", "picture", "avatar", "icon", "logo", "video", "audio", "asset",
        // The public members of a JSON Web Key (RFC 7517, RFC 7518 §6).
        "n", "x", "y", "x5t", "x5t#s256",
    ]
}

extension String.UTF8View {
    /// Whether a short text stands in this one.
    fileprivate func holds(_ text: String.UTF8View) -> Bool {
        var rest = self[...]
        while rest.count >= text.count {
            if rest.starts(with: text) { return true }
            rest.removeFirst()
        }
        return false
    }
}
