// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import HTTPServer
import StubMatching
import Synchronization
import SystemIO

/// Judges requests with large bodies beside the event loops, which go first where processors are short: some at a time, in the order they came.
final class JudgeQueue: Sendable {
    /// Bytes of a body that is judged on the loop it came by. 64 KiB: that takes a few milliseconds at most.
    static let bodyLimit = 64 * 1024
    /// Bytes of a body that is judged on the loop where stubs ask for paths in it, such as `matchesJsonPath`. 4 KiB.
    static let pathBodyLimit = 4 * 1024
    /// Bytes of a head that is judged on the loop where stubs ask for paths or JSON in its values. 4 KiB.
    static let headLimit = 4 * 1024

    /// Bytes of a body that is judged on the loop it came by: none where a stub of its path has a schema or XML.
    static func bodyLimit(_ weight: BodyWeight) -> Int {
        switch weight {
        case .nothing: .max
        case .text: bodyLimit
        case .path: pathBodyLimit
        case .engine: 0
        }
    }

    /// Bytes of a body beyond which requests are judged one at a time, lest the memory for several is taken at once. 256 KiB.
    static let soleLimit = 256 * 1024
    typealias Work = @Sendable (MatchScratch) -> Void

    private struct State {
        /// What waits, from `first` on.
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

    private let state = Mutex(State())
    private let width: Int
    /// Requests that wait; more are answered 503.
    let limit: Int

    /// - Parameter width: how many requests are judged at once.
    init(width: Int, limit: Int) {
        self.width = max(1, width)
        self.limit = limit
    }

    /// Has work done; false where too much waits already.
    func add(_ work: @escaping Work) -> Bool {
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
        let scratch = MatchScratch()
        while true {
            let next = state.withLock { state in
                let next = state.next()
                if next == nil { state.workers -= 1 }
                return next
            }
            guard let next else { return }
            next(scratch)
        }
    }
}
