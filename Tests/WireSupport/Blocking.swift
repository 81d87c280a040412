// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Runs blocking calls on a thread that may block.
package func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(BlockingThreads.shared) { try body() }
}

/// A lock that can be waited at.
private final class Condition: @unchecked Sendable {
    // The two are never moved, and their functions are made for any thread.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }
    func unlock() { pthread_mutex_unlock(mutex) }
    func wait() { pthread_cond_wait(condition, mutex) }
    func signal() { pthread_cond_signal(condition) }
}

/// Threads that may block, apart from those that all tasks share: there are only as many of the latter as processors, and a task that
/// holds one of them keeps others from running.
///
/// Up to 48 threads are made as they are needed, and kept.
package final class BlockingThreads: TaskExecutor {
    package static let shared = BlockingThreads()
    private static let most = 48

    private struct State {
        var jobs: [UnownedJob] = []
        var first = 0
        var threads = 0
        var idle = 0
        /// Whether a thread has been called that has not come yet; it calls the next one, so that a crowd of short jobs wakes no crowd.
        var isCalling = false
    }

    /// Under the lock below, and for threads that wait for it to be long: the lock of `Synchronization` spins.
    private nonisolated(unsafe) var state = State()
    private let lock = Condition()

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        lock.lock()
        state.jobs.append(job)
        let isThreadNeeded = callAnother()
        lock.unlock()
        if isThreadNeeded { Self.startThread { [self] in work() } }
    }

    /// Calls a thread where there is one to be called; under the lock.
    ///
    /// - Returns: whether a thread is to be made.
    private func callAnother() -> Bool {
        if state.isCalling { return false }
        if state.idle > 0 {
            state.isCalling = true
            lock.signal()
            return false
        }
        guard state.threads < Self.most else { return false }
        state.isCalling = true
        state.threads += 1
        return true
    }

    private func work() {
        var isCalled = true
        lock.lock()
        while true {
            if state.first == state.jobs.count {
                state.jobs.removeAll(keepingCapacity: true)
                state.first = 0
                if isCalled { state.isCalling = false }
                state.idle += 1
                lock.wait()
                state.idle -= 1
                isCalled = true
                continue
            }
            let job = state.jobs[state.first]
            state.first += 1
            if isCalled { state.isCalling = false }
            isCalled = false
            let isThreadNeeded = state.first < state.jobs.count && callAnother()
            lock.unlock()
            if isThreadNeeded { Self.startThread { [self] in work() } }
            job.runSynchronously(on: asUnownedTaskExecutor())
            lock.lock()
        }
    }

    /// Runs a function on a new thread, which ends with it.
    package static func startThread(_ body: @escaping @Sendable () -> Void) {
        final class Body {
            let run: @Sendable () -> Void
            init(_ run: @escaping @Sendable () -> Void) { self.run = run }
        }
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let result = pthread_create(
            &thread, nil,
            { argument in
                #if canImport(Darwin)
                    let argument: UnsafeMutableRawPointer? = argument
                #endif
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, argument)
        precondition(result == 0, "no thread: error \(result)")
        #if canImport(Darwin)
            if let thread { pthread_detach(thread) }
        #else
            pthread_detach(thread)
        #endif
    }

    /// Holds blocking calls to threads that may block.
    ///
    /// - Throws: `WireError.blocksSharedThread` in a task that runs on the threads that all tasks share.
    package static func check() throws {
        let isShared = withUnsafeCurrentTask { task in
            task.map { $0.unownedTaskExecutor != shared.asUnownedTaskExecutor() } ?? false
        }
        if isShared { throw WireError.blocksSharedThread }
    }
}
