// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

/// Input that is not a request, and requests that get no response: each has its line in the log, and a client's input has its entry in the journal.
extension Responder {
    func refuse(
        _ error: RequestError, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) -> Response {
        let reason = error.told(core.context.names)
        var response = PlainResponse.text(error.status, reason + "\n", closes: true)
        if let crossOrigin = core.crossOrigin {
            response.head = crossOrigin.adapted(response.head, for: CrossOrigin.origin(of: head))
        }
        note(
            ServedResponse(response: response, outcome: .refused, reason: reason),
            to: Request(head: head, connection: connection, stream: stream, receivedAt: receivedAt),
            fixtures: matcher.fixtures)
        core.proxy?.refused(head, error.status, reason)
        return response
    }

    func dropped(
        _ reason: String, head: RequestHead, stream: UInt32, connection: ConnectionInfo, receivedAt: Timestamps
    ) {
        var head = head
        head.version = .http2
        var response = PlainResponse.text(400, "")
        var delivery = Delivery()
        delivery.sendsHead = false
        response.delivery = delivery
        note(
            ServedResponse(response: response, outcome: .refused, reason: reason),
            to: Request(head: head, connection: connection, stream: stream, receivedAt: receivedAt),
            fixtures: matcher.fixtures)
        core.proxy?.refused(head, 400, reason)
    }

    /// Logs why a client got nothing of a response that has its line already.
    func couldNotSend(
        _ status: Int, to head: RequestHead, connection: ConnectionInfo, stream: UInt32, at time: Timestamps
    ) {
        guard let log else { return }
        var record = JournalRecord(peer: connection.peer)
        record.status = Int32(clamping: status)
        record.receivedAt = time.wall
        record.connection = connection.id
        record.stream = stream
        record.tls = Int32(connection.tls?.rawValue ?? 0)
        record.responseSize = 0
        record.version = Int32(HTTPVersion.http2.rawValue)
        let reason =
            "the header section of this response is longer than \(HTTP2Limits.maxSentHead / 1_048_576) MiB: the stream is reset"
        let served = ServedResponse(response: PlainResponse.text(status, ""), outcome: .refused)
        log.append(RequestLogLine(record, head, served, matcher.fixtures.set, reason: reason, proxied: nil))
    }

    func handshakeFailed(_ failure: HandshakeFailure, connection: ConnectionInfo) {
        guard let log, log.takes(failure) else { return }
        log.append(
            HandshakeLine(
                failure, connection: connection, isDevelopment: core.hasDevelopmentCertificates, core.context.names))
    }
}
