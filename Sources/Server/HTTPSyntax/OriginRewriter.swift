// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Points absolute URLs of some origins at others, in text that comes whole or piece by piece.
///
/// An origin is replaced where it stands as such: what follows is no part of a longer host name or port. JSON may write the slashes of a URL
/// as `\/`; both spellings are replaced, each by its own. Of a text in pieces only bytes that can still be the beginning of an origin are
/// held back, the longest origin and a byte or two at most.
package struct OriginRewriter: Sendable {
    private struct Replacement {
        var origin: [UInt8]
        var base: [UInt8]
    }

    private enum Verdict {
        case origin
        case another
        /// The text has to go on before it can be told.
        case undecided
    }

    private let replacements: [Replacement]
    /// Of each byte whether an origin begins with it, as with the h of its scheme.
    private let isFirst: [Bool]
    private var held: [UInt8] = []

    /// - Parameter bases: the base that replaces each origin, both such as `https://api.example.com`, without a slash
    ///   at the end.
    package init(_ bases: [(origin: String, base: String)]) {
        replacements = bases.filter { !$0.origin.isEmpty }.flatMap { pair in
            [
                Replacement(origin: Array(pair.origin.utf8), base: Array(pair.base.utf8)),
                Replacement(origin: Self.escaped(pair.origin), base: Self.escaped(pair.base)),
            ]
        }
        var isFirst = [Bool](repeating: false, count: 256)
        for replacement in replacements { isFirst[Int(replacement.origin[0])] = true }
        self.isFirst = isFirst
    }

    /// Rewrites the next bytes and those held back, as far as the result is certain.
    package mutating func rewrite(_ bytes: [UInt8]) -> [UInt8] {
        guard !held.isEmpty else { return run(bytes, isEnd: false) }
        return run(held + bytes, isEnd: false)
    }

    /// Rewrites the bytes still held back: the text is over, and another may begin.
    package mutating func finish() -> [UInt8] {
        run(held, isEnd: true)
    }

    /// A whole text, whatever is held back of another.
    package func rewritten(_ text: [UInt8]) -> [UInt8] {
        var other = self
        return other.run(text, isEnd: true)
    }

    private mutating func run(_ text: [UInt8], isEnd: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(text.count)
        held = []
        // Where the bytes begin that are passed on as they are.
        var start = 0
        var index = 0
        while true {
            index = candidate(in: text, from: index)
            guard index < text.count else { break }
            let (verdict, replacement) = judge(text, at: index, isEnd: isEnd)
            switch (verdict, replacement) {
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

    /// The next place where an origin may begin; the end where there is none.
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
            let verdict = Self.judge(text, at: index, replacement.origin, isEnd: isEnd)
            if verdict != .another { return (verdict, replacement) }
        }
        return (.another, nil)
    }

    private static func judge(_ text: [UInt8], at index: Int, _ origin: [UInt8], isEnd: Bool) -> Verdict {
        for offset in origin.indices {
            guard index + offset < text.count else { return isEnd ? .another : .undecided }
            if text[index + offset] != origin[offset] { return .another }
        }
        let next = index + origin.count
        guard next < text.count else { return isEnd ? .origin : .undecided }
        let byte = text[next]
        if isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") { return .another }
        // These go on a host name or add a port only before a letter or a digit.
        guard byte == UInt8(ascii: ".") || byte == ASCII.colon || byte == UInt8(ascii: "@") else { return .origin }
        guard next + 1 < text.count else { return isEnd ? .origin : .undecided }
        return isAlphanumeric(text[next + 1]) ? .another : .origin
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
    }

    private static func escaped(_ origin: String) -> [UInt8] {
        Array(origin.utf8).flatMap { $0 == ASCII.slash ? [ASCII.backslash, $0] : [$0] }
    }
}
