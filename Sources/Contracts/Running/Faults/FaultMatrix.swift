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
        /// It failed although it should have recovered.
        case failed
        /// It took longer than it may.
        case hung
        /// A signal ended it.
        case crashed
        /// It ended with 0 and had no whole response.
        case fooled
        /// It ended with 0, and the service had done twice the same work.
        case duplicated
        /// The fault was not met, or too little is known of the requests.
        case undecided
        /// The fault does not concern the response.
        case skipped
    }

    /// One fault at one response.
    package struct Cell: Sendable {
        package let fault: FaultName
        package let response: UsedResponse
        package let verdict: Verdict
        /// How the command ended; nil if it was not run.
        package let end: CommandUnderTest.End?
        /// In words: `exit 0, as if whole`.
        package let reason: String
        /// The request that the fault hit, and the request that repaired it: `3. POST /orders`.
        package var hit: String?
        package var repetition: String?
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

    /// The responses that the command makes use of if nothing is wrong, and how it ends then.
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
        let hit = run.entries.first { $0.isServed(byStub: FaultyFixtures.stubID.text) }
        let others = hit.map { hit in run.entries.filter { $0.sequence > hit.sequence && isServed($0, from: response) }
        }
        let repetition = hit.flatMap { hit in
            others?.first { $0.abandonment == nil && $0.repeats(hit) } ?? others?.first { $0.repeats(hit) }
        }
        let (verdict, reason) = judge(run, fault, hit, repetition, hasOthers: others?.isEmpty == false)
        return Cell(
            fault: fault, response: response, verdict: verdict, end: run.end, reason: reason,
            hit: hit.map(\.shortName), repetition: repetition.map(\.shortName),
            duration: (ContinuousClock.now - start).inSeconds)
    }

    private func judge(
        _ run: IsolatedRuns.Run, _ fault: FaultName, _ hit: JournalEntry?, _ repetition: JournalEntry?, hasOthers: Bool
    ) -> (Verdict, String) {
        guard let hit else {
            if run.end == .hung { return (.hung, "hung \(runs.patienceText), before it asked") }
            return (.undecided, "the command did not ask for it; perhaps it keeps state between its runs")
        }
        guard case .exit(let code) = run.end else { return (.hung, "hung \(runs.patienceText)") }
        if code > 128 { return (.crashed, "ended by signal \(code - 128)") }
        if code != 0 {
            return survival == .cleanly ? (.survived, "exit \(code)") : (.failed, "exit \(code)")
        }
        if let repetition, fault.losesAnswerOnly, hit.mustNotRepeat(as: repetition) {
            return (.duplicated, "exit 0, and \(hit.shortName) was done twice: no idempotency key")
        }
        if fault.leavesContentWhole, hit.abandonment == nil { return (.survived, "exit 0") }
        if let repetition, repetition.abandonment == nil { return (.survived, "exit 0, asked again") }
        if run.lost > 0 {
            let all = run.entries.count + run.lost
            return (.undecided, "exit 0, and the journal holds \(run.entries.count) of \(all) requests")
        }
        if hasOthers { return (.fooled, "exit 0, another request came, and \(hit.shortName) was not repeated") }
        return (.fooled, "exit 0, as if whole")
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

    /// Whether it asks for the same: method, target and content.
    fileprivate func repeats(_ other: JournalEntry) -> Bool {
        method == other.method && target.utf8.elementsEqual(other.target.utf8) && bodySize == other.bodySize
            && body == other.body
    }

    /// Whether a service that gets both does the work twice: the method is not idempotent, and no key says that they are one.
    fileprivate func mustNotRepeat(as other: JournalEntry) -> Bool {
        guard method == "POST" || method == "PATCH" else { return false }
        guard let key = idempotencyKey else { return true }
        return other.idempotencyKey != key
    }

    private var idempotencyKey: String? {
        fields.first { $0.name.lowercased() == "idempotency-key" && !$0.value.isEmpty }?.value
    }

    fileprivate var shortName: String { "\(sequence). \(method) \(target)" }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
