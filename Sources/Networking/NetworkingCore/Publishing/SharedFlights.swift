// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Synchronization

/// Operations under way by key: a caller that asks for one of them waits for its end with the others.
package final class SharedFlights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private typealias Asker = OneShot<Result<Value, any Error>>

    private struct Flight {
        /// The first asker, which distinguishes the flight from others of its key.
        let first: Asker
        let task: Task<Void, Never>
        var askers: [Asker]
    }

    private let flights = Mutex<[Key: Flight]>([:])

    package init() {}

    /// The value of an operation, run once for all that ask for its key meanwhile.
    ///
    /// - Throws: the errors of the operation; `CancellationError` if the task or the operation is cancelled. The
    ///   operation is cancelled with the last caller that waits for it.
    package func value(for key: Key, _ operation: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let asker = Asker()
        let result = await asker.value {
            self.join(key, asker, operation)
            // A caller that was cancelled before it had joined has left nothing yet.
            if Task.isCancelled { self.leave(key, asker) }
        } onCancel: {
            self.leave(key, asker)
        }
        return try result.get()
    }

    /// Cancels the operation for a key, if there is one; all that wait for it are cancelled with it.
    package func cancel(_ key: Key) {
        let flight = flights.withLock { $0.removeValue(forKey: key) }
        flight?.task.cancel()
        for asker in flight?.askers ?? [] { asker.finish(.failure(CancellationError())) }
    }

    /// How many operations are under way.
    package var count: Int { flights.withLock { $0.count } }

    /// How many wait for them.
    package var waiterCount: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.askers.count } } }

    private func join(_ key: Key, _ asker: Asker, _ operation: @escaping @Sendable () async throws -> Value) {
        flights.withLock { flights in
            guard flights[key] == nil else {
                flights[key]?.askers.append(asker)
                return
            }
            let task = Task {
                let result: Result<Value, any Error>
                do {
                    result = .success(try await operation())
                } catch {
                    result = .failure(error)
                }
                land(key, asker, result)
            }
            flights[key] = Flight(first: asker, task: task, askers: [asker])
        }
    }

    private func land(_ key: Key, _ first: Asker, _ result: Result<Value, any Error>) {
        let flight = flights.withLock { flights in
            flights[key]?.first === first ? flights.removeValue(forKey: key) : nil
        }
        for asker in flight?.askers ?? [] { asker.finish(result) }
    }

    private func leave(_ key: Key, _ asker: Asker) {
        let task = flights.withLock { flights -> Task<Void, Never>? in
            flights[key]?.askers.removeAll { $0 === asker }
            return flights[key]?.askers.isEmpty == true ? flights.removeValue(forKey: key)?.task : nil
        }
        task?.cancel()
        asker.finish(.failure(CancellationError()))
    }
}
