// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiJSONText

/// A place in a response, or several: a JSON pointer whose `*` is every item, `status`, or `header:NAME`.
package struct PlacePattern: Hashable, Sendable {
    package let text: String
    private let segments: [Substring]

    package init(_ text: String) {
        self.text = text.hasPrefix("header:") ? "header:" + text.dropFirst(7).lowercased() : text
        segments = self.text.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// - Parameter path: a JSON path such as `$.items[*].updated_at`; nil for what is none.
    init?(jsonPath path: String) {
        guard path.hasPrefix("$") else { return nil }
        var pointer = ""
        var rest = path.dropFirst()
        while let first = rest.first {
            rest = rest.dropFirst()
            if first == "." {
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
                    pointer += "/" + rest[..<end]
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
        let others = Self(pointer).segments
        return others.count == segments.count && Self.begin(segments, others)
    }

    /// Whether a place is this one or stands in it.
    func contains(_ pointer: String) -> Bool {
        guard isInBody == Self(pointer).isInBody else { return false }
        let others = Self(pointer).segments
        return others.count >= segments.count && Self.begin(segments, others)
    }

    /// Whether this place is the one or stands in it.
    func isWithin(_ pointer: String) -> Bool {
        guard isInBody == Self(pointer).isInBody else { return false }
        let others = Self(pointer).segments
        return others.count <= segments.count && Self.begin(others, segments)
    }

    private static func begin(_ left: [Substring], _ right: [Substring]) -> Bool {
        zip(left, right).allSatisfy { (one: Substring, other: Substring) -> Bool in
            if one == other || one == "*" { return true }
            return other == "*" && Int(one) != nil
        }
    }

    /// The values of a document at the place.
    package func values(in node: JSONNode) -> [JSONNode] {
        var nodes = [node]
        for segment in segments.dropFirst() {
            let name = Pointer.unescape(segment)
            nodes = nodes.flatMap { node -> [JSONNode] in
                switch node.value {
                case .array(let elements):
                    if segment == "*" { return elements }
                    return Int(segment).flatMap { elements.indices.contains($0) ? [elements[$0]] : nil } ?? []
                case .object(let object):
                    if let value = object[name] { return [value] }
                    return segment == "*" ? object.members.map(\.value) : []
                default: return []
                }
            }
        }
        return nodes
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
