// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPServer
import MockapiHTTPWire
import MockapiProxy
import MockapiUpstream

/// A request on its way through a proxy to an upstream of HTTP/1.1 without TLS, and its response on the way back.
///
/// All of it happens on the event loop that the client's connection lives on, by the events of its sockets: there is no task.
///
/// `@unchecked Sendable`: it is used on the loop only.
final class ProxiedExchange: ClientExchangeDelegate, @unchecked Sendable {
    private enum Phase {
        case running
        /// All of the response has come; some of it is still being decoded.
        case complete
        case over
    }

    private let session: RecordingSession
    private let request: OutgoingRequest
    private let streamed: StreamedResponse
    private let relay: ResponseRelay
    private let loop: EventLoop
    private let fails: (OutgoingRequest, CaptureFailure, ResponseRelay, StreamedResponse) -> Void
    private var phase = Phase.running
    private var exchange: ClientExchange?
    /// The upstream's change mark when the request went out; nil before that, and once its end is noted.
    private var mark: UpstreamChanges.Mark?
    private var head: ReceivedHead?
    private var spool: ContentSpool?
    private var trailers: [UpstreamField] = []
    private var count = 0
    /// Whether `pump` is to be called later.
    private var isPumpDue = false

    /// Pieces of 64 KiB that are made before others have their turn. 4.
    private static let piecesPerTurn = 4

    /// - Parameter fails: reports a response that has not come whole.
    init(
        _ request: OutgoingRequest, _ session: RecordingSession, _ streamed: StreamedResponse, seenAs view: ProxyView,
        on loop: EventLoop,
        fails: @escaping (OutgoingRequest, CaptureFailure, ResponseRelay, StreamedResponse) -> Void
    ) {
        self.request = request
        self.session = session
        self.streamed = streamed
        self.loop = loop
        self.fails = fails
        relay = ResponseRelay(
            streamed, isHead: request.method == "HEAD", seenAs: view, limit: session.options.decodedLimit,
            queue: loop.queue)
    }

    /// Sends the request once the recording has room for its response.
    func start(_ bytes: [UInt8], by client: HTTPClient, to target: ClientTarget) {
        streamed.whenAbandoned { [self] in onLoop { $0.abandon() } }
        guard let queue = session.queue else { return send(bytes, client, target) }
        queue.enter { [self] in onLoop { $0.send(bytes, client, target) } }
    }

    private func onLoop(_ work: @escaping @Sendable (ProxiedExchange) -> Void) {
        if loop.isHandlingEvents { return work(self) }
        loop.execute { [self] _ in work(self) }
    }

    private func send(_ bytes: [UInt8], _ client: HTTPClient, _ target: ClientTarget) {
        guard phase == .running else { return }
        let exchange = ClientExchange(
            head: bytes, body: request.method == "HEAD" ? [] : request.body ?? [], isHead: request.method == "HEAD",
            isIdempotent: Self.idempotent.contains(request.method), delegate: self)
        self.exchange = exchange
        mark = session.changes.begin(request)
        client.start(exchange, to: target)
    }

