// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiReports
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiContract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a driver fetches and what it may say.
@Suite(.supervised) struct ConversationTests {
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
            #expect(cancelled.object?["cancelAfterMilliseconds"]?.number?.integer == 1_000)
            #expect(
                cancelled.object?["cancelWhen"]?.string
                    == conversation.server.address + "/__contract/arrived/cancel.ends")
            let secure = try #require(steps.first { $0.object?["id"]?.string == "tls.unknown" })
            #expect(secure.object?["url"]?.string?.hasPrefix("https://localhost:") == true)
            #expect(plan.object?["authority"]?.string?.hasSuffix("/ca.pem") == true)
            #expect(conversation.environment["http_proxy"] == nil)
            let once = try #require(steps.first { $0.object?["id"]?.string == "body.once" })
            #expect(once.object?["before"]?.string == conversation.server.address + "/contract/body.once.before")
            let fifty = try #require(steps.first { $0.object?["id"]?.string == "concurrent.50" })
            #expect(fifty.object?["urls"]?.array?.count == 50)
            #expect(
                fifty.object?["urls"]?.array?.last?.string == conversation.server.address
                    + "/contract/concurrent.50?n=49")
            #expect(conversation.server.journal.entries.isEmpty)
        }
    }

    @Test func whatIsReportedIsJudged() async throws {
        try await conversing { conversation, client in
            let port = conversation.server.baseURL.port ?? 0
            _ = try client.request("PATCH", "/contract/method.patch")
            _ = try client.request("POST", "/contract/method.put")
            _ = try client.request("GET", "/contract/method.get")
            _ = try client.request("DELETE", "/contract/method.delete")
            _ = try client.request("GET", "/contract/url.path/a%20b/Caf%C3%A9/100%25")
            for id in ["fault.reset", "fault.empty"] {
                _ = try? WireClient(port: port).request("GET", "/contract/\(id)")
            }
            for report in [
                #"{"step": "method.patch", "status": 200, "headers": {"Content-Type": "text/plain"}, "body": "ok"}"#,
                #"{"step": "status.404", "status": "404", "bodyBase64": "eyJlcnJvciI6ICJ3aHkifQ=="}"#,
                #"{"step": "fault.reset", "error": "connection", "detail": "reset by\n  peer"}"#,
                #"{"step": "fault.empty", "error": "other", "detail": null, "status": null}"#,
                #"{"step": "method.get", "error": "connection"}"#,
                #"{"step": "url.path", "status": 500, "headers": {"Set-Cookie": ["a", "b"], "Content-Length": 2}}"#,
                #"[{"step": "answer.header", "status": 200, "headers": [["x-contract", "Seen,  as: \"Sent\"; q=1"]]},"#
                    + #" {"step": "h2.cancel", "skipped": "the client speaks HTTP/1.1"}]"#,
            ] {
                #expect(try client.request("POST", "/__contract/report", body: report).status == 200)
            }
            let verdicts = conversation.verdicts(on: "test").verdicts
            let of = { (id: String) in verdicts.first { $0.id == id }.map { "\($0.result.rawValue): \($0.seen)" } }
            #expect(of("method.patch") == "pass: ")
            #expect(of("method.put") == "fail: POST")
            #expect(of("method.get") == "fail: the request as it should be; the client says connection")
            #expect(of("method.delete") == "fail: the client reported nothing")
            #expect(of("method.head") == "fail: no request came")
            #expect(of("url.path") == "fail: the request as it should be; the client says 500, 0 bytes")
            #expect(of("status.404") == "pass: ")
            // The client fails most of what it is asked, so that its errors say nothing.
            #expect(of("fault.reset") == "fail: an error, as to most other requests")
            #expect(of("fault.empty") == "fail: an error, as to most other requests")
            #expect(of("fault.stall") == "fail: no request came")
            #expect(of("answer.header") == "pass: ")
            #expect(of("h2.cancel") == "not applicable: the client speaks HTTP/1.1")
        }
    }

    @Test(arguments: [
        ("{", "a report is a JSON object: "), ("[1]", "a report is a JSON object"),
        (
            #"{"stp": "x"}"#,
            #"a report without "step", the id of a step, as a string"#
        ),
        (
            #"{"step": "method.get", "stp": "x"}"#,
            #"the report of step "method.get": unknown key "stp"; known are body, bodyBase64, detail, error, headers, index, "#
                + "skipped, status, step, used"
        ),
        (#"{"status": 200}"#, #"a report without "step", the id of a step, as a string"#),
        (#"{"step": "no.such"}"#, #"the report of step "no.such": there is no such step in the plan"#),
        (
            #"{"step": "method.get"}"#,
            #"the report of step "method.get": one of "status", "error" and "skipped" has to be there; a status is a whole number"#
        ),
        (
            #"{"step": "method.get", "error": "oops"}"#,
            #"the report of step "method.get": "error" is one of timeout, connection, protocol, decoding, redirects, certificate, cancelled, other"#
        ),
        (
            #"{"step": "method.get", "skipped": ""}"#,
            #"the report of step "method.get": "skipped" says why, in a string"#
        ),
        (
            #"{"step": "method.get", "status": 200, "headers": [["a"]]}"#,
            #"the report of step "method.get": "headers" has an item 0 that is not a pair of a name and a value"#
        ),
        (
            #"{"step": "method.get", "status": 200, "headers": {"A": {"b": 1}}}"#,
            #"the report of step "method.get": "headers" has "A", which is not a string, number or list of these"#
        ),
        (
            #"{"step": "concurrent.50", "index": -1, "status": 200}"#,
            #"the report of step "concurrent.50": "index" is the number of a URL in "urls", from 0"#
        ),
        (#"{"has": ["jar"]}"#, #""has" is a list of what the client has: cookies and cache"#),
        (
            #"{"step": "method.get", "status": 200, "used": ["form"]}"#,
            #"the report of step "method.get": "used" is a list of the step's members that the client used: query, pieces, user, cancelled"#
        ),
        (
            #"{"step": "method.get", "status": 200, "bodyBase64": "%"}"#,
            #"the report of step "method.get": "bodyBase64" is not Base64"#
        ),
    ])
    func aReportThatIsNoneIsRefused(_ report: String, _ text: String) async throws {
        try await conversing(only: ["method.get", "concurrent.50"]) { conversation, client in
            let answer = try client.request("POST", "/__contract/report", body: report)
            #expect(answer.status == 400)
            #expect(answer.text.hasPrefix(text))
            #expect(conversation.refusals.count == 1)
        }
    }

    @Test func aClientThatHasAnErrorForEverythingMeetsNothing() async throws {
        try await conversing { conversation, client in
            let port = conversation.server.baseURL.port ?? 0
            for requirement in ContractRequirements.all
            where requirement.step.cancellation == nil && !requirement.failures.contains(.timeout) {
                let step = requirement.step
                if requirement.isMetByError {
                    _ = try? WireClient(port: port).request(
                        step.method, step.target, body: String(decoding: step.body ?? [], as: UTF8.self))
                }
                try client.report(#"{"step": "\#(step.id)", "error": "connection"}"#)
            }
            #expect(conversation.verdicts(on: "test").verdicts.filter { $0.result == .pass }.map(\.id) == [])
        }
    }

    /// Times are judged by the server's clock: at the report, or at the next step's request.
    @Test func `a time-out that is told too late is a failure`() async throws {
        let requirement = try #require(ContractRequirements.all.first { $0.id == "fault.stall" })
        let server = try await MockServer.start(stubs: requirement.stubs)
        let client = try WireClient(port: server.baseURL.port ?? 0)
        try client.send("GET /contract/fault.stall HTTP/1.1\r\nHost: x\r\n\r\n")
        try await until({ server.journal.entries.count }, is: 1)
        var evidence = StepEvidence(
            requirement.step, outcomes: [StepOutcome(.timeout, "")], journal: server.journal.entries)
        let begun = try #require(evidence.entries.first?.receivedAt)
        for (seconds, seen) in [(1.2, ""), (10.9, ""), (13.0, "timeout after 13 s")] {
            evidence.endedAt = begun + seconds
            #expect(requirement.verdict(evidence).seen == seen)
        }
        await server.stop()
    }

    /// Where a client sees that a response is broken off depends on how it reads.
    @Test(arguments: [("decoding", "pass"), ("protocol", "pass"), ("timeout", "fail"), ("redirects", "fail")])
    func `a body that is cut off is an error of any kind that tells of it`(_ kind: String, _ result: String)
        async throws
    {
        try await conversing(only: ["fault.truncated"]) { conversation, client in
            _ = try? WireClient(port: conversation.server.baseURL.port ?? 0).request("GET", "/contract/fault.truncated")
            let requirement = try #require(ContractRequirements.all.first { $0.id == "fault.truncated" })
            let failure = try #require(StepOutcome.Failure(rawValue: kind))
            let verdict = requirement.verdict(
                StepEvidence(
                    requirement.step, outcomes: [StepOutcome(failure, "")],
                    journal: conversation.server.journal.entries))
            #expect(verdict.result.rawValue == result)
        }
    }

    @Test func answersThatChangePlacesAreSeen() async throws {
        try await conversing(only: ["concurrent.50"]) { conversation, client in
            for index in 0..<50 {
                let answer = try client.request("GET", "/contract/concurrent.50?n=\(index)")
                // The last two are given for each other.
                let own = index < 48 ? index : 97 - index
                try client.report(
                    #"{"step": "concurrent.50", "index": \#(own), "status": 200, "body": "\#(answer.text)"}"#)
            }
            #expect(conversation.verdict("concurrent.50") == "fail: 48 responses, 2 responses of another request")
        }
    }

    /// The driver is asked to wait, so that its end does not close what the client left open.
    @Test func aReportOfACancelledRequestIsAnsweredWhenTheServerHasSeenIt() async throws {
        try await conversing(only: ["cancel.ends", "status.404"]) { conversation, client in
            _ = try client.request("GET", "/contract/status.404")
            let port = conversation.server.baseURL.port ?? 0
            let cancelled = try WireClient(port: port)
            try cancelled.send("GET /contract/cancel.ends HTTP/1.1\r\nHost: x\r\n\r\n")
            #expect(try client.request("GET", "/__contract/arrived/cancel.ends").text == "{\"arrived\": true}\n")
            cancelled.close()
            try client.report(#"{"step": "status.404", "status": 404, "body": "{\"error\": \"why\"}"}"#)
            try client.report(#"{"step": "cancel.ends", "error": "cancelled"}"#)
            #expect(conversation.verdict("cancel.ends") == "pass: ")
        }
    }

    /// What closes it then is the end of the driver.
    @Test func whatIsStillOpenWhenTheReportIsJudgedWasNotCancelled() async throws {
        try await conversing(notice: .milliseconds(50), only: ["cancel.ends", "method.get"]) { conversation, client in
            let leaking = try WireClient(port: conversation.server.baseURL.port ?? 0)
            try leaking.send("GET /contract/cancel.ends HTTP/1.1\r\nHost: x\r\n\r\n")
            _ = try client.request("GET", "/__contract/arrived/cancel.ends")
            try client.report(#"{"step": "cancel.ends", "error": "cancelled"}"#)
            leaking.close()
            _ = try client.request("GET", "/contract/method.get")
            #expect(conversation.verdict("cancel.ends") == "fail: the server still sends")
        }
    }

    @Test func aStepThatIsNotInThePlanIsNoArrival() async throws {
        try await conversing(only: ["method.get"]) { _, client in
            let answer = try client.request("GET", "/__contract/arrived/no.such")
            #expect(answer.status == 404)
        }
    }

    @Test func aDriverThatASignalEndsIsSaidSo() async throws {
        try await conversing(only: ["method.get"]) { conversation, _ in
            let seen = { (code: Int32) in
                conversation.verdicts(on: "test", driver: code).verdicts.first { $0.id == "driver.exit" }?.seen
            }
            #expect(
                [137, 129, 128, 1, 0].map(seen) == [
                    "137, as after signal 9", "129, as after signal 1", "128", "1", nil,
                ])
        }
    }

    /// What stands below a failure: the request, what came over the wire, what the client said, and a line of curl.
    @Test func aFailureIsToldWithItsRequestAndWhatCameOverTheWire() async throws {
        try await conversing(only: ["method.put", "concurrent.50", "body.large"]) { conversation, client in
            _ = try client.request("POST", "/contract/method.put")
            try client.report(#"{"step": "method.put", "status": 200, "body": "ok"}"#)
            let verdicts = conversation.verdicts(on: "test").verdicts
            let failed = try #require(verdicts.first { $0.id == "method.put" })
            #expect(failed.request?.text == "PUT $MOCKAPI_URL/contract/method.put")
            #expect(failed.details.map(\.name) == ["wire", "client"])
            #expect(failed.details.first?.text.contains("POST /contract/method.put HTTP/1.1") == true)
            #expect(failed.details.first?.text.contains("    Host: ") == true)
            #expect(failed.details.last?.text == "200, 2 bytes")
            #expect(failed.duration > 0)
            let curl = { (id: String) in verdicts.first { $0.id == id }?.request?.curl }
            #expect(
                curl("concurrent.50")
                    == #"curl -sS -i -L --compressed --max-time 30 --parallel --parallel-immediate "$MOCKAPI_URL/contract/concurrent.50?n=[0-49]""#
            )
            #expect(
                curl("body.large")?.contains("| base64 -d | curl -sS -i -L --compressed --max-time 10 -X POST ") == true
            )
            #expect(curl("body.large")?.hasSuffix(#" --data-binary @- "$MOCKAPI_URL/contract/body.large""#) == true)
        }
    }

    /// Every line of curl sends the request that its step asks for.
    @Test func theLinesOfCurlSendTheirRequests() async throws {
        let ids = ["method.patch", "query.brackets", "header.value", "body.bytes", "body.json", "body.large"]
        let conversation = try await ContractConversation(ContractRequirements.all.filter { ids.contains($0.id) })
        do {
            let verdicts = conversation.verdicts(on: "test").verdicts
            let lines = ids.map { id in verdicts.first { $0.id == id }?.request?.curl ?? "false" }
            let script = lines.joined(separator: "\n").replacing("$MOCKAPI_URL", with: conversation.server.address)
            let end = try await Command(line: ["/bin/sh", "-ec", script]).end()
            #expect(end.code == 0, "\(end.errors)")
            for id in ids {
                let requirement = try #require(ContractRequirements.all.first { $0.id == id })
                var outcome = StepOutcome(status: 200)
                outcome.body = Array("ok".utf8)
                let evidence = StepEvidence(
                    requirement.step, outcomes: [outcome], journal: conversation.server.journal.entries)
                #expect(requirement.verdict(evidence).result == .pass, "\(id): \(requirement.verdict(evidence).seen)")
            }
        }
        await conversation.server.stop()
    }

    @Test func whatTheDriverItselfDoesWrongIsInEveryReport() async throws {
        try await conversing(only: ["method.get"]) { conversation, client in
            _ = try client.request("POST", "/__contract/report", body: "[1]")
            let table = conversation.verdicts(on: "test", driver: 3)
            let own = table.verdicts.filter { $0.id.hasPrefix("driver.") }
            #expect(own.map(\.id) == ["driver.exit", "driver.reports"])
            #expect(own.map(\.seen) == ["3", "a report is a JSON object"])
            for text in [
                table.text, table.markdown, String(decoding: table.json(startedAt: 0), as: UTF8.self),
                table.junit(startedAt: 0), table.report(startedAt: 0).tap,
            ] {
                #expect(text.contains("driver.exit"))
            }
        }
    }
}
