// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(Darwin)
    import Darwin

    /// The set of descriptors that a loop watches, on kqueue; the timer is a filter of the same set.
    ///
    /// Everything is edge-triggered (EV_CLEAR) and registered once, as on epoll.
    final class Poller {
        /// One call of `wait` gives at most this many events.
        static let batch = 256
        private static let timerIdentifier = UInt.max

        /// Readable when there are events; Dispatch watches it.
        let descriptor: Int32
        private let events: UnsafeMutableBufferPointer<kevent>

        init() throws(SystemError) {
            descriptor = try SystemError.check("kqueue", kqueue())
            events = .allocate(capacity: Self.batch)
        }

        deinit {
            _ = close(descriptor)
            events.deallocate()
        }

        /// Watches a descriptor for everything; closing it ends the watch.
        func add(_ watched: Int32, token: UInt64) throws(SystemError) {
            let data = UnsafeMutableRawPointer(bitPattern: UInt(token))
            var changes = [
                kevent(
                    ident: UInt(watched), filter: Int16(EVFILT_READ), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0,
                    data: 0, udata: data),
                kevent(
                    ident: UInt(watched), filter: Int16(EVFILT_WRITE), flags: UInt16(EV_ADD | EV_CLEAR), fflags: 0,
                    data: 0, udata: data),
            ]
            _ = try SystemError.check("kevent", kevent(descriptor, &changes, 2, nil, 0, nil))
        }

        /// Fetches the events that are there, without waiting.
        func poll() -> Int {
            var noWait = timespec()
            return max(0, Int(kevent(descriptor, nil, 0, events.baseAddress, Int32(Self.batch), &noWait)))
        }

        /// The event at an index of the last `poll`; nil for the timer.
        func event(_ index: Int) -> PollEvent? {
            let event = events[index]
            if event.filter == Int16(EVFILT_TIMER) { return nil }
            let hasEnded = event.flags & UInt16(EV_EOF | EV_ERROR) != 0
            return PollEvent(
                token: UInt64(UInt(bitPattern: event.udata)), isReadable: event.filter == Int16(EVFILT_READ),
                isWritable: event.filter == Int16(EVFILT_WRITE), hasEnded: hasEnded)
        }

        /// Makes the set wake at a time of the monotonic clock; 0 for never.
        func wake(at nanoseconds: UInt64) {
            let now = Clock.monotonic()
            let isSet = nanoseconds > 0
            var change = kevent(
                ident: Self.timerIdentifier, filter: Int16(EVFILT_TIMER),
                flags: UInt16(isSet ? EV_ADD | EV_ONESHOT : EV_DELETE), fflags: UInt32(NOTE_NSECONDS),
                data: isSet ? Int(nanoseconds > now ? nanoseconds - now : 1) : 0, udata: nil)
            _ = kevent(descriptor, &change, 1, nil, 0, nil)
        }
    }
#endif
