// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A place in a response, or several: a JSON pointer whose `*` is every item and whose `**` is any depth, `status`, or `header:NAME`.
package struct PlacePattern: Hashable, Sendable {
    package let text: String
    private let segments: [Substring]

    package init(_ text: String) {
        self.text = text.hasPrefix("header:") ? "header:" + text.dropFirst(7).lowercased() : text
        segments = self.text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The place that a contract or a mark names, as a pointer or as a JSON path; nil for what is neither.
    package init?(named text: String) {
        if text.hasPrefix("$") {
            self.init(jsonPath: text)
        } else if text.isEmpty || text.hasPrefix("/") || text == "status" || text.hasPrefix("header:") {
            self.init(text)
        } else {
            return nil
        }
    }

    /// - Parameter path: a JSON path of names, indices, `*` and `..`, such as `$.items[*].updated_at`; nil for what is none.
    init?(jsonPath path: String) {
        guard path.hasPrefix("$") else { return nil }
        var pointer = ""
        var rest = path.dropFirst()
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "." {
                if rest.first == "." {
                    pointer += "/**"
                    rest = rest.dropFirst()
                    if rest.first == "[" { continue }
                }
                let name = rest.prefix { $0 != "." && $0 != "[" }
                if name.isEmpty { return nil }
                pointer += "/" + Pointer.escape(String(name))
                rest = rest[name.endIndex...]
            } else if first == "[" {
                if let quote = rest.first, quote == "'" || quote == "\"" {
                    guard let end = rest.dropFirst().firstIndex(of: quote) else { return nil }
                    pointer += "/" + Pointer.escape(String(rest[rest.index(after: rest.startIndex)..<end]))
                    rest = rest[rest.index(after: end)...]
                    guard rest.first == "]" else { return nil }
                    rest = rest.dropFirst()
                } else {
                    guard let end = rest.firstIndex(of: "]") else { return nil }
                    let index = rest[..<end]
                    guard index == "*" || !index.isEmpty && index.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else {
                        return nil
                    }
                    pointer += "/" + index
                    rest = rest[rest.index(after: end)...]
                }
            } else {
                return nil
            }
        }
        self.init(pointer)
    }

    var isInBody: Bool { text.isEmpty || text.hasPrefix("/") }

    func matches(_ pointer: String) -> Bool {
        Self.match(segments[...], Self(pointer).segments[...], .whole)
    }

    /// Whether a place is this one or stands in it.
    func contains(_ pointer: String) -> Bool {
        let other = Self(pointer)
        return isInBody == other.isInBody && Self.match(segments[...], other.segments[...], .within)
    }

    /// Whether this place is the one or stands in it.
    func isWithin(_ pointer: String) -> Bool {
        let other = Self(pointer)
        return isInBody == other.isInBody && Self.match(segments[...], other.segments[...], .around)
    }

    /// How a pointer has to stand to a pattern.
    private enum Relation {
        case whole, within, around
    }

    private static func match(
        _ pattern: ArraySlice<Substring>, _ pointer: ArraySlice<Substring>, _ relation: Relation
    ) -> Bool {
        guard let wanted = pattern.first else { return pointer.isEmpty || relation == .within }
        if wanted == "**" {
            if match(pattern.dropFirst(), pointer, relation) { return true }
            return pointer.isEmpty ? relation == .around : match(pattern, pointer.dropFirst(), relation)
        }
        guard let found = pointer.first else { return relation == .around }
        let fits = wanted == found || wanted == "*" || found == "*" && (relation == .around || Int(wanted) != nil)
        return fits && match(pattern.dropFirst(), pointer.dropFirst(), relation)
    }

    /// Whether a document certainly has no such place: an empty list and null may have it another time.
    package func isAbsent(from node: JSONNode) -> Bool {
        var nodes = [node]
        for segment in segments.dropFirst() {
            if segment == "**" {
                nodes = nodes.flatMap(Self.inner)
                continue
            }
            if nodes.contains(where: { $0.isNull || $0.array?.isEmpty ?? false }) { return false }
            nodes = nodes.flatMap { Self.step(segment, $0) }
            if nodes.isEmpty { return true }
        }
        return nodes.isEmpty
    }

    /// The values of a document at the place.
    package func values(in node: JSONNode) -> [JSONNode] {
        var nodes = [node]
        for segment in segments.dropFirst() {
            nodes = segment == "**" ? nodes.flatMap(Self.inner) : nodes.flatMap { Self.step(segment, $0) }
        }
        return nodes
    }

    private static func step(_ segment: Substring, _ node: JSONNode) -> [JSONNode] {
        switch node.value {
        case .array(let elements):
            if segment == "*" { return elements }
            return Int(segment).flatMap { elements.indices.contains($0) ? [elements[$0]] : nil } ?? []
        case .object(let object):
            if let value = object[Pointer.unescape(segment)] { return [value] }
            return segment == "*" ? object.members.map(\.value) : []
        default: return []
        }
    }

    /// A value and all that stand in it.
    private static func inner(_ node: JSONNode) -> [JSONNode] {
        switch node.value {
        case .array(let elements): [node] + elements.flatMap(inner)
        case .object(let object): [node] + object.members.flatMap { inner($0.value) }
        default: [node]
        }
    }
}

/// JSON pointers (RFC 6901).
package enum Pointer {
    package static func escape(_ name: String) -> String {
        guard name.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return name }
        return name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
            .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
    }

    package static func unescape(_ segment: some StringProtocol) -> String {
        let text = String(segment)
        return text.utf8.contains(UInt8(ascii: "~"))
            ? text.replacing("~1", with: "/").replacing("~0", with: "~") : text
    }
}