    /// RFC 9110 §9.2.2.
    private static let idempotent: Set = ["GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]

    // MARK: The response

    func began(_ head: ReceivedHead) {
        if let flaw = head.flaw { return refuse(flaw) }
        relay.begin(head)
        guard let queue = session.queue else { return }
        self.head = head
        spool = ContentSpool(
            head, directory: queue.directory, limit: session.options.decodedLimit,
            largest: session.options.largestBody)
    }

    /// Ends a response that may not be passed on.
    private func refuse(_ flaw: String) {
        let exchange = exchange
        let url = request.origin.text + request.target
        end(.upstream(UpstreamError(.protocol, url: url, "\(flaw); mend the server")))
        exchange?.cancel()
    }

    func received(_ bytes: [UInt8]) {
        guard phase == .running else { return }
        count += bytes.count
        // The client goes first; kept bytes may have to wait for the disk.
        relay.push(bytes)
        spool?.push(bytes)
        pump()
    }

    func paused() {
        relay.pause()
    }

    func completed(trailers: [(name: [UInt8], value: [UInt8])]) {
        guard phase == .running else { return }
        self.trailers = trailers.map { UpstreamField(String(decoding: $0.name, as: UTF8.self), bytes: $0.value) }
        if let flaw = self.trailers.lazy.compactMap(\.flaw).first { return refuse(flaw) }
        phase = .complete
        relay.decide()
        pump()
    }

    /// Goes on with the bytes that have come, and with reading if nothing is left of them.
    private func pump() {
        guard phase != .over, !isPumpDue else { return }
        var pieces = 0
        while true {
            switch relay.advance() {
            case .full: return waitForRoom()
            case .gone: return abandon()
            case .moved: pieces += 1
            case .idle:
                if isLost { return giveUp() }
                guard spool?.store() ?? false else { return goOn() }
                pieces += 1
            }
            if pieces == Self.piecesPerTurn { return pumpLater() }
        }
    }

    private func goOn() {
        if phase == .complete { return conclude() }
        exchange?.resume()
    }

    private func pumpLater() {
        isPumpDue = true
        exchange?.hold()
        loop.execute { [self] _ in
            isPumpDue = false
            pump()
        }
    }

    private func waitForRoom() {
        isPumpDue = true
        exchange?.hold()
        let room = streamed.room { [self] _ in
            loop.execute { [self] _ in
                isPumpDue = false
                pump()
            }
        }
        guard room != nil else { return }
        isPumpDue = false
        pump()
    }

    /// Whether nobody can use the remaining bytes: neither the client nor the recording.
    private var isLost: Bool { session.isLost(relay, spool) }

    private func giveUp() {
        let exchange = exchange
        if phase == .running { phase = .complete }
        exchange?.cancel()
        conclude()
    }

    // MARK: The end

    private func conclude() {
        phase = .over
        exchange = nil
        if isLost { spool?.discard() } else { session.report.passed(count, from: request.origin) }
        let mark = endChange() ?? UpstreamChanges.Mark()
        if let head, let recorded = session.exchange(of: request, head, trailers, spool, relay, since: mark) {
            let notes = relay.failure.map { [$0] } ?? []
            let samples =
                session.options.samples > 1
                ? session.sampling(of: request, since: recorded, by: session.client(on: loop.queue)) : nil
            session.queue?.add(recorded, samples: samples, notes: notes)
        }
        relay.finish(trailers)
        if session.queue == nil, let failure = relay.failure { session.fail(request, failure) }
        session.queue?.leave()
    }

    func failed(_ failure: ClientFailure) {
        // An exchange that was given up here has its end already.
        guard phase == .running else { return }
        if case .cancelled = failure { return end(.cancelled) }
        let url = request.origin.text + request.target
        end(.upstream(UpstreamError(failure, url: url, timeouts: session.options.upstream.timeouts)))
    }

    private func abandon() {
        guard phase != .over else { return }
        let exchange = exchange
        end(.cancelled)
        exchange?.cancel()
    }

    /// Notes that nothing of the request is under way any more.
    ///
    /// - Returns: the upstream's change mark when it went out; nil if it never did.
    private func endChange() -> UpstreamChanges.Mark? {
        guard let mark else { return nil }
        self.mark = nil
        session.changes.end(request)
        return mark
    }

    private func end(_ failure: CaptureFailure) {
        phase = .over
        exchange = nil
        _ = endChange()
        spool?.discard()
        fails(request, failure, relay, streamed)
        session.queue?.leave()
    }
}

extension UpstreamError {
    init(_ failure: ClientFailure, url: String, timeouts: UpstreamTimeouts) {
        switch failure {
        case .unresolved(let host):
            self.init(
                .resolve, url: url,
                "Could not resolve host: \(host); check the host's name, or say which address to connect to")
        case .unconnected(let host, let port, let text):
            self.init(
                .connect, url: url,
                "Failed to connect to \(host) port \(port) (\(text)); "
                    + "check that the service runs and listens on this port")
        case .connectTimeout(let host, let port):
            self.init(
                .timeout(.connect), url: url,
                "Failed to connect to \(host) port \(port) in time; \(Self.remedy(.connect))")
        case .idleTimeout:
            let limit = timeouts.idle.map { "\($0)" } ?? "a while"
            self.init(.timeout(.idle), url: url, "no byte was received or sent for \(limit); \(Self.remedy(.idle))")
        case .noResponse:
            self.init(
                .protocol, .connectionLost, url: url,
                "there was no response; the server closed without a response; look at its log")
        case .connectionLost(let text):
            self.init(
                .protocol, .connectionLost, url: url, "\(text); the connection was lost; send the request again")
        case .fault(let fault):
            switch fault.kind {
            case .notHTTP:
                self.init(.protocol, url: url, "\(fault.text); check that the server speaks this version of HTTP")
            case .malformed: self.init(.protocol, url: url, "\(fault.text); look at the server's log")
            case .tooLarge: self.init(.tooLarge, url: url, "\(fault.text); ask for less of it")
            }
        case .cancelled: self.init(.cancelled, url: url, "the request was cancelled")
        }
    }
}
