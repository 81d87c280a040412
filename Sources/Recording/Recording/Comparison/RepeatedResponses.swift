// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Recognises a response that equals the one before it to the same request, so that it need not be examined again; from any thread.
final class RepeatedResponses: Sendable {
    struct Known: Sendable {
        fileprivate var digest: ExchangeDigest
        /// The key of the request.
        var key: String
        /// Where its requests are counted.
        var counted: CountedRequest?
        /// How often the stub had been written.
        fileprivate var version: Int
        var outcome: RecordingOutcome
        /// How often it has come without being counted yet.
        var uncounted = 0
    }

    private struct State {
        /// By the fingerprints of the requests.
        var known: [Fingerprint: Known] = [:]
        /// How often the stubs were written, by the keys of their requests.
        var versions: [String: Int] = [:]
        /// The requests that have come without being counted yet.
        var uncounted: [Fingerprint] = []

        func last(_ digest: ExchangeDigest) -> Known? {
            guard let last = known[digest.request], last.digest == digest, last.version == versions[last.key] ?? 0
            else { return nil }
            return last
        }
    }

    let treatments = KnownTreatments()
    private let state = Mutex(State())

    /// The known outcome of a response that is the last step of its stub; nil if it is not.
    func last(_ exchange: Exchange) -> Known? {
        let digest = ExchangeDigest(exchange, treatments)
        return state.withLock { $0.last(digest) }
    }

    /// The same for a response that nothing waits before; it is counted later, with `takeUncounted`.
    func take(_ digest: ExchangeDigest) -> RecordingOutcome? {
        state.withLock { state in
            guard let last = state.last(digest) else { return nil }
            if last.uncounted == 0 { state.uncounted.append(digest.request) }
            state.known[digest.request]?.uncounted += 1
            return last.outcome
        }
    }

    /// The responses that came again without being counted, and how often each did.
    func takeUncounted() -> [Known] {
        state.withLock { state in
            let taken = state.uncounted.compactMap { state.known[$0] }
            for request in state.uncounted { state.known[request]?.uncounted = 0 }
            state.uncounted = []
            return taken
        }
    }

    /// Takes note of a response that is the last step of its stub.
    func note(_ exchange: Exchange, key: String, _ counted: CountedRequest?, _ outcome: RecordingOutcome) {
        let digest = ExchangeDigest(exchange, treatments)
        state.withLock { state in
            state.known[digest.request] = Known(
                digest: digest, key: key, counted: counted, version: state.versions[key] ?? 0, outcome: outcome,
                uncounted: state.known[digest.request]?.uncounted ?? 0)
        }
    }

    /// The stub of a request has changed: the known facts of its last step do not hold any more.
    func forget(_ key: String) {
        state.withLock { $0.versions[key, default: 0] += 1 }
    }
}
