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
}
