// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A parsed XML document: its nodes in document order, in one list.
///
/// A node's attributes stand right behind it, then its children, each with all that is within it. The first node is the
/// document itself.
package struct XMLDocument: Sendable {
    package enum Kind: UInt8, Sendable {
        case document, element, attribute
        /// A declaration of a namespace, `xmlns` or `xmlns:p`.
        case namespace
        case text, cdata, comment, instruction
    }

    package struct Node: Sendable {
        package var kind: Kind
        /// Whether a text goes on that stands right in front of it, as text behind a CDATA section does.
        package var isContinuation = false
        /// The number of the node's name in `names`.
        var name: Int32
        /// The node it is in; -1 for the document.
        package var parent: Int32
        /// The number behind the last node within this one.
        package var end: Int32 = 0
        /// How many of the nodes behind it are its attributes and namespaces.
        package var attributeCount: Int32 = 0
        /// A number that adds up the letters of all texts from the beginning of the document up to here, in whatever order they stand.
        var weight = 0
        /// The text, the attribute's value, the comment, the instruction's data.
        package var value: String
    }

    package internal(set) var nodes: [Node]
    var names: [XMLName]

    /// The number of the outermost element.
    package var rootElement: Int {
        children(of: 0).first { nodes[$0].kind == .element } ?? 0
    }

    package func name(of node: Int) -> XMLName { names[Int(nodes[node].name)] }

    /// The numbers of an element's attributes, declarations of namespaces among them.
    package func attributes(of node: Int) -> Range<Int> { node + 1..<node + 1 + Int(nodes[node].attributeCount) }

    /// The numbers of the nodes that are right within a node.
    package func children(of node: Int) -> Children { Children(document: self, node: node) }

    package struct Children: Sequence, IteratorProtocol {
        private let document: XMLDocument
        private var next_: Int
        private let end: Int

        init(document: XMLDocument, node: Int) {
            self.document = document
            next_ = node + 1 + Int(document.nodes[node].attributeCount)
            end = Int(document.nodes[node].end)
        }

        package mutating func next() -> Int? {
            guard next_ < end else { return nil }
            defer { next_ = Int(document.nodes[next_].end) }
            return next_
        }
    }

    /// All text within a node, or its value (XPath 1.0 §5).
    package func text(of node: Int) -> String {
        switch nodes[node].kind {
        case .document, .element:
            var text = ""
            for inner in node..<Int(nodes[node].end) where nodes[inner].kind == .text || nodes[inner].kind == .cdata {
                text += nodes[inner].value
            }
            return text
        case .text, .cdata:
            var text = nodes[node].value
            var next = Int(nodes[node].end)
            while next < nodes.count, nodes[next].isContinuation {
                text += nodes[next].value
                next = Int(nodes[next].end)
            }
            return text
        default: return nodes[node].value
        }
    }
}

/// A name, taken apart.
package struct XMLName: Hashable, Sendable {
    package var prefix: String?
    package var local: String
    package var namespace: String?

    package init(prefix: String? = nil, local: String, namespace: String? = nil) {
        self.prefix = prefix
        self.local = local
        self.namespace = namespace
    }

    /// The name as it is written.
    package var qualified: String { prefix.map { "\($0):\(local)" } ?? local }
}

/// Why a text is not XML that is accepted, and where; lines and columns are counted from 1.
package struct XMLError: Error, Equatable, Sendable {
    /// 0 if the place is not known.
    package var line: Int
    package var column: Int
    package var message: String
    package var cause: Cause

    package enum Cause: Sendable {
        case text
        /// libxml2 is not there, so that nothing can be read at all.
        case library
        /// The request has taken all the work that it may, or nobody waits for it.
        case work
    }

    package init(line: Int = 0, column: Int = 0, message: String, cause: Cause = .text) {
        self.line = line
        self.column = column
        self.message = message
        self.cause = cause
    }
}

extension XMLError: CustomStringConvertible {
    package var description: String { line > 0 ? "line \(line), column \(column): \(message)" : message }
}

/// Limits on the cost of one document.
package enum XMLLimits {
    /// Bytes of a document. 16 MiB.
    package static let bytes = 16 << 20
    /// Bytes of the XML declaration. 512.
    static let declarationBytes = 512
    /// Elements within one another. 256.
    package static let depth = 256
    /// Attributes of an element, and texts of a document type, which may add some. 1,000.
    package static let attributes = 1_000
    /// Nodes of a document, attributes among them. 500,000.
    package static let nodes = 500_000
    /// Bytes of all texts and values, those that a document type adds among them. 32 MiB.
    package static let textBytes = 32 << 20
    /// Bytes of an XPath expression. 16 KiB.
    package static let expressionBytes = 16 << 10
    /// Parts of an XPath expression within one another. 32.
    package static let expressionDepth = 32
    /// Operators of an XPath expression. 256.
    package static let expressionOperators = 256
    /// Steps of one evaluation: a node visited is one, as are 64 bytes of text that is read, 16 that are compared or cut, and 8 of words. 100,000.
    package static let steps = 100_000
    /// Further steps for each node of the document. 32.
    package static let stepsPerNode = 32
    /// Pairs of nodes that are compared of two documents. 100,000.
    package static let comparisons = 100_000
    /// Further pairs for each node of both. 4.
    package static let comparisonsPerNode = 4
    /// Differences of two documents that are reported.
    package static let differences = 10
}
