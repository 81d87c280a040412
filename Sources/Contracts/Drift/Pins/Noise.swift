// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The places whose values are noise: those that differ between live samples, and those that the recording notes as volatile.
struct Noise {
    private let marks: [(text: String, place: JSONPlace?)]
    private let moving: [(text: String, place: JSONPlace?)]
    private var differing: Set<String> = []

    /// - Parameters:
    ///   - paths: JSON paths of values of any form.
    ///   - moving: JSON paths of values that keep their form.
    init(marks paths: [String] = [], moving: [String] = []) {
        marks = paths.map { ($0, ResponsePlace(named: $0)?.body) }
        self.moving = moving.map { ($0, ResponsePlace(named: $0)?.body) }
    }

    var isEmpty: Bool { marks.isEmpty && moving.isEmpty }

    /// The marks that are not places, or are nowhere in the documents.
    func unknownMarks(in documents: [JSONNode]) -> [String] {
        (marks + moving).compactMap { mark in
            guard let place = mark.place else {
                return "volatile: \(mark.text) is not a JSON path of names, indices, * and .."
            }
            let isUnknown = !documents.isEmpty && documents.allSatisfy { place.isAbsent(from: $0) }
            return isUnknown ? "volatile: nothing is at \(mark.text)" : nil
        }
    }

    /// Notes the differences between documents.
    mutating func learn(from documents: [JSONNode]) {
        guard documents.count > 1 else { return }
        let digests = documents.map { document in
            var digests: [String: Int] = [:]
            Self.digest(document, "", &digests)
            return digests
        }
        for (pointer, digest) in digests[0] where digests.dropFirst().contains(where: { $0[pointer] != digest }) {
            differing.insert(pointer)
        }
        for other in digests.dropFirst() { differing.formUnion(other.keys.filter { digests[0][$0] == nil }) }
    }

    /// Whether the values at a place differ each time.
    func contains(_ pointer: String) -> Bool {
        differing.contains(pointer) || isMarked(pointer) || Self.one(of: moving, has: pointer)
    }

    /// Whether their forms are, too.
    func isMarked(_ pointer: String) -> Bool { Self.one(of: marks, has: pointer) }

    private static func one(of marks: [(text: String, place: JSONPlace?)], has pointer: String) -> Bool {
        if marks.isEmpty { return false }
        let place = JSONPlace(pointer: pointer)
        return marks.contains { $0.place?.contains(place) ?? false }
    }

    /// A sum over the values at each place that does not depend on their order.
    private static func digest(_ node: JSONNode, _ pointer: String, _ digests: inout [String: Int]) {
        switch node.value {
        case .object(let object):
            let isMap = MapKeys.areKeys(object.members.map(\.name))
            for member in object.members {
                digest(member.value, isMap ? pointer + "/*" : JSONPointer.appending(member.name, to: pointer), &digests)
            }
        case .array(let elements):
            digests[pointer, default: 0] &+= elements.count
            for element in elements { digest(element, pointer + "/*", &digests) }
        default:
            var hasher = Hasher()
            hasher.combine(JSONWriter.compact(node))
            digests[pointer, default: 0] &+= hasher.finalize()
        }
    }
}
