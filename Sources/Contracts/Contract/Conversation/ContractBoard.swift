// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The board between drivers and the server: the plan that drivers get, and the reports that they send.
final class ContractBoard: Sendable {
    /// How long the server may take to close an idle connection once its time is over. 200 ms.
    private static let closing = Duration.milliseconds(200)

    struct TimedReport {
        let report: StepReport
        /// When it came, in seconds since 1970.
        let at: Double
    }

    private struct State {
        var plan: [UInt8] = []
        var journal: Journal?
        var reports: [TimedReport] = []
        var abilities: Set<Requirement.Ability> = []
        /// Reports that were refused, in the words of the refusal.
        var refusals: [String] = []
        var planWasFetched = false
        /// The steps whose end the server had not seen when it was to be judged.
        var unended: Set<String> = []
    }

    private let steps: [String: Step]
    private let notice: Duration
    private let state = Mutex(State())

    init(_ steps: [Step], notice: Duration) {
        self.notice = notice
        self.steps = Dictionary(steps.map { ($0.id, $0) }) { first, _ in first }
    }

    func open(plan: [UInt8], journal: Journal) {
        state.withLock { state in
            state.plan = plan
            state.journal = journal
        }
    }

    var planWasFetched: Bool { state.withLock { $0.planWasFetched } }
    var refusals: [String] { state.withLock { $0.refusals } }
    /// The steps whose requests still got a response long after the client reported that it had given them up.
    var unended: Set<String> { state.withLock { $0.unended } }
    /// The abilities of the client, as the driver reports them.
    var abilities: Set<Requirement.Ability> { state.withLock { $0.abilities } }
    /// In the order they came.
    var reports: [TimedReport] { state.withLock { $0.reports } }

    func response(to method: String, _ target: String, _ body: [UInt8]) -> FallbackResponse? {
        switch (target, method) {
        case (ContractConversation.planPath, "GET"):
            return state.withLock { state in
                state.planWasFetched = true
                return FallbackResponse(200, "application/json", state.plan)
            }
        case (ContractConversation.reportPath, "POST"): return take(body)
        case (_, "GET") where target.hasPrefix(ContractConversation.arrivalPath):
            guard let step = steps[String(target.dropFirst(ContractConversation.arrivalPath.count))] else { return nil }
            return arrival(of: step)
        default: return nil
        }
    }

    private func take(_ body: [UInt8]) -> FallbackResponse {
        let thanks = FallbackResponse(200, "application/json", Array("{}\n".utf8))
        do throws(StepReport.Refusal) {
            let (reports, abilities) = try StepReport.read(body, steps: Set(steps.keys))
            let now = Date().timeIntervalSince1970
            state.withLock { state in
                state.reports += reports.map { TimedReport(report: $0, at: now) }
                state.abilities.formUnion(abilities)
            }
            let cancelled = reports.compactMap { report in
                if case .outcome(let outcome) = report.content, outcome.failure != nil {
                    steps[report.step]
                } else {
                    nil
                }
            }.filter { $0.cancellation != nil }
            let idle = reports.compactMap { steps[$0.step]?.idle }.max()
            if cancelled.isEmpty, idle == nil { return thanks }
            // The driver is held until the server has seen it: its end would close its open connections, and hide that.
            return .later { [self] in
                for step in cancelled { await givenUp(step) }
                if let idle { try? await Task.sleep(for: idle + Self.closing) }
                return thanks
            }
        } catch {
            state.withLock { $0.refusals.append(error.text) }
            return FallbackResponse(400, "text/plain; charset=utf-8", Array((error.text + "\n").utf8))
        }
    }

    /// Responds when all requests of a step are there, or its time is up.
    private func arrival(of step: Step) -> FallbackResponse {
        .later { [self] in
            let hasArrived = await wait(.seconds(step.timeout)) { journal in
                StepEvidence(step, outcomes: [], journal: journal).entries.count >= step.times
            }
            return FallbackResponse(200, "application/json", Array("{\"arrived\": \(hasArrived)}\n".utf8))
        }
    }

    private func givenUp(_ step: Step) async {
        let isSeen = await wait(notice) { journal in
            let entries = StepEvidence(step, outcomes: [], journal: journal).entries
            return entries.isEmpty || entries.contains { $0.abandonment != nil }
        }
        // The driver's end closes the streams that are still open.
        if !isSeen { state.withLock { _ = $0.unended.insert(step.id) } }
    }

    /// - Returns: whether it came within the limit.
    private func wait(_ limit: Duration, _ isThere: @Sendable ([JournalEntry]) -> Bool) async -> Bool {
        guard let journal = state.withLock({ $0.journal }) else { return false }
        var patience = Patience(limit)
        while !isThere(journal.entries) {
            guard await patience.pause() else { return false }
        }
        return true
    }
}
