// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The state in which a request found the scenario of its stub, and the state in which its response leaves it.
struct ScenarioMove: Sendable {
    let scenario: String
    let before: String
    let after: String
}
