// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiMetering

/// A text of an evaluation: its letters are had by paying for them, and in no other way.
struct XPathText {
    private let letters: String

    init(_ letters: String) { self.letters = letters }

    var isEmpty: Bool { letters.isEmpty }

    /// The letters; nil if they are not paid for.
    ///
    /// - Parameter bytes: how many of them are looked at in a step.
    func letters(by bytes: Int, _ allowance: inout Allowance) -> String? {
        let (units, overflows) = letters.utf8.count.multipliedReportingOverflow(by: Meter.step)
        guard !overflows, allowance.pay((units + bytes - 1) / bytes) else { return nil }
        return letters
    }

    /// Whether another text has the same letters, which are read if it has as many bytes; nil if they are not paid for.
    func equals(_ other: XPathText, _ allowance: inout Allowance) -> Bool? {
        guard letters.utf8.count == other.letters.utf8.count else { return false }
        return letters(by: 32, &allowance).map { $0.utf8.elementsEqual(other.letters.utf8) }
    }
}

/// A document as an evaluation sees it: the places and names of its nodes, and texts to be paid for.
struct XPathTree {
    private let document: XMLDocument

    init(_ document: XMLDocument) { self.document = document }

    var count: Int { document.nodes.count }

    func kind(of node: Int) -> XMLDocument.Kind { document.nodes[node].kind }
    func name(of node: Int) -> XMLName { document.name(of: node) }
    func parent(of node: Int) -> Int { Int(document.nodes[node].parent) }
    /// The number behind the last node within a node.
    func end(of node: Int) -> Int { Int(document.nodes[node].end) }
    func attributes(of node: Int) -> Range<Int> { document.attributes(of: node) }
    func children(of node: Int) -> XMLDocument.Children { document.children(of: node) }
    func isContinuation(_ node: Int) -> Bool { document.nodes[node].isContinuation }

    func isText(_ node: Int) -> Bool {
        switch kind(of: node) {
        case .text, .cdata: true
        default: false
        }
    }

    /// Whether it is an attribute or a declaration of a namespace.
    func isAttribute(_ node: Int) -> Bool {
        switch kind(of: node) {
        case .attribute, .namespace: true
        default: false
        }
    }

    /// The text that stands at a node itself: that of an element is empty.
    func value(of node: Int) -> XPathText { XPathText(document.nodes[node].value) }
}
