// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// Finds the secrets in the value of a header line of a response.
struct HeaderScanner {
    private let name: String
    private let place: String
    private let isNamedByRules: Bool
    /// Whether its value may look like anything without being a secret.
    private let isExempt: Bool

    init(name: String, rules: RedactionRules) {
        self.name = name.lowercased()
        place = "header.\(FieldName.shown(name))"
        var key = self.name
        isExempt = key.withUTF8 { SecretNames.isExemptFromEntropy($0) }
        isNamedByRules = rules.headers.contains { $0.lowercased() == name.lowercased() }
    }

    func hits(in text: Bytes, known: ValueIndex) -> [SecretHit] {
        if text.isEmpty || Placeholder.isWhole(text) { return [] }
        if name == "set-cookie" || name == "set-cookie2" { return (cookie(text) + generic(text, known)).apart() }
        if isNamedByRules || isTelling(text) {
            return [hit(0..<text.count, in: text, isNamedByRules ? .rule : .named(name), place: place)]
        }
        switch name {
        case "www-authenticate", "proxy-authenticate", "authentication-info", "proxy-authentication-info":
            return (challenge(text) + generic(text, known)).apart()
        case _ where FieldNames.urls.contains(name):
            return
                (parameters(text, known) + PathScanner.hits(in: text, place: place) + generic(text, known)
                + encoded(text, known))
                .apart()
        default:
            return generic(text, known)
        }
    }

    private func hit(
        _ range: Range<Int>, in text: Bytes, _ kind: SecretKind, place: String,
        spread: SecretSpread = .everywhere
    ) -> SecretHit {
        SecretHit(range: range, value: Array(text[range]), kind: kind, place: place, spread: spread)
    }

    private func isTelling(_ text: Bytes) -> Bool {
        if ["authorization", "proxy-authorization", "cookie"].contains(name) { return true }
        guard let rule = SecretNames.rule(for: name, use: .header) else { return false }
        // A header line of this name holds nothing else, with or without a scheme in front.
        return rule == .word || rule.matches(text)
    }

    private func generic(_ text: Bytes, _ known: ValueIndex) -> [SecretHit] {
        TextScanner.matches(in: text, strictness: .redaction, known: known, hasRuns: !isExempt).map { match in
            SecretHit(
                range: match.range, value: match.value, kind: match.kind, place: match.place(in: place, base: place),
                spread: match.spread)
        }
    }

    /// The value of the cookie (RFC 6265 §4.1.1), without the quotes around it; an empty one, which deletes the cookie, stays.
    ///
    /// A text without a name is the value of a cookie that has none. An unknown attribute may be a further cookie.
    private func cookie(_ text: Bytes) -> [SecretHit] {
        var hits: [SecretHit] = []
        var start = 0
        while start < text.count {
            let end = text[start...].firstIndex(of: UInt8(ascii: ";")) ?? text.count
            if let hit = pair(start..<end, in: text, isFirst: start == 0) { hits.append(hit) }
            start = end + 1
        }
        return hits
    }

    private func pair(_ range: Range<Int>, in text: Bytes, isFirst: Bool) -> SecretHit? {
        let equals = text[range].firstIndex(of: UInt8(ascii: "="))
        if equals == nil, !isFirst { return nil }
        let nameRange = CookieText.trimmed(range.lowerBound..<(equals ?? range.lowerBound), in: text)
        let name = CookieText.name(nameRange, in: text)
        if !isFirst, Self.attributes.contains(name.lowercased()) { return nil }
        let value = CookieText.trimmed((equals.map { $0 + 1 } ?? range.lowerBound)..<range.upperBound, in: text)
        if value.isEmpty || Placeholder.isWhole(text.slice(value)) { return nil }
        if CookieText.isHarmless(name, text.slice(value)) { return nil }
        return hit(value, in: text, .cookie, place: "cookie.\(name)", spread: CookieText.spread(of: name))
    }

    /// The attributes of a cookie that have a value.
    private static let attributes: Set<String> = [
        "expires", "max-age", "domain", "path", "samesite", "priority", "version", "comment", "commenturl", "port",
    ]

    /// The values that are made again for each challenge; the scheme and the realm stay.
    private func challenge(_ text: Bytes) -> [SecretHit] {
        if let token = bareToken(text) { return [hit(token, in: text, .named(name), place: place)] }
        return FieldParameters.all(in: text).compactMap { parameter in
            guard Self.challenges.contains(parameter.name.lowercased()), !parameter.value.isEmpty,
                !Placeholder.isWhole(text.slice(parameter.value))
            else { return nil }
            return hit(parameter.value, in: text, .named(parameter.name), place: "\(place).\(parameter.name)")
        }
    }

    /// The token that stands alone behind the scheme, as in `Negotiate YII…` (RFC 9110 §11.2).
    private func bareToken(_ text: Bytes) -> Range<Int>? {
        guard let space = text.firstIndex(of: UInt8(ascii: " ")) else { return nil }
        let start = text.end(of: .space, from: space)
        var end = text.end(of: .token68, from: start)
        guard end == text.count, end - start >= 16 else { return nil }
        while end > start, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        let value = start..<end
        return text[value].contains(UInt8(ascii: "=")) || Placeholder.isWhole(text.slice(value)) ? nil : value
    }

    private static let challenges: Set<String> = ["nonce", "opaque", "nextnonce", "cnonce", "rspauth"]

    /// The secrets that a URL holds within a parameter, which is percent-encoded once more.
    private func encoded(_ text: Bytes, _ known: ValueIndex) -> [SecretHit] {
        guard text.contains(UInt8(ascii: "%")) else { return [] }
        let mapped = MappedText(percent: text)
        return mapped.bytes.withUnsafeBufferPointer { bytes in
            generic(bytes, known).map { hit in
                var hit = hit
                hit.range = mapped.range(hit.range)
                return hit
            }
        }
    }

    /// The parameters of the URLs in a value, as those of requests.
    private func parameters(_ text: Bytes, _ known: ValueIndex) -> [SecretHit] {
        var hits: [SecretHit] = []
        var index = 0
        while index < text.count {
            guard "?&#".utf8.contains(text[index]) else {
                index += 1
                continue
            }
            let start = index + 1
            var end = start
            while end < text.count, !"&#<>\"', ;".utf8.contains(text[end]) { end += 1 }
            if let equals = text[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                let name = String(
                    decoding: MappedText(percent: text.slice(start..<equals), isForm: true).bytes, as: UTF8.self)
                let value = MappedText(percent: text.slice(equals + 1..<end), isForm: true).bytes
                if let kind = value.withUnsafeBufferPointer({ ParameterScanner.secret($0, of: name) }) {
                    let place = Placeholder.place(of: name, in: "query", known: known)
                    hits.append(SecretHit(range: equals + 1..<end, value: value, kind: kind, place: place))
                }
            }
            index = end
        }
        return hits
    }
}
