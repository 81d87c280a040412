// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// The authorities that a client trusts, the addresses that it connects to, and its limits.
package struct UpstreamConfiguration: Sendable {
    /// A file of authorities in PEM that takes the place of the system's.
    package var caFile: String?
    /// The certificate the client shows, with its chain, in PEM.
    package var clientCertificate: String?
    /// The key of the client's certificate in PEM; nil if it is in the certificate's file.
    package var clientKey: String?
    /// Whether any certificate is taken, of any name.
    package var isInsecure = false
    /// Other places to connect to than the URL says; the first that matches is taken.
    package var connectTo: [UpstreamRoute] = []
    /// nil if servers are asked directly; the environment's are not looked at.
    package var proxies: UpstreamProxies?
    /// Which servers may be asked; nil for all.
    package var targets: UpstreamTargets?
    package var timeouts = UpstreamTimeouts()

    /// Bytes of a response's heads and trailers together, interim ones too. 256 KiB. libcurl takes no line longer than 100 KiB.
    package var maxHead = 256 * 1024
    /// Bytes of content that `send` collects. 64 MiB.
    package var maxBody = 64 * 1024 * 1024
    /// Bytes of content that wait for the consumer of a stream before the server is held up. 256 KiB.
    ///
    /// In HTTP/1.1 no more than these and the system's socket buffers are in flight. In HTTP/2 the server may go on until the stream's
    /// window is full, which libcurl 7.88 sets to 32 MiB and holds in memory.
    package var streamBuffer = 256 * 1024
    /// Connections to one host; further requests wait for one. 128.
    package var maxConnectionsPerHost = 128
    /// Connections that are kept for later requests. 64.
    package var maxIdleConnections = 64
    /// How long connections are kept behind the last request. 15 s.
    package var keepsIdle = Duration.seconds(15)

    package init() {}
}
