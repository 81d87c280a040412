// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO
import Synchronization

/// The responses of a directory of fixtures to requests of the same process: the parser, the matching and the journal of a server, and no
/// socket.
package final class FixtureResponder: Sendable {
    package let journal: Journal
    private let responder: Mutex<Responder>

    /// - Throws: `MockServerError` if the fixtures cannot be used.
    package init(
        fixtures: String?, stubs: [MockStub], configuration: MockServer.Configuration
    ) throws(MockServerError) {
        let served = try MockServer.usable(fixtures, stubs, configuration)
        if let stub = stubs.first(where: { $0.handler != nil }) {
            throw MockServerError(
                .fixturesUnusable(findings: [
                    "\(stub.label): error: a response computed in code needs a server; write it out, or start a MockServer"
                ]))
        }
        journal = Journal(limit: configuration.journalLimit, rings: 1)
        let identity = ServerIdentity(
            host: configuration.host, address: .none, adminHosts: configuration.adminHosts,
            publicURL: configuration.publicURL, trustsForwarded: configuration.trustsForwarded)
        let context = ServerContext(
            identity: identity, seed: configuration.seed, frozen: configuration.frozenMilliseconds,
            names: configuration.names)
        let core = ServerCore(served, context, journal: journal, loopCount: 1)
        responder = Mutex(Responder(core, loop: 0))
    }

    /// Responds to a request.
    ///
    /// - Parameters:
    ///   - message: the request as HTTP/1.1 has it, whole.
    ///   - isSecure: whether the request says `https`.
    /// - Returns: the response, or that of a server to a message that it refuses.
    package func respond(to message: [UInt8], isSecure: Bool) -> FixtureResponse {
        let now = Timestamps(monotonic: Clock.monotonic(), wall: Clock.wall())
        let connection = ConnectionInfo(id: 0, peer: .none)
        var parser = HTTP1Parser(limits: RequestLimits(maxHead: .max, maxBody: .max))
        let input = ByteBuffer()
        input.append(message)
        var body: [UInt8] = []
        while true {
            switch parser.next(input) {
            case .head: parser.head.isSecure = isSecure
            case .body(let bytes): body.append(contentsOf: bytes)
            case .end:
                let request = Request(head: parser.head, body: body, connection: connection, receivedAt: now)
                switch responder.withLock({ $0.respond(to: request) }) {
                case .whole(let response): return FixtureResponse(response)
                // Without a loop nothing comes later.
                case .streamed:
                    return FixtureResponse(PlainResponse.text(501, "a response that comes later needs a server\n"))
                }
            case .needsMore:
                let error = RequestError(400, "the request ends too early")
                parser.abandon(input, error)
                return refusal(error, parser.head, connection, now)
            case .invalid(let error): return refusal(error, parser.head, connection, now)
            }
        }
    }

    private func refusal(
        _ error: RequestError, _ head: RequestHead, _ connection: ConnectionInfo, _ now: Timestamps
    ) -> FixtureResponse {
        FixtureResponse(
            responder.withLock {
                $0.refuse(error, head: head, stream: 0, connection: connection, receivedAt: now)
            })
    }
}
