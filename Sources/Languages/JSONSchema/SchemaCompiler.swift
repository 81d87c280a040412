// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRegularExpressions

/// Turns a schema document into a program; schemas that nothing leads to are read too, so that their mistakes are reported.
struct SchemaCompiler {
    /// A schema that has a number and is not compiled yet.
    private struct Pending {
        var number: Int
        var node: JSONNode
        var location: Resources.Location
        var resource: Int
    }

    var assertsFormats = false
    private var resources = Resources()
    private var numbers: [Resources.Location: Int] = [:]
    private var pending: [Pending] = []
    private var nodes: [SchemaNode] = []
    private var patterns: [ExactName: RegularExpression] = [:]

    init(_ document: JSONNode, version: JSONSchemaVersion) throws(JSONSchemaError) {
        guard document.object != nil || document.bool != nil else {
            throw JSONSchemaError(
                pointer: "", message: "a schema is an object or a boolean, not \(document.kindName)",
                offset: document.offset)
        }
        guard Self.hasDepth(document, atMost: JSONSchemaLimits.schemaDepth) else {
            throw JSONSchemaError(
                pointer: "", message: "the schema has more than \(JSONSchemaLimits.schemaDepth) levels")
        }
        guard JSONWriter.compact(document, enough: JSONSchemaLimits.schemaBytes).count <= JSONSchemaLimits.schemaBytes
        else {
            throw JSONSchemaError(
                pointer: "", message: "the schema has more than \(JSONSchemaLimits.schemaBytes) bytes")
        }
        try resources.add(document, uri: "", version: version)
    }

    private static func hasDepth(_ node: JSONNode, atMost depth: Int) -> Bool {
        switch node.value {
        case .array(let elements): depth > 0 && elements.allSatisfy { hasDepth($0, atMost: depth - 1) }
        case .object(let object): depth > 0 && object.members.allSatisfy { hasDepth($0.value, atMost: depth - 1) }
        default: true
        }
    }

    mutating func compile() throws(JSONSchemaError) -> Program {
        let begin = resources.all[0]
        let root = number(of: begin.node, at: begin.location, in: 0)
        try compilePending()
        // The schemas that dynamic references may find; compiling them can bring in further resources.
        var scopes: [DynamicScope] = []
        while scopes.count < resources.all.count {
            let resource = resources.all[scopes.count]
            var scope = DynamicScope()
            if resource.isRecursive {
                scope.recursive = number(of: resource.node, at: resource.location, in: scopes.count)
            }
            for name in resource.dynamicAnchors {
                guard let anchor = resource.anchors[name] else { continue }
                scope.anchors[name] = number(of: anchor.node, at: anchor.location, in: scopes.count)
            }
            try compilePending()
            scopes.append(scope)
        }
        let usesUnevaluated = nodes.contains { $0.rules.contains(where: \.isUnevaluated) }
        return Program(nodes: nodes, root: root, scopes: scopes, usesUnevaluated: usesUnevaluated)
    }

    private mutating func compilePending() throws(JSONSchemaError) {
        while let next = pending.popLast() {
            let place = SchemaPlace(node: next.node, location: next.location, resource: next.resource)
            nodes[next.number].rules = try rules(of: place)
        }
    }

    /// The number of a schema, which is compiled later.
    private mutating func number(of node: JSONNode, at location: Resources.Location, in resource: Int) -> Int {
        if let known = numbers[location] { return known }
        let resource = resources.resource(at: location, within: resource)
        let number = nodes.count
        numbers[location] = number
        nodes.append(SchemaNode(resource: resource, rules: []))
        pending.append(Pending(number: number, node: node, location: location, resource: resource))
        return number
    }

    // MARK: - The means to read the keywords

    private mutating func schema(_ node: JSONNode, _ place: SchemaPlace, _ path: String...) throws(JSONSchemaError)
        -> Int
    {
        var location = place.location
        for token in path { location = location.child(token) }
        guard location.pointer.utf8.count <= JSONSchemaLimits.pointerBytes else {
            throw JSONSchemaError.tooFar(location.pointer, offset: node.offset)
        }
        guard node.object != nil || node.bool != nil else {
            throw JSONSchemaError(
                pointer: location.pointer, message: "a schema is an object or a boolean, not \(node.kindName)",
                offset: node.offset)
        }
        return number(of: node, at: location, in: place.resource)
    }

