// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

/// Stubs that were written and read again match what they did.
@Suite(.supervised) struct WrittenStubTests {
    /// The same stub with the request that is read of what is written; nil for one that no file can have.
    private func reread(_ stub: Stub) throws -> Stub? {
        let request = StubWriter.request(stub.request)
        let text = JSONWriter.compact(StubWriter.stub(request: request, steps: [.object([:])]))
        let read = AddedStub(text, label: stub.place.path, number: 0, root: "")
        guard let again = read.stub else {
            // Variables that the path does not have, and GraphQL inside of `and`.
            let errors = read.findings.filter { $0.severity == .error }.map(\.text)
            let known = ["has no variable {", "\"graphqlQuery\"", "\"operationName\"", "\"variables\""]
            #expect(errors.allSatisfy { error in known.contains { error.contains($0) } }, "\(errors)")
            return nil
        }
        #expect(StubWriter.request(again.request) == request)
        return Stub(
            uuid: stub.uuid, place: stub.place, priority: stub.priority, request: again.request,
            responses: stub.responses)
    }

    @Test func `random stubs match the same requests when they were written and read again`() throws {
        var matched = 0
        for round in 0..<Thoroughness.rounds(6, thorough: 200) {
            var fixtures = RandomFixtures(random: SplitMix(seed: UInt64(round)))
            let set = fixtures.set(60, .mockapi)
            let pairs = try set.stubs.compactMap { stub in try reread(stub).map { (stub, $0) } }
            #expect(pairs.count > 30)
            let before = StubIndex(FixtureSet(root: "/", stubs: pairs.map(\.0)))
            let after = StubIndex(FixtureSet(root: "/", stubs: pairs.map(\.1)))
            let scratch = MatchScratch()
            for _ in 0..<200 {
                let request = fixtures.request()
                let head = RequestHead.make(
                    request.method, request.target, headers: request.headers, host: request.host,
                    isSecure: request.isSecure)
                scratch.clientAddress = request.client
                func match(_ index: StubIndex) -> Int? {
                    let result = index.match(
                        head, body: Array(request.body.utf8), matchesAnyHost: request.matchesAnyHost, scratch: scratch)
                    guard case .stub(let ordinal) = result.outcome else { return nil }
                    return ordinal
                }
                let expected = match(before)
                if expected != nil { matched += 1 }
                #expect(match(after) == expected, "round \(round), request \(request)")
            }
        }
        #expect(matched > 300)
    }
}
