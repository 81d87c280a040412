// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Percent-decoding of paths and queries (RFC 3986 §2.1), lenient: a `%` without two hexadecimal digits stands for itself.
public enum PercentCoding {
    /// Appends the decoded bytes of a range.
    ///
    /// - Parameter plusIsSpace: true for queries and forms, where `+` means a space; false for paths.
    @inlinable
    public static func appendDecoded(
        _ source: UnsafeBufferPointer<UInt8>, plusIsSpace: Bool, to output: inout [UInt8]
    ) {
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == ASCII.percent, index + 2 < source.count,
                let high = ASCII.hexValue(source[index + 1]), let low = ASCII.hexValue(source[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(plusIsSpace && byte == ASCII.plus ? ASCII.space : byte)
                index += 1
            }
        }
    }

    /// The decoded bytes of a text.
    public static func decode(_ source: some Sequence<UInt8>, plusIsSpace: Bool = false) -> [UInt8] {
        let source = Array(source)
        var output: [UInt8] = []
        output.reserveCapacity(source.count)
        source.withUnsafeBufferPointer { appendDecoded($0, plusIsSpace: plusIsSpace, to: &output) }
        return output
    }

    /// A text as one segment of a path: what is neither unreserved nor a sub-delimiter is encoded (RFC 3986 §3.3).
    public static func segment(_ text: String) -> String {
        var output: [UInt8] = []
        for byte in text.utf8 {
            if (byte | 0x20) &- 0x61 < 26 || ASCII.isDigit(byte) || "-._~!$&'()*+,;=:@".utf8.contains(byte) {
                output.append(byte)
            } else {
                let digits = Array("0123456789ABCDEF".utf8)
                output += [ASCII.percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
