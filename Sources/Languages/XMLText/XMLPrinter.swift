// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiMetering

extension XMLDocument {
    /// A node as XML; an attribute or a text as its value.
    package func printed(_ node: Int) -> String { printed(node, meter: nil) ?? "" }

    /// The same; nil if it was not paid for, or would be longer than 32 MiB.
    package func printed(_ node: Int, meter: Meter?) -> String? {
        switch nodes[node].kind {
        case .document, .element, .comment, .instruction:
            var printer = XMLPrinter(
                document: self, meter: meter, limit: meter == nil ? .max : XMLLimits.textBytes)
            printer.write(node)
            return printer.result
        default:
            let text = text(of: node)
            return meter?.pay(text.utf8.count) ?? true ? text : nil
        }
    }

    /// The way to a node, such as `/order/item[2]`.
    package func path(of node: Int) -> String {
        var steps: [String] = []
        var current = node
        while current > 0 {
            steps.append(step(of: current))
            current = Int(nodes[current].parent)
        }
        return "/" + steps.reversed().joined(separator: "/")
    }

    /// The last step of the way to a node.
    func step(of node: Int) -> String {
        let name = name(of: node).qualified
        switch nodes[node].kind {
        case .element:
            var (place, count) = (0, 0)
            for sibling in children(of: Int(nodes[node].parent))
            where nodes[sibling].kind == .element && isNamed(sibling, as: node) {
                count += 1
                if sibling <= node { place += 1 }
            }
            return count > 1 ? "\(name)[\(place)]" : name
        case .attribute, .namespace: return "@\(name)"
        case .instruction: return "processing-instruction()"
        case .comment: return "comment()"
        default: return "text()"
        }
    }

    private func isNamed(_ node: Int, as other: Int) -> Bool {
        nodes[node].name == nodes[other].name
            || name(of: node).local == name(of: other).local && name(of: node).prefix == name(of: other).prefix
    }

    /// The document with a line for each child of an element without text; elements with text in them stay as they are. Nil as for `printed`.
    package func pretty(meter: Meter?) -> String? {
        var printer = XMLPrinter(document: self, meter: meter, limit: XMLLimits.textBytes)
        printer.keepsBlanks = false
        printer.keepsMixed = true
        for child in children(of: 0) where !printer.isGivenUp {
            printer.write(child, level: 0)
            printer.writeLineEnd(0)
        }
        return printer.result
    }

    /// A node as the transformers of Java's library write it. Nil as for `printed`.
    ///
    /// - Parameters:
    ///   - isIndented: whether each child of an element that has more than text is on a line of its own, and a line end behind the node.
    ///   - keepsBlanks: whether text of nothing but white space stays.
    ///   - sortsAttributes: whether attributes are in the order of their names, as Java's documents keep them.
    package func transformed(
        _ node: Int = 0, isIndented: Bool = true, keepsBlanks: Bool = false, sortsAttributes: Bool = false,
        meter: Meter?
    ) -> String? {
        var printer = XMLPrinter(document: self, meter: meter, limit: XMLLimits.textBytes)
        printer.keepsBlanks = keepsBlanks
        printer.sortsAttributes = sortsAttributes
        printer.write(node, level: isIndented ? 0 : nil)
        if isIndented { printer.writeLineEnd(0) }
        return printer.result
    }

    func escape(_ text: String, quotes: Bool, to output: inout String) {
        guard text.utf8.contains(where: Self.isEscaped) else {
            output += text
            return
        }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "&": output += "&amp;"
            case "\"" where quotes: output += "&quot;"
            case "\n" where quotes: output += "&#10;"
            case "\t" where quotes: output += "&#9;"
            case "\r": output += "&#13;"
            default: output.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), 0x0A, 0x0D, 0x09: true
        default: false
        }
    }
}

/// Writes nodes as XML: each, and each line end, is paid for first.
private struct XMLPrinter {
    let document: XMLDocument
    let meter: Meter?
    /// Bytes of output behind which it is given up.
    let limit: Int
    var keepsBlanks = true
    var sortsAttributes = false
    /// Whether an element with text in it stays as it is, white space too.
    var keepsMixed = false
    private var output = ""
    private(set) var isGivenUp = false

    /// Nil if it was given up.
    var result: String? { isGivenUp ? nil : output }

