// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONPath
import MockapiJSONText

/// The helpers that change JSON: merge, remove, add, sort.
extension Renderer {
    mutating func jsonMerge(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        guard let base = invocation.text(0) else { return error("Base JSON parameter must be a string") }
        guard let one = try readJSON(base) else { return error("Base JSON is not valid JSON ('\(base)')") }
        guard one.object != nil else { return error("Base JSON is not a JSON object ('\(base)')") }
        guard let other = try blockText(of: invocation) ?? invocation.text(1) else {
            return error("JSON to merge must be a string")
        }
        guard let two = try readJSON(other) else { return error("JSON to merge is not valid JSON ('\(other)')") }
        guard two.object != nil else { return error("JSON to merge is not a JSON object ('\(other)')") }
        let dropsNulls = invocation.isSet("removeNulls")
        let merged = try withNumbers(of: Self.merged(one, two, dropsNulls)) { $0.plainText(keepsZeros: false) }
        return .string(String(decoding: JSONWriter.compact(merged), as: UTF8.self))
    }

    private static func merged(_ base: JSONNode, _ other: JSONNode, _ dropsNulls: Bool) -> JSONNode {
        guard let left = base.object, let right = other.object else { return other }
        func drops(_ member: JSONObject.Member) -> Bool { dropsNulls && member.value.isNull }
        var members = left.members
        var dropped: Set<Int> = []
        // Names by their letters: two that look the same may be two.
        var places = Dictionary(members.indices.map { (Array(members[$0].name.utf8), $0) }, uniquingKeysWith: { $1 })
        for member in right.members {
            let name = Array(member.name.utf8)
            if let place = places[name] {
                if drops(member) {
                    dropped.insert(place)
                    continue
                }
                members[place].value = merged(members[place].value, member.value, dropsNulls)
                dropped.remove(place)
            } else if !drops(member) {
                places[name] = members.count
                members.append(member)
            }
        }
        if !dropped.isEmpty { members = members.indices.filter { !dropped.contains($0) }.map { members[$0] } }
        return JSONNode(.object(JSONObject(members)))
    }

    mutating func jsonRemove(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
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
        // From the last: a removed element moves those behind it.
        for location in try locations(path, in: root).reversed() {
            guard !location.isEmpty else {
                return error("Delete operation cannot be applied to JSONPath expression ('\(expression)')")
            }
            try spend(1 + text.utf8.count / 512)
            Self.change(&removed, at: location[...]) { _ in nil }
        }
        removed = try withNumbers(of: removed) { $0.plainText(keepsZeros: true) }
        return .string(String(decoding: JSONWriter.compact(removed), as: UTF8.self))
    }

    private mutating func locations(
        _ path: JSONPath, in root: JSONNode
    ) throws(TemplateFailure) -> [[JSONPathStep]] {
        let located: [[JSONPathStep]]
        do throws(JSONPathGaveUp) {
            located = try path.located(in: root, allowance: &allowance).map(\.location)
        } catch {
            throw failure(JSONPathGaveUp.message)
        }
        try make(located.count * MemoryLayout<[JSONPathStep]>.stride)
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

    mutating func jsonArrayAdd(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
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
        guard let item = try blockText(of: invocation) ?? invocation.text(1) else {
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
        root = try withNumbers(of: root) { $0.plainText(keepsZeros: true) }
        return .string(String(decoding: JSONWriter.compact(root), as: UTF8.self))
    }

    /// Sorts a list by the values at a path in its elements: `{{jsonSort list '$[*].name' order='desc'}}`.
    mutating func jsonSort(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
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

    /// How two keys are ordered: a missing one first, then numbers, then texts, then all else.
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
