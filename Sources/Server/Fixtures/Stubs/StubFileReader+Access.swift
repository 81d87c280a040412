// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

extension StubFileReader {
    /// Whether a stub turns requests away or issues tokens, and has no response of its own.
    static func isGuard(_ cursor: Cursor) -> Bool {
        cursor["protects"] != nil || cursor["authentication"]?["oauth2"] != nil
    }

    /// Reads the gates between a request and the response; nil if there are none.
    mutating func access(of cursor: Cursor) -> StubAccess? {
        var access = StubAccess()
        access.isGuard = Self.isGuard(cursor)
        if let written = cursor["authentication"], written.node.object != nil {
            access.authentication = authentication(written)
        }
        if let written = cursor["rateLimit"], written.node.object != nil { access.rateLimit = rateLimit(written) }
        if access.isGuard { checkGuard(cursor) }
        return access == StubAccess() ? nil : access
    }

    private mutating func checkGuard(_ cursor: Cursor) {
        let word = cursor["protects"] == nil ? "oauth2" : "protects"
        for key in ["request", "response", "responses", "afterLast", "priority", "hold"] {
            guard let written = cursor[key] else { continue }
            report(
                .error,
                "\"\(key)\" beside \"\(word)\", which has no response of its own; write a stub for it, and leave it out here",
                at: written)
        }
        if let protects = cursor["protects"], cursor["authentication"] == nil, cursor["rateLimit"] == nil {
            report(.error, "\"protects\" needs \"authentication\" or \"rateLimit\" beside it", at: protects)
        }
    }

    /// The requests that go through a guard: all below the paths that it protects, and its token endpoint.
    mutating func guardedRequest(of cursor: Cursor) -> RequestPattern {
        var patterns: [String] = []
        if let written = cursor["protects"] {
            for element in written.node.array == nil ? [written] : written.elements {
                guard let path = element.node.string, isPath(path, at: element) else { continue }
                patterns.append(Self.escaped(path) + ".*")
            }
        }
        let oauth2 = cursor["authentication"]?["oauth2"]
        if let written = oauth2?["tokenEndpoint"], let path = written.node.string, isPath(path, at: written) {
            if patterns.isEmpty { return RequestPattern(method: "POST", url: .path(path)) }
            patterns.append(Self.escaped(path))
        }
        let text = patterns.count == 1 ? patterns[0] : "(?:" + patterns.joined(separator: "|") + ")"
        return RequestPattern(url: .pathPattern(pattern(text, at: cursor["protects"] ?? cursor)))
    }

