// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// How much of a value is words.
extension TextTraits {
    /// A path with words in it, such as `/v1/services/XsjdElScZGjmfCcTwsYRC1`: an id at its end is not a secret.
    var isPathOfWords: Bool {
        guard bytes.first == UInt8(ascii: "/") else { return false }
        let words = bytes.split(separator: UInt8(ascii: "/")).count { part in
            part.count >= 4 && part.allSatisfy { ByteClass.lowercase.contains($0) || $0 == UInt8(ascii: "-") }
        }
        return words >= 2
    }

    /// Whether half of the value or more is words.
    var isWordy: Bool { words * 2 >= count || isConstant }

    /// Whether words in capitals are the greater part of a name, as in `GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x4`.
    private var isConstant: Bool {
        guard lowercase * 8 <= count, others > 1 else { return false }
        var words = 0
        for part in bytes.split(separator: UInt8(ascii: "_")) {
            let word = part.prefix(while: ByteClass.uppercase.contains)
            let isWord =
                word.count >= 4 && word.contains { "AEIOUY".utf8.contains($0) }
                && part[word.endIndex...].allSatisfy(ByteClass.digits.contains)
            // A long part with digits in it may be the secret that the words name.
            if !isWord, part.count > 8, part.contains(where: ByteClass.digits.contains) { return false }
            if isWord { words += word.count }
        }
        return words * 5 >= count * 2
    }

    /// How many bytes stand in runs that may be words: of four letters and more, or of three with a capital in front; only the
    /// first may be a capital; with a vowel, and without the letters that are rare in words, if they are short.
    var words: Int {
        var covered = 0
        var (run, vowels, rare) = (0, 0, 0)
        var isCapital = false
        for index in 0...count {
            let byte = index < count ? bytes[index] : 0
            if ByteClass.lowercase.contains(byte) {
                run += 1
                if "aeiouy".utf8.contains(byte) { vowels += 1 }
                let isExtra = byte == UInt8(ascii: "x") && index > 0 && bytes[index - 1].lowercased == UInt8(ascii: "e")
                if "jqxz".utf8.contains(byte), !isExtra { rare += 1 }
            } else {
                let isWord = run >= 4 ? rare == 0 || run >= 6 && vowels > 1 : run == 3 && isCapital && rare == 0
                if vowels > 0, isWord { covered += run }
                isCapital = ByteClass.uppercase.contains(byte)
                (run, vowels, rare) = (isCapital ? 1 : 0, isCapital && "AEIOU".utf8.contains(byte) ? 1 : 0, 0)
            }
        }
        return covered
    }

    /// Whether words and numbers stand side by side, as in `COVID-19`, `color.primary.500` and `team_2026`.
    var isSlug: Bool { isSlug(of: 4) }

    /// Whether words and numbers of so many digits stand side by side; a number of more than four may follow its word directly.
    func isSlug(of limit: Int) -> Bool {
        guard letters > 0, others > 0, spaces == 0 else { return false }
        return bytes.split { "-_.".utf8.contains($0) }.allSatisfy { part in
            var part = part
            if limit > 4, part.count <= 12, !part.allSatisfy(ByteClass.digits.contains) {
                while part.last.map(ByteClass.digits.contains) == true { part.removeLast() }
            }
            return Self.isPart(part, limit)
        }
    }

    private static func isPart(_ part: Slice<Bytes>, _ limit: Int) -> Bool {
        guard let first = part.first else { return true }
        return part.allSatisfy(ByteClass.digits.contains) && part.count <= limit
            || part.allSatisfy(ByteClass.lowercase.contains) || part.allSatisfy(ByteClass.uppercase.contains)
            || ByteClass.uppercase.contains(first) && part.dropFirst().allSatisfy(ByteClass.lowercase.contains)
            || part.last == UInt8(ascii: "s") && part.dropLast().allSatisfy(ByteClass.uppercase.contains)
            || limit > 4 && isCamel(part)
    }

    /// Whether a part is words that begin with capitals, as in `paramSetA`.
    private static func isCamel(_ part: Slice<Bytes>) -> Bool {
        let capitals = part.count(where: ByteClass.uppercase.contains)
        return part.count >= 5 && part.allSatisfy(letter.contains)
            && ByteClass.lowercase.contains(part[part.startIndex + 1])
            && capitals * 3 <= part.count
    }

