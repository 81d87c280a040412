// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Where values of a JSON text end, which is known to be one.
enum JSONExtent {
    /// Behind the closing quote of a string, and whether there is an escape in it.
    static func string(at offset: Int, in bytes: Bytes) -> (end: Int, isEscaped: Bool) {
        var index = offset + 1
        var isEscaped = false
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                isEscaped = true
                index += 1
            }
            index += 1
        }
        return (min(index + 1, bytes.count), isEscaped)
    }

    /// Behind a value of any kind.
    static func end(of offset: Int, in bytes: Bytes) -> Int {
        var depth = 0
        var index = offset
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                index = string(at: index, in: bytes).end
                if depth == 0 { return index }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth <= 0 { return depth == 0 ? index + 1 : index }
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                if depth == 0 { return index }
            default: break
            }
            index += 1
        }
        return index
    }
}
