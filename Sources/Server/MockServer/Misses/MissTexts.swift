// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import Synchronization

/// The texts that clients got for unmatched requests, as long as the journal may have them: by the
/// fixtures of that moment, which may have changed when somebody asks.
final class MissTexts: Sendable {
    /// Bytes of texts that are kept; beyond them the oldest give way. 1 MiB.
    static let limit = 1024 * 1024

    private struct Kept {
        let bytes: [UInt8]
        let stubCount: Int
    }

    private struct State {
        var kept: [UInt64: Kept] = [:]
        /// The numbers of the requests, the oldest first, from `first` on.
        var order: [UInt64] = []
        var first = 0
        var size = 0
    }

    private let state = Mutex(State())

    func add(_ miss: Miss, to sequence: UInt64) {
        let kept = Kept(bytes: miss.text, stubCount: miss.fixtures.stubs.count)
        state.withLock { state in
            guard state.kept.updateValue(kept, forKey: sequence) == nil else { return }
            state.order.append(sequence)
            state.size += miss.text.count
            while state.size > Self.limit, state.first < state.order.count {
                state.size -= state.kept.removeValue(forKey: state.order[state.first])?.bytes.count ?? 0
                state.first += 1
            }
            if state.first > state.order.count / 2 {
                state.order.removeFirst(state.first)
                state.first = 0
            }
        }
    }

    /// The text about a request, and how many stubs there were then; nil if that has given way.
    func text(of sequence: UInt64) -> (text: String, stubCount: Int)? {
        let kept = state.withLock { $0.kept[sequence] }
        return kept.map { (String(decoding: $0.bytes, as: UTF8.self), $0.stubCount) }
    }

    func removeAll() {
        state.withLock { $0 = State() }
    }
}
