// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The checks between a request and the response of its stub.
package struct StubAccess: Equatable, Sendable {
    package var authentication: Authentication?
    package var rateLimit: RateLimit?
    /// Whether the stub serves only requests that it refuses, and the token endpoint: others go on to the next stub that matches.
    package var isGuard = false

    /// The priority of a guard: it is asked before all others.
    package static let guardPriority = 0

    package init() {}
}
