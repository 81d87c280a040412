// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures

extension StubIndex {
    /// The stubs of a set, by their places in it, in the order they are asked: best rank first.
    package static func selectionOrder(of set: FixtureSet) -> [Int] {
        Rank.order(set)
    }
}
