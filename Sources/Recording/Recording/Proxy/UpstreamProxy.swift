// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Dispatch
import MockapiEventLoops
package import MockapiHTTPServer
package import MockapiHTTPSyntax
package import MockapiHTTPWire
import MockapiProxy
import MockapiUpstream
import Synchronization

/// Responds to the requests to one proxy from its upstream, and records the responses.
package final class UpstreamProxy: RequestProxy {
    private let session: RecordingSession
    private let index: Int
    private let origin: UpstreamOrigin
    /// Where requests go that need neither TLS nor HTTP/2; nil if they do.
    private let target: ClientTarget?
    /// The last client's view of the upstreams.
    private let lastView = Mutex<(authority: [UInt8], isSecure: Bool, ports: [Int], view: ProxyView)?>(nil)

    init(_ session: RecordingSession, _ index: Int) {
        self.session = session
        self.index = index
        origin = session.origins[index]
        target = origin.plainTarget(session.options)
    }

    package func forward(_ request: UnmatchedRequest, into response: StreamedResponse) {
        guard let service = service(of: request) else {
            return refuse(
                request, 421,
                "this proxy speaks for \(origin), and the request is for \(Self.named(request.head)): it is not passed on; "
                    + "request a path, or let the client use no proxy for other hosts", response)
        }
        if let (status, text) = refusal(of: request) { return refuse(request, status, text, response) }
        let view = service == index ? view(of: request.head) : ProxyView(request.head, to: service, session)
        let upstream = session.origins[service]
        var outgoing = OutgoingRequest(request, to: upstream, seenAs: view)
        let bound = session.boundClients(of: request)
        outgoing.isBound = bound != nil
        let target = service == index ? target : upstream.plainTarget(session.options)
        if let target, let bytes = outgoing.http1Head {
            let exchange = ProxiedExchange(outgoing, session, response, seenAs: view, on: request.loop, fails: fail)
            return exchange.start(bytes, by: bound?.plain ?? session.plainClient(on: request.loop), to: target)
        }
        let queue = request.loop.queue
        let client = bound?.secure ?? session.client(on: queue)
        let task = Task(executorPreference: client.executor) { [self, outgoing] in
            await pass(outgoing, seenAs: view, by: client, to: response, on: queue)
        }
        response.whenAbandoned { task.cancel() }
    }

    /// The service that a request is for, by its number; nil if it names another host in its target, as for a forward proxy (RFC 9112 §3.2.2).
    private func service(of request: UnmatchedRequest) -> Int? {
        let head = request.head
        guard head.target.start < head.path.start, head.string(head.target).contains("://") else { return index }
        let named = try? UpstreamOrigin(Self.named(head))
        return session.origins.firstIndex { $0.text == named?.text } ?? (request.namesServer ? index : nil)
    }

    /// The origin in a target that has one.
    private static func named(_ head: RequestHead) -> String {
        let scheme = head.string(head.target).lowercased().hasPrefix("https:") ? "https://" : "http://"
        return scheme + head.string(head.authority)
    }

    private func refuse(_ request: UnmatchedRequest, _ status: Int, _ text: String, _ response: StreamedResponse) {
        tell(request.head, text)
        let isHead = request.head.equals(request.head.method, "HEAD")
        response.respond(with: Self.text(status, text + "\n", isHead: isHead))
    }

    package func refused(_ head: RequestHead, _ status: Int, _ reason: String) { tell(head, "\(status): \(reason)") }

    /// Reports a request that was refused here: it is missing from the recording.
    private func tell(_ head: RequestHead, _ text: String) {
        let path = head.string(head.path) + (head.query.map { "?" + head.string($0) } ?? "")
        let method = head.string(head.method)
        session.fail(
            OutgoingRequest(
                origin: origin, method: method.isEmpty ? "?" : method, target: path.isEmpty ? "?" : path, fields: [],
                body: nil), text)
    }

    /// The head without its secrets: a request to a service holds some that neither the journal nor the log may show.
    package func told(_ head: RequestHead) -> RequestHead {
        var told = head
        told.hideCredentials(further: session.ruledHeaders)
        let path = head.string(head.path) + (head.query.map { "?" + head.string($0) } ?? "")
        let shown = session.shown(path)
        if shown != path { told.replacePath(path, by: shown) }
        return told
    }

    private func refusal(of request: UnmatchedRequest) -> (status: Int, text: String)? {
        refusalOfForeignPage(request) ?? refusalOfWebSocket(request)
    }

    /// A page of another site is not lent the credentials that the recording adds: the browser marks it (W3C Fetch Metadata §2.3), or the
    /// name by which it asks, if that leads here although it is not ours (DNS rebinding).
    private func refusalOfForeignPage(_ request: UnmatchedRequest) -> (status: Int, text: String)? {
        guard origin.adds else { return nil }
        let head = request.head
        if !request.namesServer {
            return (
                421,
                "this request is for another host than this proxy, and the recording would send its own credentials along: it is not passed on; "
                    + "request it by a name of this machine, or add the name with --admin-host"
            )
        }
        guard
            head.fields.contains(where: { field in
                head.equalsIgnoringCase(field.name, "sec-fetch-site")
                    && head.equalsIgnoringCase(field.value, "cross-site")
            })
        else { return nil }
        return (
            403,
            "a page of another site sends this request, and the recording would add its own credentials: it is not passed on; open "
                + "the page by the name that it calls this proxy by, or record without --header and credentials in the URL"
        )
    }

    /// A connection that is switched to another protocol cannot be recorded.
    private func refusalOfWebSocket(_ request: UnmatchedRequest) -> (status: Int, text: String)? {
        let head = request.head
        guard
            head.fields.contains(where: { field in
                head.equalsIgnoringCase(field.name, "upgrade") && head.hasMember("websocket", in: field.value)
            })
        else { return nil }
        return (501, "a WebSocket cannot be recorded, and does not pass this proxy; open it at \(origin)")
    }

    private func view(of head: borrowing RequestHead) -> ProxyView {
        let authority = Array(head.bytes[head.authority.range])
        let ports = session.ports.all
        if let last = lastView.withLock({ $0 }), last.authority == authority, last.isSecure == head.isSecure,
            last.ports == ports
        {
            return last.view
        }
        let view = ProxyView(head, to: index, session)
        lastView.withLock { [isSecure = head.isSecure] in $0 = (authority, isSecure, ports, view) }
        return view
    }

    private func pass(
        _ request: OutgoingRequest, seenAs view: ProxyView, by client: UpstreamClient, to streamed: StreamedResponse,
        on queue: DispatchQueue
    ) async {
        await session.queue?.enter()
        defer { session.queue?.leave() }
        let relay = ResponseRelay(
            streamed, isHead: request.method == "HEAD", seenAs: view, limit: session.options.decodedLimit, queue: queue)
        do throws(CaptureFailure) {
            let (exchange, trailers) = try await session.capture(request, by: client, relay: relay)
            guard let exchange else {
                relay.finish(trailers)
                if session.queue == nil, let failure = relay.failure { session.fail(request, failure) }
                return
            }
            let notes = relay.failure.map { [$0] } ?? []
            session.queue?.add(
                exchange, samples: session.sampling(of: request, since: exchange, by: client), notes: notes)
            relay.finish(trailers)
        } catch {
            fail(request, error, relay, streamed)
        }
    }

    private func fail(
        _ request: OutgoingRequest, _ failure: CaptureFailure, _ relay: ResponseRelay, _ streamed: StreamedResponse
    ) {
        guard case .upstream(let error) = failure else {
            session.fail(
                request,
                session.isStopping
                    ? RecordingSession.text(failure)
                    : "the client went away before the response was complete; let it wait for the end")
            return relay.fail()
        }
        session.fail(request, error.told)
        guard !relay.hasBegun else { return relay.fail() }
        let url = request.origin.text + session.shown(request.target)
        let text = "\(request.method) \(url): \(error.told)\n"
        streamed.respond(with: Self.text(error.isTimeout ? 504 : 502, text, isHead: request.method == "HEAD"))
    }

    private static func text(_ status: Int, _ text: String, isHead: Bool = false) -> Response {
        let bytes = Array(text.utf8)
        let head = ResponseHead(
            status: status, fields: [WireField("Content-Type", "text/plain; charset=utf-8")],
            framing: .length(bytes.count))
        return Response(head: head, body: isHead ? .none : .bytes(bytes))
    }
}

