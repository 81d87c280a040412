// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// A place of a JSON response that holds no object or array; the items of an array are one place.
package struct FieldPlace: Sendable {
    let place: JSONPlace
    /// JSON Schema's names of the values' types, each once.
    package fileprivate(set) var types: [String]
    /// The strings that are there, each once, as many as are remembered.
    fileprivate(set) var strings: [String] = []
    /// Whether some of its strings are made for each request.
    fileprivate var isMade = false

    /// `/data/*/id`, with `~` and `/` of names as in a JSON pointer.
    package var text: String { place.pointer }

    /// Whether there is something beside null.
    var holdsValues: Bool { types != ["null"] }
}

/// The places of a response, or of several responses of one stub.
struct FieldPlaces {
    /// Places of one response that are told apart; those beyond are left alone. 10,000.
    static let limit = 10_000
    /// Lists of one response that are told apart. 100.
    private static let listLimit = 100
    /// Different strings of a place that are remembered. 100.
    private static let stringLimit = 100

    private(set) var places: [FieldPlace] = []
    /// Lists of two items or more, below the root, each with the smallest number of items.
    private(set) var lists: [(place: FieldPlace, items: Int)] = []
    private var known: [JSONPlace: Int] = [:]

    /// Whether strings with `{{` are made again for each request, so that nobody knows their values.
    private var isTemplate = false

    mutating func add(_ node: JSONNode, isTemplate: Bool = false) {
        self.isTemplate = isTemplate
        var path = JSONPlace.root
        walk(node, &path)
    }

    private mutating func walk(_ node: JSONNode, _ path: inout JSONPlace) {
        switch node.value {
        case .object(let object):
            for member in object.members {
                path.steps.append(.member(member.name))
                walk(member.value, &path)
                path.steps.removeLast()
            }
        case .array(let elements):
            noteList(elements.count, at: path)
            path.steps.append(.every)
            for element in elements { walk(element, &path) }
            path.steps.removeLast()
        case .null: note("null", nil, at: path)
        case .bool: note("boolean", nil, at: path)
        case .number(let number): note(number.integer == nil ? "number" : "integer", nil, at: path)
        case .string(let text): note("string", text, at: path)
        }
    }

    private mutating func noteList(_ items: Int, at path: JSONPlace) {
        if let index = lists.firstIndex(where: { $0.place.place == path }) {
            lists[index].items = min(lists[index].items, items)
        } else if items > 1, !path.steps.isEmpty, lists.count < Self.listLimit {
            lists.append((FieldPlace(place: path, types: ["array"]), items))
        }
    }

    private mutating func note(_ type: String, _ text: String?, at path: JSONPlace) {
        let index: Int
        if let found = known[path] {
            index = found
        } else {
            guard places.count < Self.limit else { return }
            index = places.count
            known[path] = index
            places.append(FieldPlace(place: path, types: []))
        }
        if !places[index].types.contains(type) {
            places[index].types.append(type)
            // Whole numbers are numbers.
            if places[index].types.contains("number") { places[index].types.removeAll { $0 == "integer" } }
        }
        guard let text else { return }
        if isTemplate, text.contains("{{") {
            places[index].isMade = true
            places[index].strings = []
        }
        guard !places[index].isMade, places[index].strings.count < Self.stringLimit,
            !places[index].strings.contains(text)
        else { return }
        places[index].strings.append(text)
    }
}

/// A change to the values of a place.
enum FieldChange: Hashable, Sendable {
    case remove
    case null
    case retype
    /// Another string of the same make, such as another date.
    case unknown
    /// A list without its last item.
    case shorten
}

extension JSONNode {
    /// The same with some places changed; nil if nothing is left.
    func changed(_ changes: [JSONPlace: FieldChange]) -> JSONNode? {
        var path = JSONPlace.root
        return changed(changes, &path)
    }

    private func changed(
        _ changes: [JSONPlace: FieldChange], _ path: inout JSONPlace
    ) -> JSONNode? {
        switch value {
        case .object(let object):
            let members = object.members.compactMap { member -> JSONObject.Member? in
                path.steps.append(.member(member.name))
                defer { path.steps.removeLast() }
                return member.value.changed(changes, &path).map { .init(name: member.name, value: $0) }
            }
            return JSONNode(.object(JSONObject(members)))
        case .array(let elements):
            let isShorter = changes[path] == .shorten
            path.steps.append(.every)
            defer { path.steps.removeLast() }
            return .array(elements.dropLast(isShorter ? 1 : 0).compactMap { $0.changed(changes, &path) })
        default:
            switch changes[path] {
            case nil, .shorten: return self
            case .remove: return nil
            case .null: return .null
            case .retype: return string == nil ? .string("mockapi") : .integer(7)
            case .unknown: return string.map { .string(UnknownValue.like($0)) } ?? self
            }
        }
    }
}

/// Strings that no client has seen, and that are of the same make as ones that it has: a client that reads dates meets another date, and one
/// that knows a closed set of words a word beyond it.
enum UnknownValue {
    static let word = "mockapi-unknown"

    static func like(_ text: String) -> String {
        let bytes = Array(text.utf8)
        if TextLook.day(bytes) != nil { return (text.hasPrefix("2001") ? "2002" : "2001") + text.dropFirst(4) }
        if TextLook.isUUID(bytes) || isNumeric(bytes) {
            // Replaces the last digit.
            return text.dropLast() + (bytes.last == UInt8(ascii: "7") ? "8" : "7")
        }
        // A date of header lines (RFC 9110 §5.6.7), and a tag (§8.8.3).
        if bytes.count == 29, text.hasSuffix(" GMT") {
            let other = "Thu, 01 Jan 2004 00:00:00 GMT"
            return text == other ? "Fri, 02 Jan 2004 00:00:00 GMT" : other
        }
        if text.hasPrefix("\""), text.hasSuffix("\""), bytes.count > 1 { return "\"\(word)\"" }
        if text.contains("://") || text.hasPrefix("/") { return text + "-mockapi" }
        if text.contains("@"), text.contains(".") { return "mockapi@example.com" }
        if text == word { return word + "-2" }
        // A slug keeps its beginning, up to its first hyphen or underscore.
        guard let end = bytes.firstIndex(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }), end > 0,
            bytes.allSatisfy({ isDigit($0) || ($0 | 0x20) &- UInt8(ascii: "a") < 26 || $0 == 0x2D || $0 == 0x5F })
        else { return word }
        return String(decoding: bytes[...end], as: UTF8.self) + word
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    /// `17`, `-1.5`, `1.2.3` or `10:30`.
    private static func isNumeric(_ bytes: [UInt8]) -> Bool {
        guard let last = bytes.last, isDigit(last) else { return false }
        return bytes.allSatisfy { isDigit($0) || ".:,+-".utf8.contains($0) }
    }
}
