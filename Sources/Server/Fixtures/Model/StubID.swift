// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// The id of a stub: a UUID (RFC 9562), in two words.
package struct StubID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter text: a UUID in upper or lower case; nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.count == 36 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for (position, byte) in text.utf8.enumerated() {
            switch position {
            case 8, 13, 18, 23:
                guard byte == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = ASCII.hexValue(byte) else { return nil }
                words = (words.high << 4 | words.low >> 60, words.low << 4 | UInt64(digit))
            }
        }
        self.init(high: words.high, low: words.low)
    }

    /// A UUID of version 8 (RFC 9562 §5.8), made from the file's path and the stub's place in it: the same at every load.
    package static func derived(from path: String, ordinal: Int) -> StubID {
        let name = Array("\(path)#\(ordinal)".utf8)
        return custom(
            ContentHash.of(name, seed: 0xBB67_AE85_84CA_A73B), ContentHash.of(name, seed: 0x3C6E_F372_FE94_F82B))
    }

    /// The UUID of version 8 with the bits of two words, but for those that every such UUID has.
    private static func custom(_ first: UInt64, _ second: UInt64) -> StubID {
        StubID(
            high: first & 0xFFFF_FFFF_FFFF_0FFF | 0x8000, low: second & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000)
    }

    /// One of the ids that no file's stub has, for stubs that the program makes: a UUID of version 4 with nothing in front.
    ///
    /// - Parameter number: its last 48 bits.
    package static func made(_ number: UInt64) -> StubID {
        StubID(high: 0x4000, low: 0x8000_0000_0000_0000 | number & 0xFFFF_FFFF_FFFF)
    }

    /// The UUID in lower case.
    package var text: String {
        var digits = high.hexadecimal + low.hexadecimal
        for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
        return digits
    }
}
