// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Reads the keywords of a schema that hold no further schema.
struct SchemaAssertions {
    var place: SchemaPlace
    var version: JSONSchemaVersion
    /// Whether a format asks for something in every draft.
    var assertsFormats = false

    func rules() throws(JSONSchemaError) -> [Rule] {
        // OpenAPI's keyword, which WireMock lets its validator mind.
        let isNullable = place.node["nullable"]?.bool == true
        var rules: [Rule] = []
        if let types = try types() { rules.append(.type(isNullable ? types.union(.null) : types)) }
        if let node = keyword("enum") {
            guard let values = node.array else { throw place.failure("enum", "a list", node) }
            rules.append(.values(Self.valueSet(isNullable ? values + [.null] : values)))
        }
        if let value = keyword("const") { rules.append(.const(value)) }
        rules += try numberRules()
        rules += try sizes("maxLength", "minLength") { .length(keyword: $0, range: $1) }
        rules += try sizes("maxItems", "minItems") { .itemCount(keyword: $0, range: $1) }
        rules += try sizes("maxProperties", "minProperties") { .propertyCount(keyword: $0, range: $1) }
        if try flag("uniqueItems") { rules.append(.uniqueItems) }
        // Draft 3 has a boolean here; the validators pass over it.
        if let node = keyword("required"), node.bool == nil { rules.append(.required(try names(node, "required"))) }
        if let node = keyword("dependentRequired") {
            guard let object = node.object else {
                throw place.failure("dependentRequired", "an object of lists of names", node)
            }
            var lists: [(name: String, names: [String])] = []
            for member in object.members { lists.append((member.name, try names(member.value, "dependentRequired"))) }
            rules.append(.dependentRequired(lists, keyword: "dependentRequired"))
        }
        // Since 2019-09 a format says something of a value, and asks nothing of it.
        if let node = keyword("format"), version < .draft2019 || assertsFormats {
            guard let name = node.string else { throw place.failure("format", "a string", node) }
            if Formats.known(in: version).contains(name) { rules.append(.format(name)) }
        }
        return rules
    }

    private func keyword(_ name: String) -> JSONNode? { place.keyword(name, in: version) }

    private func types() throws(JSONSchemaError) -> TypeSet? {
        guard let node = keyword("type") else { return nil }
        var result: TypeSet = []
        for element in node.array ?? [node] {
            guard let name = element.string else {
                throw place.failure("type", "the name of a type, or a list", element)
            }
            guard let type = TypeSet(name: name, in: version) else {
                let known = Vocabulary.typeNames.joined(separator: ", ")
                throw JSONSchemaError(
                    pointer: place.pointer("type"), message: "\"\(name)\" is not a type; there are \(known)",
                    offset: element.offset)
            }
            result.formUnion(type)
        }
        return result
    }

    private static func valueSet(_ values: [JSONNode]) -> ValueSet {
        var set = ValueSet(strings: [], others: [], text: "")
        for value in values {
            if let text = value.string { set.strings.insert(ExactName(text)) } else { set.others.append(value) }
        }
        set.text = values.prefix(5).map(Excerpt.of).joined(separator: ", ") + (values.count > 5 ? ", …" : "")
        return set
    }

    private func numberRules() throws(JSONSchemaError) -> [Rule] {
        var rules: [Rule] = []
        if let divisor = try number("multipleOf") {
            let value = Decimal(divisor)
            guard !value.isZero, !value.isBelowZero else {
                throw JSONSchemaError(
                    pointer: place.pointer("multipleOf"),
                    message: "multipleOf needs a number above 0, not \(divisor.literal)",
                    offset: keyword("multipleOf")?.offset ?? 0)
            }
            rules.append(.multipleOf(value, divisor.literal))
        }
        for (name, exclusiveName, isUpper) in [
            ("maximum", "exclusiveMaximum", true), ("minimum", "exclusiveMinimum", false),
        ] {
            let isExclusive = version == .draft4 ? try flag(exclusiveName) : false
            if let number = try number(name) {
                rules.append(bound(isExclusive ? exclusiveName : name, number, isUpper, isExclusive))
            }
            if version > .draft4, let number = try number(exclusiveName) {
                rules.append(bound(exclusiveName, number, isUpper, true))
            }
        }
        return rules
    }

    private func bound(_ keyword: String, _ number: JSONNumber, _ isUpper: Bool, _ isExclusive: Bool) -> Rule {
        let value = Decimal(number)
        return .bound(
            Bound(keyword: keyword, isUpper: isUpper, isExclusive: isExclusive, value: value, text: number.literal))
    }

    private func number(_ name: String) throws(JSONSchemaError) -> JSONNumber? {
        guard let node = keyword(name) else { return nil }
        guard let number = node.number else { throw place.failure(name, "a number", node) }
        return number
    }

    private func flag(_ name: String) throws(JSONSchemaError) -> Bool {
        guard let node = keyword(name) else { return false }
        guard let flag = node.bool else { throw place.failure(name, "true or false", node) }
        return flag
    }

    /// A number of things.
    func count(_ name: String) throws(JSONSchemaError) -> Int? {
        guard let number = try number(name) else { return nil }
        let value = Decimal(number)
        guard value.isInteger, !value.isBelowZero else {
            throw JSONSchemaError(
                pointer: place.pointer(name), message: "\(name) needs a whole number from 0 on, not \(number.literal)",
                offset: keyword(name)?.offset ?? 0)
        }
        return number.integer ?? Int.max
    }

    private func sizes(
        _ most: String, _ least: String, _ rule: (String, ClosedRange<Int>) -> Rule
    ) throws(JSONSchemaError) -> [Rule] {
        var rules: [Rule] = []
        if let count = try count(most) { rules.append(rule(most, 0...count)) }
        if let count = try count(least), count > 0 { rules.append(rule(least, count...Int.max)) }
        return rules
    }

    private func names(_ node: JSONNode, _ keyword: String) throws(JSONSchemaError) -> [String] {
        guard let list = node.array else { throw place.failure(keyword, "a list of names", node) }
        var names: [String] = []
        for element in list {
            guard let name = element.string else { throw place.failure(keyword, "a list of names", element) }
            names.append(name)
        }
        return names
    }
}

/// A value as messages show it.
enum Excerpt {
    static func of(_ node: JSONNode) -> String {
        let bytes = JSONWriter.compact(node, enough: 60)
        let text = String(decoding: bytes, as: UTF8.self)
        return bytes.count <= 60 ? text : String(String.UnicodeScalarView(text.unicodeScalars.prefix(60))) + "…"
    }
}
