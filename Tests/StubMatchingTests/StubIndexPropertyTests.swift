// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import HTTPSyntax
import StubMatching
import TestSupport
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
                let result = index.match(
                    head, body: Array(request.body.utf8), matchesAnyHost: request.matchesAnyHost, scratch: scratch
                ) { ordinal in
                    asked.append(ordinal)
                    return isEligible(ordinal)
                }
                let found =
                    switch result.outcome {
                    case .stub(let ordinal): "stub \(ordinal)"
                    case .file(let ordinal): "file \(ordinal)"
                    case .none: "none"
                    }
                #expect(found == expected, "\(dialect) \(count) stubs, round \(round), request \(request)")
                #expect(Set(asked).count == asked.count, "a stub was asked twice")
                #expect(result.exceedingPatterns.isEmpty)
            }
        }
    }
}
