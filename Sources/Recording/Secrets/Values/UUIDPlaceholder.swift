// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A placeholder that is a UUID, in the place of a UUID: a client that reads its session or key as a UUID takes it.
///
/// It is of version 8 (RFC 9562 §5.8), its first digits are always the same, and its last are a digest of the placeholder's name, never of the secret.
enum UUIDPlaceholder {
    private static let head = Array("00000000-0000-8000-8000-".utf8)

    /// A placeholder of a name in the form of a UUID, like a value; nil for a value that is not a UUID.
    static func text(_ name: String, like value: [UInt8]) -> [UInt8]? {
        TextLook.isUUID(value) ? text(name) : nil
    }

    /// The placeholder of a name.
    static func text(_ name: String) -> [UInt8] {
        var hash = UInt64(name.utf8.count)
        for byte in name.utf8 {
            let product = (hash ^ UInt64(byte)).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.low ^ product.high
        }
        let digits = String(hash & 0xFFFF_FFFF_FFFF, radix: 16)
        return head + Array((String(repeating: "0", count: 12 - digits.utf8.count) + digits).utf8)
    }

    /// The end of the placeholder that begins at a place of a text; nil for none.
    static func end(in text: Bytes, at index: Int) -> Int? {
        guard text[index] == UInt8(ascii: "0"), text.has(head, at: index), text.startsWord(at: index) else {
            return nil
        }
        let end = text.end(of: .lowercaseHexadecimal, from: index + head.count, limit: index + head.count + 12)
        return end - index == head.count + 12 && text.endsWord(at: end) ? end : nil
    }
}
