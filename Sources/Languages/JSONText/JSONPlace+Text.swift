// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Why a text is not a path of names, indices, `*` and `..`, and the way out.
package struct JSONPlaceError: Error, Hashable, Sendable, CustomStringConvertible {
    package var path: String
    /// Counted from 1, in bytes.
    package var column: Int
    package var message: String

    package init(path: String, column: Int, message: String) {
        self.path = path
        self.column = column
        self.message = message
    }

    package var description: String {
        "\"\(path)\" is not a JSON path: \(message) at character \(column); write a path such as $.user.email or $.items[*].token"
    }
}

extension JSONPlace {
    /// - Parameter path: as `$.user.email`, `$.items[*]['api key']`, `$..token`, `$.list[0]` or `$.map.*` (RFC 9535 §2); `$` itself is the whole.
    package init(_ path: String) throws(JSONPlaceError) {
        var reader = PlaceReader(path)
        steps = try reader.steps()
    }

    /// The place as a path: `$.items[*].id`.
    package var path: String {
        steps.reduce("$") { text, step in
            switch step {
            case .anyDepth: text + ".."
            case .every: text + "[*]"
            case .item(let index): "\(text)[\(index)]"
            case .token(let name) where Int(name) != nil: "\(text)[\(name)]"
            case .member(let name), .token(let name):
                text.hasSuffix("..") && Self.isPlain(name) ? text + name : Self.member(text, name)
            }
        }
    }

    /// The place as a pointer (RFC 6901), with `*` for each item or member and `**` for any depth.
    package var pointer: String {
        steps.reduce("") { pointer, step in
            switch step {
            case .member(let name), .token(let name): JSONPointer.appending(name, to: pointer)
            case .item(let index): "\(pointer)/\(index)"
            case .every: pointer + "/*"
            case .anyDepth: pointer + "/**"
            }
        }
    }

    /// The path of a member of the value at another path: behind a dot if its name is plain, or in brackets and quotes (RFC 9535 §2.3.1).
    package static func member(_ parent: String, _ name: String) -> String {
        isPlain(name) ? "\(parent).\(name)" : "\(parent)['\(quoted(name))']"
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == UInt8(ascii: "_") }
    }

    /// A name between single quotes: a quote, a backslash and unprintable characters are escaped (RFC 9535 §2.3.1.1).
    private static func quoted(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar.value {
            case 0x27: text += "\\'"
            case 0x5C: text += "\\\\"
            case ..<0x20: text += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

/// Reads the text of a path.
private struct PlaceReader {
    private let text: String
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    mutating func steps() throws(JSONPlaceError) -> [JSONPlace.Step] {
        guard take("$") else { throw failure("expected '$'") }
        var steps: [JSONPlace.Step] = []
        while let byte = current {
            if take(".") {
                if take(".") {
                    steps.append(.anyDepth)
                    steps.append(current == UInt8(ascii: "[") ? try bracket() : try member())
                } else {
                    steps.append(try member())
                }
            } else if byte == UInt8(ascii: "[") {
                steps.append(try bracket())
            } else {
                throw failure("expected '.' or '['")
            }
        }
        return steps
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard current == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    /// The step behind a dot.
    private mutating func member() throws(JSONPlaceError) -> JSONPlace.Step {
        if take("*") { return .every }
        let start = index
        while let byte = current, !".[]".utf8.contains(byte) { index += 1 }
        if index == start { throw failure("expected a name or '*'") }
        return .member(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func bracket() throws(JSONPlaceError) -> JSONPlace.Step {
        index += 1
        let step: JSONPlace.Step
        if take("*") {
            step = .every
        } else if let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
            step = .member(try quoted(quote))
        } else {
            let start = index
            while let byte = current, byte &- UInt8(ascii: "0") < 10 { index += 1 }
            guard let number = Int(String(decoding: bytes[start..<index], as: UTF8.self)) else {
                throw failure("expected a number, '*' or a name in quotes")
            }
            step = .item(number)
        }
        guard take("]") else { throw failure("expected ']'") }
        return step
    }

    /// The name in quotes. A quote before a letter or a digit is of the name, which paths in older recordings have.
    private mutating func quoted(_ quote: UInt8) throws(JSONPlaceError) -> String {
        index += 1
        var name: [UInt8] = []
        while let byte = current {
            index += 1
            if byte == quote, !isInWord { return String(decoding: name, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), current != nil { try escape(into: &name) } else { name.append(byte) }
        }
        throw failure("expected the quote that ends the name")
    }

    private var isInWord: Bool {
        guard let byte = current else { return false }
        return byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
    }

    /// The character behind a backslash (RFC 9535 §2.3.1.1); a character that needs no escape stands for itself.
    private mutating func escape(into name: inout [UInt8]) throws(JSONPlaceError) {
        let byte = bytes[index]
        index += 1
        switch byte {
        case UInt8(ascii: "b"): name.append(0x08)
        case UInt8(ascii: "t"): name.append(0x09)
        case UInt8(ascii: "n"): name.append(0x0A)
        case UInt8(ascii: "f"): name.append(0x0C)
        case UInt8(ascii: "r"): name.append(0x0D)
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]), bytes[index...].starts(with: "\\u".utf8) {
                index += 2
                units.append(try unit())
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw failure("expected a surrogate pair of two escapes")
            }
            name += text.utf8
        default: name.append(byte)
        }
    }

    /// The number of four hexadecimal digits.
    private mutating func unit() throws(JSONPlaceError) -> UInt16 {
        let digits = bytes[index...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw failure("expected four hexadecimal digits") }
        index += 4
        return unit
    }

    private func failure(_ message: String) -> JSONPlaceError {
        JSONPlaceError(path: text, column: index + 1, message: message)
    }
}
