// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiTestSupport
import MockapiWireSupport
import Testing

/// Faults and delays that some responses have: by chance, by client, by time.
@Suite(.supervised) struct RuleTests {
    /// Which of some requests had a fault, by the journal.
    private func faults(
        _ response: String, seed: UInt64 = 0, count: Int, fields: [String] = [], resetsAfter: Int? = nil
    ) async throws -> [String?] {
        var faults: [String?] = []
        try await TestServer.serving(
            ["x.stub.json": #"{"request": {"urlPath": "/f"}, "response": {"body": "whole", \#(response)}}"#],
            { $0.seed = seed }
        ) { server async throws in
            for number in 0..<count {
                if number == resetsAfter { _ = try server.request("POST", "/__admin/reset") }
                let client = try server.connect()
                let lines = fields.map { $0 + "\r\n" }.joined()
                try client.send("GET /f HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\(lines)\r\n")
                let text = String(decoding: try client.remainder(), as: UTF8.self)
                let fault = try #require(server.journal.entries.last).fault
                #expect(text.hasSuffix("whole") == (fault == nil))
                faults.append(fault)
            }
        }
        return faults
    }

    private static let empty = #""faults": [{"fault": "EMPTY_RESPONSE", "probability": 0.5}]"#

    @Test func `a fault befalls some responses, and the same ones under the same seed`() async throws {
        let first = try await faults(Self.empty, seed: 3, count: 30)
        #expect(first.contains("EMPTY_RESPONSE") && first.contains(nil))
        #expect(try await faults(Self.empty, seed: 3, count: 30) == first)
        #expect(try await faults(Self.empty, seed: 4, count: 30) != first)
    }

    @Test func `a reset has the draws begin again`() async throws {
        let faults = try await faults(Self.empty, seed: 3, count: 24, resetsAfter: 12)
        #expect(Array(faults[..<12]) == Array(faults[12...]))
    }

    @Test func `a fault that never comes or always comes is not drawn`() async throws {
        let never = #""faults": [{"fault": "EMPTY_RESPONSE", "probability": 0}]"#
        #expect(try await faults(never, count: 20) == Array(repeating: nil, count: 20))
        let always = #""faults": [{"fault": "EMPTY_RESPONSE", "probability": 1}]"#
        #expect(try await faults(always, count: 5) == Array(repeating: "EMPTY_RESPONSE", count: 5))
    }

    @Test func `a rule holds from a request until another, and the first that holds counts`() async throws {
        let rules = #"""
            "faults": [{"fault": "EMPTY_RESPONSE", "when": {"from": 2, "until": 4}},
              {"fault": "CONNECTION_RESET_BY_PEER", "when": {"from": 3, "until": 5}}]
            """#
        #expect(
            try await faults(rules, count: 5)
                == [nil, "EMPTY_RESPONSE", "EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER", nil])
    }

    @Test func `where no rule holds the response's own fault does`() async throws {
        let rules =
            #""faults": [{"fault": "CONNECTION_RESET_BY_PEER", "when": {"from": 2}}], "fault": "EMPTY_RESPONSE""#
        #expect(try await faults(rules, count: 2) == ["EMPTY_RESPONSE", "CONNECTION_RESET_BY_PEER"])
    }

    @Test(arguments: [
        ("127.0.0.1", [], true), ("127.0.0.9", [], false), ("X-Client: mobile", ["x-client: mobile"], true),
        ("X-Client: mobile", ["X-Client: web"], false), ("X-Client: mobile", [], false),
    ])
    func `a rule is for one client`(client: String, fields: [String], holds: Bool) async throws {
        let rule = #""faults": [{"fault": "EMPTY_RESPONSE", "when": {"client": "\#(client)"}}]"#
        #expect(try await faults(rule, count: 1, fields: fields) == [holds ? "EMPTY_RESPONSE" : nil])
    }

    @Test(arguments: [
        (#""from": "0s""#, true), (#""from": "8000h""#, false), (#""until": "8000h""#, true),
        (#""until": "0ms""#, false),
        (#""from": "2020-01-01T00:00:00Z""#, true), (#""until": "2020-01-01T00:00:00+01:00""#, false),
        (#""from": "9998-01-01T00:00:00Z""#, false), (#""scenario": "s", "scenarioState": "t""#, false),
    ])
    func `a rule holds in its time`(when: String, holds: Bool) async throws {
        let rule = #""faults": [{"fault": "EMPTY_RESPONSE", "when": {\#(when)}}]"#
        #expect(try await faults(rule, count: 1) == [holds ? "EMPTY_RESPONSE" : nil])
    }

    @Test func `a rule sees the state in which the request met the stub's scenario`() async throws {
        let stub = #"""
            {"scenarioName": "s", "requiredScenarioState": "Started", "newScenarioState": "done",
             "response": {"faults": [{"fault": "EMPTY_RESPONSE", "when": {"scenario": "s", "scenarioState": "Started"}}]}}
            """#
        try await TestServer.serving(stub: stub) { server throws in
            #expect(throws: (any Error).self) { try server.get("/") }
            let entry = try #require(server.journal.entries.first)
            #expect(entry.fault == "EMPTY_RESPONSE" && server.server.scenarioState("s") == "done")
        }
    }

    @Test func `delays by rule are added to the response's own`() async throws {
        let stub = #"""
            {"response": {"fixedDelayMilliseconds": 1, "delays": [{"fixedDelayMilliseconds": 20, "when": {"from": 2, "until": 3}},
              {"delayDistribution": {"type": "uniform", "lower": 3, "upper": 9}, "probability": 0.5}]}}
            """#
        var all: [[Duration]] = []
        for seed: UInt64 in [5, 5, 6] {
            try await TestServer.serving(["x.stub.json": stub], { $0.seed = seed }) { server throws in
                let client = try server.connect()
                for _ in 0..<20 { #expect(try client.request("GET", "/").status == 200) }
                all.append(server.journal.entries.map(\.addedDelay))
            }
        }
        #expect(all[0] == all[1] && all[0] != all[2])
        #expect(all[0][1] == .milliseconds(21))
        #expect(all[0].contains(.milliseconds(1)))
        #expect(all[0].contains { $0 >= .milliseconds(4) && $0 <= .milliseconds(10) })
    }
}
