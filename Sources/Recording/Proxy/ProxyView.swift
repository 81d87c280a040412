// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import HTTPMessage

/// The upstreams as one client sees them: each has the proxy's scheme and name, by which the client called, and a port of its own.
struct ProxyView: Sendable {
    /// The upstreams' origins.
    let origins: [String]
    /// What the client calls them, in the same order.
    let bases: [String]
    let isSecure: Bool

    /// A URL or an origin that the client made from a base, as the upstream is to see it.
    func upstream(_ url: String) -> String {
        for (base, origin) in zip(bases, origins) where url.hasPrefix(base) {
            let rest = url.dropFirst(base.count)
            if rest.isEmpty || "/?#".contains(rest.first ?? "/") { return origin + rest }
        }
        return url
    }
}

extension ProxyView {
    /// - Parameter index: the upstream whose proxy the request came to.
    init(_ head: borrowing RequestHead, to index: Int, _ session: RecordingSession) {
        isSecure = head.isSecure
        origins = session.origins.map(\.text)
        let ports = session.ports.all
        let scheme = head.isSecure ? "https://" : "http://"
        let authority = head.string(head.authority)
        let host = authority.isEmpty ? "127.0.0.1" : UpstreamOrigin.parts(authority).host
        bases = origins.indices.map { other in
            // The port by which the client called may be another than the one listened on, as where a container's is published.
            if other == index, !authority.isEmpty { return scheme + authority }
            return scheme + host + (other < ports.count ? ":\(ports[other])" : "")
        }
    }
}
