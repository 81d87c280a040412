// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText

extension Renderer {
    /// Helpers that make lists, and a helper that joins them.
    mutating func list(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .array:
            for argument in invocation.arguments { try pay(reading: argument, within: 1) }
            try make(TemplateValue.size(ofElements: invocation.arguments.count))
            return .list(invocation.arguments)
        case .arrayAdd:
            guard let elements = invocation.argument(0)?.elements else { return .list([]) }
            guard invocation.arguments.count > 1 else {
                return error("Missing required parameter: additional value to add to list")
            }
            try spend(elements.count / 16)
            guard let place = place(invocation, of: elements.count) else { return badPosition }
            guard place >= 0, place <= elements.count else { return positionOutside }
            try pay(reading: invocation.arguments[1], within: 1)
            try make(TemplateValue.size(ofElements: elements.count))
            return .list(Array(elements[..<place]) + [invocation.arguments[1]] + Array(elements[place...]))
        case .arrayRemove:
            guard let elements = invocation.argument(0)?.elements else { return .list([]) }
            try spend(elements.count / 16)
            guard let place = place(invocation, of: max(0, elements.count - 1)) else { return badPosition }
            guard elements.indices.contains(place) else {
                return elements.isEmpty && place == 0 ? .list([]) : positionOutside
            }
            try make(TemplateValue.size(ofElements: elements.count))
            return .list(Array(elements[..<place]) + Array(elements[(place + 1)...]))
        default:
            guard let separator = invocation.separator else { return error("Separator parameter must be a String") }
            guard let elements = invocation.joinedValues(dialect) else { return error("The parameter must be list") }
            guard !elements.isEmpty else { return .string("") }
            let joined = try joined(elements, separator)
            let (prefix, suffix) = (invocation.option("prefix")?.text ?? "", invocation.option("suffix")?.text ?? "")
            return .string(prefix + joined + suffix)
        }
    }

    private var badPosition: TemplateValue { error("position must be 'start', 'end' or an integer") }
    private var positionOutside: TemplateValue {
        error("position must be greater than or equal to 0 and less than or equal to the size of the list")
    }

    /// - Parameter end: the place that `end` stands for.
    private func place(_ invocation: Invocation, of end: Int) -> Int? {
        guard let position = invocation.option("position") else { return end }
        switch position.text.lowercased() {
        case "start": return 0
        case "end": return end
        default: return position.integer
        }
    }

    // MARK: JSON

    /// Helpers about JSON.
    mutating func json(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .jsonPath: return try jsonPath(invocation)
        case .parseJson: return try parseJSON(invocation)
        case .toJson:
            let value = invocation.subject(or: context)
            // In WireMock nothing is printed for null, which is not JSON.
            if value.isNull { return .string(dialect == .wireMock ? "" : "null") }
            // A `double` of Java keeps its exponent.
            let node = try withNumbers(of: value.single.node) {
                $0.javaText == $0.literal ? $0.literal : $0.plainText(keepsZeros: true)
            }
            return .string(try spaced(node))
        case .formatJson: return try formatJSON(invocation)
        case .jsonMerge: return try jsonMerge(invocation)
        case .jsonRemove: return try jsonRemove(invocation)
        case .jsonArrayAdd: return try jsonArrayAdd(invocation)
        default: return try jsonSort(invocation)
        }
    }

    /// Reads a JSON text, which often was read before; nil for a text that is not JSON.
    mutating func readJSON(_ text: String) throws(TemplateFailure) -> JSONNode? {
        try spend(text.utf8.count / 64 * readTexts.count { $0.text.utf8.count == text.utf8.count })
        if let read = readTexts.first(where: {
            $0.text.utf8.count == text.utf8.count && $0.text.utf8.elementsEqual(text.utf8)
        }) {
            return read.node
        }
        // A value takes more room than its text.
        try spend(text.utf8.count / 8)
        // The read value takes more than its text: each value has a place of its own.
        let bytes = Array(text.utf8)
        try make(bytes.count)
        let most = meterRoom / Self.jsonValue
        let read: JSONNode?
        do throws(JSONError) {
            read = try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
                try JSONParser.parse(bytes, most: most)
            }
        } catch {
            return nil
        }
        guard let node = read else { throw tooMuch }
        try make(node.memory)
        if readTexts.count == 4 { readTexts.removeFirst() }
        names += 1
        readTexts.append((text, node))
        return node
    }

    /// A value as JSON: a text is read, all else stays the same.
    mutating func node(of value: TemplateValue) throws(TemplateFailure) -> JSONNode? {
        if case .json(let node) = value, node.string == nil { return node }
        if case .list = value { return value.node }
        if case .object(let object) = value, object.elements != nil || !object.members.isEmpty { return value.node }
        if case .object = value { try pay(reading: value) }
        return try readJSON(value.single.text)
    }

    private mutating func jsonPath(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let subject = invocation.argument(0) else { return .string("") }
        guard let text = invocation.text(1), !text.isEmpty else { return error("The JSONPath cannot be empty") }
        let fallback = invocation.option("default") ?? (givesNull ? .null : .string(""))
        // A body that did not come has no member.
        let isEmpty =
            switch subject.single {
            case .json(let node): node.string?.isEmpty ?? node.isNull
            case .several(let texts): texts.first?.isEmpty ?? true
            default: false
            }
        if isEmpty { return fallback }
        let read = try node(of: subject)
        // A text that does not begin as JSON does is one value, which has no members.
        guard let root = read ?? Self.plainText(subject) else {
            return error("\(subject.single.text) is not valid JSON")
        }
        guard let path = try? JSONPath(parsing: text) else {
            return error("\(text) is not a valid JSONPath expression")
        }
        guard let found = try result(path, in: root).node, !found.isNull else { return fallback }
        // Jayway gives a list, even an empty one, only below a value that is there.
        if dialect == .wireMock, !path.isDefinite {
            guard try hasStart(path, in: root) else { return fallback }
        }
        return .json(try withNumbers(of: found) { $0.javaText })
    }

    /// A value with its numbers as Java writes them, in WireMock's dialect.
    mutating func withNumbers(
        of node: JSONNode, _ text: (JSONNumber) -> String
    ) throws(TemplateFailure) -> JSONNode {
        guard dialect == .wireMock else { return node }
        try pay(reading: .json(node), bytesPerStep: 64)
        guard let changed = node.withNumbers(text) else { return node }
        try make(changed.memory)
        return changed
    }

    private static func plainText(_ value: TemplateValue) -> JSONNode? {
        let text = value.single.text
        guard let first = text.utf8.first(where: { $0 > 0x20 }), !"{[\"'".utf8.contains(first) else { return nil }
        return .string(text)
    }

    private mutating func hasStart(_ path: JSONPath, in root: JSONNode) throws(TemplateFailure) -> Bool {
        do throws(JSONPathGaveUp) {
            return try path.hasStart(in: root, allowance: &allowance)
        } catch {
            throw failure(JSONPathGaveUp.message)
        }
    }

    private mutating func result(_ path: JSONPath, in root: JSONNode) throws(TemplateFailure) -> JSONPathResult {
        let result: JSONPathResult
        do throws(JSONPathGaveUp) {
            result = try path.result(in: root, allowance: &allowance)
        } catch {
            throw failure(JSONPathGaveUp.message)
        }
        let count: Int =
            switch result {
            case .nothing: 0
            case .value(let node): node.object?.members.count ?? 1
            case .list(let nodes): nodes.count
            }
        try make(count * MemoryLayout<JSONNode>.stride)
        return result
    }

    mutating func nodes(_ path: JSONPath, in root: JSONNode) throws(TemplateFailure) -> [JSONNode] {
        let nodes: [JSONNode]
        do throws(JSONPathGaveUp) {
            nodes = try path.nodes(in: root, allowance: &allowance)
        } catch {
            throw failure(JSONPathGaveUp.message)
        }
        try make(nodes.count * MemoryLayout<JSONNode>.stride)
        return nodes
    }

    /// Bytes that a value of JSON takes at most while it is read: a list that grows is there twice, once with room for as much again.
    private static let jsonValue = 3 * MemoryLayout<JSONNode>.stride

    private mutating func parseJSON(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let empty = TemplateValue.json(.object([:]))
        let name: String?
        let text: String
        if let body = try blockText(of: invocation) {
            (name, text) = (invocation.text(0), body)
        } else {
            guard !invocation.arguments.isEmpty else { return error("Missing required JSON string parameter") }
            guard let subject = invocation.argument(0) else { return empty }
            (name, text) = (invocation.text(1), subject.text)
        }
        var value = empty
        if !Self.trimmed(text).isEmpty {
            guard let node = try readJSON(text) else { return error("\(Self.shown(.string(text))) is not valid JSON") }
            value = .json(node)
        }
        guard let name else { return value }
        assign(value, to: name)
        return .null
    }

    private mutating func formatJSON(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let text = Self.trimmed(try blockText(of: invocation) ?? invocation.argument(0)?.single.text ?? "")
        guard !text.isEmpty else {
            return error("formatJson should take a block of JSON to format or a single parameter of type String")
        }
        let format = invocation.option("format")?.text ?? "pretty"
        guard format == "pretty" || format == "compact" else {
            return error("formatJson: format [\(format)] should be one of [pretty, compact]")
        }
        guard let read = try readJSON(text) else {
            return error(
                dialect == .wireMock
                    ? "There was an error parsing the json. Please make sure the json is valid"
                    : "Input JSON string is not valid JSON (\(Self.shown(.string(text))))")
        }
        let node = try withNumbers(of: read) { $0.plainText(keepsZeros: false) }
        return .string(
            format == "compact" ? String(decoding: JSONWriter.compact(node), as: UTF8.self) : try spaced(node))
    }

    private func spaced(_ node: JSONNode) throws(TemplateFailure) -> String {
        guard let text = SpacedJSON.text(node, limit: Template.Limits.output) else {
            throw failure("the template makes more than 16 MiB")
        }
        return text
    }
}

