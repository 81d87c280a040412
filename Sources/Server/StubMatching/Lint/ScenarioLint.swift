// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// Finds stubs that wait for a state that no stub leaves their scenario in.
enum ScenarioLint {
    static func findings(_ set: FixtureSet) -> [Finding] {
        let parts = set.stubs.compactMap(\.scenario)
        if parts.isEmpty { return [] }
        var reached: [ExactText: Set<ExactText>] = [:]
        for part in parts {
            if let next = part.next { reached[ExactText(part.name), default: []].insert(ExactText(next)) }
        }
        return parts.compactMap { part in
            guard let required = part.required, required != ScenarioPart.start,
                reached[ExactText(part.name)]?.contains(ExactText(required)) != true
            else { return nil }
            return Finding(
                .warning,
                "no stub leaves the scenario \"\(part.name)\" in \"\(required)\": this one answers only after it is set to "
                    + "that by PUT /__admin/scenarios/…/state or a test",
                at: part.requiredPlace)
        }
    }
}
