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
        case .name, .localName, .namespaceURI: return .string(try named(function, arguments, context))
        case .string: return .string(try text(arguments, context))
        case .number:
            if arguments.isEmpty { return .number(try number(try string(of: context.node))) }
            return .number(try number(try evaluate(arguments[0], context)))
        case .sum:
            var sum = 0.0
            for node in try nodes(try evaluate(arguments[0], context)) {
                sum += try number(try string(of: node))
            }
            return .number(sum)
        case .floor: return .number(try number(try evaluate(arguments[0], context)).rounded(.down))
        case .ceiling: return .number(try number(try evaluate(arguments[0], context)).rounded(.up))
        case .round: return .number(Self.rounded(try number(try evaluate(arguments[0], context))))
        case .lang: return .boolean(isLanguage(try string(try evaluate(arguments[0], context)), context.node))
        default: return try textCall(function, arguments, context)
        }
    }

    private static func rounded(_ number: Double) -> Double { (number + 0.5).rounded(.down) }

    /// The one argument as a text; the context's if there is none.
    private mutating func text(_ arguments: [XPathExpression], _ context: Context) throws(XPathError) -> String {
        if arguments.isEmpty { return try string(of: context.node) }
        return try string(try evaluate(arguments[0], context))
    }

    private mutating func textCall(
        _ function: XPathFunction, _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> XPathValue {
        switch function {
        case .stringLength:
            let text = try text(arguments, context)
            try payText(text, 64)
            return .number(Double(text.unicodeScalars.count))
        case .normalizeSpace:
            return .string(try words(try text(arguments, context)).joined(separator: " "))
        case .substring: return .string(try substring(arguments, context))
        case .concat:
            var output = ""
            for argument in arguments {
                output += try string(try evaluate(argument, context))
                try pay(output.utf8.count / 64)
            }
            return .string(output)
        case .translate:
            let text = try string(try evaluate(arguments[0], context))
            let from = Array(try string(try evaluate(arguments[1], context)).unicodeScalars)
            let to = Array(try string(try evaluate(arguments[2], context)).unicodeScalars)
            var table: [Unicode.Scalar: Unicode.Scalar?] = [:]
            for (index, scalar) in from.enumerated() where table[scalar] == nil {
                table[scalar] = .some(index < to.count ? to[index] : nil)
            }
            try pay((text.utf8.count + from.count) / 8)
            return .string(
                String(String.UnicodeScalarView(text.unicodeScalars.compactMap { table[$0] ?? $0 })))
        default:
            let text = Array(try string(try evaluate(arguments[0], context)).utf8)
            let part = Array(try string(try evaluate(arguments[1], context)).utf8)
            if function == .startsWith { return .boolean(text.starts(with: part)) }
            let place = try find(part, in: text)
            switch function {
            case .contains: return .boolean(place != nil)
            case .substringBefore: return .string(String(decoding: text[..<(place ?? 0)], as: UTF8.self))
            default:
                return .string(String(decoding: text[(place.map { $0 + part.count } ?? text.count)...], as: UTF8.self))
            }
        }
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
        _ arguments: [XPathExpression], _ context: Context
    ) throws(XPathError) -> String {
        let whole = try string(try evaluate(arguments[0], context))
        try payText(whole)
        let text = whole.unicodeScalars
        let start = Self.rounded(try number(try evaluate(arguments[1], context)))
        var end = Double.infinity
        if arguments.count > 2 { end = start + Self.rounded(try number(try evaluate(arguments[2], context))) }
        var output = String.UnicodeScalarView()
        var position = 1.0
        for scalar in text {
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
        let name = document.name(of: Int(node))
        switch function {
        case .name: return name.qualified
        case .localName: return name.local
        default: return name.namespace ?? ""
        }
    }

    /// The elements with an `xml:id`: there is no document type to name other identifiers.
    private mutating func identified(_ value: XPathValue) throws(XPathError) -> [Int32] {
        var words: Set<String> = []
        if case .nodes(let nodes) = value {
            for node in nodes { words.formUnion(try self.words(try string(of: node))) }
        } else {
            words = Set(try self.words(try string(value)))
        }
        try pay(document.nodes.count / 2)
        var found: [Int32] = []
        for (index, node) in document.nodes.enumerated() where node.kind == .attribute && words.contains(node.value) {
            let name = document.name(of: index)
            if name.local == "id", name.prefix == "xml" { found.append(node.parent) }
        }
        return found
    }

    private mutating func words(_ text: String) throws(XPathError) -> [String] {
        try payText(text, 8)
        return text.utf8.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D || $0 == 0x0A }.map { String(Substring($0)) }
    }

    /// Whether the nearest `xml:lang` is of a language.
    private func isLanguage(_ wanted: String, _ node: Int32) -> Bool {
        var current = Int(node)
        while current >= 0 {
            for attribute in document.attributes(of: current) where document.nodes[attribute].kind == .attribute {
                let name = document.name(of: attribute)
                guard name.local == "lang", name.prefix == "xml" else { continue }
                let found = document.nodes[attribute].value.lowercased()
                return found == wanted.lowercased() || found.hasPrefix(wanted.lowercased() + "-")
            }
            current = Int(document.nodes[current].parent)
        }
        return false
    }
}
