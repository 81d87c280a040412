// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The helpers, by the names that templates call them by.
enum Helper: String, CaseIterable, Sendable {
    // Those of Handlebars.
    case `if`, unless, each, with, lookup, log
    // Conditions.
    case eq, neq, gt, gte, lt, lte, and, or, not, contains, matches
    // Numbers.
    case isEven, isOdd, stripes, math, numberFormat, size, range
    // Texts.
    case capitalize, capitalizeFirst, center, cut, defaultIfEmpty, join, ljust, rjust, substring, lower, upper, slugify
    case stringFormat, stripTags, wordWrap, replace, yesno, abbreviate, trim, base64, urlEncode, regexExtract
    // Dates.
    case now, date, parseDate, truncateDate, dateFormat
    // Lists.
    case array, arrayAdd, arrayRemove, arrayJoin
    // Random values.
    case randomValue, randomInt, randomDecimal, pickRandom
    // JSON, XML and forms.
    case jsonPath, parseJson, toJson, formatJson, jsonMerge, jsonRemove, jsonArrayAdd, jsonSort
    case xPath, soapXPath, formatXml, formData
    // Names for values, and the surroundings.
    case assign, val, hostname, systemValue

    /// The name that is nearest to an unknown one; nil if none is near.
    static func nearest(to name: String) -> String? {
        guard name.utf8.count <= 40 else { return nil }
        let known = allCases.map { ($0.rawValue, distance(Array(name.utf8), Array($0.rawValue.utf8))) }
        guard let nearest = known.min(by: { $0.1 < $1.1 }), nearest.1 <= max(1, name.utf8.count / 3) else { return nil }
        return nearest.0
    }

