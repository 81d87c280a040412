// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Spaces requests so that no more than some start in a second.
struct RateLimiter {
    private let gap: Duration?
    private var next = ContinuousClock.now

    init(perSecond: Double?) {
        gap = perSecond.map { .nanoseconds(Int64(1_000_000_000 / max($0, 0.001))) }
    }

    /// Returns when the next request may start.
    mutating func turn() async throws {
        guard let gap else { return }
        let now = ContinuousClock.now
        if next > now { try await Task.sleep(until: next, clock: .continuous) }
        next = max(next, now) + gap
    }
}

/// When a service that has refused may be asked again (RFC 9110 §10.2.3).
enum RetryDelay {
    /// 60 s: a request that should wait longer does not.
    static let longest = Duration.seconds(60)

    /// - Parameters:
    ///   - value: of Retry-After; nil if there is no such line.
    ///   - now: seconds since 1970.
    /// - Returns: nil if it is too long.
    static func of(_ value: String?, attempt: Int, now: Int, date: (String) -> Int?) -> Duration? {
        guard let value else { return .milliseconds(500 << attempt) }
        let seconds = Int(value) ?? date(value).map { max(0, $0 - now) }
        guard let seconds else { return .milliseconds(500 << attempt) }
        let delay = Duration.seconds(seconds)
        return delay > longest ? nil : delay
    }
}
