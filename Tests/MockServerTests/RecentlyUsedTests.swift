// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiTestSupport
import Testing

@testable import MockServer

@Suite(.supervised) struct RecentlyUsedTests {
    private final class Thing {}

    @Test func `what was used longest ago is forgotten, and no more of it than has to be`() {
        var recent = RecentlyUsed<Thing>(limit: 100)
        let things = (0..<4).map { _ in Thing() }
        for thing in things.prefix(3) { #expect(recent.add(30, to: thing).isEmpty) }
        recent.use(things[0])
        #expect(recent.add(30, to: things[3]).map(ObjectIdentifier.init) == [ObjectIdentifier(things[1])])
        // More of one that is known: the coded bytes beside the plain ones.
        #expect(recent.add(10, to: things[2]).isEmpty)
        #expect(recent.add(20, to: things[0]).map(ObjectIdentifier.init) == [ObjectIdentifier(things[3])])
    }

    @Test func `one that is larger than all may be is kept alone`() {
        var recent = RecentlyUsed<Thing>(limit: 100)
        let (small, large) = (Thing(), Thing())
        #expect(recent.add(1, to: small).isEmpty)
        #expect(recent.add(500, to: large).map(ObjectIdentifier.init) == [ObjectIdentifier(small)])
        #expect(recent.add(1, to: small).map(ObjectIdentifier.init) == [ObjectIdentifier(large)])
    }

    @Test func `there are never more than so many`() {
        var recent = RecentlyUsed<Thing>(limit: 1_000_000)
        let things = (0..<300).map { _ in Thing() }
        let forgotten = things.flatMap { recent.add(1, to: $0) }
        #expect(forgotten.count == 300 - RecentlyUsed<Thing>.mostElements && forgotten.first === things[0])
    }
}
