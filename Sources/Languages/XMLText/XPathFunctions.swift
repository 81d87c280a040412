// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The functions of XPath 1.0 (§4).
extension XPathEvaluator {
    mutating func call(
        _ function: XPathFunction, _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> XPathValue {
        switch function {
        case .last: return .number(Double(context.size))
        case .position: return .number(Double(context.position))
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .boolean: return .boolean(boolean(try evaluate(arguments[0], context)))
        case .not: return .boolean(!boolean(try evaluate(arguments[0], context)))
        case .count: return .number(Double(try nodes(try evaluate(arguments[0], context)).count))
        case .id: return .nodes(try identified(try evaluate(arguments[0], context)))
        case .name, .localName, .namespaceURI:
            return .string(XPathText(try named(function, arguments, context)))
        case .string: return .string(try subject(arguments, context))
        case .number:
            if let argument = arguments.first { return .number(try number(try evaluate(argument, context))) }
            return .number(try number(try string(of: context.node)))
        case .sum:
            var sum = 0.0
            for node in try nodes(try evaluate(arguments[0], context)) {
                sum += try number(try string(of: node))
            }
            return .number(sum)
        case .floor: return .number(try number(try evaluate(arguments[0], context)).rounded(.down))
        case .ceiling: return .number(try number(try evaluate(arguments[0], context)).rounded(.up))
        case .round: return .number(Self.rounded(try number(try evaluate(arguments[0], context))))
        case .lang: return .boolean(try isLanguage(try read(arguments[0], for: function, context), context.node))
        case .stringLength:
            return .number(Double(try read(try subject(arguments, context)).unicodeScalars.count))
        case .normalizeSpace:
            return .string(XPathText(try words(try subject(arguments, context)).joined(separator: " ")))
        case .startsWith, .contains, .substringBefore, .substringAfter:
            return try split(function, arguments, context)
        default: return .string(XPathText(try made(by: function, arguments, context)))
        }
    }

    private static func rounded(_ number: Double) -> Double { (number + 0.5).rounded(.down) }

    /// The one argument as a text; the context's if there is none.
    private mutating func subject(
        _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> XPathText {
        guard let argument = arguments.first else { return try string(of: context.node) }
        return try string(try evaluate(argument, context))
    }

    /// The letters of an argument, paid for as its function takes them.
    private mutating func read(
        _ argument: XPathExpression, for function: XPathFunction, _ context: Context
    ) throws(XPathError) -> String {
        try read(try string(try evaluate(argument, context)), by: function.bytesPerStep)
    }

    /// The text that a function makes of others.
    private mutating func made(
        by function: XPathFunction, _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> String {
        if function == .concat {
            var output = ""
            for argument in arguments { output += try read(argument, for: function, context) }
            return output
        }
        let text = try read(arguments[0], for: function, context)
        if function == .substring { return try substring(text, arguments, context) }
        let from = Array(try read(arguments[1], for: function, context).unicodeScalars)
        let to = Array(try read(arguments[2], for: function, context).unicodeScalars)
        var table: [Unicode.Scalar: Unicode.Scalar?] = [:]
        for (index, scalar) in from.enumerated() where table[scalar] == nil {
            table[scalar] = .some(index < to.count ? to[index] : nil)
        }
        return String(String.UnicodeScalarView(text.unicodeScalars.compactMap { table[$0] ?? $0 }))
    }

    /// Looks for a part of a text.
    private mutating func split(
        _ function: XPathFunction, _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> XPathValue {
        let text = Array(try read(arguments[0], for: function, context).utf8)
        let part = Array(try read(arguments[1], for: function, context).utf8)
        if function == .startsWith { return .boolean(text.starts(with: part)) }
        let place = try find(part, in: text)
        if function == .contains { return .boolean(place != nil) }
        let found =
            function == .substringBefore
            ? text[..<(place ?? 0)] : text[(place.map { $0 + part.count } ?? text.count)...]
        return .string(XPathText(String(decoding: found, as: UTF8.self)))
    }

    /// Where a part begins in a text; each byte that is compared is paid for.
    private mutating func find(_ part: [UInt8], in text: [UInt8]) throws(XPathError) -> Int? {
        var compared = 0
        for start in 0..<max(0, text.count - part.count + 1) {
            var length = 0
            while length < part.count, text[start + length] == part[length] { length += 1 }
            if length == part.count { return start }
            compared += length + 1
            if compared >= 4096 {
                try pay(compared / 64)
                compared = 0
            }
        }
        return nil
    }

    private mutating func substring(
        _ text: String, _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> String {
        let start = Self.rounded(try number(try evaluate(arguments[1], context)))
        var end = Double.infinity
        if arguments.count > 2 { end = start + Self.rounded(try number(try evaluate(arguments[2], context))) }
        var output = String.UnicodeScalarView()
        var position = 1.0
        for scalar in text.unicodeScalars {
            if position >= start, position < end { output.append(scalar) }
            position += 1
        }
        return String(output)
    }

    private mutating func named(
        _ function: XPathFunction, _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> String {
        var node: Int32? = context.node
        if let argument = arguments.first { node = try nodes(try evaluate(argument, context)).first }
        guard let node else { return "" }
        let name = tree.name(of: Int(node))
        let text =
            switch function {
            case .name: name.qualified
            case .localName: name.local
            default: name.namespace ?? ""
            }
        return try read(XPathText(text), by: function.bytesPerStep)
    }

    /// The elements with an `xml:id`: there is no document type to name other identifiers.
    private mutating func identified(_ value: XPathValue) throws(XPathError) -> [Int32] {
        var words: Set<String> = []
        if case .nodes(let nodes) = value {
            for node in nodes { words.formUnion(try self.words(try string(of: node))) }
        } else {
            words = Set(try self.words(try string(value)))
        }
        try pay(tree.count / 2)
        var found: [Int32] = []
        for node in 0..<tree.count where tree.kind(of: node) == .attribute {
            let name = tree.name(of: node)
            guard name.local == "id", name.prefix == "xml" else { continue }
            if words.contains(try read(tree.value(of: node), by: XPathFunction.id.bytesPerStep)) {
                found.append(Int32(tree.parent(of: node)))
            }
        }
        return found
    }

    private mutating func words(_ text: XPathText) throws(XPathError) -> [String] {
        try read(text, by: XPathFunction.normalizeSpace.bytesPerStep)
            .utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }.map { String(Substring($0)) }
    }

    /// Whether the nearest `xml:lang` is of a language.
    private mutating func isLanguage(_ wanted: String, _ node: Int32) throws(XPathError) -> Bool {
        let wanted = wanted.lowercased()
        var current = Int(node)
        while current >= 0 {
            try pay()
            for attribute in tree.attributes(of: current) {
                try pass()
                let name = tree.name(of: attribute)
                guard tree.kind(of: attribute) == .attribute, name.local == "lang", name.prefix == "xml" else {
                    continue
                }
                let value = try read(tree.value(of: attribute), by: XPathFunction.lang.bytesPerStep)
                return value.lowercased() == wanted || value.lowercased().hasPrefix(wanted + "-")
            }
            current = tree.parent(of: current)
        }
        return false
    }
}
