// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How much the place of a value behind a secret name says.
enum Belief {
    /// The format itself says that it is a value: a cell, a line of a configuration, an element for values.
    case place
    /// It stands in quotes in a text that may be a program or a translation.
    case quotes
    /// It stands in any text.
    case text

    /// Whether a value is believed to be a secret.
    func holds(_ value: Bytes, _ rule: ValueRule, _ strictness: TextScanner.Strictness) -> Bool {
        guard rule.matches(value), !Label.isBlank(value) else { return false }
        let traits = TextTraits(value)
        if strictness == .scan {
            if case .digits = rule { return false }
            return traits.isRealToken
        }
        switch rule {
        case .digits: return self == .place
        case .any:
            if traits.isToken(least: 8) { return true }
            if self == .text || Label.isOne(value, traits, rule) { return false }
            return self == .place || traits.isPassphrase(isLower: true) || traits.isScrambledPhrase
                || value.count >= 5 && (traits.digits > 0 || traits.others > traits.spaces || traits.isScrambled(8))
        case .word, .credentials:
            if traits.isToken(least: 8) { return !Label.isOne(value, traits, rule) }
            if self != .text, traits.isPassphrase(isLower: true) || traits.isScrambledPhrase { return true }
            return self == .place && value.count >= 6 && !Label.isOne(value, traits, rule)
        case .token, .key: return !Label.isQualifiedName(value)
        }
    }
}

/// A value behind a secret name that is not a secret, but something that people read or fill in.
enum Label {
    /// Whether a value of a secret name is for a person to read, not for a machine: "Confirm your password", a word of fewer than
    /// eight letters that is called a token, or a word with a number, as in a list of words.
    static func isOne(_ text: Bytes, _ traits: TextTraits, _ rule: ValueRule) -> Bool {
        if traits.isAccount || isQualifiedName(text) { return true }
        switch rule {
        case .any:
            if traits.digits == 0, stands(words, in: text) { return true }
            return traits.spaces > 0 && stands(phrases, in: text)
        default:
            if traits.digits == 0 { return text.count < 8 && traits.others == 0 }
            return text.count < 6 || text.count < 32 && traits.isSlug && !ByteClass.digits.contains(text[0])
        }
    }

    /// Whether a value is the name of a class with those of its packages: `org.example.SessionDump`.
    static func isQualifiedName(_ text: Bytes) -> Bool {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count >= 3
            && parts.dropLast().allSatisfy { part in
                (2...20).contains(part.count) && part.allSatisfy(ByteClass.lowercase.contains)
            } && parts.last?.allSatisfy(ByteClass.word.contains) == true
    }

    /// Whether a value is to be filled in, or says that there is none.
    static func isBlank(_ text: Bytes) -> Bool {
        guard let first = text.first, let last = text.last else { return true }
        if first == UInt8(ascii: "$") {
            let rest = text.dropFirst()
            return rest.first.map { "{(".utf8.contains($0) } == true
                || rest.allSatisfy { ByteClass.uppercase.contains($0) || $0 == UInt8(ascii: "_") }
                || rest.count <= 2 && rest.allSatisfy(ByteClass.digits.contains)
        }
        if first == UInt8(ascii: "<"), last == UInt8(ascii: ">") { return true }
        if last == UInt8(ascii: ";"), typeMarks.contains(where: { text.hasInAnyCase($0, at: 0) }) { return true }
        if text.has(Array("****".utf8), at: 0) || text.has(Array("****".utf8), at: 1) { return true }
        if first == UInt8(ascii: "%"), last == UInt8(ascii: "%") { return true }
        if first == UInt8(ascii: "["), last == UInt8(ascii: "]") { return true }
        if text.has(Array("{{".utf8), at: 0) || text.has(Array("${".utf8), at: 0) { return true }
        if text.allSatisfy({ "*xX.-_•".utf8.contains($0) }) { return true }
        return nothings.contains { text.count == $0.utf8CodeUnitCount && text.hasInAnyCase($0, at: 0) }
    }

    private static func stands(_ words: [StaticString], in text: Bytes) -> Bool {
        text.indices.contains { index in words.contains { text.hasInAnyCase($0, at: index) } }
    }

    /// `<type>` as pages write it.
    private static let typeMarks: [StaticString] = ["&lt;", "&#x3c;", "&#60;"]

    private static let nothings: [StaticString] = [
        "null", "nil", "none", "true", "false", "undefined", "empty", "n/a", "required", "optional", "hidden",
        "filtered", "redacted", "secret", "masked", "enabled", "disabled", "yes", "no", "on", "off", "text",
        "varchar", "bearer", "basic",
    ]

    /// The word for a password in many languages, and the texts of schemas.
    private static let words: [StaticString] = [
        "password", "passwort", "passcode", "passphrase", "string", "kennwort", "mot de passe", "contrase", "senha",
        "wachtwoord", "lösenord", "adgangskode", "passord", "salasana", "hasło", "heslo", "parola", "парол",
        "密码", "密碼", "パスワード", "비밀번호", "mật khẩu", "kata sandi", "şifre", "jelsz", "geslo", "κωδικ", "סיסמ",
        "كلمة", "รหัส", "varchar", "text", "required", "optional", "invalid",
    ]

    /// The phrases that only a sentence has.
    private static let phrases: [StaticString] = [
        "must be", "must contain", "at least", "characters", "please", "your ", "invalid", "incorrect", "forgot",
        "enter ", " is ", " are ", "cannot", "not match", "too short", " the ", "should", "required", "expired",
    ]
}
