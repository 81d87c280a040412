// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// A server that answers each request with its target, or with as many bytes as the target says: `/bytes/1000`.
struct EchoServer {
    let server: HTTPServer
    let port: Int

    /// - Parameter loops: 1 where a test counts on all connections being on one loop.
    init(
        loops: Int = 2, host: String = "127.0.0.1", port: Int = 0,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = ServerConfiguration()
        configure(&configuration)
        let socket = try ListeningSocket(host: host, port: port)
        self.port = Int(socket.address.port)
        server = HTTPServer(socket, configuration, group: try EventLoopGroup(count: loops)) { _ in EchoHandler() }
    }
}

private final class EchoHandler: RequestHandler {
    func respond(to request: borrowing Request) -> Reply {
        let target = request.head.string(request.head.target)
        if target.hasPrefix("/bytes/"), let count = Int(target.dropFirst(7)) {
            return .whole(plan(200, [UInt8](repeating: UInt8(ascii: "x"), count: count)))
        }
        return .whole(plan(200, Array(target.utf8) + request.body))
    }

    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) -> Response {
        plan(error.status, Array(error.text.utf8))
    }

    func endWake() {}

    private func plan(_ status: Int, _ body: [UInt8]) -> Response {
        Response(head: ResponseHead(status: status, fields: [], framing: .length(body.count)), body: .bytes(body))
    }
}
