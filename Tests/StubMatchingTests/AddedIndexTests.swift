// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiMatchingSupport
import MockapiMetering
import MockapiTestSupport
import Testing

@testable import MockapiStubMatching

/// Indexes that go on others: they match as one index of all stubs, and cost what the stubs cost that were added.
@Suite(.supervised) struct AddedIndexTests {
    /// The index of a set whose last stubs were added in random portions, and how many stubs were put into indexes for it.
    private func grown(_ set: FixtureSet, from first: Int, _ random: inout SplitMix) -> StubIndex {
        var part = set
        part.stubs = Array(set.stubs[..<first])
        var index = StubIndex(part)
        while part.stubs.count < set.stubs.count {
            let next = min(set.stubs.count, part.stubs.count + random.pick([1, 1, 2, 7]))
            part.stubs = Array(set.stubs[..<next])
            index = StubIndex(part, addedTo: index)
        }
        return index
    }

    @Test(arguments: [FixtureSet.Dialect.mockapi, .wireMock])
    func `an index that stubs were added to matches as one of all stubs does`(dialect: FixtureSet.Dialect) {
        var hits = 0
        for round in 0..<Thoroughness.rounds(8, thorough: 60) {
            var fixtures = RandomFixtures(random: SplitMix(seed: UInt64(round) + 77))
            let count = 6 + round * 6
            let first = count / 3
            let set = fixtures.set(count, dialect, addedFrom: first)
            let whole = StubIndex(set)
            let index = grown(set, from: first, &fixtures.random)
            #expect(index.root.count == first && index.addedCount == count - first)
            #expect(index.unusable == whole.unusable)
            #expect(index.readsHosts == whole.readsHosts && index.readsClients == whole.readsClients)
            let (scratch, other) = (MatchScratch(), MatchScratch())
            for number in 0..<250 {
                let request = fixtures.request()
                let head = RequestHead.make(
                    request.method, request.target, headers: request.headers, host: request.host,
                    isSecure: request.isSecure)
                let body = Array(request.body.utf8)
                let salt = number % 3
                func match(_ index: StubIndex, _ scratch: MatchScratch) -> (MatchResult, asked: [Int]) {
                    scratch.clientAddress = request.client
                    var asked: [Int] = []
                    let result = index.match(
                        head, body: body, matchesAnyHost: request.matchesAnyHost, scratch: scratch, keepsBody: true
                    ) { ordinal in
                        asked.append(ordinal)
                        return salt == 0 || ordinal % 3 != salt
                    }
                    return (result, asked)
                }
                let expected = match(whole, other)
                let known = salt == 0 ? index.known(head, scratch) : nil
                if known != nil { hits += 1 }
                let found = match(index, scratch)
                if salt == 0 { index.remember(found.0, of: head, scratch) }
                let place = "\(dialect), round \(round), request \(request)"
                #expect(found.0 == expected.0 && found.asked == expected.asked, "\(place)")
                #expect(known ?? expected.0.outcome == expected.0.outcome, "known: \(place)")
                #expect(index.bodyWeight(of: head) == whole.bodyWeight(of: head), "\(place)")
                let methods = [(index, scratch), (whole, other)].map { index, scratch in
                    index.methods(for: head, matchesAnyHost: request.matchesAnyHost, scratch: scratch)
                }
                #expect(methods[0] == methods[1], "\(place)")
                let distances = [(index, scratch), (whole, other)].map { index, scratch in
                    index.nearMisses(
                        for: head, body: body, matchesAnyHost: request.matchesAnyHost, scratch: scratch,
                        reusesBody: true, limit: 2
                    ).map(\.distance)
                }
                #expect(distances[0].count == distances[1].count, "\(place): \(distances)")
                #expect(zip(distances[0], distances[1]).allSatisfy { $0 <= $1 }, "\(place): \(distances)")
            }
        }
        #expect(hits > 0)
    }

