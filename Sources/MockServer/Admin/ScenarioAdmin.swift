// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Fixtures
import JSONText

/// Scenarios as the admin API tells and sets them, in WireMock's shapes.
enum ScenarioAdmin {
    /// Bytes of content that sets a state. 64 KiB.
    private static let contentLimit = 64 * 1024
    /// How many stubs are looked through at once. 100.
    private static let shortList = 100

    /// Every scenario with its state, the states that it may be in, and its stubs.
    static func list(_ fixtures: ServedFixtures) -> AdminAPI.Resource.Answer {
        .report(isLong: fixtures.set.stubs.count > shortList) {
            let scenarios = fixtures.set.scenarios
            return .list(
                AdminList(
                    "scenarios", count: scenarios.count, before: ["meta": .object(["total": .integer(scenarios.count)])]
                ) { number in
                    let scenario = scenarios[number]
                    return .object([
                        "id": .string(scenario.name), "name": .string(scenario.name),
                        "state": .string(fixtures.scenarios?.state(of: scenario.name) ?? ScenarioPart.start),
                        "possibleStates": .array(scenario.states.map { .string($0) }),
                        "mappings": .array(scenario.stubs.map { AdminJSON.mapping(fixtures.set.stubs[$0]) }),
                    ])
                })
        }
    }

    /// Sets one scenario to the state that the content names; without content to the one that it begins in.
    static func set(_ name: String, _ content: [UInt8], _ fixtures: ServedFixtures) throws(AdminError) -> JSONNode {
        let state = try state(content)
        do throws(ScenarioError) {
            try fixtures.setScenario(name, to: state)
        } catch {
            throw error.isOfState ? AdminError(422, error.text, 11) : AdminError(404, error.text)
        }
        return .object([:])
    }

    private static func state(_ content: [UInt8]) throws(AdminError) -> String? {
        if content.isEmpty { return nil }
        guard content.count <= contentLimit else {
            throw AdminError(413, "the content is longer than \(contentLimit / 1024) KiB")
        }
        let node: JSONNode
        do throws(JSONError) {
            node = try JSONParser.parse(content)
        } catch {
            let place = LineMap(content).position(of: error.offset)
            throw AdminError(422, "this is no JSON: \(error.message) (line \(place.line), column \(place.column))")
        }
        guard let state = node["state"], node.object?.members.count == 1, let text = state.string else {
            throw AdminError(
                422, "expected {\"state\": \"…\"}, or no content for \"\(ScenarioPart.start)\"", 10, "/state")
        }
        return text
    }
}
