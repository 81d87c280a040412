// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Dispatch

/// Runs tasks on a serial queue, so that their calls to the queue cost no change of threads, and none waits for one of the threads that
/// all tasks of the process share.
package final class QueueTaskExecutor: TaskExecutor {
    private let queue: DispatchQueue

    package init(_ queue: DispatchQueue) {
        self.queue = queue
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
