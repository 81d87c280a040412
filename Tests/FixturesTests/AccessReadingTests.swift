// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiTestSupport
import Testing

/// How authentication, rates and rules are read from stub files.
@Suite(.supervised) struct AccessReadingTests {
    private func findings(_ text: String) throws -> [String] {
        try TemporaryDirectory(["x.stub.json": text]).load().findings.map(\.description)
    }

    @Test(arguments: [
        (
            #"{"authentication": {}, "response": {}}"#,
            #"x.stub.json:1:20: error: "authentication" needs "bearer", "basic", "digest" or "oauth2" (/authentication)"#
        ),
        (
            #"{"protects": "/api/"}"#,
            #"x.stub.json:1:14: error: "protects" needs "authentication" or "rateLimit" beside it (/protects)"#
        ),
        (
            #"{"protects": "api", "rateLimit": {"requests": 1, "per": "1s"}}"#,
            #"x.stub.json:1:14: error: expected a path such as "/api/", without a query, found "api" (/protects)"#
        ),
        (
            #"{"protects": "/", "rateLimit": {"requests": 1, "per": "1s"}, "response": {}}"#,
            #"x.stub.json:1:74: error: "response" beside "protects", which has no response of its own; write a stub for it, and leave it out here (/response)"#
        ),
        (
            #"{"authentication": {"oauth2": {"tokenEndpoint": "/t", "clientId": "a"}}}"#,
            #"x.stub.json:1:31: error: "clientSecret" is missing (/authentication/oauth2)"#
        ),
        (
            #"{"authentication": {"bearer": {"tokens": ["a"], "expired": ["a"]}}, "response": {}}"#,
            #"x.stub.json:1:61: error: this token is in "tokens", too (/authentication/bearer/expired/0)"#
        ),
        (
            #"{"authentication": {"bearer": {"issuer": "tokns"}}, "response": {}}"#,
            #"x.stub.json:1:1: error: no stub with "oauth2" has the name "tokns" of the issuer"#
        ),
        (
            #"{"rateLimit": {"requests": 1, "per": "1 s"}, "response": {}}"#,
            #"x.stub.json:1:38: error: expected a time such as "1s", found "1 s"; times are numbers of ms, s, m or h, a year at most, such as 250ms, 0.5s or 5m (/rateLimit/per)"#
        ),
        (
            #"{"rateLimit": {"requests": 1, "per": "1s", "by": "header"}, "response": {}}"#,
            #"x.stub.json:1:50: error: expected "client", "all" or a header such as "header:X-Api-Key", found "header" (/rateLimit/by)"#
        ),
        (
            #"{"response": {"faults": [{"probability": 2, "fault": "STALL"}]}}"#,
            #"x.stub.json:1:42: error: a probability is a number from 0 to 1 (/response/faults/0/probability)"#
        ),
        (
            #"{"response": {"delays": [{}]}}"#,
            #"x.stub.json:1:26: error: a delay needs "fixedDelayMilliseconds" or "delayDistribution" (/response/delays/0)"#
        ),
        (
            #"{"response": {"faults": [{"fault": "STALL", "when": {"from": "soon"}}]}}"#,
            #"x.stub.json:1:62: error: expected a time such as "5s", a date such as "2026-11-20T10:00:00Z" or the number of a request, found "soon" (/response/faults/0/when/from)"#
        ),
        (
            #"{"response": {"faults": [{"fault": "STALL", "when": {"client": "mobile"}}]}}"#,
            #"x.stub.json:1:64: error: expected an address such as "127.0.0.1" or a field line such as "X-Client: mobile", found "mobile" (/response/faults/0/when/client)"#
        ),
        (
            #"{"response": {"faults": [{"fault": "STALL", "when": {"scenarioState": "x"}}]}}"#,
            #"x.stub.json:1:71: error: "scenarioState" needs "scenarioName" in the stub, or "scenario" beside it (/response/faults/0/when/scenarioState)"#
        ),
    ])
    func `a mistake is told with its place`(text: String, finding: String) throws {
        #expect(try findings(text) == [finding])
    }

    @Test func `a stub that guards is asked before all others, and hides none of them`() throws {
        let directory = try TemporaryDirectory([
            "guard.stub.json":
                #"{"protects": ["/a/", "/b.c/"], "authentication": {"oauth2": {"tokenEndpoint": "/t", "clientId": "i", "clientSecret": "s"}}}"#,
            "a.stub.json": #"{"request": {"urlPath": "/a/1"}, "response": {}}"#,
        ])
        let set = try directory.load()
        #expect(set.findings.map(\.description) == [])
        let stub = try #require(set.stubs.first { $0.access?.isGuard == true })
        #expect(stub.priority == 0)
        guard case .pathPattern(let pattern) = stub.request.url else {
            Issue.record("no pattern")
            return
        }
        #expect(pattern.text == #"(?:/a/.*|/b\.c/.*|/t)"#)
    }

    @Test func `rules are read`() throws {
        let text = #"""
            {"response": {
              "faults": [{"fault": "EMPTY_RESPONSE", "scope": "connection", "probability": 0.25,
                "when": {"client": "X-Client: mobile", "from": 3, "until": "5s", "scenario": "s", "scenarioState": "t"}}],
              "delays": [{"fixedDelayMilliseconds": 7, "when": {"client": "127.0.0.1", "from": "2026-11-20T10:00:00Z"}}]}}
            """#
        let set = try TemporaryDirectory(["x.stub.json": text]).load()
        #expect(set.findings.map(\.description) == [])
        let response = try #require(set.stubs.first?.responses.first)
        var fault = FaultRule(.emptyResponse)
        fault.endsConnection = true
        fault.probability = 0.25
        fault.condition.client = .field(name: "x-client", value: "mobile")
        fault.condition.from = .request(3)
        fault.condition.until = .elapsed(5000)
        fault.condition.scenarioState = .init(scenario: "s", state: "t")
        #expect(response.faultRules == [fault])
        let rule = try #require(response.delayRules.first)
        #expect(rule.delay.fixedMilliseconds == 7)
        #expect(rule.condition.client == .address("127.0.0.1"))
        #expect(rule.condition.from == .date(1_763_632_800_000 + 365 * 86_400_000))
    }
}
