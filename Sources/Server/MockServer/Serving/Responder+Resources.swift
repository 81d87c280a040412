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
    /// The next step for a request for a collection: its response if that is short, or the work.
    func serve(
        _ stub: MatchedStub, _ collection: ResourceCollection, to head: borrowing RequestHead, _ body: [UInt8]
    ) -> Disposition {
        let asked = collection.request(head, body, seed: core.context.seed)
        if eventLoop != nil, !collection.isShort(asked) { return .later(.serving(stub, collection, asked)) }
        return .now(select(stub, collection.respond(to: asked, tell: core.tellResource), for: head))
    }

    func select(_ stub: MatchedStub, _ made: ResourceResponse, for head: borrowing RequestHead) -> ServedResponse {
        complete(stub.serving(made.response, reason: made.reason), stub.fields, beside: nil, for: head)
    }
}
