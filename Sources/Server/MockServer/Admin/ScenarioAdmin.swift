// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText

/// Scenarios as the admin API shows and sets them, in WireMock's shapes.
enum ScenarioAdmin {
    /// Bytes of content that sets a state. 64 KiB.
    private static let contentLimit = 64 * 1024

    static func resource(
        _ path: ArraySlice<String>, _ body: [UInt8], _ core: ServerCore
    ) -> AdminResource? {
        switch path.count {
        case 0: .get { _ in list(core) }
        case 1 where path.last == "reset": .post { core.current.ready.resetStates() }
        case 2 where path.last == "state":
            AdminResource(put: { _ in
                let name = String(decoding: PercentCoding.decode((path.first ?? "").utf8), as: UTF8.self)
                return .attempt(isLong: core.current.isUnready) { () throws(AdminError) in
                    .response(AdminResponse.json(200, try set(name, body, core.fixtures)))
                }
            })
        default: nil
        }
    }

    /// Every scenario with its state, the states that it may be in, and its stubs.
    static func list(_ core: ServerCore) -> AdminResource.Content {
        .report(isLong: core.current.set.stubs.count > CurrentFixtures.smallSet) {
            let fixtures = core.fixtures
            let scenarios = fixtures.set.scenarios
            return .list(
                AdminList("scenarios", count: scenarios.count) { number in
                    let scenario = scenarios[number]
                    return .object([
                        "id": .string(scenario.name), "name": .string(scenario.name),
                        "state": .string(fixtures.scenarios?.state(of: scenario.name) ?? ScenarioPart.start),
                        "possibleStates": .array(scenario.states.map { .string($0) }),
                        "mappings": .array(scenario.stubs.map { WireMockWords.mapping(fixtures.set.stubs[$0]) }),
                    ])
                })
        }
    }

    /// Sets one scenario to the state that the content names; without content to the state that it begins in.
    static func set(_ name: String, _ content: [UInt8], _ fixtures: ServedFixtures) throws(AdminError) -> JSONNode {
        let state = try state(content)
        do throws(ScenarioError) {
            try fixtures.setScenario(name, to: state)
        } catch {
            throw error.isOfState ? AdminError(422, error.text, 11) : AdminError(404, error.text, 404)
        }
        return .object([:])
    }

    private static func state(_ content: [UInt8]) throws(AdminError) -> String? {
        if content.isEmpty { return nil }
        let node = try AdminContent.node(content, limit: contentLimit)
        guard let state = node["state"], node.object?.members.count == 1, let text = state.string else {
            throw AdminError(
                422, "expected {\"state\": \"…\"}, or no content for \"\(ScenarioPart.start)\"", 10, "/state")
        }
        return text
    }
}
