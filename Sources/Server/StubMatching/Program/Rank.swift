// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures

/// How a stub stands against the others, beside its place in the set.
struct Rank: Hashable {
    /// 1 first.
    var priority: Int
    /// 0 for a stub added at run time, 1 for one of a file.
    var origin: Int
    /// 0 for an exact target, 1 for a template and a resource, 2 for a pattern, 3 for any; all 0 in a WireMock root, and for stubs added at run time.
    var breadth: Int
    /// How many things are asked: the method, every condition, the query that a `url` fixes, and the state that a scenario has to be in. All 0 if
    /// the breadth is.
    var conditions: Int

    init(_ stub: Stub, _ dialect: FixtureSet.Dialect) {
        priority = stub.priority
        origin = stub.isAdded ? 0 : 1
        breadth = 0
        conditions = 0
        if dialect == .wireMock || stub.isAdded { return }
        let request = stub.request
        switch request.url {
        case .url, .path: breadth = 0
        case .pathTemplate: breadth = 1
        case .pattern, .pathPattern: breadth = stub.resource == nil ? 2 : 1
        case .any: breadth = 3
        }
        if case .url = request.url { conditions += 1 }
        if request.method != nil { conditions += 1 }
        conditions += request.conditions.count
        if stub.scenario?.required != nil { conditions += 1 }
    }

    /// Whether a stub with this rank goes before one with another; false for equal ranks.
    func precedes(_ other: Rank) -> Bool {
        (priority, origin, breadth, -conditions) < (other.priority, other.origin, other.breadth, -other.conditions)
    }

    /// The ordinals of a set's stubs, or of those from a place on, best rank first; among equals the later goes first.
    static func order(_ set: FixtureSet, from first: Int = 0) -> [Int] {
        let ranks = set.stubs[first...].map { Rank($0, set.dialect) }
        return (first..<set.stubs.count).sorted { left, right in
            let (one, other) = (ranks[left - first], ranks[right - first])
            if one != other { return one.precedes(other) }
            return left > right
        }
    }
}
