// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Text as it is looked through.
typealias Bytes = UnsafeBufferPointer<UInt8>

extension Bytes {
    /// Whether a text stands at a place.
    func has(_ text: [UInt8], at index: Int) -> Bool {
        guard index >= 0, index + text.count <= count else { return false }
        for position in text.indices where self[index + position] != text[position] { return false }
        return true
    }

    /// Whether a text in lower case stands at a place, in any case.
    func hasInAnyCase(_ text: StaticString, at index: Int) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index >= 0, index + length <= count else { return false }
        for position in 0..<length where self[index + position].lowercased != text.utf8Start[position] { return false }
        return true
    }

    /// The first place from an index on, and before a limit, that a class has not.
    func end(of characters: ByteClass, from index: Int, limit: Int = .max) -> Int {
        let limit = Swift.min(count, limit)
        var end = index
        while end < limit, characters.contains(self[end]) { end += 1 }
        return end
    }

    func slice(_ range: Range<Int>) -> Bytes { Bytes(rebasing: self[range]) }

    /// Whether the character before a place does not belong to the same word: no letter or digit, unless it is the end of an escape
    /// (`%3D`, `\n`, `\u0026`).
    func startsWord(at index: Int) -> Bool {
        guard index > 0, ByteClass.alphanumeric.contains(self[index - 1]) else { return true }
        if index >= 3, self[index - 3] == UInt8(ascii: "%") { return ByteClass.hexadecimal.contains(self[index - 2]) }
        if index >= 2, self[index - 2] == UInt8(ascii: "\\") { return true }
        if index >= 5, self[index - 5] == UInt8(ascii: "%"), self[index - 4] == UInt8(ascii: "2"),
            self[index - 3] == UInt8(ascii: "5")
        {
            return ByteClass.hexadecimal.contains(self[index - 2])
        }
        return index >= 6 && self[index - 6] == UInt8(ascii: "\\") && self[index - 5] == UInt8(ascii: "u")
    }

    /// Whether no letter or digit stands at a place.
    func endsWord(at index: Int) -> Bool {
        index >= count || !ByteClass.alphanumeric.contains(self[index])
    }
}

extension UInt8 {
    var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

    var hexadecimalDigit: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
