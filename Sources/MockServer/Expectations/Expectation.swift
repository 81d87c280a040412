// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// What a test expects of the requests of a server.
struct Expectation: Sendable {
    enum Kind: Sendable {
        case count(RequestMatch, RequestCount, WireProtocol?)
        case order([RequestMatch])
        /// Nil for all requests.
        case oneConnection(RequestMatch?)
    }

    let kind: Kind
    let place: SourcePlace
}
