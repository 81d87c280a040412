// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiEventLoops
import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire

extension ResourceCollection {
    /// The resource request that a request makes of the collection.
    func request(_ head: borrowing RequestHead, _ body: [UInt8], seed: UInt64) -> ResourceRequest {
        let conditions = ConditionalFields(head)
        let path = head.string(head.path)
        let rest = path.utf8.dropFirst(resource.collection.utf8.count)
        var request = ResourceRequest(
            method: head.string(head.method),
            id: rest.isEmpty ? nil : String(decoding: PercentCoding.decode(rest.dropFirst()), as: UTF8.self))
        request.query = head.query.map { head.string($0) } ?? ""
        request.contentType = head.firstValue("content-type").map { head.string($0) }
        request.ifMatch = conditions.ifMatch
        request.ifNoneMatch = conditions.ifNoneMatch
        request.body = body
        request.seed = seed
        return request
    }
}

extension Responder {
    /// Has a collection answer: on the loop what is short, beside it what is long.
    func serve(
        _ stub: MatchedStub, _ collection: ResourceCollection, to request: borrowing Request
    ) -> Response {
        let asked = collection.request(request.head, request.body, seed: core.context.seed)
        if let eventLoop, !collection.isShort(asked) {
            let deferred = DeferredRequest(PendingEntry(request, journal.nextSequence()))
            let streamed = StreamedResponse(
                context: deferred, outlastsClientEnd: true, adapt: adapter(for: request.head))
            serve(stub, collection, asked, of: matcher, deferred, streamed, eventLoop)
            return Response(streamed: streamed)
        }
        let served = select(stub, collection.respond(to: asked, tell: core.tellResource), for: request.head)
        note(served, to: request, fixtures: matcher.fixtures)
        return served.response
    }

    func serve(
        _ stub: MatchedStub, _ collection: ResourceCollection, of matcher: StubMatcher, _ deferred: DeferredRequest,
        _ streamed: StreamedResponse, _ loop: EventLoop
    ) {
        let asked = collection.request(deferred.note.head, deferred.note.body, seed: core.context.seed)
        serve(stub, collection, asked, of: matcher, deferred, streamed, loop)
    }

    private func serve(
        _ stub: MatchedStub, _ collection: ResourceCollection, _ asked: ResourceRequest, of matcher: StubMatcher,
        _ deferred: DeferredRequest, _ streamed: StreamedResponse, _ loop: EventLoop
    ) {
        let back = LoopReturn(to: self, on: loop)
        let matchQueue = core.matchQueue(for: asked.body)
        let tell = core.tellResource
        let isTaken = matchQueue.add { _ in
            let made = collection.respond(to: asked, tell: tell)
            back.run { responder, _ in
                responder.finish(responder.select(stub, made, for: deferred.note.head), of: matcher, deferred, streamed)
            }
        }
        if isTaken { return }
        let reason = "more than \(matchQueue.limit) requests that take long wait for their answers"
        let served = stub.serving(PlainResponse.text(503, reason + "\n", closes: true), reason: reason)
        finish(complete(served, nil, beside: nil, for: deferred.note.head), of: matcher, deferred, streamed)
    }

    private func select(_ stub: MatchedStub, _ made: ResourceResponse, for head: borrowing RequestHead)
        -> ServedResponse
    {
        complete(stub.serving(made.response, reason: made.reason), stub.fields, beside: nil, for: head)
    }
}
