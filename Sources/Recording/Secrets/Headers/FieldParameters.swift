// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax

/// A parameter in the value of a header line: `name=value` or `name="value"` (RFC 9110 §5.6.6, §11.2).
struct FieldParameter {
    var name: String
    /// Where the value stands, without its quotes.
    var value: Range<Int>
}

/// Reads the parameters of a header line.
enum FieldParameters {
    static func all(in text: Bytes) -> [FieldParameter] {
        var parameters: [FieldParameter] = []
        var index = 0
        while index < text.count {
            let start = index
            index = text.end(of: token, from: start)
            guard index > start, index < text.count, text[index] == UInt8(ascii: "=") else {
                index = max(index, start + 1)
                continue
            }
            let name = String(decoding: text[start..<index], as: UTF8.self)
            index += 1
            let value: Range<Int>
            if index < text.count, text[index] == UInt8(ascii: "\"") {
                let first = index + 1
                index = first
                while index < text.count, text[index] != UInt8(ascii: "\"") {
                    index += text[index] == UInt8(ascii: "\\") ? 2 : 1
                }
                index = min(index, text.count)
                value = first..<index
            } else {
                let first = index
                while index < text.count, !", ;".utf8.contains(text[index]) { index += 1 }
                value = first..<index
            }
            parameters.append(FieldParameter(name: name, value: value))
        }
        return parameters
    }

    private static let token = ByteClass((0...0x7F).filter(ASCII.isToken))
}
