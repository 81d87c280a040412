// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch

/// Fires when a transfer has been idle for too long; used on the engine's queue only.
final class IdleTimer {
    private let limit: UInt64
    private let timer: any DispatchSourceTimer
    private var last = DispatchTime.now().uptimeNanoseconds

    /// - Parameter isHeld: whether somebody here is waited for, not the server: that time does not count.
    init(
        _ limit: Duration, queue: DispatchQueue, isHeld: @escaping () -> Bool, fire: @escaping () -> Void
    ) {
        self.limit = UInt64(max(1, limit.milliseconds)) * 1_000_000
        timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [unowned self] in
            // A byte costs no more than a look at the clock; the timer follows when it comes.
            if isHeld() { last = DispatchTime.now().uptimeNanoseconds }
            if DispatchTime.now().uptimeNanoseconds >= last + self.limit { fire() } else { schedule() }
        }
        schedule()
        timer.activate()
    }

    deinit {
        timer.cancel()
    }

    func touch() {
        last = DispatchTime.now().uptimeNanoseconds
    }

    func cancel() {
        timer.cancel()
    }

    private func schedule() {
        timer.schedule(deadline: DispatchTime(uptimeNanoseconds: last + limit))
    }
}