    private static let letter = ByteClass.lowercase.union("ABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// Letters of both cases at random without a digit.
    var isScrambled: Bool { isScrambled(12) }

    /// - Parameter share: of ten neighbours so many are of different classes.
    func isScrambled(_ least: Int, share: Int = 4) -> Bool {
        digits == 0 && others * 8 <= bytes.count && spaces == 0 && bytes.count >= least && uppercase > 1
            && lowercase > 1
            && changeCount > 2 && changeCount * 10 >= share * (bytes.count - 1) && !isWordy
    }

    /// How much of a value may be found in other texts without any tie to this one.
    enum Commonness {
        /// A word, several with separators such as hyphens between, a date, a number of up to 15 digits: in any text.
        case word
        /// Words with blanks between, 16 letters and more, a longer number, a word of up to eleven bytes with digits behind: as words of their own.
        case phrase
        /// Nothing.
        case own
    }

    var commonness: Commonness {
        if isDate { return .word }
        if digits == bytes.count { return digits < 16 ? .word : .phrase }
        let capitals = uppercase > 0 && bytes.first.map(ByteClass.uppercase.contains) == true ? 1 : 0
        let turns = changeCount - (uppercase == 1 ? capitals : 0)
        if bytes.count < 12, others == 0, digits > 0, turns <= 1 { return .phrase }
        guard isCommon else { return .own }
        return spaces > 0 && letters > 0 || others == 0 && bytes.count >= 16 ? .phrase : .word
    }

    /// Words, or a number.
    var isCommon: Bool {
        if isDate || digits == bytes.count { return true }
        if bytes.count >= 24 { return false }
        let symbols = bytes.contains { !ByteClass.alphanumeric.contains($0) && !ByteClass(" -_.,/").contains($0) }
        return !symbols && (digits == 0 || letters == 0) && (lowercase == 0 || uppercase <= 1)
    }

    /// Whether a value of an ordinary name is still so much its own that it can be looked for in other texts.
    var isOwn: Bool {
        guard bytes.count >= 8, spaces == 0, letters > 0, digits > 0, !isDate, !isAddress else { return false }
        if bytes.contains(UInt8(ascii: "/")) { return isHighEntropy }
        return bytes.count >= 16 || changeCount >= 3
    }

    // MARK: Phrases

    /// Whether it is four words or more as people choose them for a secret, and no sentence: none of them only joins others, or speaks of
    /// secrets.
    ///
    /// - Parameter isLower: whether a word that begins with a capital makes it a text that people read.
    func isPassphrase(isLower: Bool = false) -> Bool {
        // Fewer words do if they are of no alphabet that every keyboard has.
        let least = uppercase == 0 && others > spaces ? 2 : 3
        guard (least...15).contains(spaces), bytes.count <= 128, !isDate else { return false }
        let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == spaces + 1 else { return false }
        return words.enumerated().allSatisfy { index, word in
            if word.count <= 4, index + 1 == words.count, word.allSatisfy(ByteClass.digits.contains) { return true }
            guard word.count >= 3, word.allSatisfy({ Self.letter.contains($0) || $0 >= 0x80 }) else { return false }
            if isLower, word.contains(where: ByteClass.uppercase.contains) { return false }
            return !Self.joining.contains(String(decoding: word, as: UTF8.self).lowercased())
        }
    }

    /// Whether it consists of words with digits or signs among the letters of one, as in `p@ss w0rd`.
    var isScrambledPhrase: Bool {
        guard (1...8).contains(spaces), bytes.count <= 64 else { return false }
        let words = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == spaces + 1 else { return false }
        return words.count { word in
            guard word.count >= 4, let first = word.first, let last = word.last, Self.letter.contains(first),
                ByteClass.alphanumeric.contains(last), !word.contains(where: { ".:/=_-,'<>(){}".utf8.contains($0) })
            else { return false }
            let inner = word.dropFirst().dropLast()
            return inner.contains { !Self.letter.contains($0) && $0 < 0x80 }
                && word.contains(where: Self.letter.contains)
        } * 2 >= words.count - 1
    }

    private static let joining: Set<String> = [
        "the", "and", "for", "with", "your", "you", "this", "that", "from", "are", "was", "has", "have", "not", "must",
        "should", "can", "may", "will", "please", "enter", "into", "its", "our", "their", "here", "there", "when",
        "token", "tokens", "secret", "secrets", "key", "keys", "password", "passwords", "access", "client", "api",
        "name", "value", "used", "use", "using", "optional", "required", "string", "description", "example", "header",
        "generate", "copy", "show", "hide", "reset", "forgot", "invalid", "expired", "missing", "der", "die", "das",
        "und", "mit", "ein", "eine", "ihr", "sie", "les", "des", "une", "pour", "avec", "votre", "los", "las", "del",
        "para", "con", "por", "que", "una", "uma", "com", "het", "een", "van", "voor", "non", "oder", "ist", "est",
        "passwort", "geben", "bitte",
    ]
}
