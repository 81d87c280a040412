// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a requirement says of the evidence.
package enum Judgement: Sendable, Equatable {
    case pass
    /// It is met, and this could be better.
    case advice(String)
    /// What came in the place of what was expected.
    case fail(String)
    /// Why the requirement does not concern the client.
    case notApplicable(String)
}
