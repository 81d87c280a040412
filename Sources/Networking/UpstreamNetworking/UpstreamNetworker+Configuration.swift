// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiUpstream
import NetworkingKit

extension UpstreamNetworker {
    /// How a networker connects, which authorities it trusts, and its limits.
    public struct Configuration: Sendable {
        /// Which protocol requests are sent by.
        public enum Version: Hashable, Sendable, CaseIterable {
            /// HTTP/2 if TLS finds that the server speaks it, else HTTP/1.1.
            case automatic
            /// HTTP/1.1 alone.
            case http1
            /// HTTP/2 over TLS; a server that chooses HTTP/1.1 is an error, a URL of `http` too.
            case h2
            /// HTTP/2 without TLS, known to be spoken (RFC 9113 §3.3); a URL of `https` is an error.
            case h2c
            /// HTTP/1.1 without TLS that offers to go on in HTTP/2 (RFC 7540 §3.2); a URL of `https` is an error.
            case h2cUpgrade
        }

        /// The version of HTTP.
        public var version = Version.automatic
        /// A file of authorities in PEM that takes the place of the system's.
        public var caFile: String?
        /// The certificate the networker shows, with its chain, in PEM.
        public var clientCertificate: String?
        /// The key of that certificate in PEM; nil if it is in the certificate's file.
        public var clientKey: String?

        /// Until a connection stands: name, TCP and TLS; nil for as long as it likes. 10 s.
        public var connectTimeout: Duration? = .seconds(10)
        /// Without a byte of the request or the response; nil for as long as it likes. 60 s.
        ///
        /// A `URLRequest` whose `timeoutInterval` is not Foundation's 60 s says it for itself.
        public var idleTimeout: Duration? = .seconds(60)
        /// For a whole fetch, redirections included; nil for as long as it likes.
        public var timeout: Duration?

        /// How many redirections of one request are followed. 20.
        public var redirectLimit = Redirection.defaultLimit
        /// Bytes of content that are kept in memory, with the coding undone; a download may have more. 64 MiB.
        public var maxBody = 64 * 1024 * 1024

        /// Makes the usual configuration.
        public init() {}

        var upstream: UpstreamConfiguration {
            var upstream = UpstreamConfiguration()
            upstream.caFile = caFile
            upstream.clientCertificate = clientCertificate
            upstream.clientKey = clientKey
            return upstream
        }

        var upstreamVersion: UpstreamProtocol {
            switch version {
            case .automatic: .automatic
            case .http1: .http1
            case .h2: .h2
            case .h2c: .h2c
            case .h2cUpgrade: .h2cUpgrade
            }
        }

        /// The idle timeout of the request itself, if it has one.
        private func idle(_ request: URLRequest) -> Duration? {
            let foundationDefault = 60.0
            let longest = 1_000_000_000.0
            let interval = request.timeoutInterval
            guard interval > 0, interval != foundationDefault else { return idleTimeout }
            return interval < longest ? .seconds(interval) : nil
        }

        /// The time that is left for one of the requests of a fetch.
        func timeouts(_ request: URLRequest, until deadline: ContinuousClock.Instant?) -> UpstreamTimeouts {
            let whole = deadline.map { max(.zero, ContinuousClock.now.duration(to: $0)) }
            return UpstreamTimeouts(connect: connectTimeout, whole: whole, idle: idle(request))
        }
    }
}
