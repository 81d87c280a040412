// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRegularExpressions

extension Evaluator {
    mutating func check(_ value: JSONNode, is types: TypeSet) -> Bool {
        types.allows(value) || fail("type", "is \(Self.typeName(value)), should be \(types.text)")
    }

    mutating func check(_ value: JSONNode, isOneOf values: ValueSet) -> Bool {
        if let text = value.string {
            if values.strings.contains(ExactName(text)) { return true }
        } else {
            for other in values.others {
                guard payForComparison(other) else { return false }
                if other == value { return true }
            }
        }
        return fail("enum", "is \(Excerpt.of(value)), which is not one of \(values.text)")
    }

    mutating func check(_ value: JSONNode, equals wanted: JSONNode) -> Bool {
        guard payForComparison(wanted) else { return false }
        return wanted == value || fail("const", "is \(Excerpt.of(value)), should be \(Excerpt.of(wanted))")
    }

    /// Checks how many parts of a kind a value has.
    mutating func check(_ count: Int, of parts: String, _ keyword: String, _ range: ClosedRange<Int>) -> Bool {
        if range.contains(count) { return true }
        let wanted = range.lowerBound == 0 ? "at most \(range.upperBound)" : "at least \(range.lowerBound)"
        return fail(keyword, "has \(count) \(parts), should have \(wanted)")
    }

    private static func typeName(_ value: JSONNode) -> String {
        if let number = value.number {
            return Decimal(number).isInteger ? "the integer \(Excerpt.of(value))" : "a number"
        }
        switch value.value {
        case .null: return "null"
        case .array: return "an array"
        case .object: return "an object"
        default: return "a \(value.kindName)"
        }
    }

    /// Pays for one comparison with a value of the schema, which bounds its cost.
    private mutating func payForComparison(_ wanted: JSONNode) -> Bool {
        switch wanted.value {
        case .array(let elements): return pay(1 + elements.count)
        case .object(let object): return pay(1 + object.members.count)
        case .string(let text): return pay(1 + text.utf8.count / 64)
        default: return pay()
        }
    }

    mutating func check(_ number: JSONNumber, _ bound: Bound) -> Bool {
        let value = Decimal(number)
        guard pay(1 + value.digitCount / 64) else { return false }
        let (least, most) = bound.isUpper ? (value, bound.value) : (bound.value, value)
        if bound.isExclusive ? least < most : !(most < least) { return true }
        let side = bound.isUpper ? "less than" : "greater than"
        let wanted = bound.isExclusive ? side : bound.isUpper ? "at most" : "at least"
        return fail(bound.keyword, "is \(Self.shown(number)), should be \(wanted) \(bound.text)")
    }

    mutating func check(_ number: JSONNumber, isMultipleOf divisor: Decimal, _ text: String) -> Bool {
        let value = Decimal(number)
        guard pay(1 + value.digitCount / 64) else { return false }
        guard let isMultiple = value.isMultiple(of: divisor) else {
            return giveUp("multipleOf \(text) of a number with so many digits")
        }
        return isMultiple || fail("multipleOf", "is \(Self.shown(number)), which is not a multiple of \(text)")
    }

    private static func shown(_ number: JSONNumber) -> String { Excerpt.of(JSONNode(.number(number))) }

    mutating func check(_ text: String, _ keyword: String, _ range: ClosedRange<Int>) -> Bool {
        guard pay(1 + text.utf8.count / 64) else { return false }
        return check(text.unicodeScalars.count, of: "characters", keyword, range)
    }

    mutating func check(_ text: String, _ pattern: RegularExpression) -> Bool {
        isFound(pattern, in: text)
            || fail("pattern", "is \(Excerpt.of(.string(text))), which does not match the pattern \(pattern.text)")
    }

    mutating func check(_ text: String, isOf format: String) -> Bool {
        guard pay(1 + text.utf8.count / 64) else { return false }
        return Formats.isValid(text, format)
            || fail("format", "is \(Excerpt.of(.string(text))), which is not of the format \(format)")
    }

    // MARK: - Arrays

    mutating func checkUnique(_ items: [JSONNode]) -> Bool {
        var known: [[UInt8]: Int] = [:]
        for (position, item) in items.enumerated() {
            var text: [UInt8] = []
            CanonicalText.append(item, to: &text)
            guard pay(1 + text.count / 64) else { return false }
            if let first = known.updateValue(position, forKey: text) {
                return fail("uniqueItems", "has equal items: numbers \(first) and \(position)")
            }
        }
        return true
    }

    mutating func checkItems(_ rule: ItemsRule, _ items: [JSONNode], _ seen: inout Seen) -> Bool {
        var isValid = true
        for (position, item) in items.enumerated() {
            guard let schema = position < rule.first.count ? rule.first[position] : rule.rest else { break }
            if !apply(schema, to: item, at: .index(position)) {
                isValid = false
                if isHasty { return false }
            }
        }
        if rule.rest != nil { seen.hasAllItems = true }
        seen.firstItems = max(seen.firstItems, rule.first.count)
        return isValid
    }

    mutating func checkContains(_ rule: ContainsRule, _ items: [JSONNode], _ seen: inout Seen) -> Bool {
        var count = 0
        for (position, item) in items.enumerated() {
            var unused = Seen()
            guard attempt(rule.schema, item, &unused) else { continue }
            count += 1
            if rule.evaluates { seen.items.insert(position) }
            if !program.usesUnevaluated, count >= rule.least, rule.most == nil { return true }
        }
        if let most = rule.most, count > most {
            return fail("maxContains", "has \(count) items that match contains, should have at most \(most)")
        }
        if count >= rule.least { return true }
        if rule.least == 1 { return fail("contains", "has no item that matches contains") }
        return fail("minContains", "has \(count) items that match contains, should have at least \(rule.least)")
    }

    mutating func checkUnevaluated(_ schema: Int, items: [JSONNode], _ seen: inout Seen) -> Bool {
        if seen.hasAllItems { return true }
        var isValid = true
        for (position, item) in items.enumerated()
        where position >= seen.firstItems && !seen.items.contains(position) {
            if !apply(schema, to: item, at: .index(position)) {
                isValid = false
                if isHasty { return false }
            }
        }
        seen.hasAllItems = true
        return isValid
    }
}

/// A text that two values share if they are equal, and only then.
enum CanonicalText {
    static func append(_ node: JSONNode, to output: inout [UInt8]) {
        switch node.value {
        case .number(let number): output += number.canonicalText.utf8
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for element in elements {
                append(element, to: &output)
                output.append(UInt8(ascii: ","))
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            let members = object.members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            for member in members {
                JSONWriter.writeString(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                append(member.value, to: &output)
                output.append(UInt8(ascii: ","))
            }
            output.append(UInt8(ascii: "}"))
        default: output += JSONWriter.compact(node)
        }
    }
}
