// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Literal text as part of a pattern (PCRE2).
enum PatternText {
    static func escaped(_ text: String) -> String {
        var pattern = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII, !isPlain(UInt8(scalar.value)) { pattern.append("\\") }
            pattern.unicodeScalars.append(scalar)
        }
        return pattern
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte <= 0x20
            || "_-/&=%\"':;,~@!".utf8.contains(byte)
    }
}