    private mutating func isPath(_ text: String, at cursor: Cursor) -> Bool {
        checkAdministration(text, at: cursor)
        if text.hasPrefix("/"), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"?#".utf8.contains($0) }) {
            return true
        }
        report(.error, "expected a path such as \"/api/\", without a query, found \"\(text)\"", at: cursor)
        return false
    }

    /// A text that a pattern has as it stands.
    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { pattern, character in
            if !character.isLetter, !character.isNumber, character != "/" { pattern += "\\" }
            pattern.append(character)
        }
    }

    // MARK: Authentication

    private mutating func authentication(_ cursor: Cursor) -> Authentication {
        var authentication = Authentication()
        authentication.bearer = scheme(cursor["bearer"]) { $0.bearer($1) }
        authentication.basic = scheme(cursor["basic"]) { $0.basic($1) }
        authentication.digest = scheme(cursor["digest"]) { $0.digest($1) }
        authentication.oauth2 = scheme(cursor["oauth2"]) { $0.oauth2($1) }
        if cursor.members.isEmpty {
            report(
                .error, "\"authentication\" needs \"bearer\", \"basic\", \"digest\" or \"oauth2\"", at: cursor)
        }
        return authentication
    }

    private mutating func scheme<Scheme>(
        _ cursor: Cursor?, read: (inout StubFileReader, Cursor) -> Scheme?
    ) -> Scheme? {
        guard let cursor, cursor.node.object != nil else { return nil }
        return read(&self, cursor)
    }

    private mutating func realm(of cursor: Cursor) -> String {
        guard let written = cursor["realm"], let text = written.node.string else { return Authentication.defaultRealm }
        if text.utf8.contains(where: { $0 < 0x20 || $0 >= 0x7F || $0 == 0x22 || $0 == 0x5C }) {
            report(.error, "a realm has letters of ASCII, without quotation marks and backslashes", at: written)
        }
        return text
    }

    private mutating func bearer(_ cursor: Cursor) -> Authentication.Bearer {
        var bearer = Authentication.Bearer()
        bearer.tokens = strings(cursor["tokens"])
        bearer.expired = strings(cursor["expired"])
        bearer.insufficient = strings(cursor["insufficient"])
        bearer.issuer = cursor["issuer"]?.node.string
        bearer.scope = cursor["scope"]?.node.string
        bearer.realm = realm(of: cursor)
        if let scope = cursor["scope"] {
            checkScope(scope)
            if bearer.issuer == nil {
                report(
                    .error, "\"scope\" goes with \"issuer\"; tokens for something else are \"insufficient\"", at: scope)
            }
        }
        var seen: [String: String] = [:]
        for key in ["tokens", "expired", "insufficient"] {
            for element in cursor[key]?.elements ?? [] {
                guard let token = element.node.string else { continue }
                if let other = seen[token], other != key {
                    report(.error, "this token is in \"\(other)\", too", at: element)
                }
                seen[token] = key
            }
        }
        return bearer
    }

    private func strings(_ cursor: Cursor?) -> [String] { (cursor?.elements ?? []).compactMap(\.node.string) }

    /// - Returns: nil if one is missing.
    private mutating func pair(_ first: String, _ second: String, of cursor: Cursor) -> (String, String)? {
        for key in [first, second] where cursor[key] == nil { report(.error, "\"\(key)\" is missing", at: cursor) }
        guard let one = cursor[first]?.node.string, let other = cursor[second]?.node.string else { return nil }
        return (one, other)
    }

    private mutating func basic(_ cursor: Cursor) -> Authentication.Basic? {
        let realm = realm(of: cursor)
        guard let (username, password) = pair("username", "password", of: cursor) else { return nil }
        if username.contains(":"), let written = cursor["username"] {
            report(.error, "a name has no colon (RFC 7617 §2)", at: written)
        }
        var basic = Authentication.Basic(username: username, password: password)
        basic.realm = realm
        return basic
    }

    private mutating func digest(_ cursor: Cursor) -> Authentication.Digest? {
        let realm = realm(of: cursor)
        guard let (username, password) = pair("username", "password", of: cursor) else { return nil }
        var digest = Authentication.Digest(username: username, password: password)
        digest.realm = realm
        digest.uses = cursor["uses"]?.node.number?.integer
        if let name = cursor["algorithm"]?.node.string, let algorithm = Authentication.Digest.Algorithm(rawValue: name)
        {
            digest.algorithm = algorithm
        }
        return digest
    }

    private mutating func oauth2(_ cursor: Cursor) -> Authentication.OAuth2? {
        let realm = realm(of: cursor)
        if cursor["tokenEndpoint"] == nil { report(.error, "\"tokenEndpoint\" is missing", at: cursor) }
        guard let (client, secret) = pair("clientId", "clientSecret", of: cursor) else { return nil }
        var oauth2 = Authentication.OAuth2(
            tokenEndpoint: cursor["tokenEndpoint"]?.node.string ?? "", clientID: client, clientSecret: secret)
        oauth2.realm = realm
        oauth2.expiresIn = cursor["expiresIn"]?.node.number?.integer ?? oauth2.expiresIn
        oauth2.uses = cursor["uses"]?.node.number?.integer
        oauth2.refreshes = cursor["refresh"]?.node.bool ?? true
        oauth2.scope = cursor["scope"]?.node.string
        if let scope = cursor["scope"] { checkScope(scope) }
        return oauth2
    }

    /// RFC 6749 §3.3.
    private mutating func checkScope(_ cursor: Cursor) {
        guard let text = cursor.node.string else { return }
        let isScope = !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F && $0 != 0x22 && $0 != 0x5C }
        if !isScope { report(.error, "expected a scope such as \"read write\" (RFC 6749 §3.3)", at: cursor) }
    }

    // MARK: Rates

    private mutating func rateLimit(_ cursor: Cursor) -> RateLimit? {
        for key in ["requests", "per"] where cursor[key] == nil { report(.error, "\"\(key)\" is missing", at: cursor) }
        guard let requests = cursor["requests"]?.node.number?.integer, let per = cursor["per"],
            let text = per.node.string
        else { return nil }
        guard let milliseconds = TimeText.milliseconds(text), milliseconds > 0 else {
            report(
                .error, "expected a time such as \"1s\", found \"\(text)\"; times are \(TimeText.expectation)", at: per)
            return nil
        }
        var limit = RateLimit(requests: requests, milliseconds: milliseconds)
        if let by = cursor["by"], let text = by.node.string {
            switch text {
            case "client": limit.party = .client
            case "all": limit.party = .all
            case let text where text.hasPrefix("header:") && FieldText.isToken(String(text.dropFirst(7))):
                limit.party = .field(text.dropFirst(7).lowercased())
            default:
                report(
                    .error, "expected \"client\", \"all\" or a header such as \"header:X-Api-Key\", found \"\(text)\"",
                    at: by)
            }
        }
        return limit
    }
}
