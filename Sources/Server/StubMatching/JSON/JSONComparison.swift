// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

/// How two JSON values are compared: numbers by value, strings byte for byte, members in any order.
struct JSONComparison: Hashable, Sendable {
    /// Arrays are equal when their elements can be paired, each with one of its own.
    var ignoresArrayOrder = false
    /// Members that only the actual object has do not count.
    var ignoresExtraMembers = false
    /// Elements that only the actual array has do not count: those at the end, or any if the order is free.
    var ignoresExtraItems = false

    init(ignoreArrayOrder: Bool, ignoreExtraElements: Bool, dialect: FixtureSet.Dialect) {
        ignoresArrayOrder = ignoreArrayOrder
        ignoresExtraMembers = ignoreExtraElements
        ignoresExtraItems = ignoreExtraElements && dialect == .wireMock
    }
}
