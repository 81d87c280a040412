// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiMetering

@testable import MockapiStubMatching

private func size(_ node: JSONNode) -> Int {
    switch node.value {
    case .array(let elements): elements.reduce(1) { $0 + size($1) }
    case .object(let object): object.members.reduce(1) { $0 + size($1.value) }
    default: 1
    }
}

private func hasPatterns(_ node: JSONNode) -> Bool {
    JSONPlaceholder.all(in: node).contains { if case .regex = $0 { true } else { false } }
}

/// The first byte says how, then come the expected and the actual text with a NUL between them: comparing small values agrees with trying
/// every order, and no values trap.
enum JSONComparisonFuzz {
    static func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let flags = bytes.first, let cut = bytes.dropFirst().firstIndex(of: 0) else { return }
        let body = Array(bytes[(cut + 1)...])
        guard let expected = try? JSONParser.parse(Array(bytes[1..<cut])), let actual = try? JSONParser.parse(body)
        else {
            return
        }
        let order = flags & 1 != 0
        let extra = flags & 2 != 0
        let dialect: FixtureSet.Dialect = flags & 4 != 0 ? .wireMock : .mockapi
        let matcher = ValueMatcher.equalToJSON(expected, ignoreArrayOrder: order, ignoreExtraElements: extra)
        let stub = Stub.make("a.stub.json", RequestPattern(body: [.value(matcher)]))
        let index = StubIndex(FixtureSet(root: "/", dialect: dialect, stubs: [stub]))
        let scratch = MatchScratch()
        let head = RequestHead.make("POST", "/")
        let result = index.match(head, body: body, scratch: scratch)
        let isEqual = result.outcome == .stub(0)
        let paid = scratch.state.budget.meter.paid
        precondition(paid >= body.count && paid <= Meter.units, "a body is read that is not paid for")
        let loop = MatchScratch(isOnLoop: true)
        let soon = index.match(head, body: body, scratch: loop)
        precondition(soon == result || loop.isCut, "a loop finds something else")
        let misses = index.nearMisses(for: head, body: body, scratch: scratch)
        let differences = misses.flatMap(\.differences)
        precondition(differences.isEmpty == isEqual, "a difference without a difference, or none where there is one")
        guard size(expected) <= 12, size(actual) <= 12, !hasPatterns(expected) else { return }
        precondition(result.exceeding.isEmpty, "a small comparison was given up")
        let naive = NaiveJSON(
            ignoresArrayOrder: order, ignoresExtraElements: extra, ignoresExtraItems: extra && dialect == .wireMock)
        precondition(naive.equal(expected, actual) == isEqual, "comparing disagrees with trying every order")
    }
}
