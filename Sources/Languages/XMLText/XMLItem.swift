// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// A node as it is compared: without comments beside it and without space around its text.
///
/// An object, since a recursion of many levels holds several of each.
final class XMLItem {
    enum Key: Hashable {
        case element(String)
        case instruction, text
    }

    let kind: XMLDocument.Kind
    let name: XMLName
    var text: String
    let node: Int

    init(kind: XMLDocument.Kind, name: XMLName, text: String, node: Int) {
        self.kind = kind
        self.name = name
        self.text = text
        self.node = node
    }
}

extension XMLDocument {
    /// A number that nodes share whose texts have the same letters, in any order.
    func weight(of node: Int) -> Int {
        nodes[Int(nodes[node].end) - 1].weight &- (node > 0 ? nodes[node - 1].weight : 0)
    }

    /// Steps of a child that is compared, as it is found. 3.
    private static let stepsOfItem = 3

    /// The children of a node that are compared; nil if one was not paid for.
    func items(of node: Int, _ allowance: inout Allowance) -> [XMLItem]? {
        var items: [XMLItem] = []
        for child in children(of: node) {
            switch nodes[child].kind {
            case .element: items.append(XMLItem(kind: .element, name: name(of: child), text: "", node: child))
            case .instruction:
                items.append(
                    XMLItem(kind: .instruction, name: name(of: child), text: nodes[child].value.trimmed, node: child))
            case .text, .cdata:
                // Text on both sides of a comment is one, as is a CDATA section with the text beside it.
                if let last = items.last, last.kind == .text {
                    items[items.count - 1].text += nodes[child].value
                } else {
                    items.append(XMLItem(kind: .text, name: names[0], text: nodes[child].value, node: child))
                }
            default: break
            }
            guard allowance.pay(steps: Self.stepsOfItem), allowance.read(nodes[child].value.utf8.count) else {
                return nil
            }
        }
        for index in items.indices where items[index].kind == .text { items[index].text = items[index].text.trimmed }
        return items.filter { $0.kind != .text || !$0.text.isEmpty }
    }
}

extension String {
    /// Without white space at either end.
    var trimmed: String {
        let bytes = utf8
        guard let first = bytes.firstIndex(where: { $0 > 0x20 }), let last = bytes.lastIndex(where: { $0 > 0x20 })
        else {
            return ""
        }
        if first == bytes.startIndex, bytes.index(after: last) == bytes.endIndex { return self }
        return String(self[first...last])
    }
}
