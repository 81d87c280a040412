// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The parts of responses that the user declares volatile.
package struct VolatileRules: Sendable {
    /// Names of header lines, as they were given.
    private var headers: [String] = []
    /// JSON paths, an element of a list being `[*]`.
    private var paths: Set<String> = []
    /// Names of members, wherever they stand: `$..name`.
    private var names: Set<String> = []

    package init() {}

    /// - Parameter texts: such as `header:NAME`, `$.items[*].at` and `$..updated_at`.
    /// - Returns: nil where one of them is none of these.
    package init?(_ texts: [String]) {
        for text in texts {
            if text.hasPrefix("header:"), text.utf8.count > 7 {
                headers.append(String(text.dropFirst(7)))
            } else if text.hasPrefix("$.."), let name = UnsteadyValues.path("$." + text.dropFirst(3)), name.count == 1 {
                names.insert(name[0])
            } else if let path = UnsteadyValues.path(text) {
                paths.insert(path.reduce("$") { $1 == "*" ? $0 + "[*]" : JSONPathText.member($0, $1) })
            } else {
                return nil
            }
        }
    }

    /// The header fields of a response that are volatile.
    func headers(of response: RecordedResponse) -> [String] {
        headers.compactMap { name in response.headers.first { $0.name.lowercased() == name.lowercased() }?.name }
    }

    /// The places of a response's JSON that are volatile.
    func places(in body: [UInt8]) -> [VolatilePath] {
        if paths.isEmpty && names.isEmpty { return [] }
        guard let node = try? JSONParser.parse(body) else { return [] }
        var found: [VolatilePath] = []
        collect(node, "$", nil, &found)
        return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private func collect(_ node: JSONNode, _ path: String, _ name: String?, _ found: inout [VolatilePath]) {
        if paths.contains(path) || name.map(names.contains) == true {
            if !found.contains(where: { $0.path == path }) {
                found.append(VolatilePath(path, Volatility.kind(of: node)))
            }
            return
        }
        switch node.value {
        case .object(let object):
            for member in object.members {
                collect(member.value, JSONPathText.member(path, member.name), member.name, &found)
            }
        case .array(let elements): for element in elements { collect(element, path + "[*]", nil, &found) }
        default: return
        }
    }
}
