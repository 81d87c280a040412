// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import Synchronization

/// Does work beside the event loops, which go first if processors are short: some at a time, in the order it came.
///
/// Threads are there while there is work.
package final class BackgroundWorkers<Tool>: Sendable {
    package typealias Work = @Sendable (Tool) -> Void

    private struct State {
        /// The work that waits, from `first` on.
        var waiting: [Work?] = []
        var first = 0
        var workers = 0

        mutating func next() -> Work? {
            guard first < waiting.count else {
                waiting = []
                first = 0
                return nil
            }
            defer { first += 1 }
            let work = waiting[first]
            waiting[first] = nil
            return work
        }
    }

    /// Nanoseconds of work that leave little memory free. 1 ms.
    private let slightWork: UInt64 = 1_000_000
    private let state = Mutex(State())
    private let width: Int
    /// How much may wait.
    package let limit: Int
    private let makeTool: @Sendable () -> Tool

    /// - Parameters:
    ///   - width: how much is done at once.
    ///   - tool: makes the tool that each thread works with.
    package init(width: Int, limit: Int, tool: @escaping @Sendable () -> Tool) {
        self.width = max(1, width)
        self.limit = limit
        makeTool = tool
    }

    /// Whether work that is added now begins at once.
    package var isFree: Bool { state.withLock { $0.workers < width && $0.waiting.count == $0.first } }

    /// Adds work; false if too much waits already.
    package func add(_ work: @escaping Work) -> Bool {
        let (isTaken, startsWorker) = state.withLock { state in
            guard state.waiting.count - state.first < limit else { return (false, false) }
            state.waiting.append(work)
            guard state.workers < width else { return (true, false) }
            state.workers += 1
            return (true, true)
        }
        if startsWorker, !BackgroundThread.start(givesWay: true, { self.work() }) {
            DispatchQueue.global().async { self.work() }
        }
        return isTaken
    }

    private func work() {
        let tool = makeTool()
        var time = Clock.thread()
        while true {
            let next = state.withLock { state in
                let next = state.next()
                if next == nil { state.workers -= 1 }
                return next
            }
            guard let next else { return }
            if ProcessMemory.giveBackIfDue() { time = Clock.thread() }
            next(tool)
            let now = Clock.thread()
            if now &- time >= slightWork { ProcessMemory.giveBackIfGrown() }
            time = now
        }
    }
}

extension BackgroundWorkers<Void> {
    package convenience init(width: Int, limit: Int) {
        self.init(width: width, limit: limit) {}
    }
}
