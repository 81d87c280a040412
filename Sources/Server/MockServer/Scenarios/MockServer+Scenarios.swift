// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

extension MockServer {
    /// The state that a scenario is in; nil if no stub has a part in it.
    public func scenarioState(_ name: String) -> String? {
        core.fixtures.state(ofScenario: name)
    }

    /// Sets a scenario to a state that one of its stubs requires or leaves, or to `Started`.
    ///
    /// A request that comes when this has returned meets it.
    /// - Throws: `MockServerError` if no stub knows the scenario or the state.
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
