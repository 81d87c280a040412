// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiSecrets
import MockapiStubMatching
import MockapiUpstream

@testable import MockapiRecording

/// The parts between other boundaries.
private func body(_ parts: [MultipartParts.Part], boundary: String) -> [UInt8] {
    var body: [UInt8] = []
    for part in parts {
        body += Array("--\(boundary)\r\n".utf8) + part.head + part.content + part.lineEnd
    }
    return body + Array("--\(boundary)--\r\n".utf8)
}

/// What parts are, without what their heads say beyond their bytes.
private func bytes(_ parts: MultipartParts?) -> [[UInt8]]? { parts.map { $0.parts.map { $0.head + [0] + $0.content } } }

private func exchange(_ type: String, _ body: [UInt8]) -> Exchange {
    let answer = UpstreamHead(
        version: .http11, status: 200, fields: [UpstreamField("Content-Type", "application/json")])
    return Exchange(
        origin: "https://api.example.com", method: "POST", target: "/m",
        requestFields: [UpstreamField("Content-Type", bytes: Array(type.utf8))], requestBody: body, head: answer,
        trailers: [], content: SpooledContent(.bytes(Array("{}".utf8)), transferred: 2))
}

/// A boundary and a multipart body with a line end between them: what is read is read again from what is written of it, redacting once is
/// enough, and the derived stub matches the request, whatever boundary it comes with next time.
///
/// Pay is not asked for here: a part that no stub reads is not paid for, and boundaries are found at several bytes a unit.
enum MultipartFuzz {
    static func take(_ input: UnsafeBufferPointer<UInt8>) {
        guard let cut = input.firstIndex(of: 10) else { return }
        let type = "multipart/form-data; boundary=\(String(decoding: input[..<cut], as: UTF8.self))"
        let sent = Array(input[(cut + 1)...])
        let once = Redactor().text(sent, mediaType: type, of: .request).value
        precondition(Redactor().text(once, mediaType: type, of: .request).value == once, "redacted twice it differs")
        guard RequestContent.multipartBoundary(of: type) != nil, let parts = MultipartParts(sent, mediaType: type)
        else { return }
        let other = "0123456789abcdefghijklmnopqrstuvwxyz"
        guard !sent.contains(subsequence: Array("--\(other)".utf8)) else { return }
        let again = body(parts.parts, boundary: other)
        let reread = MultipartParts(again, mediaType: "multipart/form-data; boundary=\(other)")
        precondition(bytes(reread) == bytes(parts), "what is written of the parts is read otherwise")

        let redactor = Redactor()
        let passed = exchange(type, sent)
        var derivation = RequestDerivation(
            passed, sent: passed.requestFields, redactor: redactor, ruledHeaders: [])
        let text = JSONWriter.compact(
            .object(["request": derivation.derive().node, "response": .object(["status": .integer(200)])]))
        guard let stub = AddedStub(text, label: "x.stub.json", number: 0, root: "").stub else {
            fatalError("no stub: \(String(decoding: text, as: UTF8.self))")
        }
        let index = StubIndex(FixtureSet(root: "", stubs: [stub]))
        for (type, body) in [(type, sent), ("multipart/form-data; boundary=\(other)", again)] {
            let head = RequestHead.make("POST", "/m", headers: [("Content-Type", type)])
            let outcome = index.match(head, body: body, scratch: MatchScratch()).outcome
            if outcome == .none { fatalError("not answered by \(String(decoding: text, as: UTF8.self))") }
        }
    }
}

extension [UInt8] {
    fileprivate func contains(subsequence other: [UInt8]) -> Bool {
        guard count >= other.count else { return false }
        return (0...count - other.count).contains { self[$0..<$0 + other.count].elementsEqual(other) }
    }
}
