// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The requirements put to a client of any language: a driver fetches a plan, does its steps, and reports what it saw.
package final class ContractConversation: Sendable {
    package static let planPath = "/__contract/plan"
    package static let reportPath = "/__contract/report"
    /// Followed by a step's id: answered when all its requests have arrived.
    static let arrivalPath = "/__contract/arrived/"

    private let servers: ContractServers
    private let requirements: [Requirement]
    private let board: ContractBoard

    /// Starts servers that play the requirements.
    ///
    /// - Parameters:
    ///   - authorityDirectory: where the development authority is kept; nil for the user's.
    ///   - notice: how long the server may take to see that a client has given up, before a report of that is judged.
    package init(
        _ requirements: [Requirement] = ContractRequirements.all, port: Int = 0, authorityDirectory: String? = nil,
        notice: Duration = .seconds(10)
    ) async throws(MockServerError) {
        self.requirements = requirements
        let board = ContractBoard(requirements.map(\.step), notice: notice)
        self.board = board
        var options = ContractServers.Options()
        options.port = port
        options.tls = MockServer.Configuration.TLS(authorityDirectory: authorityDirectory).ifSpoken
        options.fallback = { board.response(to: $0, $1, $2) }
        servers = try await ContractServers(requirements, options)
        let plan = ContractPlan(
            requirements: requirements, servers: servers,
            authority: Self.authority(authorityDirectory, for: requirements))
        board.open(plan: plan.json, journal: servers.main.journal)
    }

    /// The server that has the plan.
    package var server: MockServer { servers.main }

    /// The environment of a driver; a step may ask whether its client takes a proxy from there.
    package var environment: [String: String] {
        var environment = ["MOCKAPI_URL": server.address]
        if requirements.contains(where: \.isProxied) {
            environment["http_proxy"] = server.address
            let ours = "127.0.0.1,127.0.0.2,localhost"
            let theirs = ProcessInfo.processInfo.environment["no_proxy"] ?? ""
            environment["no_proxy"] = theirs.isEmpty ? ours : "\(theirs),\(ours)"
        }
        return environment
    }

    package func stop() async {
        await servers.stop()
    }

    /// The file of the authority that signs the servers' certificates; nil where none is asked for, or none can be made.
    private static func authority(_ directory: String?, for requirements: [Requirement]) -> String? {
        let isAsked = requirements.contains { requirement in
            if case .secure = requirement.place { true } else { false }
        }
        return isAsked ? try? DevelopmentAuthority(directory: directory).certificatePath : nil
    }

    package var planWasFetched: Bool { board.planWasFetched }

    /// Why reports were refused.
    package var refusals: [String] { board.refusals }

    /// The verdicts on what has come so far.
    ///
    /// - Parameter driver: the exit code of the driver; nil where it has not ended, or there is none.
    package func verdicts(on client: String, driver: Int32? = nil) -> VerdictTable {
        let reports = board.reports
        let journal = servers.journals.entries
        let unended = board.unended
        let verdicts = requirements.map { requirement in
            let own = reports.filter { $0.report.step == requirement.id }
            for case .skipped(let why) in own.map(\.report.content) {
                return Verdict(
                    requirement.id, requirement.title, .notApplicable, expected: requirement.expected, seen: why)
            }
            let outcomes = own.compactMap { report in
                if case .outcome(let outcome) = report.report.content { outcome } else { nil }
            }
            var evidence = StepEvidence(
                requirement.step, outcomes: outcomes, journal: journal, base: servers.base(of: requirement))
            evidence.endsLate = unended.contains(requirement.id)
            var verdict = requirement.verdict(evidence)
            if let begun = evidence.entries.first?.receivedAt, let end = own.last?.at {
                verdict.duration = max(0, end - begun)
            }
            return verdict
        }
        return VerdictTable(
            client: client, verdicts: Requirement.whole(verdicts, of: requirements) + ofDriver(driver))
    }

    /// The verdicts on the driver itself, so that every report has them.
    private func ofDriver(_ code: Int32?) -> [Verdict] {
        var verdicts: [Verdict] = []
        if let code, code != 0 {
            verdicts.append(
                Verdict(
                    "driver.exit", "the driver does all steps and ends with 0", .fail, expected: "0",
                    seen: code > 128 ? "\(code), as after signal \(code - 128)" : "\(code)"))
        }
        let refusals = Set(refusals).sorted()
        if !refusals.isEmpty {
            verdicts.append(
                Verdict(
                    "driver.reports", "the driver's reports can be read", .fail,
                    expected: "reports as docs/contract.md has them",
                    seen: refusals.prefix(10).joined(separator: "; ")))
        }
        return verdicts
    }
}
