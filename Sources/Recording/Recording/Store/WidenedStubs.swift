// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiStubMatching
import MockapiUpstream

/// The recorded stubs whose matching was widened by hand when the recording began.
struct WidenedStubs {
    private let index: StubIndex?
    private let keys: [String]

    init(_ set: FixtureSet) {
        let widened = set.stubs.compactMap { stub -> (stub: Stub, key: String)? in
            guard let recorded = RecordedStub(stub.source, path: stub.place.path, ordinal: nil, root: set.root),
                recorded.isWidened
            else { return nil }
            return (stub, recorded.key)
        }
        keys = widened.map(\.key)
        index = widened.isEmpty ? nil : StubIndex(FixtureSet(root: set.root, stubs: widened.map(\.stub)))
    }

    /// The key of the stub that matches a request.
    func key(matching exchange: Exchange) -> String? {
        guard let index else { return nil }
        let result = index.match(RequestHead(exchange), body: exchange.requestBody, scratch: MatchScratch())
        guard case .stub(let ordinal) = result.outcome else { return nil }
        return keys[ordinal]
    }
}

extension RequestHead {
    /// The request as a server would have read it.
    init(_ exchange: Exchange) {
        self.init()
        method = append(exchange.method.utf8)
        target = append(exchange.target.utf8)
        let question = exchange.target.utf8.firstIndex(of: UInt8(ascii: "?"))
        let pathCount = question.map { exchange.target.utf8.distance(from: exchange.target.utf8.startIndex, to: $0) }
        let start = Int(target.start)
        path = ByteRange(start, start + (pathCount ?? target.count))
        if let pathCount { query = ByteRange(start + pathCount + 1, Int(target.end)) }
        for field in exchange.requestFields {
            fields.append(Field(name: append(field.name.utf8), value: append(field.bytes)))
        }
    }

    private mutating func append(_ text: some Sequence<UInt8>) -> ByteRange {
        let start = bytes.count
        bytes.append(contentsOf: text)
        return ByteRange(start, bytes.count)
    }
}
