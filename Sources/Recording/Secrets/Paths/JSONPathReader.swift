// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Reads the text of a JSON path.
struct JSONPathReader {
    private let text: String
    private let bytes: [UInt8]
    private var index = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    mutating func parts() throws(JSONPathError) -> [JSONPathPattern.Part] {
        guard take("$") else { throw failure("expected '$'") }
        var parts: [JSONPathPattern.Part] = []
        while index < bytes.count {
            if take("..") {
                parts.append(.init(step: try current == UInt8(ascii: "[") ? bracket() : member(), isDeep: true))
            } else if take(".") {
                parts.append(.init(step: try member(), isDeep: false))
            } else if current == UInt8(ascii: "[") {
                parts.append(.init(step: try bracket(), isDeep: false))
            } else {
                throw failure("expected '.' or '['")
            }
        }
        if parts.isEmpty { throw failure("expected '.' or '['") }
        return parts
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func take(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard index + length <= bytes.count, (0..<length).allSatisfy({ bytes[index + $0] == text.utf8Start[$0] }) else {
            return false
        }
        index += length
        return true
    }

    /// The step behind a dot.
    private mutating func member() throws(JSONPathError) -> JSONPathPattern.Step {
        if take("*") { return .all }
        let start = index
        while let byte = current, byte != UInt8(ascii: "."), byte != UInt8(ascii: "["), byte != UInt8(ascii: "]") {
            index += 1
        }
        if index == start { throw failure("expected a name or '*'") }
        return .name(String(decoding: bytes[start..<index], as: UTF8.self))
    }

    private mutating func bracket() throws(JSONPathError) -> JSONPathPattern.Step {
        index += 1
        let step: JSONPathPattern.Step
        if take("*") {
            step = .all
        } else if let quote = current, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
            step = .name(try quoted(quote))
        } else {
            let start = index
            while let byte = current, ByteClass.digits.contains(byte) { index += 1 }
            guard let number = Int(String(decoding: bytes[start..<index], as: UTF8.self)) else {
                throw failure("expected a number, '*' or a name in quotes")
            }
            step = .index(number)
        }
        guard take("]") else { throw failure("expected ']'") }
        return step
    }

    private mutating func quoted(_ quote: UInt8) throws(JSONPathError) -> String {
        index += 1
        var name: [UInt8] = []
        while let byte = current {
            index += 1
            if byte == quote { return String(decoding: name, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = current {
                name.append(escaped)
                index += 1
            } else {
                name.append(byte)
            }
        }
        throw failure("expected the quote that ends the name")
    }

    private func failure(_ message: String) -> JSONPathError {
        JSONPathError(path: text, column: index + 1, message: message)
    }
}
