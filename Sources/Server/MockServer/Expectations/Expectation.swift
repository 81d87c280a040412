// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A test's expectation of the requests to a server.
package struct Expectation: Sendable {
    package enum Kind: Sendable {
        case count(RequestMatch, RequestCount, WireProtocol?)
        case order([RequestMatch])
        /// Nil for all requests.
        case oneConnection(RequestMatch?)
    }

    let kind: Kind
    /// Nil if it does not stand in Swift.
    let callSite: CallSite?
    /// How long it was waited for; nil if nobody waited.
    var limit: Duration?
    /// The failure when the time was over, which stays whatever comes later.
    var settled: VerificationFailure?

    /// The requests that must not come, by no protocol and at no time; nil if any may.
    var never: RequestMatch? {
        guard limit == nil, case .count(let match, let count, nil) = kind, count == .never else { return nil }
        return match
    }

    package init(_ kind: Kind, at callSite: CallSite? = nil) {
        self.kind = kind
        self.callSite = callSite
    }
}

extension Expectation: CustomStringConvertible {
    /// `GET /api/contents once over HTTP/2.0`.
    package var description: String {
        switch kind {
        case .count(let match, let count, let wire):
            "\(match) \(count)\(wire.map { " over \($0)" } ?? "")\(limit.map { " within \($0)" } ?? "")"
        case .order(let matches): matches.map(\.description).joined(separator: ", then ")
        case .oneConnection(let match): "\(match.map(\.description) ?? "all requests") on one connection"
        }
    }
}
