// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The judgement of a requirement on the evidence.
package enum Judgement: Sendable, Equatable {
    case pass
    /// It is met, and this could be better.
    case advice(String)
    /// It is not met; this came in the place of what was expected.
    case fail(String)
    /// Why the requirement does not concern the client.
    case notApplicable(String)
}