/// JSON with a member a line, as WireMock's helpers print it: `"name" : "value"`, and lists in one line.
enum SpacedJSON {
    /// - Returns: nil for a value that takes more bytes than a limit.
    static func text(_ node: JSONNode, limit: Int) -> String? {
        var output: [UInt8] = []
        write(node, 0, limit, &output)
        return output.count > limit ? nil : String(decoding: output, as: UTF8.self)
    }

    private static func write(_ node: JSONNode, _ level: Int, _ limit: Int, _ output: inout [UInt8]) {
        if output.count > limit { return }
        switch node.value {
        case .array(let elements):
            output += "[ ".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { output += ", ".utf8 }
                write(element, level, limit, &output)
            }
            output += (elements.isEmpty ? "]" : " ]").utf8
        case .object(let object):
            output += "{".utf8
            for (index, member) in object.members.enumerated() {
                if index > 0 { output += ",".utf8 }
                newLine(level + 1, &output)
                JSONWriter.writeString(member.name, to: &output)
                output += " : ".utf8
                write(member.value, level + 1, limit, &output)
            }
            if object.members.isEmpty { output += " ".utf8 } else { newLine(level, &output) }
            output += "}".utf8
        case .null, .bool, .number, .string: output += JSONWriter.compact(node)
        }
    }

    private static func newLine(_ level: Int, _ output: inout [UInt8]) {
        output += "\n".utf8
        output += repeatElement(UInt8(ascii: " "), count: level * 2)
    }
}
