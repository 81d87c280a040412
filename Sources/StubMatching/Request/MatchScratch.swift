// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The memory that matching works in: one for each thread of work, used by one call at a time.
package final class MatchScratch {
    /// No access overlaps another: what is called with it asks for no other.
    @exclusivity(unchecked) var state = RequestState()

    package init() {}

    deinit { state.deallocate() }
}
