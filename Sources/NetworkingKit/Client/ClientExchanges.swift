// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// The requests of a client that are under way, and how each is cancelled.
final class ClientExchanges: Sendable {
    private struct Exchange {
        let request: any APIRequest
        var cancel: (@Sendable () -> Void)?
        var isCancelled = false
    }

    private struct State {
        var exchanges: [UInt64: Exchange] = [:]
        var tickets: UInt64 = 0
    }

    private let state = Mutex(State())

    func begin(_ request: any APIRequest) -> UInt64 {
        state.withLock { state in
            state.tickets += 1
            state.exchanges[state.tickets] = Exchange(request: request)
            return state.tickets
        }
    }

    /// Says how an exchange is cancelled; one that has been cancelled already is.
    func run(_ ticket: UInt64, _ cancel: @escaping @Sendable () -> Void) {
        let isCancelled = state.withLock { state in
            state.exchanges[ticket]?.cancel = cancel
            return state.exchanges[ticket]?.isCancelled == true
        }
        if isCancelled { cancel() }
    }

    func end(_ ticket: UInt64) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ticket) }
    }

    func cancel(where matches: (any APIRequest) -> Bool) {
        let requests = state.withLock { $0.exchanges.mapValues(\.request) }
        let tickets = requests.filter { matches($0.value) }.keys
        let cancellations = state.withLock { state in
            tickets.compactMap { ticket in
                state.exchanges[ticket]?.isCancelled = true
                return state.exchanges[ticket]?.cancel
            }
        }
        for cancel in cancellations { cancel() }
    }
}