    /// Units of a node, beside one for each byte of its name and its value. 64.
    private static let unitsOfNode = 64

    init(document: XMLDocument, meter: Meter?, limit: Int) {
        self.document = document
        self.meter = meter
        self.limit = limit
    }

    private mutating func pay(_ node: Int) -> Bool {
        pay(units: Self.unitsOfNode + document.nodes[node].value.utf8.count + document.name(of: node).local.utf8.count)
    }

    private mutating func pay(units: Int) -> Bool {
        if isGivenUp { return false }
        isGivenUp = output.utf8.count > limit || !(meter?.pay(units) ?? true)
        return !isGivenUp
    }

    /// - Parameter level: how deep the node, which has a line of its own, is among elements; nil for a node that is written as it stands.
    mutating func write(_ node: Int, level: Int? = nil) {
        guard pay(node) else { return }
        let value = document.nodes[node].value
        switch document.nodes[node].kind {
        case .document:
            for child in document.children(of: node) { write(child, level: level) }
        case .element: writeElement(node, level: isPreserved(node) ? nil : level)
        case .text:
            let text = level == nil ? value : String(Substring(value.utf8.drop { $0 == UInt8(ascii: "\n") }))
            document.escape(text, quotes: false, to: &output)
        case .cdata: output += "<![CDATA[\(value)]]>"
        case .comment: output += "<!--\(value)-->"
        case .instruction: output += "<?\(document.name(of: node).qualified)\(value.isEmpty ? "" : " ")\(value)?>"
        case .attribute, .namespace: output += value
        }
    }

    private mutating func writeElement(_ node: Int, level: Int?) {
        let all = Array(document.children(of: node))
        var inner = keepsBlanks || keepsMixed && level == nil ? all : all.filter { !isBlank($0) }
        let isMixed = keepsMixed && inner.contains { isText($0) }
        if isMixed { inner = all }
        writeStart(of: node, isEmpty: inner.isEmpty)
        guard let last = inner.last, !isGivenUp else { return }
        let level = isMixed || inner.allSatisfy { isText($0) } ? nil : level
        for (index, child) in inner.enumerated() {
            // A section stands where it is, and so does the text in front of it.
            let isSection = kind(child) == .cdata || index + 1 < inner.count && kind(inner[index + 1]) == .cdata
            if let level, !isText(child) || !isSection {
                writeLineEnd(level + 1)
                write(child, level: level + 1)
            } else {
                write(child)
            }
            if isGivenUp { return }
        }
        if let level, kind(last) != .cdata { writeLineEnd(level) }
        output += "</\(document.name(of: node).qualified)>"
    }

    mutating func writeLineEnd(_ level: Int) {
        guard pay(units: 1 + level * 2) else { return }
        output += "\n" + String(repeating: " ", count: level * 2)
    }

    private func kind(_ node: Int) -> XMLDocument.Kind { document.nodes[node].kind }

    private func isText(_ node: Int) -> Bool { kind(node) == .text || kind(node) == .cdata }

    private func isBlank(_ node: Int) -> Bool {
        (kind(node) == .text || kind(node) == .cdata && !keepsMixed)
            && document.nodes[node].value.utf8.allSatisfy { $0 <= 0x20 }
    }

    /// Whether an element asks for its white space to stay (XML 1.0 §2.10).
    private func isPreserved(_ node: Int) -> Bool {
        document.attributes(of: node).contains {
            document.nodes[$0].value == "preserve" && document.name(of: $0).qualified == "xml:space"
        }
    }

    private mutating func writeStart(of node: Int, isEmpty: Bool) {
        output += "<\(document.name(of: node).qualified)"
        var attributes = Array(document.attributes(of: node))
        for attribute in attributes { guard pay(attribute) else { return } }
        if sortsAttributes {
            attributes.sort { one, other in
                let (first, second) = (document.name(of: one).qualified, document.name(of: other).qualified)
                return kind(one) == kind(other)
                    ? first.utf16.lexicographicallyPrecedes(second.utf16) : kind(one) == .namespace
            }
        }
        for attribute in attributes {
            output += " \(document.name(of: attribute).qualified)=\""
            document.escape(document.nodes[attribute].value, quotes: true, to: &output)
            output += "\""
        }
        output += isEmpty ? "/>" : ">"
    }
}
