// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

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

    /// Whether a string begins as a placeholder does and is not one.
    package static func isUnknown(_ text: String) -> Bool { rest(of: text) != nil && JSONPlaceholder(text) == nil }

    /// The text behind `${json-unit.` or `#{json-unit.`; nil if it does not begin so.
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

    /// The JSON that was sent, with a placeholder for each secret that was replaced.
    package static func standing(in sent: JSONNode, for replaced: JSONNode) -> JSONNode {
        switch (sent.value, replaced.value) {
        case (.object(let left), .object(let right)) where left.members.count == right.members.count:
            return JSONNode(
                .object(
                    JSONObject(
                        zip(left.members, right.members).map { left, right in
                            .init(name: left.name, value: standing(in: left.value, for: right.value))
                        })))
        case (.array(let left), .array(let right)) where left.count == right.count:
            return .array(zip(left, right).map { standing(in: $0, for: $1) })
        case (.string, .string) where sent != replaced: return .string("${json-unit.any-string}")
        default: return sent == replaced ? sent : .string("${json-unit.ignore}")
        }
    }
}
