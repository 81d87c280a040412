// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiMetering
import MockapiRegularExpressions

/// One validation: a program put to a value within a budget.
struct Evaluator {
    /// A step from a value to one within it.
    enum Step {
        case name(String)
        case index(Int)
    }

    let program: Program
    private let reports: Bool
    /// The steps that the validation may still take.
    private var allowance = Allowance(units: 0)
    private var patterns: Allowance
    private let meter: Meter?
    private var depth = 0
    private var path: [Step] = []
    /// The resources that were entered, the outermost first.
    private var scopes: [Int] = []
    /// How many schemas are being tried whose failure is not the value's.
    private var trials = 0
    private var violations: [JSONSchemaViolation] = []
    /// Why the validation was given up.
    private var surrender: String?
    private var matcher: RegularExpressionMatcher?

    init(_ program: Program, reports: Bool, _ meter: Meter?) {
        self.program = program
        self.meter = meter
        patterns = Allowance(steps: JSONSchemaLimits.patternSteps, of: meter)
        self.reports = reports
    }

    /// Validates a value.
    ///
    /// - Returns: the violations; without reports, a single violation says that there is one.
    mutating func run(_ instance: JSONNode) -> [JSONSchemaViolation] {
        var values = 0
        // A schema that comes when no work is left looks at nothing.
        guard meter?.pay(Meter.step) ?? true else { return [Self.givenUp(Self.noWork)] }
        guard let repeats = Instance.repeatsNames(instance, levels: JSONSchemaLimits.instanceDepth, &values) else {
            return [Self.givenUp("the value has more than \(JSONSchemaLimits.instanceDepth) levels")]
        }
        guard meter?.pay(values * Self.unitsPerValue) ?? true else { return [Self.givenUp(Self.noWork)] }
        allowance = Allowance(
            steps: JSONSchemaLimits.steps + values * JSONSchemaLimits.stepsPerValue, of: meter)
        var seen = Seen()
        let isValid = apply(program.root, to: repeats ? Instance.withoutRepeats(instance) : instance, &seen)
        if let surrender { return [Self.givenUp(surrender)] }
        if isValid { return [] }
        return violations.isEmpty
            ? [JSONSchemaViolation(pointer: "", keyword: "schema", message: "is not valid")] : violations
    }

    /// Units of a value that is looked at before all others. 12.
    private static let unitsPerValue = 12
    private static let noWork = "the request takes more work than it may"

    private static func givenUp(_ reason: String) -> JSONSchemaViolation {
        JSONSchemaViolation(pointer: "", keyword: "", message: "the validation was given up: \(reason)")
    }

    /// Whether the first failure ends the search.
    var isHasty: Bool { !reports || trials > 0 || violations.count >= JSONSchemaLimits.violations || surrender != nil }

    mutating func giveUp(_ reason: String) -> Bool {
        if surrender == nil { surrender = reason }
        return false
    }

    /// Pays for work; false once there is nothing left.
    mutating func pay(_ count: Int = 1) -> Bool {
        if allowance.pay(steps: count) { return true }
        return giveUp(
            meter?.left == 0
                ? Self.noWork : "it takes more than \(allowance.most) steps")
    }

    /// Notes a violation of the value that is looked at.
    mutating func fail(_ keyword: String, _ message: @autoclosure () -> String) -> Bool {
        if reports, trials == 0, surrender == nil, violations.count < JSONSchemaLimits.violations {
            violations.append(JSONSchemaViolation(pointer: pointer, keyword: keyword, message: message()))
        }
        return false
    }

    private var pointer: String {
        var text = ""
        for step in path {
            switch step {
            case .name(let name): text = JSONPointer.appending(name, to: text)
            case .index(let index): text += "/\(index)"
            }
        }
        return text
    }

    // MARK: - Schemas

    /// Puts one schema to a value.
    ///
    /// - Parameter seen: gains the items and properties that were evaluated if the value is valid.
    mutating func apply(_ number: Int, to value: JSONNode, _ seen: inout Seen) -> Bool {
        guard pay() else { return false }
        let rules = program.nodes[number].rules
        if rules.isEmpty { return true }
        if depth >= JSONSchemaLimits.depth {
            return giveUp("more than \(JSONSchemaLimits.depth) schemas apply within one another")
        }
        depth += 1
        let resource = program.nodes[number].resource
        let enters = scopes.last != resource
        if enters { scopes.append(resource) }
        defer {
            depth -= 1
            if enters { scopes.removeLast() }
        }
        var own = Seen()
        var isValid = true
        for rule in rules where !check(rule, value, &own) {
            isValid = false
            if isHasty { return false }
        }
        if isValid, program.usesUnevaluated { seen.merge(own) }
        return isValid
    }

