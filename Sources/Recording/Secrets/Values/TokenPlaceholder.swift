// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// A placeholder that is a JSON Web Token, for one: a client that reads the token it is given finds the claims that are not secrets.
///
/// It is not signed (RFC 7519 §6), so that no service takes it. Its last part, where a signature would be, is the placeholder's name.
enum TokenPlaceholder {
    /// `{"alg":"none","kid":"redacted","typ":"JWT"}` and the dot behind it.
    private static let head = part(Array(#"{"alg":"none","kid":"redacted","typ":"JWT"}"#.utf8)) + [dot]
    /// The beginning of the last part.
    private static let name = part(Placeholder.start)
    private static let dot = UInt8(ascii: ".")
    /// Bytes of a token, and of a placeholder that is one. 8 KiB.
    private static let limit = 8 * 1024
    /// 2100-01-01: a token that was valid when it was recorded is valid whenever it is replayed.
    private static let farOff = 4_102_444_800

    /// The claims that stay if they are not secrets: those of RFC 7519 and of OpenID Connect that a client checks, and those on access
    /// (RFC 9068).
    private static let claims: Set = [
        "iss", "sub", "aud", "azp", "exp", "nbf", "iat", "auth_time", "nonce", "acr", "amr", "scope", "scp", "roles",
        "groups",
        "client_id", "token_use", "tid", "ver",
    ]

    /// A placeholder of a name that is a token as a value is; nil for a value that is not one.
    ///
    /// - Parameter holdsSecret: whether JSON text of a claim holds a secret, so that the claim does not stay.
    static func text(
        _ name: String, like value: [UInt8], holdsSecret: ([UInt8]) -> Bool
    ) -> [UInt8]? {
        guard value.count <= limit else { return nil }
        let parts = value.split(separator: dot, omittingEmptySubsequences: false)
        guard parts.count == 3, object(parts[0]) != nil, let payload = object(parts[1]) else { return nil }
        let kept = payload.members.filter { claims.contains($0.name) && isHarmless($0, holdsSecret) }
        let issued = kept.first { $0.name == "iat" }?.value.number?.integer
        let members = kept.map { member in
            guard member.name == "exp", let end = member.value.number?.integer, end > issued ?? 0 else { return member }
            return .init(name: member.name, value: .integer(farOff))
        }
        let text = JSONWriter.compact(JSONNode(.object(JSONObject(members))))
        return head + part(text) + [dot] + part(Array(name.utf8))
    }

    /// Whether a claim is a number, a truth value, a text or a list of texts, and neither an address of a person nor a secret.
    private static func isHarmless(_ claim: JSONObject.Member, _ holdsSecret: ([UInt8]) -> Bool) -> Bool {
        let isPlain = claim.value.array?.allSatisfy { $0.string != nil } ?? (claim.value.object == nil)
        let text = JSONWriter.compact(JSONNode(.object(JSONObject([claim]))))
        return isPlain && !text.contains(UInt8(ascii: "@")) && !holdsSecret(text)
    }

    /// The JSON text of the claims of a placeholder in a range of a text; nil for a range that has none.
    static func claims(in text: Bytes, _ range: Range<Int>) -> [UInt8]? {
        let parts = text.slice(range).split(separator: dot, omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = object(Array(parts[1])[...]) else { return nil }
        return JSONWriter.compact(JSONNode(.object(payload)))
    }

    /// The placeholder that begins at a place of a text: its end, and its name; nil for none.
    static func find(in text: Bytes, at index: Int) -> (end: Int, name: String)? {
        guard text[index] == UInt8(ascii: "e"), text.has(head, at: index) else { return nil }
        let payload = text.end(of: .base64URL, from: index + head.count, limit: index + limit)
        guard payload + 1 < text.count, text[payload] == dot else { return nil }
        return name(in: text, at: payload + 1)
    }

    /// The byte that each begins with.
    static var first: UInt8 { UInt8(ascii: "e") }

    /// The same placeholder with other claims.
    static func claiming(_ claims: [UInt8], in token: [UInt8]) -> [UInt8] {
        let end = token.lastIndex(of: dot) ?? token.startIndex
        return head + part(claims) + token[end...]
    }

    /// The same placeholder with another name.
    static func renamed(_ token: [UInt8], to other: String) -> [UInt8] {
        let end = token.lastIndex(of: dot) ?? token.startIndex
        return token[...end] + part(Array(other.utf8))
    }

    /// Where these placeholders stand, or their last parts alone, as in patterns that ask for them.
    static func ranges(in text: Bytes) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 0
        while index + name.count < text.count {
            if let end = Placeholder.formed(in: text, at: index)?.end ?? self.name(in: text, at: index)?.end {
                ranges.append(index..<end)
                index = end
            } else {
                index += 1
            }
        }
        return ranges
    }

    /// A pattern of the placeholders of a name that are tokens, whatever claims they have; nil if a value is not a token.
    static func pattern(_ name: String, like value: [UInt8]) -> String? {
        guard text(name, like: value, holdsSecret: { _ in false }) != nil else { return nil }
        let last = String(decoding: part(Array(name.utf8)), as: UTF8.self)
        return String(decoding: claimed, as: UTF8.self) + last
    }

    /// The part in front of the name in a pattern of these placeholders.
    private static let claimed = Array(#"eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\."#.utf8)

    /// Whether a text is a pattern that ends with a pattern of these placeholders, and has nothing else but names of placeholders in it.
    static func isPattern(_ text: Bytes) -> Bool {
        guard text.last == UInt8(ascii: ")"), let bar = text.lastIndex(of: UInt8(ascii: "|")) else { return false }
        let start = bar + 1
        let isToken = text.has(claimed, at: start) && start + claimed.count < text.count
        guard
            let end = isToken
                ? name(in: text, at: start + claimed.count)?.end : UUIDPlaceholder.end(in: text, at: start)
        else { return false }
        let front = text[..<start].filter { $0 != UInt8(ascii: "\\") }
        let plain = ["(", "(.* )?(", "${json-unit.regex}("].contains { opening in
            let rest = front.dropFirst(opening.utf8.count).dropLast()
            return front.starts(with: opening.utf8) && front.last == UInt8(ascii: "|")
                && Array(rest).withUnsafeBufferPointer { Placeholder.isWholeName($0) }
        }
        return plain && end == text.count - 1
    }

    /// The last part of one of these placeholders that begins at a place of a text.
    private static func name(in text: Bytes, at index: Int) -> (end: Int, name: String)? {
        guard text[index] == UInt8(ascii: "c"), text.has(name, at: index) else { return nil }
        // Names are no longer than placeholders are.
        let end = text.end(of: .base64URL, from: index, limit: index + Placeholder.limit * 2)
        guard let bytes = Base64.decode(text.slice(index..<end), .found) else { return nil }
        let isName = bytes.withUnsafeBufferPointer { Placeholder.isWholeName($0) }
        return isName ? (end, String(decoding: bytes, as: UTF8.self)) : nil
    }

    private static func object(_ part: ArraySlice<UInt8>) -> JSONObject? {
        guard let bytes = part.withUnsafeBufferPointer({ Base64.decode($0, .found) }) else { return nil }
        return (try? JSONParser.parse(bytes))?.object
    }

    /// In Base64 for URLs, without padding (RFC 7515 §2).
    private static func part(_ bytes: [UInt8]) -> [UInt8] {
        Base64.encode(bytes, pads: false).map { byte in
            byte == UInt8(ascii: "+") ? UInt8(ascii: "-") : byte == UInt8(ascii: "/") ? UInt8(ascii: "_") : byte
        }
    }
}
