// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import Synchronization

/// The requirements put to a client of any language: a driver fetches a plan, does its steps, and reports what it saw.
package final class ContractConversation: Sendable {
    package static let planPath = "/__contract/plan"
    package static let reportPath = "/__contract/report"
    /// Followed by a step's id: answered when all its requests have arrived.
    static let arrivalPath = "/__contract/arrived/"

    package let server: MockServer
    private let requirements: [Requirement]
    private let board: ContractBoard

    /// Starts a server that plays the requirements.
    package init(
        _ requirements: [Requirement] = ContractRequirements.all, port: Int = 0
    ) async throws(MockServerError) {
        self.requirements = requirements
        let board = ContractBoard(requirements.map(\.step))
        self.board = board
        var configuration = ContractRequirements.configuration
        configuration.port = port
        configuration.fallback = { board.answer($0, $1, $2) }
        server = try await MockServer.start(stubs: requirements.flatMap(\.stubs), configuration: configuration)
        let plan = ContractPlan(requirements: requirements, base: server.address).json
        board.open(plan: plan, journal: server.journal)
    }

    package var planWasFetched: Bool { board.planWasFetched }

    /// Why reports were refused.
    package var refusals: [String] { board.refusals }

    /// The verdicts on what has come so far.
    ///
    /// - Parameter driver: what the driver ended with; nil where it has not ended, or is none.
    package func verdicts(on client: String, driver: Int32? = nil) -> VerdictTable {
        let reports = board.reports
        let journal = server.journal.entries
        let verdicts = requirements.map { requirement in
            let own = reports.filter { $0.report.step == requirement.id }
            for case .skipped(let why) in own.map(\.report.content) {
                return Verdict(
                    requirement.id, requirement.title, .notApplicable, expected: requirement.expected, seen: why)
            }
            let outcomes = own.compactMap { report in
                if case .outcome(let outcome) = report.report.content { outcome } else { nil }
            }
            let evidence = StepEvidence(requirement.step, outcomes: outcomes, journal: journal)
            var verdict = requirement.verdict(evidence)
            if let begun = evidence.entries.first?.receivedAt, let end = own.last?.at {
                verdict.duration = max(0, end - begun)
            }
            return verdict
        }
        return VerdictTable(
            client: client, verdicts: Requirement.whole(verdicts, of: requirements) + ofDriver(driver))
    }

    /// What the driver itself did wrong, so that every report has it.
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
