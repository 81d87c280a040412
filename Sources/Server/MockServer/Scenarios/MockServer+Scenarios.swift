// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

extension MockServer {
    /// The state that a scenario is in; nil where no stub has a part in it.
    public func scenarioState(_ name: String) -> String? {
        core.fixtures.state(ofScenario: name)
    }

    /// Sets a scenario to a state that one of its stubs requires or leaves, or to `Started`.
    ///
    /// A request that comes when this has returned meets it.
    /// - Throws: `MockServerError` where no stub knows the scenario or the state.
    public func setScenario(_ name: String, to state: String) throws(MockServerError) {
        do throws(ScenarioError) {
            try core.fixtures.setScenario(name, to: state)
        } catch {
            throw MockServerError(.scenarioUnknown(error.text))
        }
    }

    /// Sets all scenarios back to `Started`.
    public func resetScenarios() {
        core.current.ready.scenarios?.reset()
    }
}

/// Why a scenario cannot be set.
struct ScenarioError: Error {
    let text: String
    /// Whether it is the state that is unknown.
    let isOfState: Bool
}

extension ServedFixtures {
    /// The state that a scenario is in; nil where no stub has a part in it.
    func state(ofScenario name: String) -> String? {
        guard set.stubs.contains(where: { $0.scenario?.name.isExactly(name) == true }) else { return nil }
        return scenarios?.state(of: name)
    }

    /// - Parameter state: nil for the one that it begins in.
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
