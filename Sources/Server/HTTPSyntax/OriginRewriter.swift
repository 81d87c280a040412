// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Replaces some origins of absolute URLs by others, in text that comes whole or piece by piece.
///
/// An origin is replaced only if it ends there: the next bytes must not continue its host or port. It is found in each spelling that texts use, and
/// replaced by the base in that spelling: with the slashes of JSON (`\/`, `\u002F`) and of HTML (`&#x2F;`), percent-encoded as in a parameter, with
/// the default port of the scheme, and in upper case. In a text that comes in pieces, only bytes that may begin an origin are held back: the longest
/// spelling and a few bytes at most.
///
/// A name that only looks like a URL stays (`NameContext`): nobody asks for it, and a program that compares it would find another name.
package struct OriginRewriter: Sendable {
    private struct Replacement {
        /// In lower case.
        var origin: [UInt8]
        var base: [UInt8]
        /// Whether the colon before a port is percent-encoded.
        var isEncoded = false
    }

    private enum Verdict {
        case origin
        case another
        /// The text has to go on before it can be reported.
        case undecided
    }

    private let replacements: [Replacement]
    private let keepsIssuers: Bool
    /// For each byte, whether an origin begins with it, as with the h of its scheme.
    private let isFirst: [Bool]
    private var held: [UInt8] = []
    /// The last bytes in front of those held back.
    private var before: [UInt8] = []

    /// - Parameters:
    ///   - bases: the base that replaces each origin, both such as `https://api.example.com`, without a slash at the end.
    ///   - keepsIssuers: whether the name of an issuer of tokens stays too: clients compare it with that in a token, which is signed and stays.
    package init(_ bases: [(origin: String, base: String)], keepsIssuers: Bool = false) {
        self.keepsIssuers = keepsIssuers
        replacements = bases.filter { !$0.origin.isEmpty }.flatMap { pair in
            Self.origins(pair.origin.lowercased()).flatMap { Self.spellings(of: $0, pair.base) }
        }
        var isFirst = [Bool](repeating: false, count: 256)
        for replacement in replacements {
            for byte in replacement.origin.prefix(1) {
                isFirst[Int(byte)] = true
                if byte &- 0x61 < 26 { isFirst[Int(byte & 0xDF)] = true }
            }
        }
        self.isFirst = isFirst
    }

    /// Rewrites the next bytes and those held back, as far as the result is certain.
    package mutating func rewrite(_ bytes: [UInt8]) -> [UInt8] {
        guard !held.isEmpty else { return run(bytes, isEnd: false) }
        return run(held + bytes, isEnd: false)
    }

    /// Rewrites the bytes still held back: the text is over, and another may begin.
    package mutating func finish() -> [UInt8] {
        defer { before = [] }
        return run(held, isEnd: true)
    }

    /// A whole text, whatever is held back of another.
    package func rewritten(_ text: [UInt8]) -> [UInt8] {
        var other = self
        other.before = []
        return other.run(text, isEnd: true)
    }

    private mutating func run(_ text: [UInt8], isEnd: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        held = []
        defer { if !isEnd { before = NameContext.last(of: before, text[..<(text.count - held.count)]) } }
        // Where the bytes begin that are passed on as they are.
        var start = 0
        var index = 0
        while true {
            index = candidate(in: text, from: index)
            guard index < text.count else { break }
            let (verdict, replacement) = judge(text, at: index, isEnd: isEnd)
            switch (verdict, replacement) {
            case (.origin, let replacement?)
            where NameContext.isName(at: index, in: text, behind: before, keepsIssuers: keepsIssuers):
                index += replacement.origin.count
            case (.origin, let replacement?):
                output += text[start..<index]
                output += replacement.base
                index += replacement.origin.count
                start = index
            case (.undecided, _):
                output += text[start..<index]
                held = Array(text[index...])
                return output
            default: index += 1
            }
        }
        return output + text[start...]
    }

    /// The next place where an origin may begin; the end if there is none.
    private func candidate(in text: [UInt8], from start: Int) -> Int {
        text.withUnsafeBufferPointer { text in
            isFirst.withUnsafeBufferPointer { isFirst in
                var index = start
                while index < text.count, !isFirst[Int(text[index])] { index &+= 1 }
                return index
            }
        }
    }

    /// The verdict on an index, with the first of the origins that is there or may be.
    private func judge(_ text: [UInt8], at index: Int, isEnd: Bool) -> (Verdict, Replacement?) {
        for replacement in replacements {
            let verdict = Self.judge(text, at: index, replacement, isEnd: isEnd)
            if verdict != .another { return (verdict, replacement) }
        }
        return (.another, nil)
    }

    private static func judge(_ text: [UInt8], at index: Int, _ replacement: Replacement, isEnd: Bool) -> Verdict {
        let origin = replacement.origin
        for offset in origin.indices {
            guard index + offset < text.count else { return isEnd ? .another : .undecided }
            if ASCII.lowercased(text[index + offset]) != origin[offset] { return .another }
        }
        let next = index + origin.count
        guard next < text.count else { return isEnd ? .origin : .undecided }
        let byte = text[next]
        if isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return .another }
        if replacement.isEncoded, byte == UInt8(ascii: "%") { return judgeEncoded(text, behind: next, isEnd: isEnd) }
        // These go on a host name or add a port only before a letter or a digit.
        guard byte == UInt8(ascii: ".") || byte == ASCII.colon || byte == UInt8(ascii: "@") else { return .origin }
        guard next + 1 < text.count else { return isEnd ? .origin : .undecided }
        return isAlphanumeric(text[next + 1]) ? .another : .origin
    }

    /// The verdict on an origin before a percent sign: `%3A` and `%40` continue it if a letter or a digit follows.
    private static func judgeEncoded(_ text: [UInt8], behind percent: Int, isEnd: Bool) -> Verdict {
        guard percent + 3 < text.count else { return isEnd ? .origin : .undecided }
        let code = [text[percent + 1], ASCII.lowercased(text[percent + 2])]
        guard code == Array("3a".utf8) || code == Array("40".utf8) else { return .origin }
        return isAlphanumeric(text[percent + 3]) ? .another : .origin
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }

    // MARK: Spellings

    /// The origin and, if it names no port, the same with the default port of its scheme.
    private static func origins(_ origin: String) -> [String] {
        guard let scheme = origin.utf8.firstRange(of: "://".utf8) else { return [origin] }
        let authority = origin[scheme.upperBound...]
        let host = authority.suffix(from: authority.lastIndex(ascii: "]") ?? authority.startIndex)
        guard !host.utf8.contains(ASCII.colon) else { return [origin] }
        switch origin[..<scheme.lowerBound] {
        case "http": return [origin, origin + ":80"]
        case "https": return [origin, origin + ":443"]
        default: return [origin]
        }
    }

    /// How each kind of text spells a slash and a colon.
    private static let kinds: [(slash: String, colon: String)] = [
        ("/", ":"), ("\\/", ":"), ("\\u002F", ":"), ("&#x2F;", ":"), ("&#47;", ":"), ("%2F", "%3A"), ("%2F", ":"),
    ]

    private static func spellings(of origin: String, _ base: String) -> [Replacement] {
        kinds.map { kind in
            Replacement(
                origin: spelled(origin, kind.slash.lowercased(), kind.colon.lowercased()),
                base: spelled(base, kind.slash, kind.colon),
                isEncoded: kind.colon != ":")
        }
    }

    private static func spelled(_ origin: String, _ slash: String, _ colon: String) -> [UInt8] {
        origin.utf8.flatMap { byte in
            byte == ASCII.slash ? Array(slash.utf8) : byte == ASCII.colon ? Array(colon.utf8) : [byte]
        }
    }
}

extension RequestHead {
    /// The head with its query and its lines rewritten, except for Host; nil if nothing changes.
    package func rewritten(by rewrite: ([UInt8]) -> [UInt8]) -> RequestHead? {
        var other = self
        var isChanged = false
        func rewritten(_ range: ByteRange) -> [UInt8]? {
            let value = Array(bytes[range.range])
            let new = rewrite(value)
            return new == value ? nil : new
        }
        if let query, let new = rewritten(query) {
            let front = bytes[Int(target.start)..<Int(query.start)]
            let start = other.bytes.count
            other.bytes += front + new
            other.target = ByteRange(start, other.bytes.count)
            other.query = ByteRange(start + front.count, other.bytes.count)
            isChanged = true
        }
        for (index, field) in fields.enumerated() where !equalsIgnoringCase(field.name, "host") {
            guard let new = rewritten(field.value) else { continue }
            let start = other.bytes.count
            other.bytes += new
            other.fields[index].value = ByteRange(start, other.bytes.count)
            isChanged = true
        }
        return isChanged ? other : nil
    }
}
