// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
package import MockapiFixtures

/// A command put to faults, one run for each fault and each response that it makes use of.
package struct FaultMatrix: Sendable {
    /// The end of a command that counts as survival of a fault.
    package enum Survival: String, CaseIterable, Sendable {
        /// It ends with 0, having got a whole response in the end.
        case exit0
        /// That, or it fails with a code of its own.
        case cleanly
    }

    package enum Verdict: String, Sendable {
        case survived
        /// It failed where it should have made good.
        case failed
        /// It took longer than it may.
        case hung
        /// A signal ended it.
        case crashed
        /// It ended with 0 and had no whole response.
        case fooled
        /// The fault does not concern the response, or was not met.
        case skipped
    }

    /// One fault at one response.
    package struct Cell: Sendable {
        package let fault: FaultName
        package let response: UsedResponse
        package let verdict: Verdict
        /// How the command ended; nil where it was not run.
        package let end: CommandUnderTest.End?
        /// In words: `exit 0, as if whole`.
        package let reason: String
        /// In seconds.
        package let duration: Double
    }

    /// The least time that a run without a fault is given. 60 s.
    private static let baselinePatience = Duration.seconds(60)

    private let runs: IsolatedRuns
    private let set: FixtureSet
    private let survival: Survival
    private let seed: UInt64

    package init(_ runs: IsolatedRuns, of set: FixtureSet, survival: Survival, seed: UInt64) {
        self.runs = runs
        self.set = set
        self.survival = survival
        self.seed = seed
    }

    /// The responses that the command makes use of where nothing is wrong, and how it ends then.
    package func baseline(
        streams: ChildProcess.Streams
    ) async throws(IsolatedRuns.Failure) -> (end: CommandUnderTest.End, responses: [UsedResponse]) {
        let run = try await runs.with(patience: max(runs.patience, Self.baselinePatience)).run(set, streams: streams)
        return (run.end, UsedResponse.all(in: run.entries, of: set))
    }

    /// Runs the command once.
    package func cell(
        _ fault: FaultName, at response: UsedResponse, streams: ChildProcess.Streams
    ) async throws(IsolatedRuns.Failure) -> Cell {
        let start = ContinuousClock.now
        let faulty: FaultyFixtures
        do throws(FaultyFixtures.Inapplicable) {
            faulty = try FaultyFixtures(fault, at: response, of: set, seed: seed)
        } catch {
            return Cell(
                fault: fault, response: response, verdict: .skipped, end: nil, reason: error.reason, duration: 0)
        }
        let run = try await runs.run(faulty.set, streams: streams)
        let (verdict, reason) = judge(run, fault, response)
        return Cell(
            fault: fault, response: response, verdict: verdict, end: run.end, reason: reason,
            duration: (ContinuousClock.now - start).inSeconds)
    }

    private func judge(_ run: IsolatedRuns.Run, _ fault: FaultName, _ response: UsedResponse) -> (Verdict, String) {
        guard let met = run.entries.first(where: { $0.isServed(byStub: FaultyFixtures.stubID.text) }) else {
            if run.end == .hung { return (.hung, "hung \(runs.patienceText), before it asked") }
            return (.skipped, "the command did not ask for it")
        }
        guard case .exit(let code) = run.end else { return (.hung, "hung \(runs.patienceText)") }
        if code > 128 { return (.crashed, "ended by signal \(code - 128)") }
        if code != 0 {
            return survival == .cleanly ? (.survived, "exit \(code)") : (.failed, "exit \(code)")
        }
        let isWhole = fault.leavesContentWhole && met.abandonment == nil
        let hasOther = run.entries.contains { entry in
            entry.sequence > met.sequence && entry.abandonment == nil && isServed(entry, from: response)
        }
        if isWhole { return (.survived, "exit 0") }
        return hasOther ? (.survived, "exit 0, asked again") : (.fooled, "exit 0, as if whole")
    }

    private func isServed(_ entry: JournalEntry, from response: UsedResponse) -> Bool {
        switch response.subject {
        case .stub(let ordinal): entry.isServed(byStub: set.stubs[ordinal].id)
        case .file(let ordinal): entry.outcome == .file(set.files[ordinal].path)
        }
    }
}

extension JournalEntry {
    fileprivate func isServed(byStub wanted: String) -> Bool {
        if case .stub(_, _, let id) = outcome { id == wanted } else { false }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
