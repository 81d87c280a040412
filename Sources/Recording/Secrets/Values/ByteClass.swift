// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A set of bytes.
struct ByteClass: Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    init(_ text: String) {
        self.init(text.utf8)
    }

    private mutating func insert(_ byte: UInt8) {
        let bit: UInt64 = 1 << UInt64(byte & 63)
        switch byte >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        let word =
            switch byte >> 6 {
            case 0: words.0
            case 1: words.1
            case 2: words.2
            default: words.3
            }
        return word >> UInt64(byte & 63) & 1 != 0
    }

    func union(_ text: String) -> ByteClass {
        var result = self
        for byte in text.utf8 { result.insert(byte) }
        return result
    }

    static let digits = ByteClass(UInt8(ascii: "0")...UInt8(ascii: "9"))
    static let lowercase = ByteClass(UInt8(ascii: "a")...UInt8(ascii: "z"))
    static let uppercase = ByteClass(UInt8(ascii: "A")...UInt8(ascii: "Z"))
    static let alphanumeric = ByteClass("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
    static let uppercaseAndDigits = ByteClass("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    static let hexadecimal = ByteClass("0123456789abcdefABCDEF")
    static let lowercaseHexadecimal = ByteClass("0123456789abcdef")
    static let lowercaseAndDigits = ByteClass("abcdefghijklmnopqrstuvwxyz0123456789")
    static let word = alphanumeric.union("_")
    static let base64 = alphanumeric.union("+/=")
    static let base64URL = alphanumeric.union("-_")
    static let base64URLWithDots = alphanumeric.union("-_.")
    /// Either alphabet of Base64, for values of high entropy.
    static let run = alphanumeric.union("+/=_-")
    /// The credentials behind `Bearer` (RFC 6750 §2.1).
    static let token68 = alphanumeric.union("-._~+/=")
    /// Names of members, parameters and attributes.
    static let name = alphanumeric.union("_-.")
    static let placeholder = alphanumeric.union("._-")
    /// The characters of a user and a password in a URL (RFC 3986 §3.2.1).
    static let userInformation = alphanumeric.union("-._~!$&'()*+,;=:%")
    static let space = ByteClass(" \t\r\n")
}