    private mutating func schema(_ keyword: String, _ place: SchemaPlace) throws(JSONSchemaError) -> Int? {
        guard let node = place.keyword(keyword, in: version(of: place)) else { return nil }
        return try schema(node, place, keyword)
    }

    private mutating func schemas(_ keyword: String, _ place: SchemaPlace) throws(JSONSchemaError) -> [Int]? {
        guard let node = place.keyword(keyword, in: version(of: place)) else { return nil }
        guard let elements = node.array else { throw place.failure(keyword, "a list of schemas", node) }
        var numbers: [Int] = []
        for (position, element) in elements.enumerated() {
            numbers.append(try schema(element, place, keyword, "\(position)"))
        }
        return numbers
    }

    private mutating func schemaMap(
        _ keyword: String, _ place: SchemaPlace
    ) throws(JSONSchemaError) -> [(name: String, schema: Int)]? {
        guard let node = place.keyword(keyword, in: version(of: place)) else { return nil }
        guard let object = node.object else { throw place.failure(keyword, "an object of schemas", node) }
        var result: [(name: String, schema: Int)] = []
        for member in object.members {
            result.append((member.name, try schema(member.value, place, keyword, member.name)))
        }
        return result
    }

    private func version(of place: SchemaPlace) -> JSONSchemaVersion { resources.all[place.resource].version }

    private mutating func pattern(_ text: String, at pointer: String, offset: Int) throws(JSONSchemaError)
        -> RegularExpression
    {
        if let known = patterns[ExactName(text)] { return known }
        do throws(RegularExpression.Failure) {
            let pattern = try RegularExpression(text, .ecmaScript)
            patterns[ExactName(text)] = pattern
            return pattern
        } catch {
            throw JSONSchemaError(
                pointer: pointer, message: "the pattern \"\(text)\" is broken: \(error.message)", offset: offset)
        }
    }

    // MARK: - Rules

    private mutating func rules(of place: SchemaPlace) throws(JSONSchemaError) -> [Rule] {
        if let allows = place.node.bool { return allows ? [] : [.never] }
        let version = version(of: place)
        var rules: [Rule] = []
        if let reference = place.keyword("$ref", in: version)?.string {
            rules.append(.reference(try target(of: reference, "$ref", place).number))
            // Before 2019-09 nothing counts beside a reference; keywords there may still be led to.
            if version < .draft2019 { return rules }
        }
        rules += try dynamicReferences(place, version)
        rules += try SchemaAssertions(place: place, version: version, assertsFormats: assertsFormats).rules()
        if let node = place.keyword("pattern", in: version) {
            guard let text = node.string else { throw place.failure("pattern", "a string", node) }
            rules.append(.pattern(try pattern(text, at: place.pointer("pattern"), offset: node.offset)))
        }
        rules += try objectRules(place, version)
        rules += try arrayRules(place, version)
        if let schemas = try schemas("allOf", place) { rules.append(.allOf(schemas)) }
        if let schemas = try schemas("anyOf", place) { rules.append(.anyOf(schemas)) }
        if let schemas = try schemas("oneOf", place) { rules.append(.oneOf(schemas)) }
        if let schema = try schema("not", place) { rules.append(.not(schema)) }
        let then = try schema("then", place)
        let otherwise = try schema("else", place)
        if let schema = try schema("if", place) {
            rules.append(.condition(if: schema, then: then, else: otherwise))
        }
        if let schema = try schema("unevaluatedItems", place) { rules.append(.unevaluatedItems(schema)) }
        if let schema = try schema("unevaluatedProperties", place) { rules.append(.unevaluatedProperties(schema)) }
        // Only led to by references, but read.
        _ = try schemaMap("definitions", place)
        _ = try schemaMap("$defs", place)
        return rules
    }

    private mutating func target(
        of reference: String, _ keyword: String, _ place: SchemaPlace
    ) throws(JSONSchemaError) -> (number: Int, target: Resources.Target) {
        let offset = place.node[keyword]?.offset ?? 0
        let target = try resources.target(
            of: reference, from: place.resource, at: place.pointer(keyword), offset: offset)
        guard target.node.object != nil || target.node.bool != nil else {
            let message = "\"\(reference)\" leads to \(target.node.kindName), which is not a schema"
            throw JSONSchemaError(pointer: place.pointer(keyword), message: message, offset: offset)
        }
        return (number(of: target.node, at: target.location, in: target.resource), target)
    }

