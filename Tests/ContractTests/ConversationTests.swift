// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText
import MockServer
import TestSupport
import Testing
import WireSupport

@testable import Contract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a driver fetches and what it may say.
@Suite(.supervised) struct ConversationTests {
    private func conversing(_ body: (ContractConversation, WireClient) throws -> Void) async throws {
        let conversation = try await ContractConversation()
        try body(conversation, try WireClient(port: conversation.server.baseURL.port ?? 0))
        await conversation.server.stop()
    }

    @Test func thePlanHasAStepForEachRequirement() async throws {
        try await conversing { conversation, client in
            #expect(!conversation.planWasFetched)
            let plan = try JSONParser.parse(client.request("GET", "/__contract/plan").body)
            #expect(conversation.planWasFetched)
            #expect(plan.object?["version"]?.number?.integer == 1)
            let steps = try #require(plan.object?["steps"]?.array)
            #expect(steps.compactMap { $0.object?["id"]?.string } == ContractRequirements.all.map(\.id))
            let patch = try #require(steps.first { $0.object?["id"]?.string == "method.patch" })
            #expect(
                String(decoding: JSONWriter.compact(patch), as: UTF8.self) == """
                    {"id":"method.patch","title":"PATCH arrives as written","method":"PATCH",\
                    "url":"\(conversation.server.address)/contract/method.patch","headers":[],"timeoutSeconds":10,"times":1}
                    """)
            let cancelled = try #require(steps.first { $0.object?["id"]?.string == "cancel.ends" })
            #expect(cancelled.object?["cancelAfterMilliseconds"]?.number?.integer == 500)
            #expect(conversation.server.journal.entries.isEmpty)
        }
    }

    @Test func whatIsReportedIsJudged() async throws {
        try await conversing { conversation, client in
            _ = try client.request("PATCH", "/contract/method.patch")
            _ = try client.request("POST", "/contract/method.put")
            for report in [
                #"{"step": "method.patch", "status": 200, "headers": {"Content-Type": "text/plain"}, "body": "ok"}"#,
                #"{"step": "status.404", "status": 404, "bodyBase64": "eyJlcnJvciI6ICJ3aHkifQ=="}"#,
                #"{"step": "fault.reset", "error": "connection", "detail": "reset by peer"}"#,
                #"[{"step": "answer.header", "status": 200, "headers": [["x-contract", "seen"]]},"#
                    + #" {"step": "h2.cancel", "skipped": "the client speaks HTTP/1.1"}]"#,
            ] {
                #expect(try client.request("POST", "/__contract/report", body: report).status == 200)
            }
            let verdicts = conversation.verdicts(on: "test").verdicts
            let of = { (id: String) in verdicts.first { $0.id == id }.map { "\($0.result.rawValue): \($0.seen)" } }
            #expect(of("method.patch") == "pass: ")
            #expect(of("method.put") == "fail: POST")
            #expect(of("method.get") == "fail: no request came")
            #expect(of("status.404") == "pass: ")
            #expect(of("fault.reset") == "pass: ")
            #expect(of("fault.stall") == "fail: the client reported nothing")
            #expect(of("answer.header") == "pass: ")
            #expect(of("h2.cancel") == "not applicable: the client speaks HTTP/1.1")
        }
    }

    @Test(arguments: [
        ("{", "a report is a JSON object: "), ("[1]", "a report is a JSON object"),
        (
            #"{"stp": "x"}"#,
            #"unknown key "stp"; known are body, bodyBase64, detail, error, headers, skipped, status, step"#
        ),
        (#"{"status": 200}"#, #""step" is missing: the id of a step"#),
        (#"{"step": "no.such"}"#, #"there is no step "no.such" in the plan"#),
        (
            #"{"step": "method.get"}"#,
            #"one of "status", "error" and "skipped" has to be there; a status is a whole number"#
        ),
        (
            #"{"step": "method.get", "error": "oops"}"#,
            #""error" is one of timeout, connection, protocol, decoding, redirects, cancelled, other"#
        ),
        (#"{"step": "method.get", "skipped": ""}"#, #""skipped" says why, in a string"#),
        (
            #"{"step": "method.get", "status": 200, "headers": [["a"]]}"#,
            #""headers" is an object of strings, or a list of pairs of strings"#
        ),
        (#"{"step": "method.get", "status": 200, "bodyBase64": "%"}"#, #""bodyBase64" is no Base64"#),
    ])
    func aReportThatIsNoneIsRefused(_ report: String, _ text: String) async throws {
        try await conversing { conversation, client in
            let answer = try client.request("POST", "/__contract/report", body: report)
            #expect(answer.status == 400)
            #expect(answer.text.hasPrefix(text))
            #expect(conversation.refusals.count == 1)
        }
    }
}
