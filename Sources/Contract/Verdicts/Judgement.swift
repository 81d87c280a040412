// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a requirement says of the evidence.
package enum Judgement: Sendable, Equatable {
    case pass
    /// What came in the place of what was expected.
    case fail(String)
    /// Why the requirement does not concern the client.
    case notApplicable(String)
}
