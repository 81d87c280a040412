// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPServer
import MockapiHTTPSyntax
import MockapiHTTPWire
import MockapiSystemIO

/// The seed that a response is drawn from, and the circumstances that its rules may ask about.
struct DeliveryOccasion {
    let seed: UInt64
    let peer: SocketAddress
    private let context: ServerContext?
    private let stateOf: (String) -> String?
    private let move: ScenarioMove?

    init(seed: UInt64) {
        self.seed = seed
        peer = .none
        context = nil
        stateOf = { _ in nil }
        move = nil
    }

    /// - Parameters:
    ///   - move: the move of the scenario of the matching stub.
    ///   - stateOf: gives the state that another scenario is in.
    init(
        _ context: ServerContext, from peer: SocketAddress, move: ScenarioMove?,
        stateOf: @escaping (String) -> String?
    ) {
        seed = context.seed
        self.peer = peer
        self.context = context
        self.stateOf = stateOf
        self.move = move
    }

    var elapsedMilliseconds: Int { context?.elapsedMilliseconds ?? 0 }

    /// The state in which the request met a scenario.
    func state(of scenario: String) -> String? {
        if let move, move.scenario.isExactly(scenario) { return move.before }
        return stateOf(scenario)
    }
}

/// A rule that applies to some responses.
protocol DeliveryRule {
    var probability: Double { get }
    var condition: RuleCondition { get }
}

extension FaultRule: DeliveryRule {}
extension DelayRule: DeliveryRule {}

extension RuleCondition {
    /// Whether all that is asked for is so.
    ///
    /// - Parameter number: counts the requests of the response from 0.
    func holds(
        _ head: borrowing RequestHead, on occasion: DeliveryOccasion, number: UInt64
    ) -> Bool {
        if let scenarioState, occasion.state(of: scenarioState.scenario)?.isExactly(scenarioState.state) != true {
            return false
        }
        switch client {
        case nil: break
        case .address(let address): if occasion.peer.host != address { return false }
        case .field(let name, let value):
            let isThere = head.fields.contains { field in
                head.string(field.value) == value && head.string(field.name).lowercased() == name
            }
            if !isThere { return false }
        }
        if let from, !from.isPast(occasion, number) { return false }
        if let until, until.isPast(occasion, number) { return false }
        return true
    }
}

extension RuleCondition.Moment {
    /// Whether it has come.
    fileprivate func isPast(_ occasion: DeliveryOccasion, _ number: UInt64) -> Bool {
        switch self {
        case .request(let request): number &+ 1 >= UInt64(max(1, request))
        case .elapsed(let milliseconds): occasion.elapsedMilliseconds >= milliseconds
        case .date(let milliseconds): Int(Clock.wall() / 1_000_000) >= milliseconds
        }
    }
}
