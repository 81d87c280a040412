// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A path that chooses values of a JSON text: `$.user.email`, `$.items[*]['api key']`, `$..token`, `$.list[0]`, `$.map.*`.
package struct JSONPathPattern: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
        case all
    }

    struct Part: Sendable, Hashable {
        var step: Step
        /// Whether what is chosen may stand at any depth.
        var isDeep: Bool
    }

    /// The path as it was written.
    package let text: String
    private let parts: [Part]

    /// - Throws: where the text is not a path, with the place.
    package init(_ text: String) throws(JSONPathError) {
        self.text = text
        var reader = JSONPathReader(text)
        parts = try reader.parts()
    }

    /// Gives each value that the path chooses; those that stand in one that is chosen too may be among them.
    package func select(in node: JSONNode, _ found: (JSONNode) -> Void) {
        select(in: node, parts[...], found)
    }

    private func select(in node: JSONNode, _ parts: ArraySlice<Part>, _ found: (JSONNode) -> Void) {
        guard let part = parts.first else { return found(node) }
        each(of: node) { name, index, child in
            let matches =
                switch part.step {
                case .all: true
                case .name(let wanted): name == wanted
                case .index(let wanted): index == wanted
                }
            if matches { select(in: child, parts.dropFirst(), found) }
            if part.isDeep { select(in: child, parts, found) }
        }
    }

    private func each(of node: JSONNode, _ body: (String?, Int?, JSONNode) -> Void) {
        switch node.value {
        case .object(let object): for member in object.members { body(member.name, nil, member.value) }
        case .array(let elements): for (index, element) in elements.enumerated() { body(nil, index, element) }
        default: return
        }
    }
}
