// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension String {
    /// The text as a POSIX shell reads it back as one word: as it is, or in single quotes.
    package var shellWord: String {
        let isPlain = utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "%"), UInt8(ascii: "+"):
                true
            default: false
            }
        }
        return isPlain && !isEmpty ? self : "'\(replacing(bytesOf: "'", with: "'\\''"))'"
    }
}
