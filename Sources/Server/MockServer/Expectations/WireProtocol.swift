// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// A protocol that requests are expected to come by, over TLS or not.
public enum WireProtocol: String, Hashable, Sendable, CustomStringConvertible {
    /// HTTP/1.1 (RFC 9112).
    case http1 = "HTTP/1.1"
    /// HTTP/2 (RFC 9113).
    case http2 = "HTTP/2.0"

    public var description: String { rawValue }
}
