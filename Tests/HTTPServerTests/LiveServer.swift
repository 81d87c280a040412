// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiWireSupport
import Synchronization

@testable import MockapiHTTPServer

/// A server whose responses come from the test while they are sent.
final class LiveServer: Sendable {
    /// A request that has come, and the response that is to be given to it.
    struct Call: Sendable {
        let target: String
        let answer: StreamedResponse
    }

    let server: HTTPServer
    let port: Int
    private let log: LiveLog

    init(loops: Int = 2, _ configure: (inout ServerConfiguration) -> Void = { _ in }) throws {
        var configuration = ServerConfiguration()
        configure(&configuration)
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        port = Int(socket.address.port)
        let log = LiveLog()
        self.log = log
        server = HTTPServer(socket, configuration, group: try EventLoopGroup(count: loops)) { _ in LiveHandler(log) }
    }

    /// What was told of answers, in order: `/a began 200`, `abandoned`.
    var told: [String] { log.state.withLock { $0.told } }

    /// Waits for a request.
    func call(_ number: Int = 0) async throws -> StreamedResponse {
        try await until({ log.state.withLock { $0.calls.count } }, { $0 > number })
        return log.state.withLock { $0.calls[number].answer }
    }

    /// Whether a connection is open.
    var hasConnections: Bool { server.group.loops.contains { $0.load.load(ordering: .relaxed) > 0 } }

    /// Lends out a server and stops it.
    static func serving(
        loops: Int = 2, _ configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: (LiveServer) async throws -> Void
    ) async throws {
        let server = try LiveServer(loops: loops, configure)
        do {
            try await body(server)
        } catch {
            await server.server.stop()
            throw error
        }
        await server.server.stop()
    }

    static func head(
        _ status: Int = 200, _ framing: ResponseHead.Framing = .chunked, _ fields: [WireField] = []
    ) -> ResponseHead {
        ResponseHead(status: status, fields: fields, framing: framing)
    }
}

/// What the handlers of a server have seen.
private final class LiveLog: Sendable {
    let state = Mutex((calls: [LiveServer.Call](), told: [String]()))
}

private final class LiveHandler: RequestHandler {
    private let log: LiveLog

    init(_ log: LiveLog) {
        self.log = log
    }

    func respond(to request: borrowing Request) -> Reply {
        let target = request.head.string(request.head.target)
        if target == "/plain" {
            return .whole(
                Response(
                    head: ResponseHead(status: 200, fields: [], framing: .length(5)), body: .bytes(Array("plain".utf8)))
            )
        }
        let call = LiveServer.Call(target: target, answer: StreamedResponse(context: target))
        log.state.withLock { $0.calls.append(call) }
        return .streamed(call.answer)
    }

    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) -> Response {
        Response(head: ResponseHead(status: error.status, fields: [], framing: .length(0)), closes: true)
    }

    func abandoned(connection: ConnectionInfo, stream: UInt32, code: UInt32?) {
        log.state.withLock { $0.told.append("abandoned \(stream) \(code.map(String.init) ?? "-")") }
    }

    func began(_ answer: StreamedResponse, with beginning: StreamBeginning) {
        let target = answer.context as? String ?? "?"
        let what =
            switch beginning {
            case .head(let head): "began \(head.status)"
            case .response(let plan): "began \(plan.head.status) as a plan"
            case .nothing: "began with nothing"
            }
        log.state.withLock { $0.told.append("\(target) \(what)") }
    }

    func endWake() {}
}
