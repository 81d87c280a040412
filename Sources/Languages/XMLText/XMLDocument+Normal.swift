// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

extension XMLDocument {
    /// A text, or the value of an attribute, as it is compared.
    package struct Value: Sendable {
        /// The element that it is in, or the attribute.
        package var name: XMLName
        /// The element that an attribute is of; nil for a text.
        package var owner: XMLName?
        package var text: String
    }

    /// The document in one line with the parts that count in a comparison: without declaration, comments and the white space around texts.
    ///
    /// - Parameters:
    ///   - isSorted: whether parts that may stand in any order are sorted: attributes, and elements of different names if no text is between them.
    ///   - replaced: gives the replacement of a value, in the order of the document; nil for the value itself.
    package func normalised(isSorted: Bool = false, replaced: (Value) -> String? = { _ in nil }) -> String {
        var output = ""
        writeNormal(allItems(of: 0), in: XMLName(local: ""), isSorted, replaced, to: &output)
        return output
    }

    /// The children of a node that are compared, which no request pays for.
    private func allItems(of node: Int) -> [XMLItem] {
        var allowance = Allowance(units: .max)
        return items(of: node, &allowance) ?? []
    }

    private func writeNormal(
        _ items: [XMLItem], in parent: XMLName, _ isSorted: Bool, _ replaced: (Value) -> String?,
        to output: inout String
    ) {
        var items = items
        if isSorted, items.allSatisfy({ $0.kind == .element }) {
            items = items.enumerated().sorted {
                ($0.element.name.qualified, $0.offset) < ($1.element.name.qualified, $1.offset)
            }.map(\.element)
        }
        for item in items {
            switch item.kind {
            case .element:
                writeNormalStart(of: item, isSorted, replaced, to: &output)
                let inner = allItems(of: item.node)
                output += inner.isEmpty ? "/>" : ">"
                if inner.isEmpty { continue }
                writeNormal(inner, in: item.name, isSorted, replaced, to: &output)
                output += "</\(item.name.qualified)>"
            case .instruction: output += "<?\(item.name.qualified) \(item.text)?>"
            default:
                let value = Value(name: parent, owner: nil, text: item.text)
                escape(replaced(value) ?? item.text, quotes: false, to: &output)
            }
        }
    }

    private func writeNormalStart(
        of element: XMLItem, _ isSorted: Bool, _ replaced: (Value) -> String?, to output: inout String
    ) {
        output += "<\(element.name.qualified)"
        var attributes = Array(attributes(of: element.node))
        if isSorted { attributes.sort { name(of: $0).qualified < name(of: $1).qualified } }
        for attribute in attributes {
            var text = nodes[attribute].value
            if nodes[attribute].kind == .attribute {
                text = replaced(Value(name: name(of: attribute), owner: element.name, text: text)) ?? text
            }
            output += " \(name(of: attribute).qualified)=\""
            escape(text, quotes: true, to: &output)
            output += "\""
        }
    }

    /// The values in the order of the document.
    package var values: [Value] {
        var values: [Value] = []
        _ = normalised { value in
            values.append(value)
            return nil
        }
        return values
    }
}
