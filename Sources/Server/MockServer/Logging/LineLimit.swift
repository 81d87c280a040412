// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiHTTPServer
import MockapiSystemIO
import Synchronization

/// Bounds how many lines on failures are written, over all loops of a server; lines that are left out are counted, and the count reported.
final class LineLimit: Sendable {
    /// Lines at once. 500.
    static let burst = 500
    /// Lines a second from then on. 20.
    static let perSecond = 20
    /// How long left-out lines are counted before they are reported. 1 s.
    private static let pause = DispatchTimeInterval.seconds(1)

    private struct State {
        /// How many lines may be written now, times a thousand million: a nanosecond adds a whole number.
        var allowance = UInt64(burst) * 1_000_000_000
        var countedAt: UInt64 = 0
        var leftOut = 0
    }

    private let state = Mutex(State())
    private let report: @Sendable (Int) -> Void

    /// - Parameter report: called with how many lines were left out.
    init(report: @escaping @Sendable (Int) -> Void) {
        self.report = report
    }

    /// Whether one more line may be written.
    ///
    /// - Parameter now: the time, by a clock that only goes on, in nanoseconds.
    func take(now: UInt64 = Clock.monotonic()) -> Bool {
        let (mayWrite, isFirst) = state.withLock { state in
            let most = UInt64(Self.burst) * 1_000_000_000
            let passed = min(now > state.countedAt ? now - state.countedAt : 0, most)
            state.countedAt = max(now, state.countedAt)
            state.allowance = min(most, state.allowance + passed * UInt64(Self.perSecond))
            if state.allowance >= 1_000_000_000 {
                state.allowance -= 1_000_000_000
                return (true, false)
            }
            state.leftOut += 1
            return (false, state.leftOut == 1)
        }
        if isFirst { DispatchQueue.global().asyncAfter(deadline: .now() + Self.pause) { [self] in tell() } }
        return mayWrite
    }

    /// Reports how many lines have been left out since the last report.
    func tell() {
        let count = state.withLock { state in
            defer { state.leftOut = 0 }
            return state.leftOut
        }
        if count > 0 { report(count) }
    }
}
