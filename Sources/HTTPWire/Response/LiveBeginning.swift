// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a live answer begins with.
package enum LiveBeginning: Sendable {
    /// The head, which the content follows as it comes.
    case head(ResponseHead)
    /// All of the answer at once.
    case plan(ResponsePlan)
    /// Nothing: it failed before it had a head, or the client had gone by then.
    case nothing
}
