// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Recognises a response that equals the one before it to the same request, so that it need not be examined again; from any thread.
final class RepeatedResponses: Sendable {
    final class Known: Sendable {
        fileprivate let digest: ExchangeDigest
        /// The key of the request.
        let key: String
        /// Where its requests are counted.
        let counted: CountedRequest?
        let outcome: RecordingOutcome

        fileprivate init(
            _ digest: ExchangeDigest, key: String, _ counted: CountedRequest?, _ outcome: RecordingOutcome
        ) {
            self.digest = digest
            self.key = key
            self.counted = counted
            self.outcome = outcome
        }
    }

    private struct State {
        /// By the fingerprints of the requests.
        var known: [Fingerprint: Known] = [:]
        /// The fingerprints of the requests of a stub, by its key.
        var requests: [String: [Fingerprint]] = [:]
        /// The responses that have come again without being counted yet, in their order, and how often each did in a row.
        var uncounted: [(known: Known, times: Int)] = []
        /// Where the last of them stand, by their requests.
        var places: [Fingerprint: Int] = [:]

        func last(_ digest: ExchangeDigest) -> Known? {
            guard let last = known[digest.request], last.digest == digest else { return nil }
            return last
        }

        mutating func count(_ last: Known, _ request: Fingerprint) {
            if let place = places[request], place == uncounted.count - 1 || uncounted.count >= RepeatedResponses.limit {
                uncounted[place].times += 1
            } else {
                places[request] = uncounted.count
                uncounted.append((last, 1))
            }
        }
    }

    /// Requests that are remembered; beyond them all are forgotten, and each is examined once more. Also of those that are not counted yet whose
    /// order is kept. 65,536.
    private static let limit = 65_536

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
            state.count(last, digest.request)
            return last.outcome
        }
    }

    /// The responses that came again without being counted, in their order, and how often each did in a row.
    func takeUncounted() -> [(known: Known, times: Int)] {
        state.withLock { state in
            defer { (state.uncounted, state.places) = ([], [:]) }
            return state.uncounted
        }
    }

    /// Takes note of a response that is the last step of its stub.
    func note(_ exchange: Exchange, key: String, _ counted: CountedRequest?, _ outcome: RecordingOutcome) {
        let digest = ExchangeDigest(exchange, treatments)
        state.withLock { state in
            if state.known.count >= Self.limit { (state.known, state.requests) = ([:], [:]) }
            let known = Known(digest, key: key, counted, outcome)
            let other = state.known.updateValue(known, forKey: digest.request)
            if other?.key != key { state.requests[key, default: []].append(digest.request) }
        }
    }

    /// The stub of a request has changed: the known facts of its last step do not hold any more.
    func forget(_ key: String) {
        state.withLock { state in
            for request in state.requests.removeValue(forKey: key) ?? [] { state.known[request] = nil }
        }
    }
}
