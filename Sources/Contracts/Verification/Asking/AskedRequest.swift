// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

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

    /// Whether asking changes nothing (RFC 9110 §9.2.1).
    package var isSafe: Bool { Self.isSafe(method) }

    static func isSafe(_ method: String) -> Bool { ["GET", "HEAD", "OPTIONS", "TRACE", "QUERY"].contains(method) }
}

/// Why no request can be made of a fixture.
struct Unclear: Error {
    let text: String
}
