// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiRegularExpressions

/// A compiled schema: nodes that name each other by number.
final class Program: Sendable {
    let nodes: [SchemaNode]
    let root: Int
    /// The targets of dynamic references in each resource.
    let scopes: [DynamicScope]
    /// Whether the evaluated parts must be kept.
    let usesUnevaluated: Bool

    init(nodes: [SchemaNode], root: Int, scopes: [DynamicScope], usesUnevaluated: Bool) {
        self.nodes = nodes
        self.root = root
        self.scopes = scopes
        self.usesUnevaluated = usesUnevaluated
    }
}

/// The targets of dynamic references in one schema resource.
struct DynamicScope: Sendable {
    /// The node of the resource's root if it says `$recursiveAnchor`.
    var recursive: Int?
    /// The nodes with `$dynamicAnchor`.
    var anchors: [String: Int] = [:]
}

/// One schema.
struct SchemaNode: Sendable {
    /// The resource that it belongs to.
    var resource: Int
    /// The rules, in the order in which they are applied; unevaluated items and properties last.
    var rules: [Rule]
}

/// A rule that a schema sets for a value: one keyword, or those that work together. Indirect, so that a copy takes one reference.
indirect enum Rule: Sendable {
    case never
    case type(TypeSet)
    case values(ValueSet)
    case const(JSONNode)
    case multipleOf(Decimal, String)
    case bound(Bound)
    case length(keyword: String, range: ClosedRange<Int>)
    case pattern(RegularExpression)
    case format(String)
    case itemCount(keyword: String, range: ClosedRange<Int>)
    case uniqueItems
    case items(ItemsRule)
    case contains(ContainsRule)
    case propertyCount(keyword: String, range: ClosedRange<Int>)
    case required([String])
    case properties(PropertiesRule)
    case propertyNames(Int)
    case dependentRequired([(name: String, names: [String])], keyword: String)
    case dependentSchemas([(name: String, schema: Int)], keyword: String)
    case reference(Int)
    case recursiveReference(Int)
    case dynamicReference(Int, anchor: String)
    case allOf([Int])
    case anyOf([Int])
    case oneOf([Int])
    case not(Int)
    case condition(if: Int, then: Int?, else: Int?)
    case unevaluatedItems(Int)
    case unevaluatedProperties(Int)

    var isUnevaluated: Bool {
        switch self {
        case .unevaluatedItems, .unevaluatedProperties: true
        default: false
        }
    }
}

/// The types that a value may have.
struct TypeSet: OptionSet, Sendable {
    let rawValue: Int

    static let null = TypeSet(rawValue: 1)
    static let boolean = TypeSet(rawValue: 2)
    static let number = TypeSet(rawValue: 4)
    /// A number without a fraction.
    static let integer = TypeSet(rawValue: 8)
    /// A number that is written without a point and an exponent: an integer in draft 4.
    static let integerLiteral = TypeSet(rawValue: 16)
    static let string = TypeSet(rawValue: 32)
    static let array = TypeSet(rawValue: 64)
    static let object = TypeSet(rawValue: 128)
    static let any = TypeSet(rawValue: 255)

    private static let names: [(TypeSet, String)] = [
        (.null, "null"), (.boolean, "boolean"), (.number, "number"), (.integer, "integer"),
        (.integerLiteral, "integer"), (.string, "string"), (.array, "array"), (.object, "object"),
    ]

    init(rawValue: Int) { self.rawValue = rawValue }

    init?(name: String, in version: JSONSchemaVersion) {
        switch name {
        case "integer": self = version == .draft4 ? .integerLiteral : .integer
        // Draft 3's word for every type, which the validators still know.
        case "any": self = .any
        default:
            guard let known = Self.names.first(where: { $0.1 == name }) else { return nil }
            self = known.0
        }
    }

    var text: String { Self.names.filter { contains($0.0) }.map(\.1).joined(separator: " or ") }

    func allows(_ node: JSONNode) -> Bool {
        switch node.value {
        case .null: return contains(.null)
        case .bool: return contains(.boolean)
        case .string: return contains(.string)
        case .array: return contains(.array)
        case .object: return contains(.object)
        case .number(let number):
            if contains(.number) { return true }
            let isWhole = number.literal.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "0") < 10 }
            if contains(.integerLiteral) { return isWhole }
            return contains(.integer) && (isWhole || Decimal(number).isInteger)
        }
    }
}

/// The values of an `enum`.
struct ValueSet: Sendable {
    var strings: Set<ExactName>
    /// The values that are not strings.
    var others: [JSONNode]
    var text: String
}

struct Bound: Sendable {
    var keyword: String
    var isUpper: Bool
    var isExclusive: Bool
    var value: Decimal
    var text: String
}

struct ItemsRule: Sendable {
    /// The schemas of the first items.
    var first: [Int]
    /// The schema of all behind them.
    var rest: Int?
}

struct ContainsRule: Sendable {
    var schema: Int
    var least: Int
    var most: Int?
    /// Whether the items found count as evaluated: since 2020-12.
    var evaluates: Bool
}

struct PropertiesRule: Sendable {
    var named: [ExactName: Int]
    var patterns: [(pattern: RegularExpression, schema: Int)]
    var additional: Int?
}

/// A name that equals another when its bytes do: `String` takes é and e with an accent for the same, JSON does not.
struct ExactName: Hashable, Sendable {
    var text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactName, right: ExactName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}
