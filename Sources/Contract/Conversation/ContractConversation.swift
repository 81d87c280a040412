// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import Synchronization

/// The requirements put to a client of any language: a driver fetches a plan, does its steps, and reports what it saw.
package final class ContractConversation: Sendable {
    package static let planPath = "/__contract/plan"
    package static let reportPath = "/__contract/report"

    private struct State {
        var plan: [UInt8] = []
        var reports: [StepReport] = []
        /// Reports that were refused, in the words of the refusal.
        var refusals: [String] = []
        var planWasFetched = false
    }

    /// What drivers tell and are told.
    private final class Board: Sendable {
        let steps: Set<String>
        let state = Mutex(State())

        init(_ requirements: [Requirement]) {
            steps = Set(requirements.map(\.id))
        }

        func answer(_ method: String, _ target: String, _ body: [UInt8]) -> FallbackAnswer? {
            switch (target, method) {
            case (ContractConversation.planPath, "GET"):
                return state.withLock { state in
                    state.planWasFetched = true
                    return FallbackAnswer(200, "application/json", state.plan)
                }
            case (ContractConversation.reportPath, "POST"): return take(body)
            default: return nil
            }
        }

        private func take(_ body: [UInt8]) -> FallbackAnswer {
            do throws(StepReport.Refusal) {
                let reports = try StepReport.read(body, steps: steps)
                state.withLock { $0.reports += reports }
                return FallbackAnswer(200, "application/json", Array("{}\n".utf8))
            } catch {
                state.withLock { $0.refusals.append(error.text) }
                return FallbackAnswer(400, "text/plain; charset=utf-8", Array((error.text + "\n").utf8))
            }
        }
    }

    package let server: MockServer
    private let requirements: [Requirement]
    private let board: Board

    /// Starts a server that plays the requirements.
    ///
    /// - Parameter configuration: what else the server is; journal, stream limit and answers are the contract's.
    package init(
        _ requirements: [Requirement] = ContractRequirements.all, port: Int = 0
    ) async throws(MockServerError) {
        self.requirements = requirements
        let board = Board(requirements)
        self.board = board
        var configuration = ContractRequirements.configuration
        configuration.port = port
        configuration.fallback = { board.answer($0, $1, $2) }
        server = try await MockServer.start(stubs: requirements.flatMap(\.stubs), configuration: configuration)
        let plan = ContractPlan(requirements: requirements, base: server.address).json
        board.state.withLock { $0.plan = plan }
    }

    package var planWasFetched: Bool { board.state.withLock { $0.planWasFetched } }

    /// Why reports were refused.
    package var refusals: [String] { board.state.withLock { $0.refusals } }

    /// The verdicts on what has come so far.
    package func verdicts(on client: String) -> VerdictTable {
        let reports = board.state.withLock { $0.reports }
        let journal = server.journal.entries
        return VerdictTable(
            client: client,
            verdicts: requirements.map { requirement in
                let own = reports.filter { $0.step == requirement.id }
                for case .skipped(let why) in own.map(\.content) {
                    return Verdict(
                        requirement.id, requirement.title, .notApplicable, expected: requirement.expected, seen: why)
                }
                let outcomes = own.compactMap { report in
                    if case .outcome(let outcome) = report.content { outcome } else { nil }
                }
                return requirement.verdict(StepEvidence(requirement.step, outcomes: outcomes, journal: journal))
            })
    }
}
