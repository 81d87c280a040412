// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Foundation
import MockServerTesting
import MockapiTestSupport
import NetworkingKit
import Synchronization
import Testing
import UpstreamNetworking

@testable import MockapiContract
@testable import NetworkingTesting

/// What a run of the contract tells, and that it ends.
@Suite(.supervised) struct NetworkingContractTests {
    /// The issues that a body records, by their texts.
    private func issues(_ body: () async throws -> Void) async throws -> [String] {
        let seen = Mutex<[String]>([])
        try await withKnownIssue(isIntermittent: true) {
            try await body()
        } matching: { issue in
            seen.withLock { $0.append(issue.comments.map(\.rawValue).joined()) }
            return true
        }
        return seen.withLock { $0 }
    }

    private static func posting() -> any Networking {
        AlteredNetworking { request, file, options, networker throws(URLError) in
            var request = request
            if request.url?.path.hasSuffix("/method.patch") == true { request.httpMethod = "POST" }
            return try await networker.send(request, file: file, options: options)
        }
    }

    @Test func aRequirementThatIsNotMetFailsTheTestWithWhatWasSeen() async throws {
        var options = NetworkingContract.Options()
        options.known = ContractClient.http1.known
        let known = options
        let issues = try await issues { try await NetworkingContract.verify(options: known) { Self.posting() } }
        #expect(issues.count == 1)
        let lines = (issues.first ?? "").split(separator: "\n")
        #expect(
            lines.prefix(4).joined(separator: "\n") == """
                AlteredNetworking does not meet method.patch: PATCH arrives as written
                expected: PATCH
                seen: POST
                request: PATCH $MOCKAPI_URL/contract/method.patch
                """)
        #expect(lines.contains { $0.hasPrefix("wire: ") && $0.contains("POST /contract/method.patch HTTP/1.1") })
        #expect(lines.contains("client: 200, 2 bytes"))
        #expect(
            lines.last
                == #"curl: curl -sS -i -L --compressed --max-time 10 -X PATCH "$MOCKAPI_URL/contract/method.patch""#)
    }

    @Test func whatIsKnownIsToldOnlyWhenItDoesNotCome() async throws {
        var options = NetworkingContract.Options()
        options.known = ["method.patch": "issue 1", "method.put": "issue 2", "method.pat": "issue 3"]
            .merging(ContractClient.http1.known) { $1 }
        let known = options
        let issues = try await issues { try await NetworkingContract.verify(options: known) { Self.posting() } }
        #expect(
            issues == [
                """
                method.pat is known to fail (issue 3), but there is no such requirement: mend the options' `known`
                """,
                """
                method.put is known to fail (issue 2), but it does not: take it from the options' `known`
                """,
            ])
    }

    @Test func aFetchThatNeverEndsIsCutAndNamedAHang() async throws {
        let requirement = try #require(ContractRequirements.all.first { $0.id == "fault.stall" })
        let server = try await MockServer.start(stubs: requirement.stubs)
        let endless = AlteredNetworking { _, _, _, _ throws(URLError) in
            let (stream, continuation) = AsyncStream<Never>.makeStream()
            // Deaf to cancellation too.
            await Task.detached { for await _ in stream {} }.value
            withExtendedLifetime(continuation) {}
            throw URLError(.unknown)
        }
        let stage = ContractStage(
            networking: endless, base: server.baseURL, journals: [server.journal], hasConnections: true)
        let verdict = try await StepPlayer(requirement: requirement).verdict(stage)
        #expect(verdict.result == .fail)
        #expect(verdict.seen == "no request came; the client says hang (no end after 7 s)")
        await server.stop()
    }

    @Test func aNetworkingThatSendsNothingMeetsNothing() async throws {
        let verdicts = try await NetworkingContract.verdicts {
            AlteredNetworking { _, _, _, _ throws(URLError) in throw URLError(.unknown) }
        }
        #expect(verdicts.client == "AlteredNetworking")
        #expect(verdicts.requirements.filter { $0.outcome == .pass }.map(\.id) == [])
        #expect(verdicts.requirements.filter { $0.seen.isEmpty }.map(\.id) == [])
    }

    /// As those over `URLSession.shared` do: what others send beside is not among the connections that are counted.
    @Test func aNetworkingThatSharesItsConnectionsWithAllOthersUsesThemAgain() async throws {
        let shared = ContractClient.upstream(.http1)
        var options = NetworkingContract.Options()
        options.only = ["connection", "method", "answer", "query"]
        let verdicts = try await NetworkingContract.verdicts(options: options) {
            AlteredNetworking(shared) { request, file, options, networker throws(URLError) in
                try await networker.send(request, file: file, options: options)
            }
        }
        #expect(verdicts.failures.map { "\($0.id): \($0.seen)" } == [])
        #expect(verdicts.requirements.contains { $0.id == "connection.reuse" && $0.outcome == .pass })
    }

    @Test func whatTheMakerThrowsIsThrown() async throws {
        struct Unmade: Error {}
        await #expect(throws: Unmade.self) { try await NetworkingContract.verdicts { throw Unmade() } }
    }

    @Test func everyRequirementHasAnIdOfItsOwn() {
        let ids = ContractRequirements.all.map(\.id) + NetworkingRequirements.all.map(\.id)
        #expect(Set(ids).count == ids.count)
    }

    @Test func thePageNamesEveryGroupAndHowManyRequirementsThereAre() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appendingPathComponent("docs/contract/networking.md"), encoding: .utf8)
        let ids = ContractPart.all.map(\.id)
        #expect(page.contains("It plays \(ids.count) requirements"))
        for group in Set(ids.compactMap { $0.split(separator: ".").first }) { #expect(page.contains("`\(group).*`")) }
    }

    @Test func noCodeIsThatOfTwoKindsOfFailure() {
        let codes = StepOutcome.Failure.allCases.flatMap(\.codes).map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(StepOutcome(URLError(.unknown)).failure == .other)
        #expect(StepOutcome(CancellationError()).summary == "other (CancellationError, which is not a URLError)")
        #expect(ContractRequirements.all.allSatisfy { !$0.failures.contains(.other) && !$0.failures.contains(.hang) })
    }

    @Test func theVerdictsAreTextMarkdownJSONAndJUnit() throws {
        var failed = Verdict("b.b", "it fails", .fail, expected: "1", seen: "2")
        failed.note = "known"
        let table = VerdictTable(client: "A", verdicts: [Verdict("a.a", "it passes", .pass, expected: "1"), failed])
        let verdicts = ContractVerdicts(table, startedAt: 0)
        #expect(verdicts.summary == "1 pass, 1 fail, 0 not applicable")
        #expect(verdicts.failures.map(\.id) == ["b.b"])
        #expect(verdicts.text.contains("  FAIL  b.b  it fails\n          expected: 1\n          seen:     2\n"))
        #expect(verdicts.markdown.contains("| `b.b` | it fails | 1 | 2; known | fail |"))
        #expect(verdicts.json.contains("\"client\": \"A\""))
        #expect(verdicts.junit.contains("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""))
    }
}
