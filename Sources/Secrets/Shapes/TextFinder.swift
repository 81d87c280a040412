// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds secrets in one text, be it a body, a header's value or a string in JSON, in one pass over its bytes.
struct TextFinder {
    /// What counts as a secret.
    enum Strictness: Sendable {
        /// What is replaced when something is recorded.
        case redaction
        /// What is told of bytes without knowing where they are from; always a part of the above.
        case scan
    }

    let text: Bytes
    let strictness: Strictness
    /// Whether values of members in quotes are replaced by their names alone, as in JSON that cannot be read.
    var trustsQuotedNames = false
    /// What was a secret elsewhere, and is a word as well.
    var known = ValueIndex()
    var matches: [SecretMatch] = []
    /// The end of the run that was measured last, so that no byte is measured twice.
    var runs = RunEnds()

    init(_ text: Bytes, strictness: Strictness) {
        self.text = text
        self.strictness = strictness
    }

    /// The secrets of a text, known ones included.
    static func matches(
        in text: Bytes, strictness: Strictness, known: ValueIndex = ValueIndex(), trustsQuotedNames: Bool = false
    ) -> [SecretMatch] {
        guard text.count >= 8 else { return [] }
        var finder = TextFinder(text, strictness: strictness)
        finder.trustsQuotedNames = trustsQuotedNames || text[0] == UInt8(ascii: "{") || text[0] == UInt8(ascii: "[")
        finder.known = known
        finder.find()
        known.search(text) { range, value in
            finder.matches.append(SecretMatch(range: range, value: value, kind: .known("")))
        }
        return finder.matches.apart()
    }

    private mutating func find() {
        let interest = Interest.shared
        interest.withTables { kinds, pairs in
            var index = 0
            while index < text.count {
                let byte = text[index]
                switch kinds[Int(byte)] {
                case 0: index += 1
                case 1:
                    let pair = Int(byte) << 8 | Int(index + 1 < text.count ? text[index + 1] : 0)
                    if pairs[pair >> 6] >> UInt64(pair & 63) & 1 != 0, text.startsWord(at: index) {
                        index = word(at: index, interest.rules[UInt16(pair)] ?? [])
                    } else {
                        index += 1
                    }
                default: index = mark(byte, at: index)
                }
            }
        }
    }

    /// Looks at what begins with a word.
    ///
    /// - Returns: where to go on.
    private mutating func word(at index: Int, _ rules: [Interest.Rule]) -> Int {
        for rule in rules {
            switch rule {
            case .prefix(let shape):
                if let end = shape.end(in: text, at: index) { return found(index..<end, shape.kind) }
            case .jsonWebToken:
                if let end = jsonWebToken(at: index) { return found(index..<end, .jsonWebToken) }
            case .scheme:
                if let range = credentials(at: index) {
                    return found(
                        range, SecretKind.shape(of: text.slice(range)) ?? (isBasic(at: index) ? .basic : .bearer))
                }
            case .discord:
                if let end = discordToken(at: index) { return found(index..<end, .discord) }
            }
        }
        return index + 1
    }

    /// Looks at what is found by a character in its middle or by its start.
    ///
    /// - Returns: where to go on.
    private mutating func mark(_ byte: UInt8, at index: Int) -> Int {
        switch byte {
        case UInt8(ascii: "-"):
            if let end = privateKey(at: index) { return found(index..<end, .privateKey) }
            return index + 1
        case UInt8(ascii: ":"):
            if let range = telegramToken(around: index) { return found(range, .telegram) }
            if let range = urlCredentials(behind: index) { return found(range, .urlCredentials) }
            return assignment(at: index, separator: byte)
        default:
            return assignment(at: index, separator: byte)
        }
    }

    /// - Returns: the end.
    private mutating func found(_ range: Range<Int>, _ kind: SecretKind) -> Int {
        matches.append(SecretMatch(range: range, value: Array(text[range]), kind: kind))
        return range.upperBound
    }
}
