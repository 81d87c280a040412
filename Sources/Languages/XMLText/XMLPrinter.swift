// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension XMLDocument {
    /// A node as XML; an attribute or a text as its value.
    package func printed(_ node: Int) -> String {
        switch nodes[node].kind {
        case .document, .element, .comment, .instruction:
            var output = ""
            write(node, to: &output)
            return output
        default: return text(of: node)
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
            where nodes[sibling].kind == .element && self.name(of: sibling).qualified == name {
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

    /// The document with an element a line; elements with text in them stay as they are.
    ///
    /// - Parameter indentation: spaces for each level.
    package func pretty(indentation: Int = 2) -> String {
        var output = ""
        for child in children(of: 0) { writePretty(child, level: 0, indentation: indentation, to: &output) }
        return output
    }

    private func writePretty(_ node: Int, level: Int, indentation: Int, to output: inout String) {
        let inner = children(of: node).filter { !isBlank($0) }
        let space = String(repeating: " ", count: level * indentation)
        let hasText = inner.contains { nodes[$0].kind == .text || nodes[$0].kind == .cdata }
        output += space
        if nodes[node].kind != .element || inner.isEmpty || hasText {
            write(node, trims: inner.isEmpty, to: &output)
        } else {
            writeStart(of: node, isEmpty: false, to: &output)
            output += "\n"
            for child in inner { writePretty(child, level: level + 1, indentation: indentation, to: &output) }
            output += "\(space)</\(name(of: node).qualified)>"
        }
        output += "\n"
    }

    private func isBlank(_ node: Int) -> Bool {
        nodes[node].kind == .text && nodes[node].value.utf8.allSatisfy { $0 <= 0x20 }
    }

    private func write(_ node: Int, trims: Bool = false, to output: inout String) {
        let value = nodes[node].value
        switch nodes[node].kind {
        case .document:
            for child in children(of: node) { write(child, to: &output) }
        case .element:
            var inner = children(of: node)
            let first = trims ? nil : inner.next()
            writeStart(of: node, isEmpty: first == nil, to: &output)
            guard let first else { return }
            write(first, to: &output)
            while let child = inner.next() { write(child, to: &output) }
            output += "</\(name(of: node).qualified)>"
        case .text: escape(value, quotes: false, to: &output)
        case .cdata: output += "<![CDATA[\(value)]]>"
        case .comment: output += "<!--\(value)-->"
        case .instruction: output += "<?\(name(of: node).qualified)\(value.isEmpty ? "" : " ")\(value)?>"
        case .attribute, .namespace: output += value
        }
    }

    private func writeStart(of node: Int, isEmpty: Bool, to output: inout String) {
        output += "<\(name(of: node).qualified)"
        for attribute in attributes(of: node) {
            output += " \(name(of: attribute).qualified)=\""
            escape(nodes[attribute].value, quotes: true, to: &output)
            output += "\""
        }
        output += isEmpty ? "/>" : ">"
    }

    func escape(_ text: String, quotes: Bool, to output: inout String) {
        guard text.utf8.contains(where: { "<>&\"\n\r\t".utf8.contains($0) }) else {
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
}
