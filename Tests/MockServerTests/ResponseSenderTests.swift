// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiTestSupport
import Testing

@testable import MockServer

@Suite(.supervised) struct ResponseSenderTests {
    private let stream = StreamedResponse()

    private var sender: ResponseSender {
        let request = Request(
            head: RequestHead(), body: [], connection: ConnectionInfo(id: 0, peer: .none),
            receivedAt: Timestamps(monotonic: 0, wall: 0))
        return ResponseSender(DeferredRequest(PendingEntry(request, 1)), stream)
    }

    private var part: String? {
        switch stream.next() {
        case .head(let head): "head \(head.status)"
        case .response(let response): "response \(response.status)"
        case .failure: "failure"
        case .content, .end: "content"
        case nil: nil
        }
    }

    private func drop(_ sender: consuming ResponseSender) {}

    @Test func `a response that nobody sends is broken off, so that its client does not wait for ever`() {
        drop(sender)
        #expect(part == "failure")
    }

    @Test func `a response that is sent is sent once`() {
        sender.send(Response(head: ResponseHead(status: 204, fields: [], framing: .none)))
        #expect(part == "response 204")
        #expect(part == nil)
    }

    @Test func `a response that is left to a producer is the producer's to begin`() {
        let left = sender.handOver()
        #expect(part == nil)
        left.begin(ResponseHead(status: 200, fields: [], framing: .none))
        #expect(part == "head 200")
    }
}
