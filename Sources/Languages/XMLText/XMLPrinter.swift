// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

extension XMLDocument {
    /// A node as XML; an attribute or a text as its value.
    package func printed(_ node: Int) -> String { printed(node, meter: nil) ?? "" }

    /// The same; nil if it was not paid for.
    func printed(_ node: Int, meter: Meter?) -> String? {
        switch nodes[node].kind {
        case .document, .element, .comment, .instruction:
            var printer = XMLPrinter(document: self, meter: meter)
            printer.write(node)
            return printer.isGivenUp ? nil : printer.output
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

    /// The document with an element a line; elements with text in them stay as they are.
    ///
    /// - Parameter indentation: spaces for each level.
    package func pretty(indentation: Int = 2) -> String {
        var printer = XMLPrinter(document: self, meter: nil)
        for child in children(of: 0) { printer.writePretty(child, level: 0, indentation: indentation) }
        return printer.output
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

/// Writes nodes as XML: each is paid for first.
private struct XMLPrinter {
    let document: XMLDocument
    let meter: Meter?
    private(set) var output = ""
    private(set) var isGivenUp = false

    /// Units of a node, beside one for each byte of its name and its value. 64.
    private static let unitsOfNode = 64

    init(document: XMLDocument, meter: Meter?) {
        self.document = document
        self.meter = meter
    }

    mutating func writePretty(_ node: Int, level: Int, indentation: Int) {
        let inner = document.children(of: node).filter { !isBlank($0) }
        let space = String(repeating: " ", count: level * indentation)
        let hasText = inner.contains { document.nodes[$0].kind == .text || document.nodes[$0].kind == .cdata }
        output += space
        if document.nodes[node].kind != .element || inner.isEmpty || hasText {
            write(node, trims: inner.isEmpty)
        } else {
            writeStart(of: node, isEmpty: false)
            output += "\n"
            for child in inner { writePretty(child, level: level + 1, indentation: indentation) }
            output += "\(space)</\(document.name(of: node).qualified)>"
        }
        output += "\n"
    }

    private mutating func pay(_ node: Int) -> Bool {
        guard let meter, !isGivenUp else { return !isGivenUp }
        let bytes = document.nodes[node].value.utf8.count + document.name(of: node).local.utf8.count
        isGivenUp = output.utf8.count > XMLLimits.textBytes || !meter.pay(Self.unitsOfNode + bytes)
        return !isGivenUp
    }

    private func isBlank(_ node: Int) -> Bool {
        document.nodes[node].kind == .text && document.nodes[node].value.utf8.allSatisfy { $0 <= 0x20 }
    }

    mutating func write(_ node: Int, trims: Bool = false) {
        guard pay(node) else { return }
        let value = document.nodes[node].value
        switch document.nodes[node].kind {
        case .document:
            for child in document.children(of: node) { write(child) }
        case .element:
            var inner = document.children(of: node)
            let first = trims ? nil : inner.next()
            writeStart(of: node, isEmpty: first == nil)
            guard let first else { return }
            write(first)
            while let child = inner.next() { write(child) }
            output += "</\(document.name(of: node).qualified)>"
        case .text: document.escape(value, quotes: false, to: &output)
        case .cdata: output += "<![CDATA[\(value)]]>"
        case .comment: output += "<!--\(value)-->"
        case .instruction: output += "<?\(document.name(of: node).qualified)\(value.isEmpty ? "" : " ")\(value)?>"
        case .attribute, .namespace: output += value
        }
    }

    private mutating func writeStart(of node: Int, isEmpty: Bool) {
        output += "<\(document.name(of: node).qualified)"
        for attribute in document.attributes(of: node) {
            guard pay(attribute) else { return }
            output += " \(document.name(of: attribute).qualified)=\""
            document.escape(document.nodes[attribute].value, quotes: true, to: &output)
            output += "\""
        }
        output += isEmpty ? "/>" : ">"
    }
}
