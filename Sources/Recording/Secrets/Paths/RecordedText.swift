// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// Content as it is already recorded: where it holds placeholders, and which values stand in the clear.
package struct RecordedText: Sendable {
    private let text: [UInt8]
    /// Nil for content that is not JSON.
    private let root: JSONNode?
    private var places = RecordedPlaces()

    package init(_ bytes: [UInt8]) {
        text = WideText(bytes)?.utf8 ?? bytes
        root = try? JSONParser.parse(text)
        if let root, text.withUnsafeBufferPointer({ Placeholder.stands(in: $0) }) { places.add(root) }
    }

    /// The values that are redacted in the recording but not in a text: by a rule that is forgotten, or because they
    /// were learnt elsewhere.
    struct Missed {
        /// Where whole values of JSON begin.
        var values: Set<Int> = []
        /// Where partly redacted strings of JSON begin, with their recorded forms.
        var strings: [Int: String] = [:]
        /// Parts of a text that is not JSON, each with the place that names it.
        var parts: [(range: Range<Int>, place: String)] = []

        var isEmpty: Bool { values.isEmpty && strings.isEmpty && parts.isEmpty }
    }

    /// - Parameter text: the same content as it came now, its secrets replaced.
    func missed(in text: [UInt8]) -> Missed {
        guard let root else {
            guard let template = self.text.withUnsafeBufferPointer(PlaceholderTemplate.init) else { return Missed() }
            return Missed(parts: text.withUnsafeBufferPointer(template.holes))
        }
        guard !places.isEmpty, let node = try? JSONParser.parse(text) else { return Missed() }
        return places.missed(in: node, recorded: root)
    }

    /// Where values of a JSON text begin that are recorded in the clear at the same place.
    func clear(in text: Bytes) -> Set<Int> {
        guard let root, let node = try? JSONParser.parse(text) else { return [] }
        var offsets: Set<Int> = []
        Self.collectClear(node, root, into: &offsets)
        return offsets
    }

    private static func collectClear(_ node: JSONNode, _ recorded: JSONNode, into offsets: inout Set<Int>) {
        switch (node.value, recorded.value) {
        case (.string, .string):
            if node == recorded { offsets.insert(node.offset) }
        case (.number(let new), .number(let old)):
            if new.literal == old.literal { offsets.insert(node.offset) }
        default:
            node.eachChild(beside: recorded) { _, child, other in
                if let other { collectClear(child, other, into: &offsets) }
            }
        }
    }

    /// The length of a value that shows, wherever it stands in a text, that it was left there. 16.
    private static let tellingLength = 16

    /// Whether a value stands in the clear in a recorded text that is not JSON.
    func isClear(_ value: [UInt8]) -> Bool {
        guard root == nil, value.count >= Self.tellingLength else { return false }
        return text.withUnsafeBufferPointer { text in
            text.count >= value.count
                && (0...text.count - value.count).contains { text[$0] == value[0] && text.has(value, at: $0) }
        }
    }
}

/// The places of a JSON text that hold placeholders, those of the elements of a list together.
struct RecordedPlaces: Sendable {
    /// A place without the indexes that lead to it.
    private struct Place: Sendable {
        var members: [String: Int] = [:]
        var elements: Int?
        /// How many placeholders stand there.
        var placeholders = 0
        /// Other strings that do.
        var clear: Set<String> = []
        /// Whether there are other values than null and empty strings, and than these.
        var hasOthers = false

        /// Whether nothing that stands there is reported.
        var isHidden: Bool { clear.isEmpty && !hasOthers }
    }

    /// A value that stands, in a text that came later, where placeholders are recorded.
    private struct Candidate {
        var node: JSONNode
        /// Whether just there a placeholder is recorded.
        var isExact: Bool
    }

    /// The values that a text that came later has at a place.
    private struct Found {
        var placeholders = 0
        var candidates: [Candidate] = []
    }

    private var tree: [Place] = [Place()]
    private(set) var isEmpty = true

    mutating func add(_ root: JSONNode) {
        add(root, at: 0)
    }

