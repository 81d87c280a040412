// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Which protocol a request is sent by.
package enum UpstreamProtocol: Hashable, Sendable {
    /// Over TLS the server's preference among HTTP/2 and HTTP/1.1, else HTTP/1.1.
    case automatic
    /// HTTP/1.1.
    case http1
    /// HTTP/2 over TLS, by ALPN; a server that chooses HTTP/1.1 gets the request and the caller an error.
    case h2
    /// HTTP/2 without TLS, by prior knowledge (RFC 9113 §3.3).
    case h2c
    /// HTTP/1.1 without TLS that offers to go on in HTTP/2 (RFC 7540 §3.2); a server that does not take the offer responds in HTTP/1.1.
    case h2cUpgrade
}
