// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Writes a tree as JSON text: members in their order, numbers with their literals.
package enum JSONWriter {
    /// One line without spaces.
    package static func compact(_ node: JSONNode) -> [UInt8] {
        var output: [UInt8] = []
        write(node, indentation: nil, to: &output)
        return output
    }

    /// One line without spaces, which may be broken off once it has more than enough bytes.
    package static func compact(_ node: JSONNode, enough: Int) -> [UInt8] {
        var output: [UInt8] = []
        writeStart(of: node, enough: enough, to: &output)
        return output
    }

    private static func writeStart(of node: JSONNode, enough: Int, to output: inout [UInt8]) {
        switch node.value {
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (position, element) in elements.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                if output.count > enough { return }
                writeStart(of: element, enough: enough, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (position, member) in object.members.enumerated() {
                if position > 0 { output.append(UInt8(ascii: ",")) }
                if output.count > enough { return }
                writeString(start(of: member.name, enough), to: &output)
                output.append(UInt8(ascii: ":"))
                writeStart(of: member.value, enough: enough, to: &output)
            }
            output.append(UInt8(ascii: "}"))
        case .string(let text): writeString(start(of: text, enough), to: &output)
        case .number(let number): output.append(contentsOf: number.literal.utf8.prefix(enough + 1))
        case .null, .bool: write(node, indentation: nil, to: &output)
        }
    }

    private static func start(of text: String, _ enough: Int) -> String {
        text.utf8.count <= enough ? text : String(text.unicodeScalars.prefix(enough + 1))
    }

    /// A member or an element a line, two spaces a level, no line end at the end.
    package static func pretty(_ node: JSONNode) -> [UInt8] {
        var output: [UInt8] = []
        write(node, indentation: 0, to: &output)
        return output
    }

    /// As `pretty`, behind a text that it stands in, so many levels deep.
    package static func append(_ node: JSONNode, level: Int, to output: inout [UInt8]) {
        write(node, indentation: level, to: &output)
    }

    /// Letters that an object of one value, or two, may have to stand in one line. 80.
    private static let lineLimit = 80

    /// As `pretty`, except for small values: a list of one value, and an object of no more than two, stand in one line.
    package static func reviewable(_ node: JSONNode) -> [UInt8] {
        var output: [UInt8] = []
        write(node, indentation: 0, inlinesSmall: true, to: &output)
        return output
    }

    /// A small list or object in one line; nil for a large one, or one in an object of several.
    private static func line(_ node: JSONNode) -> [UInt8]? {
        switch node.value {
        case .array(let elements) where elements.count == 1:
            return line(elements[0]).map { Array("[".utf8) + $0 + Array("]".utf8) }
        case .object(let object) where (1...2).contains(object.members.count):
            var output = Array("{ ".utf8)
            for (position, member) in object.members.enumerated() {
                if position > 0 { output += Array(", ".utf8) }
                let isScalar = member.value.array == nil && member.value.object == nil
                guard isScalar || object.members.count == 1, let value = line(member.value) else { return nil }
                writeString(member.name, to: &output)
                output += Array(": ".utf8) + value
            }
            output += Array(" }".utf8)
            return output.count <= lineLimit ? output : nil
        case .array(let elements) where !elements.isEmpty: return nil
        case .object(let object) where !object.members.isEmpty: return nil
        default: return compact(node)
        }
    }

    private static func write(
        _ node: JSONNode, indentation: Int?, inlinesSmall: Bool = false, to output: inout [UInt8]
    ) {
        if inlinesSmall, let line = line(node) {
            output += line
            return
        }
        switch node.value {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let value): output.append(contentsOf: value.literal.utf8)
        case .string(let value): writeString(value, to: &output)
        case .array(let elements):
            writeList(elements, open: "[", close: "]", indentation: indentation, to: &output) {
                element, level, output in
                write(element, indentation: level, inlinesSmall: inlinesSmall, to: &output)
            }
        case .object(let object):
            writeList(object.members, open: "{", close: "}", indentation: indentation, to: &output) {
                member, level, output in
                writeString(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                if level != nil { output.append(UInt8(ascii: " ")) }
                write(member.value, indentation: level, inlinesSmall: inlinesSmall, to: &output)
            }
        }
    }

    private static func writeList<Element>(
        _ elements: [Element], open: Unicode.Scalar, close: Unicode.Scalar, indentation: Int?,
        to output: inout [UInt8], element write: (Element, Int?, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: open))
        let inner = indentation.map { $0 + 1 }
        for (position, element) in elements.enumerated() {
            if position > 0 { output.append(UInt8(ascii: ",")) }
            newLine(inner, to: &output)
            write(element, inner, &output)
        }
        if !elements.isEmpty { newLine(indentation, to: &output) }
        output.append(UInt8(ascii: close))
    }

    private static func newLine(_ indentation: Int?, to output: inout [UInt8]) {
        guard let indentation else { return }
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * 2))
    }

    /// Writes a string with its quotes, escaping no more than RFC 8259 §7 asks for.
    package static func writeString(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: [0x5C, 0x22])
            case UInt8(ascii: "\\"): output.append(contentsOf: [0x5C, 0x5C])
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                let digits = String(byte, radix: 16)
                output.append(contentsOf: "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
