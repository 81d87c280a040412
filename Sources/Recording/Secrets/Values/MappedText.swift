// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A text without its escapes, and where each byte of it stands in the written text.
struct MappedText {
    private(set) var bytes: [UInt8] = []
    /// The place of each byte, and the end; empty if there was no escape.
    private var places: [Int] = []

    /// A text without escapes.
    init(plain text: Bytes) {
        bytes = Array(text)
    }

    /// Undoes percent codes (RFC 3986 §2.1).
    ///
    /// - Parameter isForm: whether `+` is a space.
    init(percent text: Bytes, isForm: Bool = false) {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || isForm && $0 == UInt8(ascii: "+") }) else {
            bytes = Array(text)
            return
        }
        reserve(text.count)
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%"), index + 2 < text.count, let high = text[index + 1].hexadecimalDigit,
                let low = text[index + 2].hexadecimalDigit
            {
                append(high << 4 | low, at: index)
                index += 3
            } else {
                append(isForm && text[index] == UInt8(ascii: "+") ? UInt8(ascii: " ") : text[index], at: index)
                index += 1
            }
        }
        places.append(text.count)
    }

    /// Undoes the escapes of the text between the quotes of a JSON string (RFC 8259 §7), which is known to be one.
    init(json text: Bytes) {
        guard text.contains(UInt8(ascii: "\\")) else {
            bytes = Array(text)
            return
        }
        reserve(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "\\"), index + 1 < text.count else {
                append(text[index], at: index)
                index += 1
                continue
            }
            switch text[index + 1] {
            case UInt8(ascii: "u"): index = appendUnicode(of: text, at: index)
            case let letter:
                append(Self.control(letter), at: index)
                index += 2
            }
        }
        places.append(text.count)
    }

    private mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(count)
        places.reserveCapacity(count + 1)
    }

    private mutating func append(_ byte: UInt8, at place: Int) {
        bytes.append(byte)
        places.append(place)
    }

    private static func control(_ letter: UInt8) -> UInt8 {
        switch letter {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: letter
        }
    }

    /// - Returns: where to go on.
    private mutating func appendUnicode(of text: Bytes, at index: Int) -> Int {
        var end = index + 6
        var scalar = Unicode.Scalar(unit(of: text, at: index))
        if let high = unit(of: text, at: index) as UInt32?, high & 0xFC00 == 0xD800,
            text.has(Array("\\u".utf8), at: end)
        {
            let low = unit(of: text, at: end)
            if low & 0xFC00 == 0xDC00 {
                scalar = Unicode.Scalar(0x10000 + (high & 0x3FF) << 10 + low & 0x3FF)
                end += 6
            }
        }
        for byte in String(Character(scalar ?? "\u{FFFD}")).utf8 { append(byte, at: index) }
        return min(end, text.count)
    }

    private func unit(of text: Bytes, at index: Int) -> UInt32 {
        (index + 2..<index + 6).reduce(0) { unit, place in
            unit << 4 | UInt32(place < text.count ? text[place].hexadecimalDigit ?? 0 : 0)
        }
    }

    /// Where a range of the bytes stands in the written text.
    func range(_ range: Range<Int>) -> Range<Int> {
        places.isEmpty ? range : places[range.lowerBound]..<places[range.upperBound]
    }
}
