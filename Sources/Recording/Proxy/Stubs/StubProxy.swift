// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiHTTPServer
package import MockapiHTTPWire
package import MockapiUpstream

/// Forwards requests of stubs to other servers by libcurl, which is loaded for the first, and streams their responses back.
package final class StubProxy: RequestForwarder {
    /// Bytes of a response to a request of the server's own that are taken. 1 MiB.
    private static let ownLimit = 1024 * 1024

    private let client: UpstreamClient
    private let ownClient: UpstreamClient
    private let keeper: (any ExchangeKeeper)?
    private let budget = CopyBudget()
    private let preservesHost: Bool

    package var recorder: (any ForwardedRecorder)? { keeper }

    /// - Parameters:
    ///   - keeper: gets each forwarded exchange, once the response has come; nil if nothing is kept.
    ///   - preservesHost: whether other servers see the host that the client asked for.
    package init(
        _ configuration: UpstreamConfiguration = UpstreamConfiguration(), keeper: (any ExchangeKeeper)? = nil,
        preservesHost: Bool = false
    ) {
        self.preservesHost = preservesHost
        self.keeper = keeper
        client = UpstreamClient(configuration)
        var own = configuration
        own.maxBody = Self.ownLimit
        own.timeouts.whole = own.timeouts.whole ?? .seconds(60)
        ownClient = UpstreamClient(own)
    }

    package func forward(_ request: ForwardedRequest, into response: StreamedResponse) {
        let outgoing = ProxiedRequest(request, preservesHost: preservesHost)
        if outgoing.isLoop {
            let text = "508: \(outgoing.url) leads back to this server, by which the request has come before\n"
            return response.respond(with: ProxiedResponse.text(508, text, isHead: outgoing.isHead))
        }
        let task = Task(executorPreference: client.executor) { [client, keeper, budget] in
            await Self.pass(outgoing, by: client, to: response, keeper, budget)
        }
        response.whenAbandoned { task.cancel() }
    }

    private static func pass(
        _ request: ProxiedRequest, by client: UpstreamClient, to response: StreamedResponse,
        _ keeper: (any ExchangeKeeper)?, _ budget: CopyBudget
    ) async {
        var hasBegun = false
        do throws(UpstreamError) {
            let stream = try await client.stream(request.upstream)
            if let flaw = ReceivedHead(stream.head).flaw {
                throw UpstreamError(.protocol, url: request.url, "\(flaw); mend the server")
            }
            let received = ProxiedResponse(stream.head, isHead: request.isHead, further: request.route.responseFields)
            hasBegun = true
            let kept = KeptContent(request, stream.head, received.head.framing, keeper, budget)
            kept.add([])
            if let parts = request.route.parts {
                let content = PacedContent(budget)
                while content.hasRoom, let chunk = try await stream.body.next() {
                    kept.add(chunk)
                    content.add(chunk)
                }
                guard await content.send(parts, behind: received.head, to: response) else { return }
            } else {
                response.begin(received.head)
            }
            while let chunk = try await stream.body.next() {
                kept.add(chunk)
                guard await response.send(chunk) else { return }
            }
            let trailers = await stream.body.ending?.trailers ?? []
            guard trailers.allSatisfy({ $0.flaw == nil }) else { return response.fail() }
            kept.finish(trailers)
            response.finish(trailers: trailers.map { WireField($0.name, $0.value) })
        } catch {
            if hasBegun { return response.fail() }
            response.respond(with: request.failure(error))
        }
    }

    /// The content of a response that goes out in parts, each after a pause; content beyond a limit follows as it comes.
    private final class PacedContent {
        private var content: [UInt8] = []
        private let budget: CopyBudget
        /// Bytes of the budget that the content has.
        private var taken = 0
        private(set) var hasRoom = true

        init(_ budget: CopyBudget) {
            self.budget = budget
        }

        func add(_ chunk: [UInt8]) {
            content += chunk
            hasRoom = content.count < ForwardedExchange.contentLimit && budget.take(chunk.count)
            if hasRoom { taken += chunk.count }
        }

        /// - Returns: whether the client is still there.
        func send(
            _ parts: (count: Int, milliseconds: Int), behind head: ResponseHead, to response: StreamedResponse
        ) async -> Bool {
            let count = max(1, min(parts.count, content.count))
            let pause = Duration.milliseconds(parts.milliseconds) / count
            var start = 0
            for part in 0..<count {
                try? await Task.sleep(for: pause)
                if part == 0 { response.begin(head) }
                if content.isEmpty { return true }
                let end = part == count - 1 ? content.count : start + content.count / count
                guard await response.send(Array(content[start..<end])) else { return false }
                start = end
            }
            return true
        }

        deinit { budget.giveBack(taken) }
    }

    /// The content of a response as it passes, which goes to the keeper before the client has all of it: it may ask for the recording then.
    private final class KeptContent {
        private let request: ProxiedRequest
        private let head: UpstreamHead
        /// Bytes of content that there will be; nil if only the end shows it.
        private let length: Int?
        /// Nil if nothing is kept, or all has been.
        private var keeper: (any ExchangeKeeper)?
        /// Nil if it is too long to keep.
        private var content: [UInt8]? = []
        private var count = 0
        private let budget: CopyBudget
        /// Bytes of the budget that the content has.
        private var taken = 0

        init(
            _ request: ProxiedRequest, _ head: UpstreamHead, _ framing: ResponseHead.Framing,
            _ keeper: (any ExchangeKeeper)?, _ budget: CopyBudget
        ) {
            self.budget = budget
            self.request = request
            self.head = head
            self.keeper = keeper
            length =
                switch framing {
                case .none: 0
                case .length(let length): request.isHead ? 0 : length
                case .chunked: nil
                }
        }

        /// Takes the next part, before it goes to the client.
        func add(_ chunk: [UInt8]) {
            guard keeper != nil else { return }
            count += chunk.count
            if content != nil, count <= ForwardedExchange.contentLimit, budget.take(chunk.count) {
                taken += chunk.count
                content?.append(contentsOf: chunk)
            } else {
                drop()
            }
            if let length, count >= length { finish([]) }
        }

        func finish(_ trailers: [UpstreamField]) {
            keeper?.keep(request.exchange(head, content, trailers))
            keeper = nil
            drop()
        }

        private func drop() {
            content = nil
            budget.giveBack(taken)
            taken = 0
        }

        deinit { drop() }
    }

    package func send(_ request: OwnRequest) async -> OwnRequest.Ending {
        let fields = request.fields.map { UpstreamField($0.name, $0.value) }
        let body: UpstreamRequestBody =
            request.body.isEmpty && !Self.hasContent(request.method) ? .none : .bytes(request.body)
        do throws(UpstreamError) {
            let received = try await ownClient.send(
                UpstreamRequest(request.method, request.url, fields: fields, body: body))
            return .response(received.status, received.head.fields.map { WireField($0.name, $0.value) }, received.body)
        } catch {
            return .failed(error.text)
        }
    }

    /// Whether a request of a method says that it has no content if it has none (RFC 9110 §8.6).
    private static func hasContent(_ method: String) -> Bool { ["POST", "PUT", "PATCH"].contains(method) }
}
