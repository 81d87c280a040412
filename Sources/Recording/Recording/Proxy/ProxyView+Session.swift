// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPSyntax
import MockapiProxy

extension ProxyView {
    /// - Parameter index: the upstream whose proxy the request came to.
    convenience init(_ head: borrowing RequestHead, to index: Int, _ session: RecordingSession) {
        let origins = session.origins.map(\.text)
        let ports = session.ports.all
        let scheme = head.isSecure ? "https://" : "http://"
        let authority = head.string(head.authority)
        let host = authority.isEmpty ? "127.0.0.1" : UpstreamOrigin.parts(authority).host
        let bases = origins.indices.map { other in
            // The client may have called another port than the proxy listens on, as when a container's port is published.
            if other == index, !authority.isEmpty { return scheme + authority }
            return scheme + host + (other < ports.count ? ":\(ports[other])" : "")
        }
        self.init(origins: origins, bases: bases, isSecure: head.isSecure, tags: session.tags)
    }
}
