// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

/// Computes responses beside the event loops, each in a task of its own, and ends those that are under way when their server stops.
final class HandlerTasks: Sendable {
    /// Responses of a server that are computed at once. 256.
    static let limit = 256
    /// How long those that are cancelled may take to notice it before the server is stopped nevertheless. 1 s.
    static let patience = Duration.seconds(1)

    private struct State {
        var count: UInt64 = 0
        /// Nil until the task is known that has been started.
        var running: [UInt64: Task<Void, Never>?] = [:]
        var isStopped = false
    }

    private let state = Mutex(State())
    private let ends = Notices()

    /// Has work done on a thread that may block.
    ///
    /// - Returns: a closure that cancels it; nil where too much is under way, or the server has stopped.
    func run(_ work: @escaping @Sendable () async -> Void) -> (@Sendable () -> Void)? {
        let number = state.withLock { state -> UInt64? in
            guard !state.isStopped, state.running.count < Self.limit else { return nil }
            state.count += 1
            state.running[state.count] = .some(nil)
            return state.count
        }
        guard let number else { return nil }
        let task = Task(executorPreference: BlockingExecutor.shared) { [self] in
            await work()
            state.withLock { _ = $0.running.removeValue(forKey: number) }
            ends.notify()
        }
        let isStopped = state.withLock { state in
            if state.running[number] != nil { state.running[number] = task }
            return state.isStopped
        }
        if isStopped { task.cancel() }
        return { task.cancel() }
    }

    /// Cancels all that is under way, takes nothing more, and returns when it has ended or has not noticed in time.
    func cancel() async {
        let running = state.withLock { state in
            state.isStopped = true
            return state.running.values.compactMap(\.self)
        }
        for task in running { task.cancel() }
        guard state.withLock({ !$0.running.isEmpty }) else { return }
        _ = try? await ends.wait(Self.patience) { state.withLock { $0.running.isEmpty } }
    }
}

/// Threads that may block, each the one of a queue: what waits in one response keeps no other from being computed, and nothing else of the
/// process from its threads.
private final class BlockingExecutor: TaskExecutor {
    /// How many there are at most. 64.
    private static let width = 64
    static let shared = BlockingExecutor()

    private struct State {
        var idle: [DispatchQueue] = []
        var count = 0
        /// The jobs that wait, from `first` on.
        var waiting: [UnownedJob] = []
        var first = 0

        mutating func next() -> UnownedJob? {
            guard first < waiting.count else {
                waiting = []
                first = 0
                return nil
            }
            defer { first += 1 }
            return waiting[first]
        }
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = state.withLock { state -> DispatchQueue? in
            if let queue = state.idle.popLast() { return queue }
            guard state.count < Self.width else {
                state.waiting.append(job)
                return nil
            }
            state.count += 1
            return DispatchQueue(label: "mockapi.handler.\(state.count)")
        }
        queue?.async { self.run(job, on: queue) }
    }

    private func run(_ job: UnownedJob, on queue: DispatchQueue?) {
        var next: UnownedJob? = job
        while let job = next {
            job.runSynchronously(on: asUnownedTaskExecutor())
            next = state.withLock { state in
                let next = state.next()
                if next == nil, let queue { state.idle.append(queue) }
                return next
            }
        }
    }
}
