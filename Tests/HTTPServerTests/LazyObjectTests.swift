// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO
import MockapiTestSupport
import Testing

@Suite(.supervised) struct LazyObjectTests {
    private final class Made: Sendable {}

    /// A holder that tasks share.
    private final class Holder: Sendable {
        let object = LazyObject<Made>()

        func get() -> ObjectIdentifier { ObjectIdentifier(object.get { Made() }) }
    }

    @Test func `tasks that ask first get the same object`() async {
        for _ in 0..<50 {
            let holder = Holder()
            let seen = await withTaskGroup(of: ObjectIdentifier.self) { group in
                for _ in 0..<8 { group.addTask { holder.get() } }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(seen.count == 1)
            #expect(seen == [holder.get()])
        }
    }

    @Test func `an object is made once, lent, and goes with its holder`() {
        weak var made: Made?
        var count = 0
        do {
            let lazy = LazyObject<Made>()
            func make() -> Made {
                count += 1
                return Made()
            }
            #expect(lazy.made == nil)
            made = lazy.get(make)
            #expect(made != nil)
            #expect(lazy.made === made)
            #expect(lazy.with(make) { $0 === made })
        }
        #expect(count == 1)
        #expect(made == nil)
    }

    @Test func `an object that is given goes with its holder, too`() {
        weak var given: Made?
        do {
            let object = Made()
            given = object
            let lazy = LazyObject(object)
            #expect(lazy.get { Made() } === object)
        }
        #expect(given == nil)
    }

    @Test func `a holder that was never asked makes nothing`() {
        let lazy = LazyObject<Made>()
        #expect(lazy.made == nil)
        #expect(lazy.with({ Made() }) { $0 === lazy.made })
    }
}
