// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiProxy
import Synchronization

/// The requests that may change an upstream's responses: all but GET, HEAD, OPTIONS and TRACE (RFC 9110 §9.2.1).
///
/// A sample that was asked for after the client's own POST says nothing of values that differ by themselves.
final class UpstreamChanges: Sendable {
    typealias Mark = ChangeMark

    private struct State {
        var marks: [String: Mark] = [:]
        /// For how many responses samples are asked for, by upstream, and the tasks that wait for these.
        var asking: [String: Int] = [:]
        var waiting: [String: [CheckedContinuation<Void, Never>]] = [:]
    }

    private let state = Mutex(State())

    /// A request goes out.
    func begin(_ request: OutgoingRequest) -> Mark {
        state.withLock { state in
            let mark = state.marks[request.origin.text] ?? Mark()
            if Self.mayChange(request) {
                state.marks[request.origin.text] = Mark(count: mark.count + 1, open: mark.open + 1)
            }
            return mark
        }
    }

    /// Its response has come, or none will.
    func end(_ request: OutgoingRequest) {
        guard Self.mayChange(request) else { return }
        state.withLock { state in
            let mark = state.marks[request.origin.text] ?? Mark()
            state.marks[request.origin.text] = Mark(count: mark.count + 1, open: max(0, mark.open - 1))
        }
    }

    /// Whether something that was sent may have changed the responses since a request went out.
    func haveHappened(since mark: Mark, at origin: UpstreamOrigin) -> Bool {
        state.withLock { mark.open > 0 || ($0.marks[origin.text] ?? Mark()) != mark }
    }

    /// Samples are asked for.
    func ask(_ origin: UpstreamOrigin) {
        state.withLock { $0.asking[origin.text, default: 0] += 1 }
    }

    /// They are there.
    func asked(_ origin: UpstreamOrigin) {
        let waiting = state.withLock { state in
            state.asking[origin.text, default: 1] -= 1
            return state.asking[origin.text] == 0 ? state.waiting.removeValue(forKey: origin.text) ?? [] : []
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when no samples are being fetched that a request about to go out may change.
    func settle(before request: OutgoingRequest) async {
        guard Self.mayChange(request) else { return }
        await withCheckedContinuation { continuation in
            let isSettled = state.withLock { state in
                if state.asking[request.origin.text, default: 0] == 0 { return true }
                state.waiting[request.origin.text, default: []].append(continuation)
                return false
            }
            if isSettled { continuation.resume() }
        }
    }

    private static func mayChange(_ request: OutgoingRequest) -> Bool {
        !["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.method)
    }
}