    /// Puts a schema to a value within the present one.
    mutating func apply(_ number: Int, to value: JSONNode, at step: Step) -> Bool {
        path.append(step)
        defer { path.removeLast() }
        var seen = Seen()
        return apply(number, to: value, &seen)
    }

    /// Puts a schema to a value whose failure is not the value's.
    mutating func attempt(_ number: Int, _ value: JSONNode, _ seen: inout Seen) -> Bool {
        trials += 1
        defer { trials -= 1 }
        return apply(number, to: value, &seen)
    }

    private mutating func check(_ rule: Rule, _ value: JSONNode, _ seen: inout Seen) -> Bool {
        switch rule {
        case .never: return fail("false", "nothing is allowed here")
        case .type(let types): return check(value, is: types)
        case .values(let values): return check(value, isOneOf: values)
        case .const(let wanted): return check(value, equals: wanted)
        case .multipleOf(let divisor, let text):
            return value.number.map { check($0, isMultipleOf: divisor, text) } ?? true
        case .bound(let bound): return value.number.map { check($0, bound) } ?? true
        case .length(let keyword, let range): return value.string.map { check($0, keyword, range) } ?? true
        case .pattern(let pattern): return value.string.map { check($0, pattern) } ?? true
        case .format(let format): return value.string.map { check($0, isOf: format) } ?? true
        case .itemCount(let keyword, let range):
            return value.array.map { check($0.count, of: "items", keyword, range) } ?? true
        case .uniqueItems: return value.array.map { checkUnique($0) } ?? true
        case .items(let items): return value.array.map { checkItems(items, $0, &seen) } ?? true
        case .contains(let contains): return value.array.map { checkContains(contains, $0, &seen) } ?? true
        case .unevaluatedItems(let schema):
            return value.array.map { checkUnevaluated(schema, items: $0, &seen) } ?? true
        case .propertyCount(let keyword, let range):
            return value.object.map { check($0.members.count, of: "properties", keyword, range) } ?? true
        case .required(let names): return value.object.map { check($0, has: names) } ?? true
        case .dependentRequired(let lists, let keyword): return value.object.map { check($0, lists, keyword) } ?? true
        case .propertyNames(let schema): return value.object.map { checkNames(of: $0, schema) } ?? true
        case .properties(let properties): return value.object.map { checkProperties(properties, $0, &seen) } ?? true
        case .dependentSchemas(let schemas, let keyword):
            return value.object.map { checkDependent(schemas, keyword, $0, value, &seen) } ?? true
        case .unevaluatedProperties(let schema):
            return value.object.map { checkUnevaluated(schema, properties: $0, &seen) } ?? true
        case .reference(let target): return apply(target, to: value, &seen)
        case .recursiveReference(let target):
            return apply(outermost { $0.recursive } ?? target, to: value, &seen)
        case .dynamicReference(let target, let anchor):
            return apply(outermost { $0.anchors[anchor] } ?? target, to: value, &seen)
        case .allOf(let schemas): return checkAll(schemas, value, &seen)
        case .anyOf(let schemas): return checkAny(schemas, value, &seen)
        case .oneOf(let schemas): return checkOne(schemas, value, &seen)
        case .not(let schema):
            var unused = Seen()
            return !attempt(schema, value, &unused) || fail("not", "matches the schema of not")
        case .condition(let condition, let then, let otherwise):
            guard let branch = attempt(condition, value, &seen) ? then : otherwise else { return true }
            return apply(branch, to: value, &seen)
        }
    }

    private func outermost(_ find: (DynamicScope) -> Int?) -> Int? {
        for scope in scopes {
            if let found = find(program.scopes[scope]) { return found }
        }
        return nil
    }

    private mutating func checkAll(_ schemas: [Int], _ value: JSONNode, _ seen: inout Seen) -> Bool {
        var isValid = true
        for schema in schemas where !apply(schema, to: value, &seen) {
            isValid = false
            if isHasty { return false }
        }
        return isValid
    }

