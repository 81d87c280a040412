// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A text in UTF-16 with its byte order mark.
struct WideText {
    private let isBigEndian: Bool
    /// The text without the mark.
    let utf8: [UInt8]

    /// - Returns: nil for bytes that are no such text.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 4, bytes.count % 2 == 0 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF): isBigEndian = true
        case (0xFF, 0xFE): isBigEndian = false
        default: return nil
        }
        let isBigEndian = isBigEndian
        let units = stride(from: 2, to: bytes.count, by: 2).map { index -> UInt16 in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        guard let text = String(validating: units, as: UTF16.self) else { return nil }
        utf8 = Array(text.utf8)
    }

    /// Another text in the same coding, with the mark.
    func encoded(_ utf8: [UInt8]) -> [UInt8] {
        ([0xFEFF] + Array(String(decoding: utf8, as: UTF8.self).utf16)).flatMap { unit -> [UInt8] in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
            return isBigEndian ? [high, low] : [low, high]
        }
    }
}
