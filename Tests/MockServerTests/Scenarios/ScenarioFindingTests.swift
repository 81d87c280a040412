// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiFixtures
import MockapiTestSupport
import MockapiWireSupport
import Testing

@Suite(.supervised) struct ScenarioFindingTests {
    private func findings(_ stubs: String...) throws -> [String] {
        let directory = try TemporaryDirectory([:])
        for (number, stub) in stubs.enumerated() { try directory.write("\(number).stub.json", stub) }
        return try LoadedFixtures(path: directory.path, wireMock: false).findings.map(\.description)
    }

    @Test func `stubs that answer in different states are told apart, and neither hides the other`() throws {
        let request = #""request": {"urlPath": "/a"}, "response": {}"#
        #expect(
            try findings(
                #"{"scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "b", \#(request)}"#,
                #"{"scenarioName": "s", "requiredScenarioState": "b", \#(request)}"#,
                #"{\#(request)}"#) == [])
    }

    @Test func `a stub of the same state as another hides it`() throws {
        let stub =
            #"{"scenarioName": "s", "requiredScenarioState": "Started", "request": {"urlPath": "/a"}, "response": {}}"#
        #expect(
            try findings(stub, stub) == [
                "0.stub.json:1:1: warning: no request reaches this stub: 1.stub.json:1 answers every request that it matches; remove one "
                    + "of them, or ask more of the other or give it a higher priority number"
            ])
    }

    @Test func `a state that no stub leaves is told where it stands`() throws {
        #expect(
            try findings(#"{"scenarioName": "s", "requiredScenarioState": "b", "request": {}, "response": {}}"#) == [
                #"0.stub.json:1:48: warning: no stub leaves the scenario "s" in "b": this one answers only after it is set to "#
                    + "that by PUT /__admin/scenarios/…/state or a test (/requiredScenarioState)"
            ])
    }
}
