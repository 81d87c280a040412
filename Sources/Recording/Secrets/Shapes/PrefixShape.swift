// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A secret that is recognised by its prefix.
struct PrefixShape: Sendable {
    /// One of the parts that follow the prefix, in order.
    enum Part: Sendable {
        case text([UInt8])
        /// So many characters of a class, as many as there are.
        case run(ByteClass, ClosedRange<Int>)
    }

    var prefix: [UInt8]
    var kind: SecretKind
    var parts: [Part]
    /// Whether capitals, small letters and digits must all be there, in the first 64 bytes: the prefix alone says too little.
    var isMixed: Bool
    /// Whether nothing more of the same word may follow.
    var isExact: Bool

    /// Where the secret that begins at a place ends; nil if there is none.
    func end(in text: Bytes, at index: Int) -> Int? {
        guard text.has(prefix, at: index) else { return nil }
        let start = index + prefix.count
        guard let end = Self.end(of: parts, in: text, from: start) else { return nil }
        if isExact, !text.endsWord(at: end) { return nil }
        if Self.repeats(text.slice(start..<end)) { return nil }
        if isMixed {
            let traits = TextTraits(text.slice(start..<min(end, start + 64)))
            guard traits.digits > 0, traits.uppercase > 0, traits.lowercase > 0, !traits.isWordy else { return nil }
        }
        return end
    }

    /// Whether bytes are a few that come again and again, as in an upload that fills a file: nobody draws a secret like that.
    private static func repeats(_ bytes: Bytes) -> Bool {
        bytes.count >= 20 && Set(bytes.prefix(64)).count < 4
    }

    /// Where the parts end that stand at a place; nil if they do not stand there.
    static func end(of parts: [Part], in text: Bytes, from start: Int) -> Int? {
        var end = start
        for part in parts {
            switch part {
            case .text(let bytes):
                guard text.has(bytes, at: end) else { return nil }
                end += bytes.count
            case .run(let characters, let lengths):
                let next = text.end(of: characters, from: end, limit: end + lengths.upperBound)
                guard next - end >= lengths.lowerBound else { return nil }
                end = next
            }
        }
        return end
    }

    /// Whether the prefix is distinct by itself, so that it can be looked for without knowledge of its surroundings:
    /// four bytes or more, and ten or more behind it.
    var isDistinct: Bool {
        guard prefix.count >= 4, !isMixed, case .run(_, let lengths)? = parts.first else { return false }
        return lengths.lowerBound >= 10
    }

    // MARK: Patterns

    /// Reads how a secret is written: literal text, and runs such as `<u20-255>`, a letter for the class and how many.
    ///
    /// `!` at the end means that no letter or digit follows, `?` that capitals, small letters and digits are all there.
    init?(_ pattern: String, _ kind: SecretKind) {
        var text = Array(pattern.utf8)[...]
        isMixed = text.last == UInt8(ascii: "?")
        if isMixed { text.removeLast() }
        isExact = text.last == UInt8(ascii: "!")
        if isExact { text.removeLast() }
        self.kind = kind
        let start = text.prefix { $0 != UInt8(ascii: "<") }
        prefix = Array(start)
        guard let parts = Self.parts(of: text.dropFirst(start.count)), prefix.count >= 2 else { return nil }
        self.parts = parts
    }

    static func parts(of pattern: ArraySlice<UInt8>) -> [Part]? {
        var rest = pattern
        var parts: [Part] = []
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let words = rest.prefix { $0 != UInt8(ascii: "<") }
                parts.append(.text(Array(words)))
                rest = rest.dropFirst(words.count)
                continue
            }
            let run = rest.dropFirst().prefix { $0 != UInt8(ascii: ">") }
            let numbers = run.dropFirst().split(separator: UInt8(ascii: "-")).compactMap {
                Int(String(decoding: $0, as: UTF8.self))
            }
            guard let letter = run.first, let characters = classes[letter], let least = numbers.first,
                let most = numbers.last, least <= most
            else { return nil }
            parts.append(.run(characters, least...most))
            rest = rest.dropFirst(run.count + 2)
        }
        return parts
    }

    private static let classes: [UInt8: ByteClass] = [
        UInt8(ascii: "a"): .alphanumeric, UInt8(ascii: "A"): .uppercaseAndDigits,
        UInt8(ascii: "l"): .lowercaseAndDigits, UInt8(ascii: "d"): .digits, UInt8(ascii: "w"): .word,
        UInt8(ascii: "u"): .base64URL, UInt8(ascii: "t"): .base64URLWithDots, UInt8(ascii: "b"): .base64,
        UInt8(ascii: "e"): ByteClass.alphanumeric.union("%"), UInt8(ascii: "r"): .run,
        UInt8(ascii: "h"): .lowercaseHexadecimal, UInt8(ascii: "x"): .hexadecimal,
        UInt8(ascii: "p"): ByteClass.alphanumeric.union("./$=,+-"),
        UInt8(ascii: "s"): ByteClass.alphanumeric.union("~._-"), UInt8(ascii: "/"): ByteClass.base64URL.union("/"),
    ]
}
