// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching
import MockapiUpstream

@testable import MockapiRecording

/// The first request of a connection's bytes; nil where there is none that is whole.
private func request(_ bytes: UnsafeBufferPointer<UInt8>) -> (head: RequestHead, body: [UInt8])? {
    let input = ByteBuffer()
    var parser = HTTP1Parser(limits: RequestLimits(maxHead: 4096, maxBody: 4096))
    var body: [UInt8] = []
    input.append(bytes)
    while true {
        switch parser.next(input) {
        case .head: body = []
        case .body(let bytes): body.append(contentsOf: bytes)
        case .end: return (parser.head, body)
        case .needsMore, .invalid: return nil
        }
    }
}

/// A request as a proxy records it, with a response that says that other lines decide.
private func exchange(_ head: RequestHead, _ body: [UInt8]) -> Exchange {
    let fields = head.fields.filter { !head.equalsIgnoringCase($0.name, "host") }
    let answer = UpstreamHead(
        version: .http11, status: 200,
        fields: [
            UpstreamField("Content-Type", "application/json"),
            UpstreamField("Vary", "Accept, Accept-Language, Content-Language, Prefer, API-Version, X-API-Version"),
        ])
    return Exchange(
        origin: "https://api.example.com", method: head.string(head.method),
        target: head.string(head.path) + (head.query.map { "?" + head.string($0) } ?? ""),
        requestFields: fields.map { UpstreamField(head.string($0.name), bytes: Array(head.bytes[$0.value.range])) },
        requestBody: body, head: answer, trailers: [], content: SpooledContent(.bytes(Array("{}".utf8)), transferred: 2)
    )
}

/// A stub answers the request that it was derived from, whatever that is.
///
/// Deriving is not paid for: a recording is the user's own, and no client waits for it.
enum DerivationFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let (head, body) = request(bytes),
            head.string(head.path).hasPrefix("/"), !head.equals(head.method, "CONNECT")
        else { return }
        let exchange = exchange(head, body)
        let redactor = Redactor()
        redactor.learn(exchange.requestFields.map { ($0.name, $0.value) })
        var derivation = RequestDerivation(
            exchange, sent: exchange.requestFields, redactor: redactor, ruledHeaders: [])
        let request = derivation.derive()
        _ = FixtureName(request, fileExtension: "json", further: []).stub
        check(request, answers: head, body)
        // Told apart from others by all that can tell it, too.
        let sent = SentRequest(exchange, request, ruledHeaders: [])
        let places = sent.values.keys.sorted { $0.text < $1.text }
        check(
            request.told(by: places, of: sent, names: sent.names, origin: exchange.origin), answers: head, body)
        for place in places {
            check(request.told(by: [place], of: sent, names: sent.names, origin: exchange.origin), answers: head, body)
        }
    }
}

private func check(_ request: DerivedRequest, answers head: RequestHead, _ body: [UInt8]) {
    let text = JSONWriter.reviewable(
        .object(["request": request.node, "response": .object(["status": .integer(200)])]))
    let added = AddedStub(text, label: "x.stub.json", number: 0, root: "")
    guard let stub = added.stub else {
        fatalError("\(String(decoding: text, as: UTF8.self)) is not a stub: \(added.findings)")
    }
    let index = StubIndex(FixtureSet(root: "", stubs: [stub]))
    let outcome = index.match(head, body: body, scratch: MatchScratch()).outcome
    if outcome == .none {
        fatalError(
            "not answered by \(String(decoding: text, as: UTF8.self)): \(head.string(head.target).debugDescription)")
    }
}
