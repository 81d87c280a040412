// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiEventLoops
import MockapiHTTPServer
package import MockapiProxy
package import MockapiSecrets
import MockapiUpstream
import Synchronization

/// The upstreams of one recording, and where their responses go.
///
/// Requests come to it by the proxies, one for each upstream, and directly.
package final class RecordingSession: Sendable {
    /// Recordings belong to the first; the others are those beside it.
    package let origins: [UpstreamOrigin]
    let options: SessionOptions
    let ports: ProxyPorts
    /// nil if nothing is recorded.
    let queue: RecordingQueue?
    let report: any RecordingReport
    /// The direct requests that are or will be made.
    let asked = AskedRequests()
    let changes = UpstreamChanges()
    let wholes = WholeRequests()
    let tags = WeakenedTags()
    let bound = BoundClients()
    private let redactor: Redactor
    /// The names of header lines that are secrets by the user's word, in lower case.
    let ruledHeaders: Set<String>
    private let stopping = Atomic<Bool>(false)
    /// For the direct requests.
    let client: UpstreamClient
    /// Keyed by the queues of the event loops that their responses go out on.
    private let clients = Mutex<[ObjectIdentifier: UpstreamClient]>([:])
    /// Keyed by the event loops that they live on.
    private let plainClients = Mutex<[ObjectIdentifier: HTTPClient]>([:])

    /// - Parameters:
    ///   - recorder: nil if responses pass and nothing is recorded.
    ///   - redaction: the rules for values that must not stand in the texts of errors.
    package init(
        _ origins: [UpstreamOrigin], options: SessionOptions, recorder: Recorder?, redaction: RedactionRules,
        report: any RecordingReport
    ) {
        self.origins = origins
        self.options = options
        self.report = report
        ports = ProxyPorts()
        redactor = recorder?.redactor ?? Redactor(redaction)
        ruledHeaders = Set(redaction.headers.map { $0.lowercased() })
        queue = recorder.map { RecordingQueue($0, report) }
        client = UpstreamClient(options.upstream)
    }

    /// The proxy of an upstream, which responds to the requests to it.
    package func proxy(to index: Int) -> UpstreamProxy {
        UpstreamProxy(self, index)
    }

    /// Gives the session the ports of the proxies, in the order of their upstreams.
    package func listens(on ports: [Int]) {
        self.ports.set(ports)
    }

    /// Responses that break off from now on do so because the recording ends.
    package func stops() {
        stopping.store(true, ordering: .releasing)
        wholes.end()
    }

    var isStopping: Bool { stopping.load(ordering: .acquiring) }

    /// How many responses have passed and are not on the disk.
    package var unwritten: Int { queue?.unwritten ?? 0 }

    /// Returns when all that has passed is recorded.
    package func drain() async {
        await queue?.drain()
    }

    /// How upstreams are asked, by no proxy that is one of this session's own.
    private var configuration: UpstreamConfiguration {
        var configuration = options.upstream
        configuration.proxies = configuration.proxies?.leaving(out: ports.all)
        return configuration
    }

    /// The client that works on an event loop's queue, so that a response passes without a change of threads.
    func client(on queue: DispatchQueue) -> UpstreamClient {
        clients.withLock { clients in
            if let client = clients[ObjectIdentifier(queue)] { return client }
            let client = UpstreamClient(configuration, queue: queue)
            clients[ObjectIdentifier(queue)] = client
            return client
        }
    }

    /// The client of HTTP/1.1 without TLS that lives on an event loop.
    func plainClient(on loop: EventLoop) -> HTTPClient {
        plainClients.withLock { clients in
            if let client = clients[ObjectIdentifier(loop)] { return client }
            let client = makePlainClient(on: loop)
            clients[ObjectIdentifier(loop)] = client
            return client
        }
    }

    private func makePlainClient(on loop: EventLoop) -> HTTPClient {
        var configuration = ClientConfiguration()
        configuration.connectTimeout = options.upstream.timeouts.connect
        configuration.idleTimeout = options.upstream.timeouts.idle
        configuration.maxHead = options.upstream.maxHead
        configuration.maxConnections = options.upstream.maxConnectionsPerHost
        configuration.maxIdleConnections = options.upstream.maxIdleConnections
        return HTTPClient(configuration, on: loop)
    }

    /// The clients of a request whose connection is signed in to a service; nil for any other.
    func boundClients(of request: UnmatchedRequest) -> BoundClients.Clients? {
        bound.clients(of: request) {
            BoundClients.Clients(
                plain: makePlainClient(on: request.loop),
                secure: UpstreamClient(configuration, queue: request.loop.queue))
        }
    }

    /// A target with its secrets replaced, for the text of an error.
    func shown(_ target: String) -> String {
        ShownTarget.text(target, redactor)
    }

    /// Reports a request whose response did not come whole.
    func fail(_ request: OutgoingRequest, _ text: String) {
        let origin = request.origin.text
        if let queue {
            queue.add(.failure(request, text))
        } else {
            let shown = "\(request.method) \(shown(request.target))"
            report.finished(RecordingOutcome(.failed, request: shown, origin: origin, notes: [text]))
        }
    }
}
