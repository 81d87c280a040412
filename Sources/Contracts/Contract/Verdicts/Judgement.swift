// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The judgement of a requirement on the evidence.
package enum Judgement: Sendable, Equatable {
    case pass
    /// It is met, and this could be better.
    case advice(String)
    /// It is not met; the text is the result that came in the place of the expected one.
    case fail(String)
    /// Why the requirement does not concern the client.
    case notApplicable(String)
}
