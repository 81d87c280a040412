// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiHTTPWire
import MockapiProxy
import MockapiUpstream

/// A request and its response, which has passed whole, as they came.
///
/// Their digest shows whether they are recorded already; the exchange that a recorder reads is made only of others.
struct PassedExchange: Sendable {
    /// The request for the whole response.
    let request: OutgoingRequest
    let head: ReceivedHead
    let trailers: [UpstreamField]
    let content: SpooledContent
    /// The upstream's change mark when the request went out.
    let changes: UpstreamChanges.Mark
    let givesRanges: Bool?

    /// - Parameter request: as it was sent, perhaps for a part.
    init(
        _ request: OutgoingRequest, _ head: ReceivedHead, _ trailers: [UpstreamField], _ content: SpooledContent,
        since mark: UpstreamChanges.Mark
    ) {
        self.request = request.whole ?? request
        self.head = head
        self.trailers = trailers
        self.content = content
        changes = mark
        givesRanges = Exchange.givesRanges(asked: request.part, head.status, content)
    }

    /// Bytes of both contents; nil if one is in a file.
    var sizeInMemory: Int? {
        guard case .bytes(let bytes) = content.storage else { return nil }
        return bytes.count + (request.body?.count ?? 0)
    }

    func digest(_ treatments: KnownTreatments) -> ExchangeDigest {
        ExchangeDigest(
            request: RequestDigest(
                origin: request.origin.text, method: request.method, target: request.target, fields: request.fields,
                body: request.body ?? []),
            head: head, trailers: trailers, content: content, givesRanges: givesRanges, treatments)
    }

    var exchange: Exchange {
        var exchange = Exchange(
            origin: request.origin.text, method: request.method, target: request.target,
            requestFields: request.fields, requestBody: request.body ?? [], head: UpstreamHead(head),
            trailers: trailers, content: content)
        exchange.addedFields = request.added
        exchange.changes = changes
        exchange.givesRanges = givesRanges
        return exchange
    }
}
