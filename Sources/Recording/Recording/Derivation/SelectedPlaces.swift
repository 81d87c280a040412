// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets

/// The places of a request whose values select the response by the user's word: each value has a stub of its own, even if all responses are alike.
package struct SelectedPlaces: Sendable {
    private var places: Set<SentPlace> = []

    package init() {}

    /// - Parameter texts: such as `query:id`, `form:id`, `header:X-Tenant`, `cookie:lang` and `$.id`.
    /// - Returns: nil if one of them is not one of these.
    package init?(_ texts: [String]) {
        for text in texts {
            if Self.isSecret(text) { return nil }
            guard !text.hasSuffix(":"), let place = SentPlace(text) else { return nil }
            switch place {
            case .header(let name): places.insert(.header(name.lowercased()))
            case .cookie, .parameter, .field: places.insert(place)
            // A value in a list has no place of its own.
            case .member(let member) where member.names != nil: places.insert(place)
            default: return nil
            }
        }
    }

    /// Whether a place is a secret by its name, or a header line that no stub asks for: it selects nothing.
    package static func isSecret(_ text: String) -> Bool {
        switch SentPlace(text) {
        case .header(let name):
            CredentialNames.isHeader(name.lowercased()) || !RequestHeaders.mayDecide(name.lowercased())
        case .cookie(let name), .parameter(let name), .field(let name): CredentialNames.isParameter(name, values: [])
        case .member(let place): CredentialNames.isParameter(place.names?.last ?? "", values: [])
        default: false
        }
    }

    /// Those that a request has, and that its matchers leave out; not those with a secret in them.
    func standing(in sent: SentRequest, usable: (SentValue, SentPlace) -> Bool) -> [SentPlace] {
        if places.isEmpty { return [] }
        return places.filter { place in
            sent.values[place].map { values in values.allSatisfy { usable($0, place) } } ?? false
        }.sorted { $0.text < $1.text }
    }

    /// Those at which a request has a secret that no stub may ask for.
    func hidden(in sent: SentRequest, usable: (SentValue, SentPlace) -> Bool) -> [SentPlace] {
        if places.isEmpty { return [] }
        return places.filter { place in
            sent.hidden.contains(place) || sent.values[place].map { !$0.allSatisfy { usable($0, place) } } ?? false
        }.sorted { $0.text < $1.text }
    }

    /// Whether a place is among them, as `--vary` would name it.
    func contain(_ text: String) -> Bool { SentPlace(text).map(places.contains) ?? false }
}
