// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The state in which a request met the scenario of the stub that answers it, and the one that its response leaves.
struct ScenarioMove: Sendable {
    let scenario: String
    let before: String
    let after: String
}
