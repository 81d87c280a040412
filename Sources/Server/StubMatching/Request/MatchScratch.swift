// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiMetering

/// The memory that matching works in: one for each thread of work, used by one call at a time.
package final class MatchScratch {
    /// No access overlaps another: a function that is called with it asks for no other.
    @exclusivity(unchecked) var state: RequestState
    let known = KnownTargets()

    /// - Parameter isOnLoop: whether others wait while this is used, so that a request takes no more than `Meter.onLoop`.
    package init(isOnLoop: Bool = false) {
        state = RequestState(isOnLoop: isOnLoop)
    }

    /// The address of the sender of the next requests, for those indexes that read it; nil if nobody knows.
    package var clientAddress: String? {
        didSet { if clientAddress != oldValue { state.setClient(clientAddress) } }
    }

    /// The time that `now` in a matcher is, in milliseconds since 1970, if it stands still; nil for the index's clock.
    package var frozenMilliseconds: Int64? {
        didSet { if frozenMilliseconds != oldValue { state.freeze(atMilliseconds: frozenMilliseconds) } }
    }

    /// The body of the next requests in the coding that it was sent in, if they are matched without it; nil for the same.
    ///
    /// Bytes and digests may be of either.
    package var sentBody: [UInt8]? {
        didSet { state.setSentBody(sentBody) }
    }

    /// Ends the matching of the next requests if nobody waits for it any more; nil if nothing does.
    package var stop: WorkStop? {
        get { state.stop }
        set { state.stop = newValue }
    }

    /// Makes all later requests pay from one meter, as many as they are: a search through a journal.
    ///
    /// - Parameter stop: ends it when nobody waits for it any more.
    package func shareWork(stop: WorkStop? = nil) {
        state.budget.share(stop: stop)
    }

    /// Whether a test of a request was given up, so that it is not known whether that matches.
    package var hasGivenUp: Bool { state.hasGivenUp || hasRunOut }

    /// Whether a request took more work than there was, for it alone or for all that share it.
    package var hasRunOut: Bool { state.budget.refusals > 0 }

    /// Whether the last request takes more than it may on an event loop: it is then matched again beside the loop.
    package var isCut: Bool { state.budget.isCut }

    /// Takes units for the work on the last request beside matching; false if it has taken all that it may.
    package func pay(_ units: Int) -> Bool { state.budget.meter.pay(units) }

    /// Drops the data of a request that were kept to explain why nothing matched it.
    package func dropBody() {
        state.dropBody()
    }

    deinit {
        state.deallocate()
    }
}
