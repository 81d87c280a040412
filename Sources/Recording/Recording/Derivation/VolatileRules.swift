// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// The parts of responses that the user declares volatile.
package struct VolatileRules: Sendable {
    /// Names of header lines, as they were given.
    private var headers: [String] = []
    private var places: [JSONPlace] = []

    package init() {}

    /// - Parameter texts: such as `header:NAME`, `$.items[*].at` and `$..updated_at`.
    /// - Returns: nil if one of them is not one of these.
    package init?(_ texts: [String]) {
        for text in texts {
            if text.hasPrefix("header:"), text.utf8.count > 7 {
                headers.append(String(text.dropFirst(7)))
            } else {
                // One item of a list is not a place of its own if each is.
                guard let place = try? JSONPlace(text), !place.steps.isEmpty, !place.steps.contains(where: \.isItem)
                else {
                    return nil
                }
                places.append(place)
            }
        }
    }

    /// The header fields of a response that are volatile.
    func headers(of response: RecordedResponse) -> [String] {
        headers.compactMap { name in response.headers.first { $0.name.lowercased() == name.lowercased() }?.name }
    }

    /// The places of a response's JSON that are volatile.
    func places(in body: [UInt8]) -> [VolatilePath] {
        guard !places.isEmpty, let node = try? JSONParser.parse(body) else { return [] }
        var found: [VolatilePath] = []
        collect(node, .root, &found)
        return found.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private func collect(_ node: JSONNode, _ place: JSONPlace, _ found: inout [VolatilePath]) {
        if places.contains(where: { $0.matches(place) }) {
            if !found.contains(where: { $0.path == place.path }) {
                found.append(VolatilePath(place.path, Volatility.kind(of: node)))
            }
            return
        }
        switch node.value {
        case .object(let object):
            for member in object.members {
                collect(member.value, place.member(member.name), &found)
            }
        case .array(let elements): for element in elements { collect(element, place.each, &found) }
        default: return
        }
    }
}

extension JSONPlace.Step {
    fileprivate var isItem: Bool {
        if case .item = self { true } else { false }
    }
}
