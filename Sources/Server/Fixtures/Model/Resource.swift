// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A collection of JSON objects that a stub serves as a small REST service, as it is before any request.
package final class Resource: Sendable {
    /// Items of a collection. 100,000.
    package static let itemLimit = 100_000
    /// Bytes of a collection's items as compact JSON, all together. 64 MiB.
    package static let sizeLimit = 64 * 1024 * 1024

    /// The path of the collection; that of an item has its id behind it.
    package let collection: String
    /// The member that tells an item from the others.
    package let idName: String
    /// The member of an object that a list is put in; nil for a bare array.
    package let wrap: String?
    package let items: [Item]
    /// Tells the items from others.
    package let hash: UInt64

    /// Where the items are written back to; nil if they never are.
    package let file: File?

    /// The file that items are of.
    package struct File: Sendable {
        /// Absolute.
        package let path: String
        /// The fixture directory that it lies in, absolute.
        package let root: String
        /// Around the list; nil if the file is a bare list.
        package let envelope: JSONObject?
        /// The member of the envelope that is the list.
        package let listName: String

        /// The text of the file with other items.
        package func text(_ items: [JSONNode]) -> [UInt8] {
            let list = JSONNode.array(items)
            guard var envelope else { return JSONWriter.pretty(list) + [UInt8(ascii: "\n")] }
            for index in envelope.members.indices where envelope.members[index].name == listName {
                envelope.members[index].value = list
            }
            return JSONWriter.pretty(JSONNode(.object(envelope))) + [UInt8(ascii: "\n")]
        }
    }

    package struct Item: Sendable {
        /// As text; an integer without the other forms that its literal may have.
        package let id: String
        package let isInteger: Bool
        package let node: JSONNode
    }

    init(collection: String, idName: String, wrap: String?, items: [Item], hash: UInt64, file: File? = nil) {
        self.collection = collection
        self.idName = idName
        self.wrap = wrap
        self.items = items
        self.hash = hash
        self.file = file
    }

    /// The text of an id in a path; nil unless the value is a whole number or a string that is not empty.
    package static func id(_ node: JSONNode) -> (text: String, isInteger: Bool)? {
        switch node.value {
        case .string(let text) where !text.isEmpty: (text, false)
        case .number(let number): number.integer.map { (String($0), true) }
        default: nil
        }
    }

    /// The paths of a collection and its items, as a pattern.
    static func pattern(of collection: String) -> String {
        var text = ""
        for character in collection.unicodeScalars {
            if #"\^$.|?*+()[]{}"#.unicodeScalars.contains(character) { text += "\\" }
            text.unicodeScalars.append(character)
        }
        return text + "(?:/[^/]+)?"
    }
}
