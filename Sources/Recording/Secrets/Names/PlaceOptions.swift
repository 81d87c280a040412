// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText

/// The options that settle what the value of a place does, in words that a shell takes.
package enum PlaceOptions {
    /// - Parameter places: as `query:NAME`, `form:NAME` and JSON paths name them.
    package static func varying(_ places: [String]) -> String { options("--vary", places) }

    /// - Returns: nil if none of the places may select a response: a secret selects nothing, nor does a value in a list.
    package static func selecting(_ places: [String]) -> String? {
        let selectable = places.filter(maySelect)
        return selectable.isEmpty ? nil : options("--select", selectable)
    }

    private static func maySelect(_ place: String) -> Bool {
        let name =
            ["query:", "form:"].lazy.compactMap { prefix in
                place.hasPrefix(prefix) && place != prefix ? String(place.dropFirst(prefix.count)) : nil
            }.first ?? (try? JSONPlace(place))?.names?.last
        return name.map { !CredentialNames.isParameter($0, values: []) } ?? false
    }

    private static func options(_ name: String, _ places: [String]) -> String {
        places.map { "\(name) \($0.shellWord)" }.joined(separator: " ")
    }
}
