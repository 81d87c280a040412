// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSystemIO

/// The lines of a recorded response, as a client gets them from another host at another time.
///
/// The stub has the lines that the service sent. Clients get the lines that worked during the recording: the proxy in front of the service took the
/// same ones away.
struct ReplayedLines {
    /// The moment of the recording, in seconds since 1970; nil if it is not known.
    private let recordedAt: Int?
    private let now: Int

    /// Nil for a stub that was not recorded, which is served as it is written.
    ///
    /// - Parameter now: nil for the time of the clock.
    init?(_ stub: Stub, now: Int? = nil) {
        guard stub.isRecorded else { return nil }
        recordedAt = stub.source["recorded"]?["at"]?.string.flatMap { DateText.seconds($0) }.map { Int($0) }
        self.now = now ?? Int(Clock.wall() / 1_000_000_000)
    }

    /// - Parameter isSecure: whether the client asks over TLS.
    func response(_ response: StubResponse, isSecure: Bool) -> StubResponse {
        var replayed = response
        if let dates = dates(of: response), let bytes = response.body.bytes {
            let moved = dates.moved(bytes)
            if moved != bytes { replayed.body = .bytes(moved) }
        }
        replayed.headers = response.headers.flatMap { line in
            switch line.name.lowercased() {
            // It would bind the client's host to TLS for as long as a year.
            case "strict-transport-security": return [HeaderLine]()
            case "set-cookie":
                return SeenCookie.lines(moved(cookie: line.value), isSecure: isSecure).map {
                    HeaderLine(line.name, $0)
                }
            case "expires", "retry-after": return [HeaderLine(line.name, moved(date: line.value))]
            default: return [line]
            }
        }
        return replayed
    }

    /// How far the dates in a body move; nil if they stay.
    func dates(of response: StubResponse) -> ShiftedDates? {
        guard response.shiftsDates, let recordedAt else { return nil }
        return ShiftedDates(from: recordedAt, by: max(0, now - recordedAt))
    }

    /// Whether a client without TLS gets other lines than a client with TLS.
    func dependsOnTLS(_ response: StubResponse) -> Bool {
        response.headers.contains { line in
            line.name.lowercased() == "set-cookie"
                && SeenCookie.lines(line.value, isSecure: true) != SeenCookie.lines(line.value, isSecure: false)
        }
    }

    private func moved(cookie line: String) -> String {
        guard let recordedAt else { return line }
        return SeenCookie.moved(line, by: max(0, now - recordedAt), from: recordedAt)
    }

    /// Moves a date; a date that was past when it was recorded stays.
    private func moved(date: String) -> String {
        guard let recordedAt, let moment = HTTPDate.parse(date, now: recordedAt), moment > recordedAt else {
            return date
        }
        return HTTPDate.format(moment + max(0, now - recordedAt))
    }
}
