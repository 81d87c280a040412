// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

/// The places of a JSON text that hold a placeholder and nothing else.
package enum PlaceholderPaths {
    /// Paths that match them and their like in other elements of the same lists; none for what is no JSON.
    package static func of(_ text: [UInt8]) -> [String] {
        guard let node = try? JSONParser.parse(text) else { return [] }
        var paths: Set<String> = []
        collect(node, "$", into: &paths)
        return paths.sorted()
    }

    private static func collect(_ node: JSONNode, _ path: String, into paths: inout Set<String>) {
        switch node.value {
        case .string(var text):
            if text.withUTF8({ Placeholder.isWhole($0) }) { paths.insert(path) }
        case .array(let elements): for element in elements { collect(element, path + "[*]", into: &paths) }
        case .object(let object):
            // A name with a quote or a backslash has no path of this form.
            for member in object.members where !member.name.utf8.contains(where: { $0 == 0x27 || $0 == 0x5C }) {
                collect(member.value, path + "['\(member.name)']", into: &paths)
            }
        default: return
        }
    }
}
