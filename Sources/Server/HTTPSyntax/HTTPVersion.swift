// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The protocol a request came by.
public enum HTTPVersion: UInt8, Sendable {
    case http10
    case http11
    case http2

    /// The name in logs and in the journal's JSON: `HTTP/1.0`, `HTTP/1.1` or `HTTP/2.0`.
    public var name: String {
        switch self {
        case .http10: "HTTP/1.0"
        case .http11: "HTTP/1.1"
        case .http2: "HTTP/2.0"
        }
    }
}
