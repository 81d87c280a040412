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
        var running: [UInt64: Job] = [:]
        var isStopped = false
        /// Nil if tasks inherit nothing.
        var origin: Origin?
    }

    /// A task that others inherit from: it begins them.
    private final class Origin: Sendable {
        private let starts: AsyncStream<@Sendable () -> Void>.Continuation
        private let task: Task<Void, Never>

        init() {
            let (stream, starts) = AsyncStream.makeStream(of: (@Sendable () -> Void).self)
            self.starts = starts
            task = Task(executorPreference: BlockingExecutor.shared) {
                for await start in stream { start() }
            }
        }

        /// - Returns: whether it is going to.
        func begin(_ start: @escaping @Sendable () -> Void) -> Bool {
            if case .enqueued = starts.yield(start) { true } else { false }
        }

        func finish() { starts.finish() }

        /// Returns when it holds nothing more of the task that it inherits from.
        func end() async {
            finish()
            await task.value
        }
    }

    /// A response that is computed, or is about to be.
    private final class Job: Sendable {
        private let state = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

        func began(_ task: Task<Void, Never>) {
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.cancel() }
        }

        func cancel() {
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    private let state = Mutex(State())
    private let ends = Notices()

    /// Makes all handlers that run from now on inherit from the calling task: its task-local values, such as the test that an issue belongs
    /// to.
    func inherit() {
        let origin = Origin()
        let previous = state.withLock { state in
            let previous = state.origin
            if !state.isStopped { state.origin = origin }
            return state.isStopped ? origin : previous
        }
        previous?.finish()
    }

    /// Runs work on a thread that may block.
    ///
    /// - Returns: a closure that cancels it; nil if too much is under way, or the server has stopped.
    func run(_ work: @escaping @Sendable () async -> Void) -> (@Sendable () -> Void)? {
        let job = Job()
        let place = state.withLock { state -> (number: UInt64, origin: Origin?)? in
            guard !state.isStopped, state.running.count < Self.limit else { return nil }
            state.count += 1
            state.running[state.count] = job
            return (state.count, state.origin)
        }
        guard let (number, origin) = place else { return nil }
        let start: @Sendable () -> Void = { [self] in
            job.began(
                Task(executorPreference: BlockingExecutor.shared) { [self] in
                    await work()
                    state.withLock { _ = $0.running.removeValue(forKey: number) }
                    ends.notify()
                })
        }
        if origin?.begin(start) != true { start() }
        return { job.cancel() }
    }

    /// Cancels all that is under way, takes nothing more, and returns when it has ended or has not noticed in time.
    func cancel() async {
        let running = state.withLock { state in
            state.isStopped = true
            return Array(state.running.values)
        }
        for job in running { job.cancel() }
        var haveEnded = state.withLock { $0.running.isEmpty }
        if !haveEnded {
            haveEnded = (try? await ends.wait(Self.patience) { state.withLock { $0.running.isEmpty } }) == true
        }
        let origin = state.withLock { state in
            defer { state.origin = nil }
            return state.origin
        }
        // Code that does not end may have all threads, so that nothing ends that needs one.
        if haveEnded { await origin?.end() } else { origin?.finish() }
    }
}

/// Threads that may block, each for one queue: code that waits in one response keeps no other from being computed, and nothing else of the
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
