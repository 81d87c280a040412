// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The beginning of a streamed response.
package enum StreamBeginning: Sendable {
    /// The head, which the content follows as it comes.
    case head(ResponseHead)
    /// All of the response at once.
    case response(Response)
    /// Nothing: it failed before it had a head, or the client had gone by then.
    case nothing
}
