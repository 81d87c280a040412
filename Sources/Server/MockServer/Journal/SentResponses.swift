// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import Synchronization

/// The responses to the last requests of a WireMock root, as its clients look them up in the journal.
///
/// A kept response takes one word; it is the fixture's own if nothing in it was made for the request.
final class SentResponses: Sendable {
    /// Responses that are kept; each further one replaces the oldest. 2,048.
    static let limit = 2048
    /// Bytes of their contents; beyond them the oldest are dropped. 16 MiB.
    static let contentLimit = 16 * 1024 * 1024

    private struct Kept {
        let sequence: UInt64
        let response: Response
    }

    private struct State {
        /// Indexed by sequence number modulo `limit`.
        var kept: [Kept?] = []
        /// The number of the oldest response that may still be kept.
        var oldest: UInt64 = 0
        var newest: UInt64 = 0
        var size = 0

        mutating func drop(_ place: Int) {
            size -= kept[place]?.response.bodySize ?? 0
            kept[place] = nil
        }
    }

    private let state = Mutex(State())

    private static func place(_ sequence: UInt64) -> Int { Int(sequence % UInt64(limit)) }

    /// Keeps a response, unless its content alone exceeds the limit for all, or it comes from elsewhere.
    func keep(_ response: Response, of sequence: UInt64) {
        guard response.bodySize <= Self.contentLimit else { return }
        state.withLock { state in
            if state.kept.isEmpty { state.kept = Array(repeating: nil, count: Self.limit) }
            state.drop(Self.place(sequence))
            state.kept[Self.place(sequence)] = Kept(sequence: sequence, response: response)
            state.size += response.bodySize
            state.newest = max(state.newest, sequence)
            if state.newest >= UInt64(Self.limit) {
                state.oldest = max(state.oldest, state.newest - UInt64(Self.limit) + 1)
            }
            while state.size > Self.contentLimit, state.oldest < state.newest {
                let place = Self.place(state.oldest)
                if state.kept[place]?.sequence == state.oldest { state.drop(place) }
                state.oldest += 1
            }
        }
    }

    /// Nil if the response was dropped, or never kept.
    func response(to sequence: UInt64) -> Response? {
        state.withLock { state in
            guard !state.kept.isEmpty, let kept = state.kept[Self.place(sequence)], kept.sequence == sequence else {
                return nil
            }
            return kept.response
        }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}