    private mutating func add(_ node: JSONNode, at place: Int) {
        switch node.value {
        case .null: return
        case .string(var text):
            if text.isEmpty { return }
            let (isWhole, stands) = text.withUTF8 { (Placeholder.isWhole($0), Placeholder.stands(in: $0)) }
            if isWhole { tree[place].placeholders += 1 } else { tree[place].clear.insert(text) }
            if stands { isEmpty = false }
        case .number, .bool: tree[place].hasOthers = true
        case .array, .object:
            tree[place].hasOthers = true
            node.eachChild(beside: nil) { name, child, _ in add(child, at: self.place(name, in: place)) }
        }
    }

    /// The place of a member, or of all elements; made if it is missing.
    private mutating func place(_ name: String?, in parent: Int) -> Int {
        if let known = known(name, in: parent) { return known }
        tree.append(Place())
        let place = tree.count - 1
        if let name { tree[parent].members[name] = place } else { tree[parent].elements = place }
        return place
    }

    private func known(_ name: String?, in parent: Int) -> Int? {
        name.map { tree[parent].members[$0] } ?? tree[parent].elements
    }

    /// Where the values begin that are to be redacted once more.
    ///
    /// If nothing else than placeholders is recorded of a place, all that stands there is hidden, unless the text's own secrets were found
    /// at just the recorded elements: then no rule is needed. In a list with findings, only strings are hidden that stand where a
    /// placeholder did and are recorded nowhere in that list, if fewer secrets were found in it than were before.
    func missed(in text: JSONNode, recorded: JSONNode) -> RecordedText.Missed {
        var found: [Int: Found] = [:]
        var strings: [Int: String] = [:]
        compare(text, recorded, at: 0, &found, &strings)
        var offsets: Set<Int> = []
        for (index, found) in found {
            let place = tree[index]
            if place.isHidden {
                let isFound = found.placeholders > 0 && !found.candidates.contains(where: \.isExact)
                if !isFound { offsets.formUnion(found.candidates.map(\.node.offset)) }
            } else if found.placeholders < place.placeholders {
                for candidate in found.candidates where candidate.isExact {
                    guard let text = candidate.node.string, !place.clear.contains(text) else { continue }
                    offsets.insert(candidate.node.offset)
                }
            }
        }
        return .init(values: offsets, strings: strings)
    }

    private func compare(
        _ node: JSONNode, _ recorded: JSONNode?, at place: Int, _ found: inout [Int: Found],
        _ strings: inout [Int: String]
    ) {
        if let text = node.string, let old = recorded?.string, node != recorded, !tree[place].clear.contains(text),
            !Self.isPlaceholder(.string(old)), !Placeholders.areEqual(text, old)
        {
            strings[node.offset] = old
        }
        if tree[place].placeholders > 0 {
            if Self.isPlaceholder(node) {
                found[place, default: Found()].placeholders += 1
            } else if !node.isNull, node.string?.isEmpty != true {
                let isExact = recorded.map(Self.isPlaceholder) ?? false
                found[place, default: Found()].candidates.append(Candidate(node: node, isExact: isExact))
            }
        }
        node.eachChild(beside: recorded) { name, child, other in
            if let inner = known(name, in: place) { compare(child, other, at: inner, &found, &strings) }
        }
    }

    private static func isPlaceholder(_ node: JSONNode) -> Bool {
        guard var text = node.string else { return false }
        return text.withUTF8 { Placeholder.isWhole($0) }
    }
}

extension JSONNode {
    /// Each value in an object or an array, with its name in an object, and the value at the same place of another text.
    fileprivate func eachChild(beside other: JSONNode?, _ body: (String?, JSONNode, JSONNode?) -> Void) {
        switch value {
        case .object(let object):
            let others = other?.object?.members ?? []
            var named: [String: JSONNode]?
            for (index, member) in object.members.enumerated() {
                if others.indices.contains(index), others[index].name == member.name {
                    body(member.name, member.value, others[index].value)
                } else {
                    let all = named ?? Dictionary(others.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
                    named = all
                    body(member.name, member.value, all[member.name])
                }
            }
        case .array(let elements):
            let others = other?.array ?? []
            for (index, element) in elements.enumerated() {
                body(nil, element, others.indices.contains(index) ? others[index] : nil)
            }
        default: return
        }
    }
}
