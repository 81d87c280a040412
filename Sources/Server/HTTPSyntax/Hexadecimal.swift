// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Hexadecimal digits of numbers and bytes.
package enum Hexadecimal {
    package static let uppercaseDigits = Array("0123456789ABCDEF".utf8)
    package static let lowercaseDigits = Array("0123456789abcdef".utf8)

    /// Two lower-case digits for each byte.
    package static func text(of bytes: some Sequence<UInt8>) -> String {
        String(
            decoding: bytes.flatMap { [lowercaseDigits[Int($0 >> 4)], lowercaseDigits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// A number in lower case, with zeros in front of it up to a width.
    package static func text(of number: UInt64, width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}

extension UInt64 {
    /// Sixteen hexadecimal digits in lower case.
    package var hexadecimal: String { Hexadecimal.text(of: self, width: 16) }
}
