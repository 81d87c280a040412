// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONPath
import JSONText

extension Renderer {
    /// Helpers that make lists, and one that joins them.
    mutating func list(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .array:
            return .list(invocation.arguments)
        case .arrayAdd:
            guard let elements = invocation.argument(0)?.elements else { return .list([]) }
            guard invocation.arguments.count > 1 else {
                return error("Missing required parameter: additional value to add to list")
            }
            try spend(elements.count / 16)
            guard let place = place(invocation, of: elements.count) else { return badPosition }
            guard place >= 0, place <= elements.count else { return positionOutside }
            return .list(Array(elements[..<place]) + [invocation.arguments[1]] + Array(elements[place...]))
        case .arrayRemove:
            guard let elements = invocation.argument(0)?.elements else { return .list([]) }
            try spend(elements.count / 16)
            guard let place = place(invocation, of: elements.count - 1) else { return badPosition }
            guard !elements.isEmpty else { return .list([]) }
            guard elements.indices.contains(place) else { return positionOutside }
            return .list(Array(elements[..<place]) + Array(elements[(place + 1)...]))
        default:
            guard let separator = invocation.argument(0), case .json(let node) = separator, let text = node.string
            else {
                return error("Separator parameter must be a String")
            }
            guard let elements = invocation.list else { return error("The parameter must be list") }
            guard !elements.isEmpty else { return .string("") }
            let joined = try joined(elements, text)
            let (prefix, suffix) = (invocation.option("prefix")?.text ?? "", invocation.option("suffix")?.text ?? "")
            return .string(prefix + joined + suffix)
        }
    }

    private var badPosition: TemplateValue { error("position must be 'start', 'end' or an integer") }
    private var positionOutside: TemplateValue {
        error("position must be greater than or equal to 0 and less than or equal to the size of the list")
    }

    /// - Parameter end: what `end` means.
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
            return .string(value.isNull ? "" : SpacedJSON.text(value.single.node))
        case .formatJson: return try formatJSON(invocation)
        case .jsonMerge: return try jsonMerge(invocation)
        case .jsonRemove: return try jsonRemove(invocation)
        case .jsonArrayAdd: return try jsonArrayAdd(invocation)
        default: return try jsonSort(invocation)
        }
    }

    /// Reads a JSON text, which often was read before; nil for what is none.
    mutating func readJSON(_ text: String) throws(TemplateFailure) -> JSONNode? {
        if let read = readTexts.first(where: {
            $0.text.utf8.count == text.utf8.count && $0.text.utf8.elementsEqual(text.utf8)
        }) {
            return read.node
        }
        // A value takes more room than its text.
        try spend(text.utf8.count / 8)
        guard let node = try? JSONParser.parse(Array(text.utf8)) else { return nil }
        if readTexts.count == 4 { readTexts.removeFirst() }
        readTexts.append((text, node))
        return node
    }

    /// A value as JSON: a text is read, all else is what it is.
    private mutating func node(of value: TemplateValue) throws(TemplateFailure) -> JSONNode? {
        if case .json(let node) = value, node.string == nil { return node }
        if case .list = value { return value.node }
        if case .object(let object) = value, object.elements != nil || !object.members.isEmpty { return value.node }
        return try readJSON(value.single.text)
    }

    private mutating func jsonPath(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let subject = invocation.argument(0) else { return .string("") }
        guard let text = invocation.text(1), !text.isEmpty else { return error("The JSONPath cannot be empty") }
        guard let root = try node(of: subject) else { return error("\(Self.shown(subject)) is not valid JSON") }
        guard let path = try? JSONPath(parsing: text) else {
            return error("\(text) is not a valid JSONPath expression")
        }
        let found = try nodes(path, in: root)
        let fallback = invocation.option("default") ?? .string("")
        guard path.isDefinite else { return .json(.array(found)) }
        guard let node = found.first, !node.isNull else { return fallback }
        return .json(node)
    }

    private mutating func nodes(_ path: JSONPath, in root: JSONNode) throws(TemplateFailure) -> [JSONNode] {
        var budget = JSONPathBudget()
        let most = budget.steps
        do throws(JSONPathGaveUp) {
            let nodes = try path.nodes(in: root, budget: &budget)
            try? pay(most - budget.steps)
            return nodes
        } catch {
            throw failure(JSONPathGaveUp.message)
        }
    }

    private mutating func pay(_ steps: Int) throws(TemplateFailure) { try spend(max(0, steps) / 4) }

    private mutating func parseJSON(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let empty = TemplateValue.json(.object([:]))
        let name: String?
        let text: String
        if let body = invocation.body {
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
        let given = invocation.body ?? invocation.argument(0).map { $0.single.text } ?? ""
        let text = Self.trimmed(given)
        guard !text.isEmpty else {
            return error("formatJson should take a block of JSON to format or a single parameter of type String")
        }
        let format = invocation.option("format")?.text ?? "pretty"
        guard format == "pretty" || format == "compact" else {
            return error("formatJson: format [\(format)] should be one of [pretty, compact]")
        }
        guard let node = try readJSON(text) else {
            return error("Input JSON string is not valid JSON (\(Self.shown(.string(text))))")
        }
        return .string(
            format == "compact" ? String(decoding: JSONWriter.compact(node), as: UTF8.self) : SpacedJSON.text(node))
    }

    private mutating func jsonMerge(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let base = invocation.text(0) else { return error("Base JSON parameter must be a string") }
        guard let one = try readJSON(base) else { return error("Base JSON is not valid JSON ('\(base)')") }
        guard one.object != nil else { return error("Base JSON is not a JSON object ('\(base)')") }
        guard let other = invocation.body ?? invocation.text(1) else { return error("JSON to merge must be a string") }
        guard let two = try readJSON(other) else { return error("JSON to merge is not valid JSON ('\(other)')") }
        guard two.object != nil else { return error("JSON to merge is not a JSON object ('\(other)')") }
        let dropsNulls = invocation.isSet("removeNulls")
        return .string(String(decoding: JSONWriter.compact(Self.merged(one, two, dropsNulls)), as: UTF8.self))
    }

    private static func merged(_ base: JSONNode, _ other: JSONNode, _ dropsNulls: Bool) -> JSONNode {
        guard let left = base.object, let right = other.object else { return other }
        var members = left.members
        var places = Dictionary(members.indices.map { (members[$0].name, $0) }, uniquingKeysWith: { $1 })
        for member in right.members {
            if let place = places[member.name] {
                members[place].value = merged(members[place].value, member.value, dropsNulls)
            } else {
                places[member.name] = members.count
                members.append(member)
            }
        }
        if dropsNulls { members.removeAll { $0.value.isNull } }
        return JSONNode(.object(JSONObject(members)))
    }

    private mutating func jsonRemove(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let text = invocation.text(0) else { return error("Input JSON must be a string") }
        if text == "null" { return .string(text) }
        guard invocation.arguments.count == 2 else {
            return error("A single JSONPath expression parameter must be supplied")
        }
        guard let expression = invocation.text(1) else { return error("JSONPath parameter must be a string") }
        guard let root = try readJSON(text) else { return error("Input JSON string is not valid JSON ('\(text)')") }
        guard let path = try? JSONPath(parsing: expression) else {
            return error("JSONPath parameter is not a valid JSONPath expression ('\(expression)')")
        }
        var removed = root
        // From the last: what is removed moves what stands behind it.
        for location in try locations(path, in: root).reversed() {
            guard !location.isEmpty else {
                return error("Delete operation cannot be applied to JSONPath expression ('\(expression)')")
            }
            try spend(1 + text.utf8.count / 512)
            Self.change(&removed, at: location[...]) { _ in nil }
        }
        return .string(String(decoding: JSONWriter.compact(removed), as: UTF8.self))
    }

    private mutating func locations(
        _ path: JSONPath, in root: JSONNode
    ) throws(TemplateFailure) -> [[JSONPathStep]] {
        var budget = JSONPathBudget()
        let most = budget.steps
        let located: [[JSONPathStep]]
        do throws(JSONPathGaveUp) {
            located = try path.located(in: root, budget: &budget).map(\.location)
        } catch {
            throw failure(JSONPathGaveUp.message)
        }
        try pay(most - budget.steps)
        return located
    }

    /// Puts another value in the place of one; nil takes it out.
    private static func change(
        _ node: inout JSONNode, at location: ArraySlice<JSONPathStep>, to value: (JSONNode) -> JSONNode?
    ) {
        guard let step = location.first else {
            node = value(node) ?? node
            return
        }
        let rest = location.dropFirst()
        switch (step, node.value) {
        case (.name(let name), .object(var object)):
            guard let place = object.members.lastIndex(where: { $0.name.utf8.elementsEqual(name.utf8) }) else { return }
            if rest.isEmpty, value(object.members[place].value) == nil {
                object.members.remove(at: place)
            } else {
                change(&object.members[place].value, at: rest, to: value)
            }
            node.value = .object(object)
        case (.index(let index), .array(var elements)):
            guard elements.indices.contains(index) else { return }
            if rest.isEmpty, value(elements[index]) == nil {
                elements.remove(at: index)
            } else {
                change(&elements[index], at: rest, to: value)
            }
            node.value = .array(elements)
        default: break
        }
    }

    private mutating func jsonArrayAdd(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let text = invocation.text(0) else { return error("Base JSON must be a string") }
        guard var root = try readJSON(text) else { return error("Base JSON is not valid JSON ('\(text)')") }
        var location: [JSONPathStep] = []
        var target: JSONNode? = root
        let expression = invocation.option("jsonPath")?.text
        if let expression {
            guard let path = try? JSONPath(parsing: expression) else {
                return error("jsonPath option is not valid JSONPath expression ('\(expression)')")
            }
            let found = try locations(path, in: root)
            target = found.count == 1 ? try nodes(path, in: root).first : nil
            location = found.first ?? []
        }
        guard var elements = target?.array else {
            let detail = expression.map { "root: '\(text)', jsonPath: '\($0)'" } ?? "'\(text)'"
            return error("Target JSON is not a JSON array (\(detail))")
        }
        guard let item = invocation.body ?? invocation.text(1) else {
            return error("Item-to-add JSON must be a string")
        }
        guard let added = try readJSON(item) else { return error("Item-to-add JSON is not valid JSON ('\(item)')") }
        if invocation.isSet("flatten"), let several = added.array {
            elements += several
        } else {
            elements.append(added)
        }
        if let most = invocation.option("maxItems") {
            guard let count = most.integer else { return error("maxItems option must be an integer") }
            guard count >= 0 else { return error("maxItems option integer must be positive") }
            elements = Array(elements.suffix(count))
        }
        Self.change(&root, at: location[...]) { _ in .array(elements) }
        return .string(String(decoding: JSONWriter.compact(root), as: UTF8.self))
    }

    /// Sorts a list by what a path finds in each of its elements: `{{jsonSort list '$[*].name' order='desc'}}`.
    private mutating func jsonSort(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let subject = invocation.argument(0) else { return error("Input JSON must be a string") }
        guard let root = try node(of: subject) else {
            return error("Input JSON string is not valid JSON (\(Self.shown(subject)))")
        }
        guard let elements = root.array else { return error("Input JSON is not a JSON array") }
        let order = invocation.option("order")?.text ?? "asc"
        guard order == "asc" || order == "desc" else { return error("order must be asc or desc") }
        var keys: [JSONNode?] = elements
        if let expression = invocation.text(1) {
            // The path is one of an element, or of the list with all of its elements.
            let inner = expression.hasPrefix("$[*]") ? "$" + expression.dropFirst(4) : expression
            guard let path = try? JSONPath(parsing: inner) else {
                return error("\(expression) is not a valid JSONPath expression")
            }
            keys = []
            for element in elements { keys.append(try nodes(path, in: element).first) }
        }
        try spend(elements.count)
        let places = elements.indices.sorted { one, two in
            let before = Self.rank(keys[one], keys[two])
            return before == 0 ? one < two : (before < 0) == (order == "asc")
        }
        return .string(String(decoding: JSONWriter.compact(.array(places.map { elements[$0] })), as: UTF8.self))
    }

    /// How two keys are ordered: what is not there first, then numbers, then texts, then all else.
    private static func rank(_ one: JSONNode?, _ two: JSONNode?) -> Int {
        func group(_ node: JSONNode?) -> Int {
            guard let node, !node.isNull else { return 0 }
            return node.number != nil ? 1 : node.string != nil ? 2 : 3
        }
        let (left, right) = (group(one), group(two))
        if left != right { return left - right }
        if let first = one?.number?.double, let second = two?.number?.double {
            return first < second ? -1 : first > second ? 1 : 0
        }
        guard let first = one?.string, let second = two?.string, !first.utf8.elementsEqual(second.utf8) else {
            return 0
        }
        return first.utf8.lexicographicallyPrecedes(second.utf8) ? -1 : 1
    }
}

/// JSON with a member a line, as WireMock's helpers print it: `"name" : "value"`, and lists in one line.
enum SpacedJSON {
    static func text(_ node: JSONNode) -> String {
        var output: [UInt8] = []
        write(node, 0, &output)
        return String(decoding: output, as: UTF8.self)
    }

    private static func write(_ node: JSONNode, _ level: Int, _ output: inout [UInt8]) {
        switch node.value {
        case .array(let elements):
            output += "[ ".utf8
            for (index, element) in elements.enumerated() {
                if index > 0 { output += ", ".utf8 }
                write(element, level, &output)
            }
            output += (elements.isEmpty ? "]" : " ]").utf8
        case .object(let object):
            output += "{".utf8
            for (index, member) in object.members.enumerated() {
                if index > 0 { output += ",".utf8 }
                newLine(level + 1, &output)
                JSONWriter.writeString(member.name, to: &output)
                output += " : ".utf8
                write(member.value, level + 1, &output)
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
