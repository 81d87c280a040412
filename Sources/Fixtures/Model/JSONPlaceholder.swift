// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import JSONText

/// A string in the JSON of `equalToJson` that stands for more than itself, as JsonUnit has it: `${json-unit.any-string}`, or with `#`.
package enum JSONPlaceholder: Hashable, Sendable {
    case anyString
    case anyNumber
    case anyBoolean
    /// Any value, which has to be there.
    case ignore
    /// Any value, or no member of that name.
    case ignoreElement
    /// A string that the pattern matches as a whole.
    case regex(String)

    /// Nil for a string that stands for itself.
    package init?(_ text: String) {
        guard let rest = Self.rest(of: text) else { return nil }
        switch rest {
        case "any-string}": self = .anyString
        case "any-number}": self = .anyNumber
        case "any-boolean}": self = .anyBoolean
        case "ignore}": self = .ignore
        case "ignore-element}": self = .ignoreElement
        default:
            guard rest.hasPrefix("regex}") else { return nil }
            self = .regex(String(rest.dropFirst("regex}".count)))
        }
    }

    /// Whether a string begins as a placeholder does and is none.
    package static func isUnknown(_ text: String) -> Bool { rest(of: text) != nil && JSONPlaceholder(text) == nil }

    /// What stands behind `${json-unit.`; nil where the text does not begin so.
    private static func rest(of text: String) -> Substring? {
        guard text.utf8.first == UInt8(ascii: "$") || text.utf8.first == UInt8(ascii: "#") else { return nil }
        let rest = text.dropFirst()
        return rest.hasPrefix("{json-unit.") ? rest.dropFirst("{json-unit.".count) : nil
    }

    /// The strings of a tree, with those of its members' values.
    package static func strings(of node: JSONNode) -> [String] {
        switch node.value {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let object): object.members.flatMap { strings(of: $0.value) }
        default: []
        }
    }

    /// The placeholders of a tree, each as often as it stands there.
    package static func all(in node: JSONNode) -> [JSONPlaceholder] {
        strings(of: node).compactMap { JSONPlaceholder($0) }
    }
}
