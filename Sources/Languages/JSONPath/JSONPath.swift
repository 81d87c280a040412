// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText
package import MockapiMetering

/// A query that selects values of a JSON document: JSONPath as RFC 9535 has it, with the additions of Jayway's dialect.
///
/// The text is read once; a path can be asked by several threads at once.
package struct JSONPath: Sendable {
    /// Which spellings are accepted.
    package enum Dialect: Sendable {
        /// RFC 9535 and nothing else.
        case rfc9535
        /// RFC 9535 and the extensions of WireMock's users; a filter that stands in parentheses whole, `[?(…)]`, is Jayway's.
        case jayway
    }

    package let text: String
    package let dialect: Dialect
    let query: PathQuery

    /// Reads a path.
    ///
    /// - Throws: `JSONPathError` with the first byte that is not allowed in its place.
    package init(parsing text: String, dialect: Dialect = .jayway) throws(JSONPathError) {
        var parser = PathParser(text, dialect: dialect)
        self.text = text
        self.dialect = dialect
        query = try parser.document()
    }

    /// Whether the path selects one value at most, so that its result is this value and no list (Jayway's term).
    package var isDefinite: Bool { query.isDefinite(dialect) }

    /// The names and indices that the path consists of, if it consists of nothing else; nil for any other path.
    package var steps: [JSONPathStep]? { query.plainSteps }

    /// Whether a document has the value that the path spreads out from, which ends its names and indices: an object or a list, but for `*` and `..`.
    ///
    /// - Throws: `JSONPathGaveUp` if the steps do not suffice.
    package func hasStart(in root: JSONNode, allowance: inout Allowance) throws(JSONPathGaveUp) -> Bool {
        let start = query.start
        var evaluator = PathEvaluator(root: root, allowance: allowance)
        defer { allowance = evaluator.allowance }
        guard let node = try evaluator.walk(start.steps, from: root) else { return false }
        return start.takesScalars || node.array != nil || node.object != nil
    }

    /// The selected values in RFC 9535's order; the results of Jayway's functions at the end of the path count as selected.
    ///
    /// - Throws: `JSONPathGaveUp` if the steps do not suffice.
    package func nodes(
        in root: JSONNode, allowance: inout Allowance
    ) throws(JSONPathGaveUp) -> [JSONNode] {
        if let steps = query.plainSteps {
            var evaluator = PathEvaluator(root: root, allowance: allowance)
            defer { allowance = evaluator.allowance }
            guard let node = try evaluator.walk(steps, from: root) else { return [] }
            return [node]
        }
        return try evaluate(root, allowance: &allowance, tracksLocations: false).map(\.node)
    }

    /// The selected values with their normalized paths (RFC 9535 §2.7); a value that a function computed has none and is left out.
    ///
    /// - Throws: `JSONPathGaveUp` if the steps do not suffice.
    package func located(
        in root: JSONNode, allowance: inout Allowance
    ) throws(JSONPathGaveUp) -> [(location: [JSONPathStep], node: JSONNode)] {
        let items = try evaluate(root, allowance: &allowance, tracksLocations: true)
        return items.compactMap { item in item.location.map { ($0.steps, item.node) } }
    }

    private func evaluate(
        _ root: JSONNode, allowance: inout Allowance, tracksLocations: Bool
    ) throws(JSONPathGaveUp) -> [PathItem] {
        var evaluator = PathEvaluator(root: root, allowance: allowance)
        defer { allowance = evaluator.allowance }
        let start = PathItem(node: root, location: tracksLocations ? .root : nil)
        return try evaluator.items(of: query, from: start)
    }
}

extension JSONPath: Equatable {
    package static func == (left: JSONPath, right: JSONPath) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8) && left.dialect == right.dialect
    }
}

/// Where a value stands in the one above it.
package enum JSONPathStep: Equatable, Sendable {
    case name(String)
    /// A position; negative ones, in paths alone, count from the end.
    case index(Int)
}

/// The report that a path was given up, since it took more steps than it may.
package struct JSONPathGaveUp: Error, Equatable, Sendable {
    package static let message = "the path was given up: it takes too many steps on this document"
    package init() {}
}

/// Why a text is not a path, and at which byte.
package struct JSONPathError: Error, Equatable, Sendable {
    package var offset: Int
    package var message: String

    package init(offset: Int, message: String) {
        self.offset = offset
        self.message = message
    }
}

/// Limits on the text of a path, and on its work.
package enum JSONPathLimits {
    /// Steps of one path on one document: values that are visited, comparisons, tries of a pattern. 1,000,000.
    package static let steps = 1_000_000
    /// Bytes of a path. 16,384.
    package static let bytes = 16 * 1024
    /// Filters, parentheses, lists and functions within each other. 64.
    package static let nesting = 64
}

extension [JSONPathStep] {
    /// The normalized path (RFC 9535 §2.7), such as `$['store']['book'][0]`.
    package var normalizedPath: String {
        var output: [UInt8] = [UInt8(ascii: "$")]
        for step in self {
            switch step {
            case .index(let index): output += "[\(index)]".utf8
            case .name(let name):
                output += "['".utf8
                for byte in name.utf8 { Self.append(byte, to: &output) }
                output += "']".utf8
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func append(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case 0x08: output += "\\b".utf8
        case 0x09: output += "\\t".utf8
        case 0x0A: output += "\\n".utf8
        case 0x0C: output += "\\f".utf8
        case 0x0D: output += "\\r".utf8
        case UInt8(ascii: "'"), UInt8(ascii: "\\"): output += [UInt8(ascii: "\\"), byte]
        case 0..<0x20:
            let digits = String(byte, radix: 16)
            output += "\\u00\(digits.count == 1 ? "0" : "")\(digits)".utf8
        default: output.append(byte)
        }
    }
}
