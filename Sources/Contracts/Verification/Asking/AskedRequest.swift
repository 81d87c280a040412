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
    /// Targets to ask for if the service does not know those before: a plain file is served at several paths.
    package var otherTargets: [String] = []
    /// The target with the live values in the places of recorded ones, if it differs.
    package var followedTarget: String?

    /// Whether asking changes nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { Self.isSafe(method) }

    static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method) }
}

/// The expectations that the recorded responses give for the next one.
struct ExpectedAnswer {
    var statuses: Set<Int>
    /// Bytes that were recorded of a stream, which may have no end; nil unless it is a stream.
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
