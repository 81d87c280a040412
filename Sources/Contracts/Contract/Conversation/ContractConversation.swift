// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockServer
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The requirements put to a client of any language: a driver fetches a plan, does its steps, and reports its observations.
package final class ContractConversation: Sendable {
    package static let planPath = "/__contract/plan"
    package static let reportPath = "/__contract/report"
    /// Followed by a step's id: responds when all its requests have arrived.
    static let arrivalPath = "/__contract/arrived/"

    private let servers: ContractServers
    private let requirements: [Requirement]
    private let board: ContractBoard
    private let authority: String?
    private let credentials: CredentialsFile?

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
        authority = Self.authority(authorityDirectory, for: requirements)
        credentials = requirements.contains(where: \.isOfNetrc) ? CredentialsFile(of: servers.hosts) : nil
        board.open(plan: plan(requirements), journal: servers.main.journal)
    }

    private func plan(_ requirements: [Requirement]) -> [UInt8] {
        ContractPlan(requirements: requirements, servers: servers, authority: authority).json
    }

    /// The server that has the plan.
    package var server: MockServer { servers.main }

    /// A run of the driver: some steps, and the environment in which they are taken.
    package struct Run: Sendable {
        package let environment: [String: String]
        fileprivate let requirements: [Requirement]
    }

    /// The runs of the driver that together take all steps. Steps that need a proxy get a run of their own, as do those that need a file of
    /// credentials: a client that fails with these in its environment fails only them.
    package var runs: [Run] {
        Requirement.Surroundings.allCases.map { surroundings in
            var environment = environment
            switch surroundings {
            case .plain: break
            case .proxy: environment["http_proxy"] = server.address
            case .netrc: environment["NETRC"] = credentialsFile
            }
            return Run(environment: environment, requirements: requirements.filter { $0.surroundings == surroundings })
        }.filter { !$0.requirements.isEmpty }
    }

    /// The file of credentials that steps ask for; nil if none does.
    package var credentialsFile: String? { credentials?.path }

    /// The environment of a driver, which keeps its steps from going through a proxy.
    package var environment: [String: String] {
        let ours = "127.0.0.1,127.0.0.2,localhost"
        let theirs = ProcessInfo.processInfo.environment["no_proxy"] ?? ""
        return ["MOCKAPI_URL": server.address, "no_proxy": theirs.isEmpty ? ours : "\(theirs),\(ours)"]
    }

    /// Limits the plan to the steps of one run; until this is called, the plan has all steps.
    ///
    /// An ability that the driver has not reported for its client is not asked for in a later run.
    package func begin(_ run: Run) {
        let abilities = board.abilities
        let asked = run.requirements.filter { requirement in
            !hasReports || requirement.ability.map(abilities.contains) ?? true
        }
        board.open(plan: plan(asked), journal: servers.main.journal)
    }

    /// How many steps offer parts that a client may put together, and for how many of them a report says that it did.
    package var parts: (offered: Int, used: Int) {
        let offered = Set(requirements.filter { !$0.step.parts.names.isEmpty }.map(\.id))
        let used = board.reports.filter { report in
            if case .outcome(let outcome) = report.report.content { !outcome.used.isEmpty } else { false }
        }
        return (offered.count, offered.intersection(used.map(\.report.step)).count)
    }

    /// The steps whose requests to cancel first were not sent.
    package var stepsWithoutCancellations: [String] {
        let entries = servers.journals.entries
        let users = Set(board.reports.map(\.report).filter { $0.uses("cancelled") }.map(\.step))
        return requirements.map(\.step).filter { step in
            !step.cancelledRounds.isEmpty && !users.contains(step.id)
                && !entries.contains { $0.origin == step.cancelledPath }
        }.map(\.id)
    }

    /// The abilities that steps need and the driver does not report for its client, each with the number of its steps.
    package var missingAbilities: [(ability: Requirement.Ability, steps: Int)] {
        Requirement.Ability.allCases.filter { !board.abilities.contains($0) }.compactMap { ability in
            let count = requirements.count { $0.ability == ability }
            return count == 0 ? nil : (ability, count)
        }
    }

    /// Whether the driver has reported anything.
    package var hasReports: Bool { !board.reports.isEmpty }

    /// Whether the driver took no step, though the client has all abilities that some steps need.
    package var wasSkipped: Bool {
        let abilities = board.abilities
        return requirements.contains { $0.ability.map(abilities.contains) ?? true }
            && !board.reports.contains { if case .outcome = $0.report.content { true } else { false } }
    }

    package func stop() async {
        await servers.stop()
        credentials?.remove()
    }

    /// The file of the authority that signs the servers' certificates; nil if none is asked for, or none can be made.
    private static func authority(_ directory: String?, for requirements: [Requirement]) -> String? {
        let isAsked = requirements.contains { requirement in
            if case .secure = requirement.place { true } else { false }
        }
        return isAsked ? try? DevelopmentAuthority(directory: directory).certificatePath : nil
    }

    package var planWasFetched: Bool { board.planWasFetched }

    /// Why reports were refused.
    package var refusals: [String] { board.refusals }

    /// The verdicts on the requests and reports so far.
    ///
    /// - Parameter driver: the exit code of the driver; nil if it has not ended, or there is none.
    package func verdicts(on client: String, driver: Int32? = nil) -> VerdictTable {
        let reports = board.reports
        let journal = servers.journals.entries
        let unended = board.unended
        let abilities = board.abilities
        let verdicts = requirements.map { requirement in
            let own = reports.filter { $0.report.step == requirement.id }
            for case .skipped(let why) in own.map(\.report.content) {
                return Verdict(
                    requirement.id, requirement.title, .notApplicable, expected: requirement.expected, seen: why)
            }
            if let ability = requirement.ability, !abilities.contains(ability) {
                return Verdict(
                    requirement.id, requirement.title, .notApplicable, expected: requirement.expected,
                    seen: "the driver does not say that its client has \(ability.words) (\"has\")")
            }
            let outcomes = own.compactMap { report in
                if case .outcome(let outcome) = report.report.content { outcome } else { nil }
            }
            var evidence = StepEvidence(
                requirement.step, outcomes: outcomes, journal: journal, base: servers.base(of: requirement))
            evidence.endsLate = unended.contains(requirement.id)
            evidence.endedAt = Self.end(of: evidence, reportedAt: own.last?.at)
            var verdict = requirement.verdict(evidence)
            if let begun = evidence.entries.first?.receivedAt, let end = own.last?.at {
                verdict.duration = max(0, end - begun)
            }
            return verdict
        }
        return VerdictTable(
            client: client, verdicts: Requirement.whole(verdicts, of: requirements) + ofDriver(driver))
    }

    /// When a client was done with a step: at its report, or at the first request of a later step if that came earlier, since a driver may report all
    /// steps at the end.
    private static func end(of evidence: StepEvidence, reportedAt: Double?) -> Double? {
        guard let last = evidence.entries.last?.receivedAt else { return reportedAt }
        let next = evidence.run.first { entry in
            entry.receivedAt > last && entry.origin.hasPrefix(Step.root) && !evidence.step.owns(entry)
        }
        return [next?.receivedAt, reportedAt].compactMap { $0 }.min()
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
