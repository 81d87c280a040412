// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if os(Linux)
    import CMockapiPlatform
    import Glibc

    /// The set of descriptors that a loop watches, on epoll; the timer is a timerfd in the same set.
    ///
    /// Everything is edge-triggered and registered once, so that a request costs no `epoll_ctl`.
    final class Poller {
        /// One call of `wait` gives at most this many events.
        static let batch = 256
        private static let timerToken = UInt64.max

        /// Readable when there are events; Dispatch watches it.
        let descriptor: Int32
        private let timer: Int32
        private let events: UnsafeMutablePointer<epoll_event>

        init() throws(SystemError) {
            descriptor = try SystemError.check("epoll_create1", epoll_create1(Int32(EPOLL_CLOEXEC)))
            timer = try SystemError.check(
                "timerfd_create", timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC)))
            events = .allocate(capacity: Self.batch)
            try add(timer, token: Self.timerToken)
        }

        deinit {
            _ = close(timer)
            _ = close(descriptor)
            events.deallocate()
        }

        /// Watches a descriptor for everything; closing it ends the watch.
        func add(_ watched: Int32, token: UInt64) throws(SystemError) {
            var event = epoll_event()
            event.events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | UInt32(1 << 31)  // EPOLLET
            event.data.u64 = token
            _ = try SystemError.check("epoll_ctl", epoll_ctl(descriptor, EPOLL_CTL_ADD, watched, &event))
        }

        /// Fetches the events that are there, without waiting.
        func poll() -> Int {
            max(0, Int(epoll_wait(descriptor, events, Int32(Self.batch), 0)))
        }

        /// The event at an index of the last `poll`; nil for the timer.
        func event(_ index: Int) -> PollEvent? {
            let event = events[index]
            if event.data.u64 == Self.timerToken {
                var expirations: UInt64 = 0
                _ = read(timer, &expirations, 8)
                return nil
            }
            let ended = EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue
            return PollEvent(
                token: event.data.u64,
                isReadable: event.events & (EPOLLIN.rawValue | ended) != 0,
                isWritable: event.events & (EPOLLOUT.rawValue | EPOLLERR.rawValue) != 0,
                hasEnded: event.events & ended != 0)
        }

        /// Makes the set wake at a time of the monotonic clock; 0 for never.
        func wake(at nanoseconds: UInt64) {
            var setting = itimerspec()
            setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
            setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
            timerfd_settime(timer, Int32(TFD_TIMER_ABSTIME), &setting, nil)
        }
    }
#endif
