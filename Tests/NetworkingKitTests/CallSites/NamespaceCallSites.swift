// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockapiTestSupport
public import NetworkingKit
import Testing

/// The prefix pattern as libraries with one publish it: a wrapper that is generic over its base, a protocol that gives types the prefix,
/// extensions for one base each.
@Suite(.supervised) struct NamespaceCallSites {
    @Test func aTypeOfTheLanguageGetsThePrefixAndMembersOfItsOwn() {
        #expect("articles".net.shouted == "ARTICLES!")
        #expect(String.net.shouting == "!")
    }

    @Test func membersForAProtocolAreThereForAllThatConformToIt() {
        #expect([3, 1, 2].net.ends == [3, 2])
        #expect(Set<Int>().net.ends.isEmpty)
    }

    @Test func membersForAClassAreThereForItsSubclasses() {
        #expect(Leaf(name: "leaf").net.title == "leaf")
    }

    @Test func theBaseStaysWhatItIs() {
        #expect("a".net.base == "a")
        let isSendable: any Sendable = "a".net
        #expect(isSendable is NetNamespace<String>)
    }
}

private class Node {
    let name: String

    init(name: String) {
        self.name = name
    }
}

private final class Leaf: Node {}

extension String: NetCompatible {}
extension Array: NetCompatible {}
extension Set: NetCompatible {}
extension Node: NetCompatible {}

extension NetNamespace where Base == String {
    fileprivate var shouted: String { base.uppercased() + Self.shouting }
    fileprivate static var shouting: String { "!" }
}

extension NetNamespace where Base: Collection {
    fileprivate var ends: [Base.Element] {
        guard let first = base.first else { return [] }
        return [first] + base.suffix(1)
    }
}

extension NetNamespace where Base: Node {
    fileprivate var title: String { base.name }
}
