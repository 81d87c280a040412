// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

/// Runs tasks one at a time beside the event loops, however busy the threads are that all tasks share.
final class WorkExecutor: TaskExecutor {
    private let workers = BackgroundWorkers(width: 1, limit: .max)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        _ = workers.add { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
