// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiStubMatching
import Synchronization

/// The states of a server's scenarios, over all loads of its fixtures: tested and set in one, so that two requests never both leave a state
/// that only one of them can.
final class Scenarios: Sendable {
    private struct Entry {
        var state = ScenarioPart.start
        /// Counts the changes of the state.
        var version: UInt64 = 0

        mutating func enter(_ next: String) {
            guard !state.isExactly(next) else { return }
            state = next
            version &+= 1
        }
    }

    /// The outcome of an attempt to use a stub for a request.
    enum Claim {
        case response(PreparedResponse, ScenarioMove?)
        /// The stub's sequence has been given out.
        case exhausted
        /// The stub's scenario is in another state.
        case inState(String)
        /// A scenario has changed since the request passed over a stub of it.
        case outdated
    }

    /// Those that have left the state they begin in, and may have come back to it.
    private let entries = Mutex<[ExactText: Entry]>([:])

    /// Uses a stub in the state that its scenario is in, and moves the scenario on.
    ///
    /// - Parameters:
    ///   - peeks: whether this only looks: no step of the stub is used up, and its scenario stays.
    ///   - seen: the versions of the scenarios for which stubs were passed over; if this stub is passed over, its scenario's is added.
    func claim(_ stub: PreparedStub, peeks: Bool, seen: inout [ExactText: UInt64]) -> Claim {
        entries.withLock { entries in
            if let part = stub.scenario, let required = part.required {
                let entry = entries[ExactText(part.name)] ?? Entry()
                if let version = seen[ExactText(part.name)], version != entry.version { return .outdated }
                if !entry.state.isExactly(required) {
                    seen[ExactText(part.name)] = entry.version
                    return .inState(entry.state)
                }
            }
            guard Self.areCurrent(seen, entries) else { return .outdated }
            guard let response = stub.claim(peeks: peeks) else { return .exhausted }
            guard let part = stub.scenario else { return .response(response, nil) }
            let before = entries[ExactText(part.name)]?.state ?? ScenarioPart.start
            if peeks { return .response(response, ScenarioMove(scenario: part.name, before: before, after: before)) }
            if let next = part.next { entries[ExactText(part.name), default: Entry()].enter(next) }
            return .response(response, ScenarioMove(scenario: part.name, before: before, after: part.next ?? before))
        }
    }

    /// Whether scenarios are as they were seen.
    func areCurrent(_ seen: [ExactText: UInt64]) -> Bool {
        entries.withLock { Self.areCurrent(seen, $0) }
    }

    private static func areCurrent(_ seen: [ExactText: UInt64], _ entries: [ExactText: Entry]) -> Bool {
        seen.allSatisfy { name, version in (entries[name]?.version ?? 0) == version }
    }

    func state(of name: String) -> String {
        entries.withLock { $0[ExactText(name)]?.state ?? ScenarioPart.start }
    }

    func set(_ name: String, to state: String) {
        entries.withLock { $0[ExactText(name), default: Entry()].enter(state) }
    }

    /// Starts all scenarios again.
    func reset() {
        entries.withLock { entries in
            for name in entries.keys { entries[name]?.enter(ScenarioPart.start) }
        }
    }

    /// Forgets the scenarios that no stub has a part in.
    func keep(_ names: Set<ExactText>) {
        entries.withLock { entries in entries = entries.filter { names.contains($0.key) } }
    }
}

/// Why a scenario cannot be set.
struct ScenarioError: Error {
    let text: String
    /// Whether the state is unknown, rather than the scenario.
    let isOfState: Bool
}
