// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

/// Runs tasks on a serial queue, so that what they ask of the queue costs no change of threads.
final class QueueTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
