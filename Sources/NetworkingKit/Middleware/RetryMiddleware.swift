// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

public import Foundation

/// Sends a request again where its answer says that it may work later, or none came.
///
///     Networker(middlewares: [RetryMiddleware()])
///
/// The waits double from `backOff` on, each shortened at random by up to a half; `Retry-After` lengthens one (RFC 9110 §10.2.3).
public struct RetryMiddleware: Middleware {
    /// What may be sent twice with the effect of once (RFC 9110 §9.2.2).
    public static let idempotentMethods: Set<HTTPMethod> = [.get, .head, .options, .trace, .put, .delete]
    public static let retriedStatuses: Set<Int> = [408, 425, 429, 500, 502, 503, 504]
    /// What may be otherwise a moment later.
    public static let retriedCodes: Set<URLError.Code> = [
        .timedOut, .networkConnectionLost, .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed,
        .notConnectedToInternet,
    ]

    private let limit: Int
    private let methods: Set<HTTPMethod>
    private let statuses: Set<Int>
    private let codes: Set<URLError.Code>
    private let backOff: Duration
    private let longestWait: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// - Parameters:
    ///   - limit: how often a request is sent again. 2.
    ///   - backOff: the first wait. 200 ms.
    ///   - longestWait: no wait is longer; an answer that asks for a longer one is the result. 30 s.
    ///   - sleep: waits; for tests.
    public init(
        limit: Int = 2, methods: Set<HTTPMethod> = RetryMiddleware.idempotentMethods,
        statuses: Set<Int> = RetryMiddleware.retriedStatuses, codes: Set<URLError.Code> = RetryMiddleware.retriedCodes,
        backOff: Duration = .milliseconds(200), longestWait: Duration = .seconds(30),
        sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    ) {
        self.limit = limit
        self.methods = methods
        self.statuses = statuses
        self.codes = codes
        self.backOff = backOff
        self.longestWait = longestWait
        self.sleep = sleep
    }

    public func intercept(_ request: URLRequest, _ next: Next) async throws -> DataResponse {
        guard methods.contains(HTTPMethod(request.httpMethod ?? "GET")) else { return try await next(request) }
        for attempt in 0..<max(0, limit) {
            let wait: Duration
            do {
                let response = try await next(request)
                guard statuses.contains(response.status), let pause = self.wait(attempt, response) else {
                    return response
                }
                response.discardFile()
                wait = pause
            } catch let error as URLError where codes.contains(error.code) {
                wait = self.wait(attempt)
            }
            do {
                try await sleep(wait)
            } catch is CancellationError {
                throw URLError(.cancelled)
            }
        }
        return try await next(request)
    }

    private func wait(_ attempt: Int) -> Duration {
        let doubled = backOff * (1 << min(attempt, 20))
        return min(doubled * Double.random(in: 0.5...1), longestWait)
    }

    /// - Returns: nil where the answer asks for a longer wait than there may be.
    private func wait(_ attempt: Int, _ response: DataResponse) -> Duration? {
        guard let field = response.http.value(forHTTPHeaderField: "Retry-After") else { return wait(attempt) }
        let asked: Duration
        if let seconds = Int64(field.trimmingCharacters(in: .whitespaces)), seconds >= 0 {
            asked = seconds < 1_000_000_000 ? .seconds(seconds) : .seconds(1_000_000_000)
        } else if let date = HTTPDate.date(field) {
            asked = .seconds(max(0, min(date.timeIntervalSinceNow, 1e9)))
        } else {
            return wait(attempt)
        }
        return asked <= longestWait ? max(asked, wait(attempt)) : nil
    }
}

/// Dates of HTTP (RFC 9110 §5.6.7).
enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// `Sun, 06 Nov 1994 08:49:37 GMT`, or one of the two obsolete forms; nil where it is none.
    static func date(_ text: String) -> Date? {
        let words = text.split(whereSeparator: { " ,-".contains($0) }).map { $0.lowercased() }
        guard words.count >= 5 else { return nil }
        // Day, month, year, time; in asctime's form the month comes first and the year last.
        let isASCTime = months.contains(words[1])
        let parts =
            isASCTime ? [words[2], words[1], words[4], words[3]] : [words[1], words[2], words[3], words[4]]
        guard let day = Int(parts[0]), let month = months.firstIndex(of: parts[1]), var year = Int(parts[2]),
            1...31 ~= day, 0...9_999 ~= year
        else { return nil }
        if parts[2].count == 2 { year += year < 70 ? 2_000 : 1_900 }
        let time = parts[3].split(separator: ":").compactMap { Int($0) }
        guard time.count == 3, 0..<24 ~= time[0], 0..<60 ~= time[1], 0...60 ~= time[2] else { return nil }
        let seconds = days(year, month + 1, day) * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2]
        return Date(timeIntervalSince1970: TimeInterval(seconds))
    }

    /// Days since 1970 in the Gregorian calendar.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // Years that begin in March, so that the leap day is their last.
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
