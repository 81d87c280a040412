// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
package import MockapiUpstream

/// A request that a fixture matches, as it is put to the live service.
package struct AskedRequest: Sendable {
    package var method: String
    /// The raw path and query.
    package var target: String
    package var fields: [UpstreamField]
    /// nil for no content.
    package var body: [UInt8]?
    /// Targets to ask for where the service knows none before: a plain file answers several paths.
    package var otherTargets: [String] = []
    /// The target with the values that came in the places of recorded ones, where it is another.
    package var followedTarget: String?

    /// Whether asking changes nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { Self.isSafe(method) }

    static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method) }
}

/// What the recorded responses say of the one that is to come.
struct ExpectedAnswer {
    var statuses: Set<Int>
    /// Bytes that were recorded of a stream, which may have no end; nil for what is none.
    var streamBytes: Int?

    init(_ recorded: [ResponseSample], contract: [Int]) {
        statuses = Set(recorded.map(\.status)).union(contract)
        let streams = recorded.filter(\.isStream)
        if !streams.isEmpty { streamBytes = streams.map(\.body.count).max() }
    }
}

/// Why no request can be made of a fixture.
struct Unclear: Error {
    let text: String
}
