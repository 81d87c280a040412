// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiTemplating

/// The values that a key of a stub file takes.
///
/// The reader checks values against a shape and the JSON Schema is made from it, so that the two cannot disagree.
indirect enum ValueShape: Sendable {
    case anything
    case string
    case boolean
    case number
    /// A whole number of a range; `Int.max` stands for no upper end.
    case integer(ClosedRange<Int>)
    /// One of some strings.
    case choice([String])
    /// An object with the keys of a shape.
    case object(ObjectShape)
    /// An object with any keys.
    case freeObject
    /// An object with names of the user's own and values of one shape.
    case map(ValueShape)
    /// A list with at least as many elements.
    case list(ValueShape, minimum: Int)
    case either([ValueShape])
    /// A value, or a string with a template that renders to it.
    case template(ValueShape)

    /// The words for the expected value in messages.
    var expectation: String {
        switch self {
        case .anything: "a value"
        case .string: "a string"
        case .boolean: "true or false"
        case .number: "a number"
        case .integer(let range) where range.upperBound == .max:
            range.lowerBound == .min ? "a whole number" : "a whole number of \(range.lowerBound) or more"
        case .integer(let range): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: " or ")
        case .object(let shape): shape.expectation
        case .freeObject, .map: "an object"
        case .list(_, let minimum): minimum > 0 ? "a list that is not empty" : "a list"
        case .either(let shapes): shapes.map(\.expectation).joined(separator: " or ")
        case .template(let shape): shape.expectation
        }
    }

    /// Whether a value is of the right kind, its insides apart.
    func accepts(_ node: JSONNode) -> Bool {
        switch self {
        case .anything: true
        case .string: node.string != nil
        case .boolean: node.bool != nil
        case .number: node.number != nil
        case .integer(let range): node.number?.integer.map(range.contains) ?? false
        case .choice(let words): node.string.map(words.contains) ?? false
        case .object, .freeObject, .map: node.object != nil
        case .list(_, let minimum): node.array.map { $0.count >= minimum } ?? false
        case .either(let shapes): shapes.contains { $0.accepts(node) }
        case .template(let shape): shape.accepts(node) || node.string.map { Template.isNeeded(for: $0.utf8) } ?? false
        }
    }
}
