// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// The project's own server with one function that answers.
struct HandlerServer {
    typealias Answer = @Sendable (_ target: String, borrowing Request) -> Response

    private let server: HTTPServer
    let port: Int

    init(
        _ configure: (inout ServerConfiguration) -> Void = { _ in }, answer: @escaping Answer
    ) throws {
        var configuration = ServerConfiguration()
        configure(&configuration)
        let socket = try ListeningSocket(host: "127.0.0.1", port: 0)
        port = Int(socket.address.port)
        server = HTTPServer(socket, configuration, group: try EventLoopGroup(count: 2)) { _ in Handler(answer) }
    }

    /// Lends out a server and stops it.
    static func serving(
        _ configure: (inout ServerConfiguration) -> Void = { _ in }, answer: @escaping Answer,
        _ body: (HandlerServer) async throws -> Void
    ) async throws {
        let server = try HandlerServer(configure, answer: answer)
        do {
            try await body(server)
        } catch {
            await server.server.stop()
            throw error
        }
        await server.server.stop()
    }

    static func response(_ text: String, status: Int = 200) -> Response {
        response(Array(text.utf8), status: status)
    }

    static func response(_ bytes: [UInt8], status: Int = 200) -> Response {
        Response(
            head: ResponseHead(status: status, fields: [], framing: .length(bytes.count)), body: .bytes(bytes))
    }
}

private final class Handler: RequestHandler {
    private let answer: HandlerServer.Answer

    init(_ answer: @escaping HandlerServer.Answer) {
        self.answer = answer
    }

    func respond(to request: borrowing Request) -> Reply {
        .whole(answer(request.head.string(request.head.target), request))
    }

    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) -> Response {
        HandlerServer.response(error.text, status: error.status)
    }

    func endWake() {}
}
