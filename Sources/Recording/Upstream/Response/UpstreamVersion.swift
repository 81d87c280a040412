// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The protocol a response came by.
package enum UpstreamVersion: String, Hashable, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
    case http2 = "HTTP/2"
}
