// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

extension ServedFixtures {
    /// The state that a scenario is in; nil if no stub takes part in it.
    func state(ofScenario name: String) -> String? {
        guard set.stubs.contains(where: { $0.scenario?.name.isExactly(name) == true }) else { return nil }
        return scenarios?.state(of: name)
    }

    /// - Parameter state: nil for the state that it begins in.
    func setScenario(_ name: String, to state: String?) throws(ScenarioError) {
        let parts = set.stubs.lazy.compactMap(\.scenario).filter { $0.name.isExactly(name) }
        guard let scenarios, !parts.isEmpty else {
            throw ScenarioError(text: "Scenario \(name) does not exist", isOfState: false)
        }
        let state = state ?? ScenarioPart.start
        guard
            state == ScenarioPart.start
                || parts.contains(where: { $0.required?.isExactly(state) == true || $0.next?.isExactly(state) == true })
        else {
            throw ScenarioError(text: "Scenario \(name) does not support state \(state)", isOfState: true)
        }
        scenarios.set(name, to: state)
    }
}