extension UpstreamError {
    fileprivate var isTimeout: Bool {
        if case .timeout = kind { true } else { false }
    }
}

extension RequestHead {
    /// Puts asterisks in the places of credentials.
    ///
    /// - Parameter names: of further lines that hold some, in lower case.
    fileprivate mutating func hideCredentials(further names: Set<String>) {
        for field in fields {
            let name = string(field.name).lowercased()
            if RequestHeaders.credentials.contains(name) || RequestHeaders.cookies.contains(name)
                || names.contains(name)
            {
                hide(field.value)
            }
        }
    }

    /// Puts another path and query in the place of these, in the target too, which may have an authority in front of them.
    fileprivate mutating func replacePath(_ old: String, by text: String) {
        let front = string(target)
        for range in [target, path, query ?? .empty] { hide(range) }
        let targetStart = bytes.count
        if front.hasSuffix(old) { bytes.append(contentsOf: front.utf8.dropLast(old.utf8.count)) }
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        target = ByteRange(targetStart, bytes.count)
        let question = bytes[start...].firstIndex(of: UInt8(ascii: "?"))
        path = ByteRange(start, question ?? bytes.count)
        query = question.map { ByteRange($0 + 1, bytes.count) }
    }

    private mutating func hide(_ range: ByteRange) {
        for index in range.range { bytes[index] = UInt8(ascii: "*") }
    }
}
