// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiTestSupport
import Testing

@testable import MockapiStubMatching

/// What is said of random stubs and requests: `NearMisses.txt` has it in full.
@Suite(.supervised) struct NearMissTableTests {
    /// The nearest stubs and files of requests, with all that differs.
    private static func misses() -> [String] {
        (0..<24).flatMap { round in
            var fixtures = RandomFixtures(random: SplitMix(seed: UInt64(round + 900)))
            let set = fixtures.set([3, 8, 30][round % 3], round % 2 == 0 ? .mockapi : .wireMock)
            let index = StubIndex(set)
            return (0..<14).flatMap { _ -> [String] in
                let request = fixtures.request()
                let head = RequestHead.make(
                    request.method, request.target, headers: request.headers, host: request.host,
                    isSecure: request.isSecure)
                let scratch = MatchScratch()
                scratch.clientAddress = request.client
                let misses = index.nearMisses(
                    for: head, body: Array(request.body.utf8), matchesAnyHost: request.matchesAnyHost, scratch: scratch)
                let lines = request.headers.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
                return ["\(round): \(request.method) \(request.target) \(lines) \(request.body.prefix(40))"]
                    + misses.map { miss in
                        "  \(miss.path) \(Int(miss.distance * 1000)): "
                            + miss.differences.map(\.text).joined(separator: "; ")
                    }
            }
        }
    }

    private static func findings() -> [String] {
        (0..<40).flatMap { round in
            var fixtures = RandomFixtures(random: SplitMix(seed: UInt64(round + 300)))
            let set = fixtures.set([4, 20, 60][round % 3], round % 4 == 0 ? .wireMock : .mockapi)
            return ["\(round)"] + StubIndex(set).findings.map { "  \($0.description)" }.sorted()
        }
    }

    @Test func `what is near to a request, and what stands in another's way, is in the table`() throws {
        try PinnedTable.expect(Self.misses() + Self.findings(), in: "NearMisses.txt")
    }

    // MARK: Texts

    /// How many letters must change, by its definition.
    private static func edits(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        guard let one = left.first, let other = right.first else { return max(left.count, right.count) }
        if one == other { return edits(left.dropFirst(), right.dropFirst()) }
        return 1
            + min(
                edits(left.dropFirst(), right.dropFirst()), edits(left.dropFirst(), right),
                edits(left, right.dropFirst()))
    }

    @Test func `two texts are as far apart as letters must change`() {
        var random = SplitMix(seed: 12)
        for _ in 0..<1500 {
            let texts = (0..<2).map { _ in (0..<random.below(7)).map { _ in random.pick(Array("abc".utf8)) } }
            let longest = texts.map(\.count).max() ?? 0
            let expected = longest == 0 ? 0 : Double(Self.edits(texts[0][...], texts[1][...])) / Double(longest)
            #expect(TextDistance.normalized(texts[0], texts[1]) == expected, "\(texts)")
        }
    }

    @Test func `of long texts the first letters that differ are compared, and the others count as changed`() {
        let limit = NearMissLimits.editedBytes
        for more in [-1, 0, 1, 40] {
            let (one, other) = ([UInt8](repeating: 1, count: limit + more), [UInt8](repeating: 2, count: limit + more))
            #expect(TextDistance.normalized(one, other) == 1)
            // The ends are alike, so that one of both lengths is cut away.
            #expect(
                TextDistance.normalized([3] + one + [4], [3] + other + [4]) == Double(limit + more)
                    / Double(limit + more + 2))
            #expect(TextDistance.normalized(one, []) == 1)
            #expect(TextDistance.normalized([5] + one, one) == 1 / Double(limit + more + 1))
        }
    }
}