    /// How many letters are to be changed, without regard to case (Levenshtein).
    private static func distance(_ one: [UInt8], _ other: [UInt8]) -> Int {
        var row = Array(0...other.count)
        for (index, byte) in one.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (place, letter) in other.enumerated() {
                let cost = diagonal + (byte | 0x20 == letter | 0x20 ? 0 : 1)
                diagonal = row[place + 1]
                row[place + 1] = min(cost, row[place] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}

/// A helper with its arguments.
struct Invocation {
    let helper: Helper
    let arguments: [TemplateValue]
    let options: [String: TemplateValue]
    let offset: Int
    /// The content of its block; nil if it is not a block.
    var block: [TemplateNode]?

    /// An argument that is there and is not null.
    func argument(_ index: Int) -> TemplateValue? {
        guard index < arguments.count, !arguments[index].isNull else { return nil }
        return arguments[index]
    }

    func text(_ index: Int) -> String? { argument(index)?.text }

    func option(_ name: String) -> TemplateValue? {
        options[name].flatMap { $0.isNull ? nil : $0 }
    }

    /// The subject of the helper: its first argument, or else the value at hand.
    func subject(or context: TemplateValue) -> TemplateValue { arguments.first ?? context }

    /// Whether an option says yes.
    func isSet(_ name: String) -> Bool { option(name).map { $0.isTrue && $0.text != "false" } ?? false }

    /// The separator of `arrayJoin`; nil for a value that is not a text.
    var separator: String? {
        if case .json(let node) = argument(0) ?? .null { node.string } else { nil }
    }

    /// The values that `arrayJoin` joins: those of a list, or else all behind the separator. An empty text stands for a missing list, and has
    /// none; in WireMock only if nothing follows it.
    func joinedValues(_ dialect: Template.Dialect) -> [TemplateValue]? {
        guard let first = argument(1) else { return nil }
        if case .json(let node) = first, node.string?.isEmpty == true, dialect != .wireMock || arguments.count == 2 {
            return []
        }
        return first.elements ?? Array(arguments.dropFirst())
    }

    /// The value that a condition prints if it is not a block.
    func answer(_ holds: Bool) -> TemplateValue { option(holds ? "yes" : "no") ?? .bool(holds) }
}

extension Renderer {
    /// Whether a condition holds; nil for a helper that is not a condition.
    mutating func condition(_ invocation: Invocation) throws(TemplateFailure) -> Bool? {
        let subject = invocation.arguments.first ?? .null
        switch invocation.helper {
        case .if: return isTrue(invocation)
        case .unless: return !isTrue(invocation)
        case .eq: return subject.equals(invocation.argument(1) ?? .null)
        case .neq: return !subject.equals(invocation.argument(1) ?? .null)
        case .gt: return try comparison(invocation) > 0
        case .gte: return try comparison(invocation) >= 0
        case .lt: return try comparison(invocation) < 0
        case .lte: return try comparison(invocation) <= 0
        case .and: return (invocation.arguments.isEmpty ? [context] : invocation.arguments).allSatisfy(isTrue)
        case .or: return (invocation.arguments.isEmpty ? [context] : invocation.arguments).contains(where: isTrue)
        case .not: return !isTrue(invocation.arguments.first ?? context)
        case .contains:
            guard invocation.arguments.count > 1 else { return nil }
            guard !subject.isNull, let part = invocation.argument(1) else { return false }
            return try holds(subject, part)
        case .matches:
            guard let pattern = invocation.text(1) else { return nil }
            return try TemplatePattern(pattern, isWhole: true, self).isIn(subject.text, &self)
        default: return nil
        }
    }

    private func isTrue(_ invocation: Invocation) -> Bool {
        let value = invocation.subject(or: context)
        return isTrue(value) || invocation.isSet("includeZero") && value.double == 0
    }

    /// Whether a value is neither nothing nor empty; in WireMock one empty value of a name is a list of one, and not empty.
    func isTrue(_ value: TemplateValue) -> Bool {
        if dialect == .wireMock, case .several(let texts) = value { return !texts.isEmpty }
        return value.isTrue
    }

    private mutating func holds(_ subject: TemplateValue, _ part: TemplateValue) throws(TemplateFailure) -> Bool {
        if let elements = subject.elements, elements.count != 1 || subject.single.elements != nil {
            // The part is read once for each element.
            let before = left
            try pay(reading: part)
            let (cost, overflows) = (1 + before - left).multipliedReportingOverflow(by: elements.count)
            try spend(overflows ? .max : cost)
            return elements.contains { $0.equals(part) }
        }
        let (text, word) = (subject.text, part.text)
        try spend(bytes: text.utf8.count)
        return word.isEmpty || ByteSearch(word).first(in: Array(text.utf8), from: 0) != nil
    }

    /// How two values are ordered: numbers by their value, dates by their time, texts by their letters.
    private func comparison(_ invocation: Invocation) throws(TemplateFailure) -> Int {
        let left = (invocation.arguments.first ?? .null).single
        let right = (invocation.argument(1) ?? .null).single
        if case .date(let one) = left, case .date(let two) = right {
            return one.milliseconds < two.milliseconds ? -1 : one.milliseconds > two.milliseconds ? 1 : 0
        }
        if case .json(let first) = left, case .json(let second) = right, let one = first.string, let two = second.string
        {
            return one.utf8.lexicographicallyPrecedes(two.utf8) ? -1 : one.utf8.elementsEqual(two.utf8) ? 0 : 1
        }
        if case .json(let first) = left, case .json(let second) = right, let one = first.bool, let two = second.bool {
            return one == two ? 0 : one ? 1 : -1
        }
        guard let one = left.double, let two = right.double else {
            throw failure(
                "\(invocation.helper.rawValue): \(Self.shown(left)) cannot be compared with \(Self.shown(right))")
        }
        return one < two ? -1 : one > two ? 1 : 0
    }

    /// A value as messages show it.
    static func shown(_ value: TemplateValue) -> String {
        if value.isNull { return "null" }
        let text = value.text
        return "\"\(text.utf8.count <= 40 ? text : String(text.unicodeScalars.prefix(40)) + "…")\""
    }

    /// The text that WireMock's helpers print in place of a value that is not available.
    func error(_ message: String) -> TemplateValue { .string("[ERROR: \(message)]") }

    /// The value of a helper that is not a condition.
    mutating func result(of invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        let value: TemplateValue
        switch invocation.helper {
        case .capitalize, .capitalizeFirst, .center, .cut, .defaultIfEmpty, .join, .ljust, .rjust, .substring, .lower,
            .upper, .slugify, .stringFormat, .stripTags, .wordWrap, .replace, .yesno, .abbreviate, .trim, .base64,
            .urlEncode, .regexExtract:
            value = try text(invocation)
        case .isEven, .isOdd, .stripes, .math, .numberFormat, .size, .range, .randomValue, .randomInt, .randomDecimal,
            .pickRandom:
            value = try number(invocation)
        case .now, .date, .parseDate, .truncateDate, .dateFormat: value = try date(invocation)
        case .array, .arrayAdd, .arrayRemove, .arrayJoin: value = try list(invocation)
        case .jsonPath, .parseJson, .toJson, .formatJson, .jsonMerge, .jsonRemove, .jsonArrayAdd, .jsonSort:
            value = try json(invocation)
        case .xPath, .soapXPath, .formatXml, .formData: value = try document(invocation)
        case .assign, .val, .hostname, .systemValue, .lookup, .log, .if, .unless, .each, .with, .eq, .neq, .gt, .gte,
            .lt, .lte, .and, .or, .not, .contains, .matches:
            value = try other(invocation)
        }
        if case .json(let node) = value, case .string(let text) = node.value { try spend(bytes: text.utf8.count) }
        return value
    }

    private mutating func other(_ invocation: Invocation) throws(TemplateFailure) -> TemplateValue {
        switch invocation.helper {
        case .lookup:
            guard let key = invocation.text(1) else { return .null }
            let subject = invocation.arguments[0]
            // Handlebars.java gives a text back as it is, since a text has no members.
            if dialect == .wireMock, case .json(let node) = subject, node.string != nil {
                return subject.member(key) ?? subject
            }
            return try member(key, of: subject) ?? .null
        case .assign:
            if let name = invocation.text(0), invocation.arguments.count > 1 {
                assign(invocation.arguments[1], to: name)
            }
            return .null
        case .val:
            let given = invocation.arguments.first ?? .null
            let value = given.isNull ? invocation.option("or") ?? invocation.option("default") ?? .null : given
            guard let name = invocation.option("assign")?.text else { return value }
            assign(value, to: name)
            return .null
        case .hostname: return .string(surroundings.hostname)
        case .systemValue: return systemValue(invocation)
        case .contains:
            return error("You must specify the string or array to be matched and the regular expression")
        case .matches: return error("You must specify the string to be matched and the regular expression")
        default: return .null
        }
    }

    /// Nothing of the environment is shown, whatever it is called.
    private func systemValue(_ invocation: Invocation) -> TemplateValue {
        guard let key = invocation.option("key")?.text, !key.isEmpty else {
            return error("The key cannot be empty")
        }
        return error("Access to \(key) is denied")
    }
}
