// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The words of paths behind which a secret stands: `/reset/…`, `/invite/…`.
enum LinkWords {
    /// Whether a segment of a path is the secret of the link it stands in, behind another.
    ///
    /// - Parameter isLast: whether no other stands behind it but the name of a file: the parts of an item of `/keys/…` stand below its id.
    static func isSecret(_ segment: Bytes, behind previous: Bytes, isLast: Bool) -> Bool {
        guard segment.count >= 6, segment.count <= 4096, !Placeholder.stands(in: segment) else { return false }
        let isStrong = strong.contains { stands($0, in: previous) }
        guard isStrong || weak.contains(where: { stands($0, in: previous) }) else { return false }
        if !isLast, collections.contains(where: { stands($0, in: previous) }) { return false }
        let traits = TextTraits(segment)
        if traits.isSlug(of: 20) || traits.isFileName || traits.isDate || traits.words * 4 >= 3 * segment.count {
            return false
        }
        guard isStrong else { return traits.isToken(least: 20) && (traits.uppercase > 0 || traits.isHexadecimal) }
        return traits.isToken(least: 8) || traits.isScrambled
            || traits.digits > 0 && traits.letters > 0 && traits.uppercase > 0 && traits.changes >= 3
    }

    /// Whether a segment is a word, or ends with it: `password-reset` and `resetPassword` are `reset`.
    private static func stands(_ word: StaticString, in segment: Bytes) -> Bool {
        let length = word.utf8CodeUnitCount
        guard segment.count >= length, segment.count <= length + 16 else { return false }
        if segment.hasInAnyCase(word, at: segment.count - length) {
            return segment.count == length || !ByteClass.lowercase.contains(segment[segment.count - length - 1])
        }
        // `/private-networks/…` and `/session-types/…` are collections.
        if nouns.contains(where: { segment.hasInAnyCase($0, at: 0) }) { return false }
        return segment.hasInAnyCase(word, at: 0)
            && (ByteClass.uppercase.contains(segment[length]) || "-_".utf8.contains(segment[length]))
    }

    private static let strong: [StaticString] = [
        "reset", "invite", "invites", "invitation", "invitations", "verify", "verification", "token", "tokens",
        "magic", "magiclink", "confirm", "confirmation", "activate", "activation", "unsubscribe", "recover",
        "recovery", "unlock", "claim", "otp", "login", "signin", "accept", "validate", "passwordless", "auth", "sso",
        "secret", "secrets", "apikey", "password", "optout", "optin", "redeem", "join", "resetpassword", "callback",
        "access", "onetime", "handoff", "impersonate", "session", "ical", "private", "sas", "bot",
    ]

    private static let weak: [StaticString] = [
        "key", "keys", "hook", "hooks", "webhook", "webhooks", "sessions", "share", "shared", "shares", "download",
        "downloads", "feed", "feeds", "link", "links", "calendar", "subscription", "signed",
        "email", "catch", "incoming", "guest", "approve",
    ]

    /// Words that say more about the rest of the segment behind them than about a secret.
    private static let nouns: [StaticString] = [
        "access", "auth", "bot", "private", "sas", "secret", "session", "token",
    ]

    /// Words that interfaces call their things by, too; not those of links to hand on, in whose middle a secret may stand: `/hooks/…/slack`.
    private static let collections: [StaticString] = ["keys", "sessions", "webhooks", "secrets"]
}

extension TextScanner {
    /// The segment of a path behind a slash that is the secret of a link.
    func segment(behind slash: Int) -> Range<Int>? {
        var start = slash
        while start > 0, slash - start < 33, ByteClass.base64URL.contains(text[start - 1]) { start -= 1 }
        guard start > 0, start < slash, text[start - 1] == UInt8(ascii: "/") else { return nil }
        let end = text.end(of: Self.segment, from: slash + 1, limit: slash + 1025)
        guard end - slash > 6, end == text.count || !"/@".utf8.contains(text[end]) || text[end] == UInt8(ascii: "/"),
            LinkWords.isSecret(
                text.slice(slash + 1..<end), behind: text.slice(start..<slash),
                isLast: !PathScanner.goesOn(behind: end, in: text))
        else { return nil }
        return slash + 1..<end
    }

    private static let segment = ByteClass.alphanumeric.union("-_~.=")
}
