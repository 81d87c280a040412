// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Base64 (RFC 4648 §4); read without regard to padding and line ends, and in the alphabet of §5 too.
package enum Base64Text {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    package static func encode(_ bytes: [UInt8], pads: Bool = true) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 3 * 4 + 4)
        var index = 0
        while index < bytes.count {
            let count = min(3, bytes.count - index)
            var word = 0
            for place in 0..<3 { word = word << 8 | (place < count ? Int(bytes[index + place]) : 0) }
            for place in 0..<4 where place <= count || pads {
                output.append(place <= count ? alphabet[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: output, as: UTF8.self)
    }

    static func decode(_ text: String) -> [UInt8]? {
        var output: [UInt8] = []
        var word = 0
        var bits = 0
        for byte in text.utf8 where byte > 0x20 && byte != UInt8(ascii: "=") {
            let value: Int
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = Int(byte) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = Int(byte) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = Int(byte) + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            default: return nil
            }
            word = (word << 6 | value) & 0xFFFF
            bits += 6
            if bits >= 8 {
                bits -= 8
                output.append(UInt8(truncatingIfNeeded: word >> bits))
            }
        }
        return output
    }
}

/// The coding of forms (WHATWG URL §5.2).
enum FormText {
    private static let digits = Array("0123456789ABCDEF".utf8)

    static func encode(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "*"),
                UInt8(ascii: "_"):
                output.append(byte)
            case 0x20: output.append(UInt8(ascii: "+"))
            default: output += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    static func decode(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        var index = bytes.startIndex
        func digit(_ index: Int) -> UInt8? {
            guard index < bytes.endIndex else { return nil }
            return Character(Unicode.Scalar(bytes[index])).hexDigitValue.map { UInt8($0) }
        }
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%"), let high = digit(index + 1), let low = digit(index + 2) {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(bytes[index] == UInt8(ascii: "+") ? 0x20 : bytes[index])
                index += 1
            }
        }
        return output
    }
}