    private mutating func checkAny(_ schemas: [Int], _ value: JSONNode, _ seen: inout Seen) -> Bool {
        var isValid = false
        for schema in schemas where attempt(schema, value, &seen) {
            isValid = true
            if !program.usesUnevaluated { return true }
        }
        return isValid || fail("anyOf", "matches none of the \(schemas.count) schemas of anyOf")
    }

    private mutating func checkOne(_ schemas: [Int], _ value: JSONNode, _ seen: inout Seen) -> Bool {
        var matching: [Int] = []
        for (position, schema) in schemas.enumerated() where attempt(schema, value, &seen) {
            matching.append(position)
            if matching.count > 1 { break }
        }
        if matching.count == 1 { return true }
        if matching.isEmpty { return fail("oneOf", "matches none of the \(schemas.count) schemas of oneOf") }
        return fail("oneOf", "matches more than one schema of oneOf: numbers \(matching[0]) and \(matching[1])")
    }

    // MARK: - Patterns

    /// Whether a pattern is found in a text; false also if the validation is given up.
    mutating func isFound(_ pattern: RegularExpression, in text: String) -> Bool {
        guard pay(8 + text.utf8.count / 64) else { return false }
        let matcher = self.matcher ?? RegularExpressionMatcher(stack: 1 << 20)
        self.matcher = matcher
        switch matcher.match(pattern, text, allowance: &patterns) {
        case .matches: return true
        case .differs: return false
        case .exceedsLimit: break
        }
        return giveUp("the pattern \"\(pattern.text)\" takes too long")
    }
}

/// The items and properties of one value that schemas have evaluated.
struct Seen {
    var hasAllItems = false
    var hasAllProperties = false
    /// How many items from the first on.
    var firstItems = 0
    var items: Set<Int> = []
    var properties: Set<ExactName> = []

    mutating func merge(_ other: Seen) {
        hasAllItems = hasAllItems || other.hasAllItems
        hasAllProperties = hasAllProperties || other.hasAllProperties
        firstItems = max(firstItems, other.firstItems)
        if items.isEmpty { items = other.items } else { items.formUnion(other.items) }
        if properties.isEmpty { properties = other.properties } else { properties.formUnion(other.properties) }
    }
}

/// A value that is validated, seen as a whole.
enum Instance {
    /// Whether an object in the value has a name twice; nil if there are more levels than may be.
    ///
    /// - Parameter values: gains the number of values.
    static func repeatsNames(_ node: JSONNode, levels: Int, _ values: inout Int) -> Bool? {
        values += 1
        var repeats = false
        switch node.value {
        case .array(let elements):
            if levels == 0 { return nil }
            for element in elements {
                guard let inner = repeatsNames(element, levels: levels - 1, &values) else { return nil }
                repeats = repeats || inner
            }
        case .object(let object):
            if levels == 0 { return nil }
            repeats = repeatsName(object)
            for member in object.members {
                guard let inner = repeatsNames(member.value, levels: levels - 1, &values) else { return nil }
                repeats = repeats || inner
            }
        default: break
        }
        return repeats
    }

    private static func repeatsName(_ object: JSONObject) -> Bool {
        let members = object.members
        if members.count <= 8 {
            for (position, member) in members.enumerated() {
                for other in members[..<position] where other.name.utf8.elementsEqual(member.name.utf8) { return true }
            }
            return false
        }
        return Set(members.map { ExactName($0.name) }).count < members.count
    }

    /// The value with the last of repeated members only, as most readers of JSON take it.
    static func withoutRepeats(_ node: JSONNode) -> JSONNode {
        switch node.value {
        case .array(let elements): return JSONNode(.array(elements.map(withoutRepeats)), offset: node.offset)
        case .object(let object):
            var last: [ExactName: Int] = [:]
            for (position, member) in object.members.enumerated() { last[ExactName(member.name)] = position }
            var members: [JSONObject.Member] = []
            for (position, member) in object.members.enumerated() where last[ExactName(member.name)] == position {
                var member = member
                member.value = withoutRepeats(member.value)
                members.append(member)
            }
            return JSONNode(.object(JSONObject(members)), offset: node.offset)
        default: return node
        }
    }
}
