// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiStubMatching
import MockapiTestSupport
import Testing

@Suite(.supervised) struct StubIndexPropertyTests {
    @Test(arguments: [FixtureSet.Dialect.mockapi, .wireMock], [3, 40, 600])
    func `the index answers as asking one stub after the other does`(dialect: FixtureSet.Dialect, count: Int) {
        let rounds = count == 600 ? Thoroughness.rounds(1, thorough: 12) : Thoroughness.rounds(6, thorough: 48)
        for round in 0..<rounds {
            var fixtures = RandomFixtures(random: SplitMix(seed: UInt64(round * 1000 + count)))
            let set = fixtures.set(count, dialect)
            let index = StubIndex(set)
            let linear = LinearMatcher(set: set)
            let scratch = MatchScratch()
            for number in 0..<(count == 600 ? 150 : 400) {
                let request = fixtures.request()
                // Some stubs are sequences that have come to their end.
                let salt = number % 3
                func isEligible(_ ordinal: Int) -> Bool { salt == 0 || ordinal % 3 != salt }
                let expected = linear.match(request, isEligible: isEligible)
                var asked: [Int] = []
                let head = RequestHead.make(
                    request.method, request.target, headers: request.headers, host: request.host,
                    isSecure: request.isSecure)
                scratch.clientAddress = request.client
                // What an earlier request for the target has left must hold for this one, which has other lines, another content and another host.
                let known = salt == 0 ? index.known(head, scratch) : nil
                #expect(
                    known.map(text) ?? expected == expected,
                    "known: \(dialect) \(count) stubs, round \(round), \(request)")
                let result = index.match(
                    head, body: Array(request.body.utf8), matchesAnyHost: request.matchesAnyHost, scratch: scratch
                ) { ordinal in
                    asked.append(ordinal)
                    return isEligible(ordinal)
                }
                if salt == 0 { index.remember(result, of: head, scratch) }
                #expect(
                    text(result.outcome) == expected, "\(dialect) \(count) stubs, round \(round), request \(request)")
                #expect(Set(asked).count == asked.count, "a stub was asked twice")
                #expect(result.exceeding.isEmpty)
            }
        }
    }

    private func text(_ decision: MatchResult.Decision) -> String {
        switch decision {
        case .stub(let ordinal): "stub \(ordinal)"
        case .file(let ordinal): "file \(ordinal)"
        case .none: "none"
        }
    }

    @Test func `each pair of a query is found by its decoded name and value, whatever stands between`() {
        let pieces = [
            "a", "Zk", "%41", "%2b", "%3D", "%26", "%25", "%4", "%zz", "%", "+", "=", "&", "&&", "-._~", "name=",
            "&t=2026-11-20T10:00:00.5+01:00&", "=2026-11-20T10:00:00+01:00", "x" + String(repeating: "y", count: 20),
        ]
        var random = SplitMix(seed: 11)
        let scratch = MatchScratch()
        func isFound(_ name: String, _ value: String, in query: String) -> Bool {
            let matcher = MultiValueMatcher.single(.equalTo(value, caseInsensitive: false))
            let pattern = RequestPattern(url: .any, queryParameters: [.init(name, matcher)])
            let index = StubIndex(FixtureSet(root: "/", dialect: .mockapi, stubs: [.make("a.stub.json", pattern)]))
            let head = RequestHead.make("GET", "/?" + query)
            let result = index.match(head, body: [], matchesAnyHost: true, scratch: scratch) { _ in true }
            if case .stub = result.outcome { return true }
            return false
        }
        for _ in 0..<Thoroughness.rounds(60, thorough: 2_000) {
            let count = Int.random(in: 1...8, using: &random)
            let query = (0..<count).map { _ in random.pick(pieces) }.joined()
            for (name, value) in QueryText.decodedPairs(of: query) {
                #expect(isFound(name, value, in: query), "\(name) with \(value) in \(query)")
                #expect(!isFound(name, value + "-", in: query + "&"), "\(name) with \(value)- in \(query)&")
            }
        }
    }
}
