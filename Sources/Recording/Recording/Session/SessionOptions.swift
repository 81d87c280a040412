// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiContentCodings
package import MockapiProxy
package import MockapiUpstream

/// How a session asks its upstreams.
package struct SessionOptions: Sendable {
    /// Which protocol is spoken to the upstreams.
    package enum Version: Sendable {
        /// HTTP/2 if TLS offers it, else HTTP/1.1.
        case automatic
        case http1
        /// Over TLS by ALPN, without TLS by prior knowledge.
        case http2
    }

    package var version = Version.automatic
    /// How often a GET or HEAD is asked, 1 to 5.
    package var samples = 1
    /// Between two of them, so that times with whole seconds differ. 1.1 s.
    package var sampleGap = Duration.milliseconds(1100)
    package var upstream = UpstreamConfiguration()
    package var decodedLimit = DecodedLimit()
    /// Bytes of a body that is recorded.
    package var largestBody = ContentSpool.largestBody

    package init() {}

    package func `protocol`(for origin: UpstreamOrigin) -> UpstreamProtocol {
        switch version {
        case .automatic: origin.isSecure ? .automatic : .http1
        case .http1: .http1
        case .http2: origin.isSecure ? .h2 : .h2c
        }
    }
}
