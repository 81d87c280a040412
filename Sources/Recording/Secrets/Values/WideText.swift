// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A text in UTF-16, with its byte order mark or without.
struct WideText {
    private let isBigEndian: Bool
    private let hasMark: Bool
    /// The text without the mark.
    let utf8: [UInt8]

    /// - Returns: nil if the bytes are not a text of this kind.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes.count % 2 == 0 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF): isBigEndian = true
        case (0xFF, 0xFE): isBigEndian = false
        default:
            // Without a mark: letters, each with a zero in front of it or behind.
            guard bytes.count >= 16, let isBig = Self.order(of: bytes.prefix(1024)) else { return nil }
            isBigEndian = isBig
        }
        hasMark = bytes[0] >= 0xFE && bytes[1] >= 0xFE
        let isBigEndian = isBigEndian
        let units = stride(from: hasMark ? 2 : 0, to: bytes.count, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        utf8 = Array(text.utf8)
    }

    /// Whether the zeroes stand first; nil unless it is text of mostly ASCII.
    private static func order(of head: ArraySlice<UInt8>) -> Bool? {
        let pairs = head.count / 2
        var zeroes = (even: 0, odd: 0, letters: 0)
        for index in 0..<pairs {
            let (first, second) = (head[2 * index], head[2 * index + 1])
            if first == 0 { zeroes.even += 1 }
            if second == 0 { zeroes.odd += 1 }
            let other = first == 0 ? second : first
            if (0x20..<0x7F).contains(other) || ByteClass.space.contains(other) { zeroes.letters += 1 }
        }
        guard zeroes.letters * 10 >= pairs * 8 else { return nil }
        if zeroes.even * 10 >= pairs * 8, zeroes.odd == 0 { return true }
        return zeroes.odd * 10 >= pairs * 8 && zeroes.even == 0 ? false : nil
    }

    /// Another text in the same coding, with the mark if there was one.
    func encoded(_ utf8: [UInt8]) -> [UInt8] {
        ((hasMark ? [0xFEFF] : []) + Array(String(decoding: utf8, as: UTF8.self).utf16)).flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }
}