    private mutating func dynamicReferences(
        _ place: SchemaPlace, _ version: JSONSchemaVersion
    ) throws(JSONSchemaError) -> [Rule] {
        if let reference = place.keyword("$recursiveRef", in: version)?.string {
            let (number, target) = try target(of: reference, "$recursiveRef", place)
            let isDynamic = resources.all[target.resource].isRecursive
            return [isDynamic ? .recursiveReference(number) : .reference(number)]
        }
        if let reference = place.keyword("$dynamicRef", in: version)?.string {
            let (number, target) = try target(of: reference, "$dynamicRef", place)
            guard let anchor = target.dynamicAnchor else { return [.reference(number)] }
            return [.dynamicReference(number, anchor: anchor)]
        }
        return []
    }

    private mutating func objectRules(
        _ place: SchemaPlace, _ version: JSONSchemaVersion
    ) throws(JSONSchemaError) -> [Rule] {
        var rules: [Rule] = []
        var properties = PropertiesRule(named: [:], patterns: [], additional: nil)
        for (name, schema) in try schemaMap("properties", place) ?? [] { properties.named[ExactName(name)] = schema }
        for (name, schema) in try schemaMap("patternProperties", place) ?? [] {
            let pointer = JSONPointer.appending(name, to: place.pointer("patternProperties"))
            let offset = place.node["patternProperties"]?.offset ?? 0
            properties.patterns.append((try pattern(name, at: pointer, offset: offset), schema))
        }
        properties.additional = try schema("additionalProperties", place)
        if !properties.named.isEmpty || !properties.patterns.isEmpty || properties.additional != nil {
            rules.append(.properties(properties))
        }
        if let schema = try schema("propertyNames", place) { rules.append(.propertyNames(schema)) }
        if let schemas = try schemaMap("dependentSchemas", place) {
            rules.append(.dependentSchemas(schemas, keyword: "dependentSchemas"))
        }
        if let node = place.keyword("dependencies", in: version) {
            guard let object = node.object else { throw place.failure("dependencies", "an object", node) }
            var names: [(name: String, names: [String])] = []
            var schemas: [(name: String, schema: Int)] = []
            for member in object.members {
                if let list = member.value.array {
                    names.append((member.name, list.compactMap(\.string)))
                } else if let name = member.value.string {
                    // Draft 3's form for one name.
                    names.append((member.name, [name]))
                } else {
                    schemas.append((member.name, try schema(member.value, place, "dependencies", member.name)))
                }
            }
            if !names.isEmpty { rules.append(.dependentRequired(names, keyword: "dependencies")) }
            if !schemas.isEmpty { rules.append(.dependentSchemas(schemas, keyword: "dependencies")) }
        }
        return rules
    }

    private mutating func arrayRules(
        _ place: SchemaPlace, _ version: JSONSchemaVersion
    ) throws(JSONSchemaError) -> [Rule] {
        var rules: [Rule] = []
        var items = ItemsRule(first: [], rest: nil)
        if version == .draft2020 {
            items.first = try schemas("prefixItems", place) ?? []
            items.rest = try schema("items", place)
        } else if place.node["items"]?.array != nil {
            items.first = try schemas("items", place) ?? []
            items.rest = try schema("additionalItems", place)
        } else {
            items.rest = try schema("items", place)
            _ = try schema("additionalItems", place)
        }
        if !items.first.isEmpty || items.rest != nil { rules.append(.items(items)) }
        if let schema = try schema("contains", place) {
            let assertions = SchemaAssertions(place: place, version: version)
            rules.append(
                .contains(
                    ContainsRule(
                        schema: schema, least: try assertions.count("minContains") ?? 1,
                        most: try assertions.count("maxContains"), evaluates: version == .draft2020)))
        }
        return rules
    }
}

/// A schema that is compiled, and where it stands.
struct SchemaPlace {
    var node: JSONNode
    var location: Resources.Location
    var resource: Int

    /// A keyword's value, if the draft has the keyword.
    func keyword(_ name: String, in version: JSONSchemaVersion) -> JSONNode? {
        guard Vocabulary.shape(of: name, in: version) != nil else { return nil }
        return node[name]
    }

    func pointer(_ keyword: String) -> String { location.child(keyword).pointer }

    func failure(_ keyword: String, _ wanted: String, _ found: JSONNode) -> JSONSchemaError {
        let message = "\(keyword) needs \(wanted), not \(found.kindName)"
        return JSONSchemaError(pointer: pointer(keyword), message: message, offset: found.offset)
    }
}
