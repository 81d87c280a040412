// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Operations under way by key: who asks for one that is under way waits for its end with the others.
final class SharedFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Waiter = CheckedContinuation<Value, any Error>

    private struct Flight {
        let number: UInt64
        var task: Task<Void, Never>?
        var waiters: [UInt64: Waiter] = [:]
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var tickets: UInt64 = 0
        /// Tickets of those who left before they began to wait.
        var leavers: Set<UInt64> = []

        mutating func ticket() -> UInt64 {
            tickets += 1
            return tickets
        }
    }

    /// How an asker comes to its value.
    private enum Way {
        case left, joined, starts
    }

    private let state = Mutex(State())

    /// What an operation gives, run once for all who ask for its key meanwhile.
    ///
    /// - Throws: what the operation does; `CancellationError` to who is cancelled. The operation is cancelled with the last who waits for it.
    func value(for key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let ticket = state.withLock { $0.ticket() }
        // Cancelled when the flight had landed: nobody will ask for this ticket again.
        defer { state.withLock { _ = $0.leavers.remove(ticket) } }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                join(key, ticket, waiter, operation)
            }
        } onCancel: {
            leave(key, ticket)
        }
    }

    /// Cancels the operation for a key, if there is one; all who wait for it are cancelled with it.
    func cancel(_ key: Key) {
        let flight = state.withLock { $0.flights.removeValue(forKey: key) }
        flight?.task?.cancel()
        for waiter in (flight?.waiters ?? [:]).values { waiter.resume(throwing: CancellationError()) }
    }

    /// How many operations are under way.
    var count: Int { state.withLock { $0.flights.count } }

    /// How many wait for them.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters.count } } }

    private func join(
        _ key: Key, _ ticket: UInt64, _ waiter: Waiter, _ operation: @escaping @Sendable () async throws -> Value
    ) {
        let way = state.withLock { state -> Way in
            if state.leavers.remove(ticket) != nil { return .left }
            guard state.flights[key] == nil else {
                state.flights[key]?.waiters[ticket] = waiter
                return .joined
            }
            state.flights[key] = Flight(number: ticket, waiters: [ticket: waiter])
            return .starts
        }
        switch way {
        case .left: waiter.resume(throwing: CancellationError())
        case .joined: break
        case .starts: start(key, ticket, operation)
        }
    }

    private func start(_ key: Key, _ number: UInt64, _ operation: @escaping @Sendable () async throws -> Value) {
        let task = Task {
            let result: Result<Value, any Error>
            do {
                result = .success(try await operation())
            } catch {
                result = .failure(error)
            }
            land(key, number, result)
        }
        let isOver = state.withLock { state in
            guard state.flights[key]?.number == number else { return true }
            state.flights[key]?.task = task
            return false
        }
        // All have left before the task was known; one that has landed takes no notice.
        if isOver { task.cancel() }
    }

    private func land(_ key: Key, _ number: UInt64, _ result: Result<Value, any Error>) {
        let flight = state.withLock { state -> Flight? in
            guard state.flights[key]?.number == number else { return nil }
            return state.flights.removeValue(forKey: key)
        }
        for waiter in (flight?.waiters ?? [:]).values { waiter.resume(with: result) }
    }

    private func leave(_ key: Key, _ ticket: UInt64) {
        let (waiter, task) = state.withLock { state -> (Waiter?, Task<Void, Never>?) in
            guard let waiter = state.flights[key]?.waiters.removeValue(forKey: ticket) else {
                state.leavers.insert(ticket)
                return (nil, nil)
            }
            guard state.flights[key]?.waiters.isEmpty == true else { return (waiter, nil) }
            return (waiter, state.flights.removeValue(forKey: key)?.task)
        }
        task?.cancel()
        waiter?.resume(throwing: CancellationError())
    }
}
