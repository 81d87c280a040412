// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
package import MockapiJSONText

/// `equalToJson` as the fixture format says it, by trying every order: what comparing JSON must agree with on small values.
package struct NaiveJSON {
    var ignoresArrayOrder: Bool
    var ignoresExtraElements: Bool
    /// Whether elements that only the actual array has count, too.
    var ignoresExtraItems: Bool

    package init(ignoresArrayOrder: Bool = false, ignoresExtraElements: Bool = false, ignoresExtraItems: Bool = false) {
        self.ignoresArrayOrder = ignoresArrayOrder
        self.ignoresExtraElements = ignoresExtraElements
        self.ignoresExtraItems = ignoresExtraItems
    }

    package func equal(_ expected: JSONNode, _ actual: JSONNode) -> Bool {
        if let placeholder = expected.string.flatMap(JSONPlaceholder.init) { return meets(placeholder, actual) }
        switch (expected.value, actual.value) {
        case (.array(let expected), .array(let actual)):
            let extra = actual.count - expected.count
            guard extra == 0 || ignoresExtraItems && extra > 0 else { return false }
            if !ignoresArrayOrder { return zip(expected, actual).allSatisfy { equal($0, $1) } }
            return canPair(expected[...], actual)
        case (.object(let expected), .object(let actual)):
            let names = Set(actual.members.map(\.name))
            let wanted = Set(expected.members.map(\.name))
            for name in wanted {
                guard let value = expected[name] else { return false }
                if let other = actual[name] {
                    if !equal(value, other) { return false }
                } else if value.string.flatMap(JSONPlaceholder.init) != .ignoreElement {
                    return false
                }
            }
            return ignoresExtraElements || names.isSubset(of: wanted)
        default: return expected == actual
        }
    }

    private func canPair(_ expected: ArraySlice<JSONNode>, _ actual: [JSONNode]) -> Bool {
        guard let first = expected.first else { return true }
        return actual.indices.contains { place in
            guard equal(first, actual[place]) else { return false }
            var others = actual
            others.remove(at: place)
            return canPair(expected.dropFirst(), others)
        }
    }

    private func meets(_ placeholder: JSONPlaceholder, _ actual: JSONNode) -> Bool {
        switch placeholder {
        case .anyString: actual.string != nil
        case .anyNumber: actual.number != nil
        case .anyBoolean: actual.bool != nil
        case .ignore, .ignoreElement: true
        case .regex: false
        }
    }
}