    @Test func `a stub that is added to many costs what it costs to add it to few`() {
        let indexed = [100, 4_000].map { count in
            var set = FixtureSet(root: "/")
            set.stubs = (0..<count).map { .make("\($0).stub.json", RequestPattern(url: .path("/file/\($0)"))) }
            var index = StubIndex(set)
            var indexed = 0
            var most = 0
            for number in 0..<1_300 {
                let path = RequestPattern(url: .path("/added/\(number)"))
                set.stubs.append(.make("added \(number)", path, isAdded: true))
                let next = StubIndex(set, addedTo: index)
                #expect(next.root === index.root)
                index = next
                indexed += index.count
                most = max(most, index.count)
                let result = index.match(.make("GET", "/added/\(number)"), scratch: MatchScratch())
                #expect(result.outcome == .stub(count + number))
            }
            var indexes = 0
            for _ in sequence(first: index, next: \.below) { indexes += 1 }
            #expect(indexes <= 14 && index.depth == indexes - 1, "\(indexes) indexes")
            #expect(most <= 256)
            return indexed
        }
        // Each is indexed again when as many have come, and no more often than 256 are twice one.
        #expect(indexed[0] <= 1_300 * 9)
        #expect(indexed[0] == indexed[1])
    }

    @Test func `however many long stubs are added, the indexes are few, and each holds its own stubs alone`() {
        var set = FixtureSet(root: "/")
        set.stubs = [.make("0.stub.json", RequestPattern(url: .path("/0")))]
        var index = StubIndex(set)
        for number in 1...60 {
            set.stubs.append(.make("\(number)", RequestPattern(url: .path("/\(number)")), isAdded: true))
            index = StubIndex(set, addedTo: index, bytes: 100_000)
            #expect(index.depth <= 24 && index.stubCount == number + 1)
        }
        for part in sequence(first: index, next: \.below) { #expect(part.set.stubs.count == part.count) }
        for number in 0...60 {
            let result = index.match(.make("GET", "/\(number)"), scratch: MatchScratch())
            #expect(result.outcome == .stub(number))
        }
    }

    @Test func `a value of the body is read once for each index, however many priorities take turns`() throws {
        let stubs = try (0..<80).map { number in
            let priority = number < 40 ? 2 * number + 1 : 2 * (number - 40) + 2
            let text = """
                {"priority": \(priority), "request": {"urlPath": "/p", "bodyPatterns":
                [{"matchesJsonPath": {"expression": "$.a", "contains": "\(number)!"}}]}, "response": {}}
                """
            return try #require(AddedStub(Array(text.utf8), label: "\(number)", number: number, root: "").stub)
        }
        let whole = StubIndex(FixtureSet(root: "/", stubs: stubs))
        let first = StubIndex(FixtureSet(root: "/", stubs: Array(stubs[..<40])))
        let added = StubIndex(FixtureSet(root: "/", stubs: stubs), addedTo: first)
        let values = (0..<500).map { "\"k\($0)\": [\($0)]" }.joined(separator: ", ")
        let body = Array("{\(values), \"a\": \"x\"}".utf8)
        let paid = [whole, added].map { index in
            let scratch = MatchScratch()
            #expect(index.match(.make("POST", "/p"), body: body, scratch: scratch).outcome == .none)
            return scratch.state.budget.meter.paid
        }
        #expect(paid[1] <= 2 * paid[0], "\(paid)")
    }

    @Test func `equal near misses of several indexes are listed by their priority`() {
        var set = FixtureSet(root: "/")
        set.stubs = [.make("0.stub.json", RequestPattern(method: "PUT", url: .path("/p")), priority: 1)]
        let first = StubIndex(set)
        set.stubs.append(.make("1", RequestPattern(method: "PUT", url: .path("/p")), priority: 9, isAdded: true))
        let misses = StubIndex(set, addedTo: first).nearMisses(for: .make("GET", "/p"), scratch: MatchScratch())
        #expect(misses.map(\.subject) == [.stub(0), .stub(1)])
        #expect(Set(misses.map(\.distance)).count == 1)
    }
}
