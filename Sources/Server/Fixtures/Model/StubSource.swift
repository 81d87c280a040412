// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// The JSON that a stub was written in: its place in the text of its file, since a tree takes five times as much and hardly anyone asks.
package struct StubSource: Sendable {
    private enum Form {
        /// A value in a text, which the other stubs of the file share.
        case text([UInt8], offset: Int, FixtureSet.Dialect)
        case tree(JSONNode)
    }

    private let form: Form
    /// Whether it has a member `recorded`.
    let isRecorded: Bool

    /// A longer text is kept as the tree that was made of it, so that reading it again takes no time. 64 KiB.
    private static let longest = 64 * 1024

    /// The source of a stub that nobody has written.
    package static let empty = StubSource(.object([:]))

    /// - Parameter tree: a stub that stands in no text.
    package init(_ tree: JSONNode) {
        form = .tree(tree)
        isRecorded = tree["recorded"] != nil
    }

    /// - Parameters:
    ///   - tree: a tree that was read from a text, with its scalars as the dialect takes them.
    ///   - end: where the next value begins, or the text ends.
    init(_ tree: JSONNode, of text: [UInt8], end: Int, in dialect: FixtureSet.Dialect) {
        form = end - tree.offset > Self.longest ? .tree(tree) : .text(text, offset: tree.offset, dialect)
        isRecorded = tree["recorded"] != nil
    }

    /// The whole, with its places in the file, and its scalars as they were read.
    package var node: JSONNode {
        switch form {
        case .tree(let tree): return tree
        case .text(let text, let offset, let dialect):
            // It has been read before.
            let node = (try? JSONParser.parse(text, at: offset, options: dialect.options)) ?? .null
            return dialect == .wireMock ? JacksonValues.coerced(node, to: .object(.stub)) : node
        }
    }
}

extension FixtureSet.Dialect {
    /// The extensions of RFC 8259 that the JSON of its files may use.
    var options: JSONParser.Options { self == .wireMock ? [.comments, .singleQuotes] : [] }
}
