// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText

/// The places whose values are noise: those that differ between live samples, and those that the recording notes as volatile.
struct Noise {
    private var marked: [PlacePattern]
    private var differing: Set<String> = []

    /// - Parameter paths: JSON paths.
    init(marks paths: [String]) {
        marked = paths.compactMap { PlacePattern(jsonPath: $0) }
    }

    /// Takes note of what differs between documents.
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

    func contains(_ pointer: String) -> Bool {
        differing.contains(pointer) || marked.contains { $0.contains(pointer) }
    }

    /// A sum over the values at each place that does not depend on their order.
    private static func digest(_ node: JSONNode, _ pointer: String, _ digests: inout [String: Int]) {
        switch node.value {
        case .object(let object):
            let isMap = MapKeys.areKeys(object.members.map(\.name))
            for member in object.members {
                digest(member.value, pointer + "/" + (isMap ? "*" : Pointer.escape(member.name)), &digests)
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
