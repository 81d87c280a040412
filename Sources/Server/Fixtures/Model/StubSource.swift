// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// The JSON that a stub was written in: its place in the text of its file, since a tree takes five times as much and hardly anyone asks.
package struct StubSource: Sendable {
    private enum Form {
        /// A value in a text, which the other stubs of the file share.
        case text([UInt8], offset: Int, JSONParser.Options)
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
    ///   - tree: a tree that was parsed from a text with these options.
    ///   - end: where the next value begins, or the text ends.
    init(_ tree: JSONNode, of text: [UInt8], end: Int, by options: JSONParser.Options) {
        form = end - tree.offset > Self.longest ? .tree(tree) : .text(text, offset: tree.offset, options)
        isRecorded = tree["recorded"] != nil
    }

    /// The whole, with its places in the file.
    package var node: JSONNode {
        switch form {
        case .tree(let tree): tree
        case .text(let text, let offset, let options):
            // It has been read before.
            (try? JSONParser.parse(text, at: offset, options: options)) ?? .null
        }
    }
}
