// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The memory that matching works in: one for each thread of work, used by one call at a time.
package final class MatchScratch {
    var state = RequestState()

    package init() {}

    deinit { state.deallocate() }
}
