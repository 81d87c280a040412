// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiContentCodings
package import MockapiFixtures
package import MockapiHTTPServer
import MockapiHTTPWire

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension MockServer {
    /// The content codings that stubs can have.
    package static var contentCodings: [String] { ContentCoding.allCases.map(\.rawValue) }

    /// The settings of a server: its address, the data that it keeps, and its limits.
    public struct Configuration: Sendable {
        /// A name or an address.
        public var host = "127.0.0.1"
        /// 0 lets the system choose.
        public var port = 0
        /// Names beside the server's own that the admin API is asked by, such as that of a service in a network of containers.
        public var adminHosts: [String] = []
        /// Whether pages of every origin may read responses, with credentials: preflights get a response, whatever the fixtures say, and every
        /// response outside of the admin API has the lines of the CORS protocol.
        public var allowsCORS = false
        /// The origins, such as `https://app.example`, that alone may if there are some; these are allowed without `allowsCORS`, too.
        public var corsOrigins: [String] = []
        /// The URL by which clients know the server behind a proxy, such as `https://mocks.example`; nil for the one that they name.
        public var publicURL: String?
        /// Whether a proxy stands in front whose word is taken for the scheme, the name and the client of a request: `Forwarded` (RFC 7239), and
        /// `X-Forwarded-Proto`, `-Host`, `-Port` and `-For`.
        public var trustsForwarded = false
        /// Bytes of the journal, shared out to the event loops, at least 128 KiB for each; 0 keeps none. 16 MiB.
        public var journalLimit = 16 * 1024 * 1024
        /// Bytes of a request's line and fields; more is 431. 64 KiB.
        public var maxHead = 64 * 1024
        /// Bytes of a request's content; more is 413. 16 MiB.
        public var maxBody = 16 * 1024 * 1024
        /// Connections beyond it take the place of those that have waited longest.
        public var maxConnections = 20_000
        /// How long a connection may be idle.
        public var idleTimeout = Duration.seconds(60)
        /// How lines are written to standard error; nil for none at all. Lines that nobody reads are dropped, beyond 1 MiB.
        public var log: LogFormat?
        /// Whether every request has a line; without, only misses, messages that were refused and TLS handshakes that failed have, 500 at once
        /// and 20 a second, and the others of them are counted.
        public var logsRequests = true
        /// Whether requests have no lines at all, not even failed ones: failures beside them, such as of a webhook, are still reported.
        package var logsNoRequest = false
        /// Whether lines of text are in colour.
        public var logsInColor = false
        /// Columns of the terminal that lines are for; nil if there is none. Below 120 a line of text begins with the outcome of the request.
        package var logColumns: Int?
        /// How TLS clients are served; nil for not at all, as if the package is built without the trait `TLS`.
        public var tls: TLS? = TLS().ifSpoken
        /// Streams of an HTTP/2 connection at once; a client that opens more has them refused. 128.
        public var maxStreams = 128
        /// How many of them are open when the client is allowed fewer, and how many then; nil for no change.
        package var fewerStreams: (from: Int, to: Int)?
        /// Whether clients may speak HTTP/2.
        public var speaksHTTP2 = true
        /// The seed that the random delays of fixtures and the random values of templates are drawn from: the same seed
        /// and the same requests give the same values.
        public var seed: UInt64 = 0
        /// The time that templates and matchers see; nil for the time of the clock.
        public var now: Date?
        /// Whether the texts of every stub's responses are templates, whether it asks for that or not.
        public var templatesAllResponses = false
        /// Whether the directory is read by WireMock's rules whatever it looks like.
        public var isWireMockRoot = false

        /// The names of the settings in texts, in the words of the place that configures the server.
        package var names = SettingNames.swift
        /// The delay that all responses of stubs and files have besides their own, until the admin API sets another; nil for none.
        package var delay: ResponseDelay?
        /// Whether the admin API may write to the directory of a WireMock root: `files`, `mappings/save` and persistent stubs.
        public var writesFixtures = false
        /// Which findings keep files of a WireMock root from being served that a reset has read again.
        package var standard = FixtureStandard.usual
        /// The conditions of the admin API on its clients.
        package var adminAccess = AdminAccess()
        /// How many requests the journal shows at most, the newest, within its bytes; nil for all of them.
        package var journalEntries: Int?
        /// Ports that the server listens on besides; each speaks the same protocols as the first.
        package var furtherPorts: [Int] = []
        /// Whether clients may use the server as their proxy, with whole URLs as targets and by CONNECT.
        package var isBrowserProxy = false
        /// Whether their requests that match nothing go on to the servers that they name, until the admin API says otherwise.
        package var passesProxied = true
        /// Called when the admin API is asked to end the server; nil if it cannot.
        package var whenShutDown: (@Sendable () -> Void)?

        /// Asked for a response to an unmatched request before that is a miss; a request with such a response is not in the journal.
        package var fallback: (@Sendable (_ method: String, _ target: String, _ body: [UInt8]) -> FallbackResponse?)?

        /// Takes over requests that match no fixture, CONNECT aside, before they are misses.
        package var proxy: (any RequestProxy)?

        /// The forwarder that reaches other servers on behalf of stubs: those with `proxyBaseUrl`, and webhooks.
        package var forwarder: (any RequestForwarder)?

        /// Called for every response, on the loop that it goes out on.
        package var observer: (any ResponseObserver)?

        /// Whether verdicts are asked for: `expect` and `verify`.
        package var judges = true

        /// Requests with large bodies that wait to be matched; the response to more is 503.
        package var maxWaiting = 1024

        /// Makes the usual configuration: a free port of 127.0.0.1.
        public init() {}

        /// - Parameter hosts: the names that fixtures have, for the development authority's certificates.
        func server(hosts: @escaping @Sendable () -> Set<String>) -> ServerConfiguration {
            var configuration = ServerConfiguration()
            configuration.limits = RequestLimits(maxHead: maxHead, maxBody: maxBody, maxStreams: maxStreams)
            configuration.limits.fewerStreams = fewerStreams
            configuration.maxConnections = maxConnections
            configuration.idleTimeout = idleTimeout
            configuration.speaksHTTP2 = speaksHTTP2
            configuration.opensTunnels = isBrowserProxy
            configuration.tls = tls?.settings(
                serverNames: [host] + adminHosts, hosts: hosts, offersHTTP2: speaksHTTP2)
            configuration.tls?.namesAllHosts = isBrowserProxy
            configuration.reportTLS = { [log] error in
                let line = LogEvent.error.line("error: TLS cannot be served: \(error)", in: log ?? .text)
                QueuedWriter.error.write(Array((line + "\n").utf8), lines: 1)
            }
            return configuration
        }

        /// The time that templates see, in milliseconds since 1970, within some ten thousand years.
        var frozenMilliseconds: Int64? {
            guard let milliseconds = now.map({ $0.timeIntervalSince1970 * 1000 }), !milliseconds.isNaN else {
                return nil
            }
            return Int64(max(-3e14, min(3e14, milliseconds.rounded())))
        }

        var crossOrigin: CrossOrigin? {
            allowsCORS || !corsOrigins.isEmpty ? CrossOrigin(origins: corsOrigins, names) : nil
        }

        var logSettings: LogSettings? {
            log.map {
                LogSettings(
                    format: $0, writer: .error, logsRequests: logsRequests, logsNoRequest: logsNoRequest,
                    isColored: logsInColor, columns: logColumns, names: names)
            }
        }
    }
}
