// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

/// Runs an actor on a queue of its own, which may wait for the disk.
final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, qos: .userInitiated)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}
