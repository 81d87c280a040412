// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiRecording
import MockapiUpstream

/// Whether fixtures match a request, found out without a socket.
struct FixtureLookup {
    private let responder: FixtureResponder

    init(directory: String) throws(MockServerError) {
        responder = try FixtureResponder(fixtures: directory, stubs: [], configuration: MockServer.Configuration())
    }

    func hasMatch(for request: DirectRequest) -> Bool {
        var head = "\(request.method) \(request.path) HTTP/1.1\r\nHost: localhost\r\n"
        for field in request.fields { head += "\(field.name): \(field.value)\r\n" }
        if let body = request.body { head += "Content-Length: \(body.count)\r\n" }
        _ = responder.respond(to: Array((head + "\r\n").utf8) + (request.body ?? []), isSecure: false)
        switch responder.journal.newest?.outcome {
        case .stub, .file: return true
        default: return false
        }
    }
}
