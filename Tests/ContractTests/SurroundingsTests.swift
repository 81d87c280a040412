// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import MockapiJSONText
import MockapiTestSupport
import MockapiWireSupport
import Testing

@testable import MockapiContract

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a driver finds in its environment, and what it says that its client has.
@Suite(.supervised) struct SurroundingsTests {
    @Test func `the steps of a proxy have a run of their own`() async throws {
        try await conversing { conversation, client in
            let runs = conversation.runs
            #expect(runs.map { $0.environment["http_proxy"] } == [nil, conversation.server.address, nil])
            #expect(runs.map { $0.environment["NETRC"] } == [nil, nil, conversation.credentialsFile])
            #expect(runs.allSatisfy { $0.environment["no_proxy"]?.hasSuffix("127.0.0.1,127.0.0.2,localhost") == true })
            let plans = try runs.map { run in
                conversation.begin(run)
                let plan = try JSONParser.parse(client.request("GET", "/__contract/plan").body)
                return plan.object?["steps"]?.array?.compactMap { $0.object?["id"]?.string } ?? []
            }
            #expect(plans[1].contains("proxy.environment") && plans[1].contains("cookie.domain.none"))
            #expect(plans[2].contains("netrc.redirect"))
            #expect(plans.joined().sorted() == ContractRequirements.all.map(\.id).sorted())
        }
    }

    @Test func `the file of credentials is of the run alone, and only its user may read it`() async throws {
        var path = ""
        try await conversing(only: ["netrc.redirect"]) { conversation, _ in
            path = try #require(conversation.credentialsFile)
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            #expect(lines.first == "machine 127.0.0.1 login contract password netrc-secret")
            #expect(lines.last?.hasSuffix(" login other") == true)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func `what a client has is asked of it when its driver says so`() async throws {
        try await conversing(only: ["cookie.kept", "cache.zero", "method.get"]) { conversation, client in
            #expect(conversation.missingAbilities.map(\.ability) == [.cookies, .cache])
            let unsaid = "not applicable: the driver does not say that its client has cookies (\"has\")"
            #expect(conversation.verdict("cookie.kept") == unsaid)
            let answer = try client.request("POST", "/__contract/report", body: #"{"has": ["cookies"]}"#)
            #expect(answer.status == 200)
            #expect(conversation.verdict("cookie.kept") == "fail: no request came")
            #expect(conversation.missingAbilities.map(\.ability) == [.cache])
            #expect(conversation.missingAbilities.map(\.steps) == [1])
        }
    }

    @Test func `a driver that takes no step, and parts that it leaves, are known`() async throws {
        try await conversing(only: ["method.get", "query.plus", "cancel.pool"]) { conversation, client in
            #expect(!conversation.hasReports && conversation.wasSkipped && conversation.parts == (1, 0))
            #expect(conversation.stepsWithoutCancellations == ["cancel.pool"])
            try client.report(#"{"step": "method.get", "skipped": "not now"}"#)
            #expect(conversation.hasReports && conversation.wasSkipped && conversation.parts == (1, 0))
            try client.report(#"{"step": "query.plus", "status": 200}"#)
            #expect(!conversation.wasSkipped && conversation.parts == (1, 0))
            try client.report(#"{"step": "cancel.pool", "index": 0, "status": 200, "used": ["cancelled"]}"#)
            #expect(conversation.stepsWithoutCancellations == [] && conversation.parts == (1, 0))
            try client.report(#"{"step": "query.plus", "status": 200, "used": ["query"]}"#)
            #expect(conversation.parts == (1, 1))
            #expect(conversation.missingAbilities.isEmpty)
        }
        try await conversing(only: ["method.get", "cancel.pool"]) { conversation, _ in
            let requirement = try #require(ContractRequirements.all.first { $0.id == "cancel.pool" })
            let plan = try JSONParser.parse(
                try WireClient(port: conversation.server.baseURL.port ?? 0).request("GET", "/__contract/plan").body)
            let url = plan["steps"]?.array?.last?["url"]?.string ?? ""
            let port = Int(url.split(separator: "/")[1].split(separator: ":")[1]) ?? 0
            let cancelled = try WireClient(port: port)
            try cancelled.send("GET \(requirement.step.cancelledPath) HTTP/1.1\r\nHost: x\r\n\r\n")
            cancelled.close()
            try await until({ conversation.stepsWithoutCancellations }, is: [])
        }
        try await conversing(only: ["cookie.kept"]) { conversation, client in
            #expect(!conversation.wasSkipped)
            let run = try #require(conversation.runs.first)
            let steps = {
                try JSONParser.parse(client.request("GET", "/__contract/plan").body)["steps"]?.array?.count
            }
            conversation.begin(run)
            #expect(try steps() == 1)
            try client.report(#"{"has": ["cache"]}"#)
            try client.report(#"{"step": "cookie.kept", "skipped": "none"}"#)
            conversation.begin(run)
            #expect(try steps() == 0)
            try client.report(#"{"has": ["cookies"]}"#)
            conversation.begin(run)
            #expect(try steps() == 1 && conversation.wasSkipped)
        }
    }

    /// A machine that is busy lets a wait have its pauses, however late.
    @Test func `of a pause that took long little is counted`() {
        let start = ContinuousClock.now
        var patience = Patience(.seconds(1))
        var pauses = 0
        while patience.count(until: start + .milliseconds(200 * (pauses + 1))) { pauses += 1 }
        #expect(pauses == 19, "20 pauses of 200 ms count 50 ms each")
        var endless = Patience(.milliseconds(100))
        let goesOn = endless.count(until: start + .seconds(1))
        #expect(!goesOn, "no wait takes more than six times as long")
    }
}
