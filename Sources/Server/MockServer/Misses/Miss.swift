// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiStubMatching

/// An unmatched request, and the nearest fixtures.
struct Miss {
    /// How many near misses are reported.
    static let nearestLimit = 3
    /// How many stubs are reported whose scenario is in another state. 16.
    private static let waitingLimit = 16

    let method: String
    let target: String
    /// The path of the target, percent-encoded as it came.
    let path: String
    let content: Content
    /// Whether it is the handshake of a WebSocket (RFC 6455 §4.1).
    var isHandshake = false
    let fixtures: FixtureSet
    /// Nearest first.
    var nearest: [NearMiss]
    /// The methods that the target is known under; empty if none is, or if this one is among them.
    let allowed: [String]
    /// The sequences that would have matched, had they a step left.
    var exhausted: [Int] = []
    /// The stubs that would have matched, were their scenario in another state, and that state.
    var waiting: [(ordinal: Int, difference: Difference)] = []
    /// The stubs that match but were recorded of requests with other values at some places.
    var unknown: [(ordinal: Int, places: UnknownPlaces)] = []
    /// The stubs whose tests took more steps than they may.
    var exceeding: [ExceedingStub] = []
    /// Whether the body was not read as JSON for the memory that would take.
    var isTooLarge = false
    /// Why the file that lies at the path is not served; nil if there is none.
    var unserved: String?
    /// The report as plain text, for the journal.
    var text: [UInt8] = []

    /// The part of a request's content that a stub is suggested with.
    struct Content {
        /// Bytes of content that is looked into. 2 KiB.
        static let limit = 2 * 1024

        /// Bytes of all of it.
        let count: Int
        /// Empty if there are more than the limit.
        let bytes: [UInt8]
        /// The value of Content-Type; empty if there is none.
        let mediaType: String
    }

    /// 405 if the target is there for other methods (RFC 9110 §15.5.6); WireMock responds with 404 to all that it does not match.
    var status: Int { allowed.isEmpty || fixtures.dialect == .wireMock ? 404 : 405 }

    /// Whether its words are those of the request and the fixtures alone: no state of a scenario is among them.
    var isStateless: Bool {
        exhausted.isEmpty && waiting.isEmpty && unknown.isEmpty && exceeding.isEmpty && !isTooLarge
            && nearest.allSatisfy { near in
                if case .stub(let ordinal) = near.subject { fixtures.stubs[ordinal].scenario == nil } else { true }
            }
    }

    /// Takes over which stubs match and were passed over, and adds the states of scenarios to those near.
    mutating func tell(_ passedOver: [(ordinal: Int, state: String?)], states: Scenarios?) {
        exhausted = passedOver.compactMap { $0.state == nil ? $0.ordinal : nil }
        guard let states else { return }
        waiting = passedOver.lazy.filter { $0.state != nil }.prefix(Self.waitingLimit).compactMap { stub in
            difference(of: stub.ordinal, state: stub.state).map { (stub.ordinal, $0) }
        }
        for index in nearest.indices {
            guard case .stub(let ordinal) = nearest[index].subject, let part = fixtures.stubs[ordinal].scenario else {
                continue
            }
            let state = passedOver.first { $0.ordinal == ordinal }?.state ?? states.state(of: part.name)
            if let difference = difference(of: ordinal, state: state) { nearest[index].differences.append(difference) }
        }
    }

    /// The difference between the state of a stub's scenario and the one that it needs; nil if there is none.
    private func difference(of ordinal: Int, state: String?) -> Difference? {
        guard let part = fixtures.stubs[ordinal].scenario, let state, let needed = part.required,
            !needed.isExactly(state)
        else {
            return nil
        }
        return Difference(scenario: part.name, needed: needed, state: state)
    }
}
