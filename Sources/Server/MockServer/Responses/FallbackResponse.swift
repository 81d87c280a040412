// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiHTTPWire

/// A response to an unmatched request.
package enum FallbackResponse: Sendable {
    case content(status: Int, mediaType: String, bytes: [UInt8])
    /// One that is waited for, by the client too.
    case later(@Sendable () async -> FallbackResponse)
    /// One that no stub can say; its request is in the journal.
    case wire(RawResponse)

    package init(_ status: Int, _ mediaType: String, _ bytes: [UInt8]) {
        self = .content(status: status, mediaType: mediaType, bytes: bytes)
    }

    /// Whether the request is one of the journal's.
    var isNoted: Bool {
        if case .wire = self { true } else { false }
    }

    /// - Parameter version: that of the request.
    /// - Returns: nil for a response that is waited for.
    func response(for version: HTTPVersion) -> Response? {
        switch self {
        case .wire(let raw): raw.response(for: version)
        case .content(let status, let mediaType, let bytes): PlainResponse.content(status, mediaType, bytes)
        case .later: nil
        }
    }
}
