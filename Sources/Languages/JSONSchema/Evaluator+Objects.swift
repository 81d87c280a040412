// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

extension Evaluator {
    mutating func check(_ object: JSONObject, has names: [String]) -> Bool {
        guard pay(1 + names.count / 16) else { return false }
        let present = Names(object, asked: names.count)
        var isValid = true
        for name in names where !present.contains(name) {
            isValid = fail("required", "has no property \"\(name)\"")
            if isHasty { return false }
        }
        return isValid
    }

    mutating func check(_ object: JSONObject, _ lists: [(name: String, names: [String])], _ keyword: String) -> Bool {
        let present = Names(object, asked: lists.count)
        var isValid = true
        for (name, names) in lists where present.contains(name) {
            guard pay(1 + names.count / 16) else { return false }
            for other in names where !present.contains(other) {
                isValid = fail(keyword, "has \"\(name)\", and so should have \"\(other)\"")
                if isHasty { return false }
            }
        }
        return isValid
    }

    mutating func checkNames(of object: JSONObject, _ schema: Int) -> Bool {
        for member in object.members {
            var unused = Seen()
            if !attempt(schema, .string(member.name), &unused) {
                return fail("propertyNames", "has the property \"\(member.name)\", whose name is not allowed")
            }
        }
        return true
    }

    mutating func checkProperties(_ rule: PropertiesRule, _ object: JSONObject, _ seen: inout Seen) -> Bool {
        var isValid = true
        for member in object.members {
            let name = ExactName(member.name)
            var isNamed = false
            var schemas: [Int] = []
            if let schema = rule.named[name] {
                isNamed = true
                schemas.append(schema)
            }
            for (pattern, schema) in rule.patterns where isFound(pattern, in: member.name) {
                isNamed = true
                schemas.append(schema)
            }
            if !isNamed {
                guard let additional = rule.additional else { continue }
                if isNever(additional) {
                    isValid = fail("additionalProperties", "has the property \"\(member.name)\", which is not allowed")
                    if isHasty { return false }
                    continue
                }
                schemas.append(additional)
            }
            if program.usesUnevaluated { seen.properties.insert(name) }
            for schema in schemas where !apply(schema, to: member.value, at: .name(member.name)) {
                isValid = false
                if isHasty { return false }
            }
        }
        return isValid
    }

    private func isNever(_ schema: Int) -> Bool {
        if case .never? = program.nodes[schema].rules.first { true } else { false }
    }

    mutating func checkDependent(
        _ schemas: [(name: String, schema: Int)], _ keyword: String, _ object: JSONObject, _ value: JSONNode,
        _ seen: inout Seen
    ) -> Bool {
        let present = Names(object, asked: schemas.count)
        var isValid = true
        for (name, schema) in schemas where present.contains(name) && !apply(schema, to: value, &seen) {
            isValid = false
            if isHasty { return false }
        }
        return isValid
    }

    mutating func checkUnevaluated(_ schema: Int, properties object: JSONObject, _ seen: inout Seen) -> Bool {
        if seen.hasAllProperties { return true }
        var isValid = true
        for member in object.members where !seen.properties.contains(ExactName(member.name)) {
            if isNever(schema) {
                isValid = fail(
                    "unevaluatedProperties", "has the property \"\(member.name)\", which no schema speaks of")
            } else if !apply(schema, to: member.value, at: .name(member.name)) {
                isValid = false
            }
            if !isValid, isHasty { return false }
        }
        seen.hasAllProperties = true
        return isValid
    }
}

/// The names of an object's members, looked up as often as is asked.
private struct Names {
    private let object: JSONObject
    private let set: Set<ExactName>?

    init(_ object: JSONObject, asked: Int) {
        self.object = object
        set = object.members.count > 8 && asked > 2 ? Set(object.members.map { ExactName($0.name) }) : nil
    }

    func contains(_ name: String) -> Bool { set.map { $0.contains(ExactName(name)) } ?? (object[name] != nil) }
}
