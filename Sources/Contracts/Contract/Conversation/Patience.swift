// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A limit for a wait, in pauses: of a pause that took much longer than it was to, little is counted.
///
/// On a busy machine, this process is late, as is the client that is waited for. The time that a wait on an idle machine may take
/// would then be over before the client has had its turn.
package struct Patience: Sendable {
    /// 5 ms.
    private static let length = Duration.milliseconds(5)
    /// The most that is counted of a pause, together with the check that follows it. 50 ms.
    private static let most = Duration.milliseconds(50)
    /// How many times as long as its limit a wait may take in all. 6.
    private static let stretch = 6

    private var left: Duration
    private var last: ContinuousClock.Instant
    private let end: ContinuousClock.Instant

    package init(_ limit: Duration, since start: ContinuousClock.Instant = .now) {
        left = limit
        last = start
        end = start + limit * Self.stretch
    }

    /// Counts the time since the last pause.
    ///
    /// - Returns: whether there is time left.
    mutating func count(until now: ContinuousClock.Instant) -> Bool {
        left -= min(last.duration(to: now), Self.most)
        last = now
        return left > .zero && now < end
    }

    /// Waits a moment.
    ///
    /// - Returns: false if the time is up, or the task is cancelled.
    package mutating func pause() async -> Bool {
        do {
            try await Task.sleep(for: Self.length)
        } catch {
            return false
        }
        return count(until: .now)
    }
}
