// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The parts of responses that were held against recorded ones: a verdict that nothing is another is made of them alone.
package struct ComparedParts: Hashable, Sendable {
    /// Places of JSON, or of a format that is compared as JSON is.
    package var fields = 0
    package var images = 0
    /// Bodies whose kind of bytes is known.
    package var files = 0
    package var texts = 0
    /// Bodies of values that have no field.
    package var values = 0
    package var headerSets = 0
    package var statuses = 0

    package init() {}

    package init(_ part: WritableKeyPath<ComparedParts, Int>, _ count: Int = 1) {
        self[keyPath: part] = count
    }

    package var isEmpty: Bool { self == ComparedParts() }

    package static func += (left: inout ComparedParts, right: ComparedParts) {
        for (part, _) in names { left[keyPath: part] += right[keyPath: part] }
    }

    private static var names: [(WritableKeyPath<ComparedParts, Int>, (one: String, many: String))] {
        [
            (\.fields, ("field", "fields")), (\.images, ("image", "images")), (\.files, ("file", "files")),
            (\.texts, ("text", "texts")), (\.values, ("value", "values")),
            (\.headerSets, ("header set", "header sets")), (\.statuses, ("status", "statuses")),
        ]
    }

    /// The parts in words, such as `41 fields, 3 images, 2 header sets`; the statuses if there is nothing else.
    package var words: String {
        var parts = Self.names.filter { self[keyPath: $0.0] > 0 }
        if parts.count > 1 { parts.removeAll { $0.0 == \.statuses } }
        return parts.map { part, words in
            let count = self[keyPath: part]
            return "\(count) \(count == 1 ? words.one : words.many)"
        }.joined(separator: ", ")
    }
}

/// The result of holding live responses against recorded ones.
package struct Comparison: Sendable {
    /// Sorted by place.
    package var findings: [DriftFinding] = []
    package var compared = ComparedParts()
    /// The reason why there is no verdict; nil if all was compared.
    package var obstacle: String?

    /// How grave the findings are together; from this on one of them breaks a client.
    package static let breakingWeight = 1_000_000
    package var weight: Int { DriftFinding.weight(findings) }
}

/// The outcome of the comparison of bodies: there is no third way, so that no case is passed over.
enum BodyOutcome {
    case compared(ComparedParts)
    /// Nothing can be said, and why.
    case blocked(String)

    static func compared(_ part: WritableKeyPath<ComparedParts, Int>) -> BodyOutcome { .compared(ComparedParts(part)) }
}
