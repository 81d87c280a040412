// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Names whose values are secrets; case, `-` and `_` do not count.
enum SecretNames {
    /// Where a name stands.
    enum Use: Sendable {
        /// A parameter of a query.
        case query
        /// A member of a JSON object, a form's field, an attribute, a variable.
        case member
        case header
    }

    /// The rule for the values of a name; nil for an ordinary name.
    static func rule(for name: Bytes, use: Use) -> ValueRule? {
        guard mayTell(name), let key = normalized(name) else { return nil }
        return rule(forKey: key, use: use)
    }

    /// Whether a name ends as a secret name, at a glance: most do not.
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

    /// A bit for each two letters at the end of a secret name.
    private static let tails: [UInt64] = {
        var tails = [UInt64](repeating: 0, count: 1024)
        for name in Array(rules.keys) + Array(queryRules.keys) + endings + ["keys"] {
            let letters = Array(name.utf8.suffix(2))
            // A name of one letter has nothing in front of it.
            let pair = letters.count == 1 ? Int(letters[0]) : Int(letters[0]) << 8 | Int(letters[1])
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
        // Lists of keys are called by the same names.
        let key = key.hasSuffix("keys") ? String(key.dropLast()) : key
        guard let ending = endings.first(where: { key.hasSuffix($0) }) else { return nil }
        if key.hasSuffix("key"), publicKeys.contains(where: { key.hasSuffix($0) }) || key.hasPrefix("public") {
            return nil
        }
        if passwordEndings.contains(ending) { return actions.contains { key.hasPrefix($0) } ? .token(least: 8) : .any }
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
        for byte in name[start..<end] where !"-_ $@".utf8.contains(byte) {
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
        "devicecode", "authorizationcode", "otpsecret", "mfasecret", "authenticationtoken", "apitokensecret",
    ]

    private static let passwords = [
        "confirmpassword", "currentpassword", "newpassword", "oldpassword", "passcode", "passphrase", "passwd",
        "password", "passwordconfirmation", "pwd", "userpassword", "passphrase", "requirepass", "masterauth", "psk",
        "pword", "passwrd", "userpwd", "dbpass", "dbpwd", "dbpasswd", "mysqlpwd", "pgpassword", "storepass",
        "keypass", "userpass", "ftppass", "rootpass", "adminpass", "loginpass", "sshpass", "authpass", "proxypass",
        "redispass", "mysqlpass", "pgpass", "pswd", "mnemonic", "seedphrase", "recoveryphrase", "secretphrase",
        "bindpw", "rootpw", "userpw", "smtppass", "mailpass", "passwort", "kennwort", "motdepasse",
    ]

    private static let rules: [String: ValueRule] = {
        var rules: [String: ValueRule] = [
            "auth": .token(least: 8), "authorization": .credentials, "proxyauthorization": .credentials,
            "bearer": .token(least: 8), "session": .token(least: 8), "sid": .token(least: 8), "sig": .token(least: 8),
            "signature": .token(least: 16), "hmac": .token(least: 16), "credential": .token(least: 8),
            "credentials": .token(least: 8), "assertion": .token(least: 16), "accesskey": .token(least: 16),
            "codeverifier": .token(least: 16), "oauthverifier": .token(least: 8), "recoverycode": .token(least: 8),
            "recoverycodes": .token(least: 8), "backupcodes": .token(least: 8), "tokens": .token(least: 8),
            "secrets": .token(least: 8), "creds": .token(least: 8), "pass": .token(least: 6), "pw": .token(least: 5),
            "invitecode": .token(least: 6), "invitationcode": .token(least: 6), "activationcode": .token(least: 6),
            "confirmationcode": .token(least: 6), "accesscode": .token(least: 6), "pairingcode": .token(least: 6),
            "registrationcode": .token(least: 6), "backupcode": .token(least: 6), "formkey": .token(least: 12),
            "wpnonce": .token(least: 8), "sas": .token(least: 16), "sess": .token(least: 8), "key": .key,
            "pin": .digits(4...12),
            "otp": .digits(4...10),
            "totp": .digits(4...10), "mfacode": .digits(4...10), "verificationcode": .digits(4...10),
            "smscode": .digits(4...10), "cvv": .digits(3...4), "cvc": .digits(3...4),
        ]
        for name in words { rules[name] = .word }
        for name in passwords { rules[name] = .any }
        return rules
    }()

    private static let queryRules: [String: ValueRule] = [
        "code": .token(least: 12), "ticket": .token(least: 12), "appid": .key, "t": .token(least: 16),
        "tok": .token(least: 8), "tk": .token(least: 12), "k": .token(least: 20), "magic": .token(least: 12),
        "invite": .token(least: 12), "otc": .token(least: 8), "invitation": .token(least: 12),
        "usercode": .token(least: 6),
    ]

    private static let endings =
        [
            "token", "secret", "apikey", "privatekey", "secretkey", "accesskey", "signingkey",
            "applicationkey", "masterkey", "accountkey", "sharedkey", "sdkkey", "serverkey", "servicekey",
            "encryptionkey", "decryptionkey", "sessionkey", "authkey", "adminkey", "storagekey", "integrationkey",
            "webhookkey", "writekey", "ingestkey", "ingestionkey", "consumerkey", "deploykey", "functionkey",
            "functionskey", "subscriptionkey", "hmackey", "jwtkey", "cipherkey", "aeskey", "rootkey", "recoverykey",
            "cryptkey", "presharedkey", "licensekey", "connectionkey", "streamkey", "appkey", "clientkey", "botkey",
            "authcode", "authorizationcode", "devicecode", "resetcode", "sessionid", "sessid", "apisecretkey",
            "accesstokensecret", "csrf", "xsrf", "jwt", "passkey", "activationkey", "signkey", "cryptokey", "datakey",
            "authsession", "usersession", "turncredential",
            "authcredential", "apitoken", "usertoken",
        ] + passwordEndings

    private static let passwordEndings = ["password", "passwd", "passphrase", "passcode"]

    /// Words for something that is done with a password, or said of it, rather than for the password.
    private static let actions = [
        "forgot", "reset", "change", "show", "hide", "has", "is", "enter", "require", "no", "invalid", "wrong",
        "missing", "incorrect", "update", "set", "create", "choose", "view", "toggle", "label", "without", "use",
        "allow", "enable", "lost", "recover", "must", "can", "should",
    ]

    /// Keys that everybody may know.
    private static let publicKeys = [
        "publickey", "publishablekey", "pubkey", "sitekey", "hostkey", "applicationserverkey", "vapidkey",
        "verifykey", "verificationkey", "publicapikey", "publishableapikey", "searchonlyapikey", "measurementkey",
    ]

    /// Tokens of a place in a list.
    private static let pageTokens = [
        "pagetoken", "nexttoken", "prevtoken", "previoustoken", "synctoken", "continuationtoken", "paginationtoken",
        "resumetoken", "designtoken", "cancellationtoken", "starttoken", "skiptoken", "continuetoken",
        "pagingtoken", "cursortoken", "deltatoken", "forwardtoken", "backwardtoken", "listtoken", "scrolltoken",
        "marketplacetoken", "stoptoken", "eostoken", "bostoken", "padtoken", "unktoken", "septoken", "clstoken",
        "masktoken", "markertoken", "changetoken", "watchtoken",
    ]

    /// Whether values of a name may look like anything without being a secret: ids, digests, cursors, pictures in small.
    static func isExemptFromEntropy(_ name: Bytes) -> Bool {
        guard let key = normalized(name) else { return false }
        if rule(forKey: key, use: .query) != nil { return false }
        return key.hasSuffix("id") || key.hasSuffix("ids") || exempt.contains { key.utf8.holds($0.utf8) }
            || exemptWhole.contains(key) || pageTokens.contains { key.hasSuffix($0) }
            || publicKeys.contains { key.hasSuffix($0) } || key.hasPrefix("public")
    }

    private static let exempt = [
        "cursor", "etag", "hash", "integrity", "checksum", "digest", "sha1", "sha256", "sha384", "sha512", "md5",
        "blur",
        "thumb", "placeholder", "lqip", "continuation", "pagination", "polyline", "fingerprint", "base64",
        "bookmark", "waveform", "embedding", "pagestate", "pagingstate", "syncstate", "verification", "sha2", "sha3",
        "commit", "merkle", "txhash", "address", "wallet", "geohash", "geometry", "watermark", "checkpoint",
        "thumbprint", "certificate", "publickey", "attestation", "challenge", "nodename", "bytecode", "crc32",
        "narhash", "svg", "mapping", "vector", "spectrum", "samples", "cdnurl", "sourcemap",
    ]

    private static let exemptWhole: Set<String> = [
        "after", "before", "next", "prev", "previous", "marker", "nextmarker", "continue", "startafter", "endbefore",
        "seek", "nextpage", "href", "src", "srcset", "url", "uri", "path", "slug", "binaryequalto", "bodyfile",
        "ifnonematch", "ifmatch", "urlpath", "urlpathpattern", "urlpattern", "class", "nonce", "h1", "boundary",
        "codechallenge", "owner", "mint", "photoreference", "ref", "rev", "revision", "version", "uuid", "ulid",
        "guid", "cid", "did", "proof", "peaks", "pcm", "contract", "signer", "validator", "amzid2", "cert", "crt",
        "cacert", "x5c", "der", "spki", "dkim", "dnskey", "rrsig", "serial", "serialnumber", "imei", "hex",
        "file", "filename", "image", "photo", "picture", "avatar", "icon", "logo", "video", "audio", "asset",
        // Header lines of proxies, caches and browsers' rules.
        "reportto", "reportingendpoints", "nel", "cfray", "servertiming", "traceparent", "tracestate", "googhash",
        "contentsecuritypolicy", "contentsecuritypolicyreportonly", "altsvc", "expectct", "publickeypins",
        "fastlytrace", "azureref", "msedgeref", "varnish", "b3traceid", "cloudtracecontext", "origintrial",
        "contenttype", "p3p", "signatureinput", "useragent", "timer", "secwebsocketaccept", "secwebsocketkey",
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
