// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Fixtures
import JSONText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Finds which parts of the answers a command needs, by running it with parts changed.
package struct NeedsFinder: Sendable {
    package struct Limits: Sendable {
        /// Runs at once.
        package var jobs: Int
        /// Runs in all; nil for as many as it takes.
        package var mostRuns: Int?
        /// How long it may take; nil for as long as it takes.
        package var longest: Duration?

        package init(jobs: Int = 1, mostRuns: Int? = nil, longest: Duration? = nil) {
            self.jobs = jobs
            self.mostRuns = mostRuns
            self.longest = longest
        }
    }

    /// Why nothing can be said of the command.
    package enum Failure: Error {
        /// It fails with fixtures that nobody has changed.
        case fails(CommandUnderTest.End)
        /// It ends otherwise although nothing was changed.
        case isFlaky(CommandUnderTest.End, afterRuns: Int)
        /// It has failed and passed with the same answers.
        case isInconsistent(afterRuns: Int)
        case runs(IsolatedRuns.Failure)
    }

    /// What is done to a part of an answer, and what failing says of it.
    enum Question: CaseIterable, Sendable {
        case withoutField
        case nullField
        case otherType
        case unknownString
        case otherStatus
        case otherStatusOfClass
        case withoutLine
        case unknownLine
    }

    private let runs: IsolatedRuns
    private let set: FixtureSet
    private let limits: Limits

    /// How often a command runs unchanged in between: once in so many runs. 10.
    private static let runsBetweenChecks = 10
    /// How much longer than unchanged a run may take before it is hung: ten times, and 5 s.
    private static let slowness = (factor: 10, grace: Duration.seconds(5))

    package init(_ runs: IsolatedRuns, of set: FixtureSet, limits: Limits) {
        self.runs = runs
        self.set = set
        self.limits = limits
    }

    /// - Parameter progress: told how many runs there have been, and how many parts are not decided yet.
    package func find(
        streams: ChildProcess.Streams, baselineStreams: ChildProcess.Streams,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws(Failure) -> Needs {
        let start = ContinuousClock.now
        let first = try await unchanged(runs, baselineStreams)
        guard first.end == .exit(0) else { throw .fails(first.end) }
        let took = ContinuousClock.now - start
        let patience = min(runs.patience, took * Self.slowness.factor + Self.slowness.grace)
        let answers = AnswerParts.all(in: first.entries, of: set)
        let bench = NeedsBench(
            runs.with(patience: patience), set, answers, limits: limits, streams: streams, startedAt: start,
            runsBetweenChecks: Self.runsBetweenChecks, progress: progress)
        do {
            try await bench.check()
            if limits.jobs > 1 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for chain in Self.chains { group.addTask { try await ask(chain, bench) } }
                    try await group.waitForAll()
                }
            } else {
                for chain in Self.chains { try await ask(chain, bench) }
            }
            try await lookBehind(bench)
            try await bench.check()
        } catch NeedsBench.Stop.budget {
            return await bench.needs(isComplete: false, duration: ContinuousClock.now - start)
        } catch is DeltaDebugging.Inconsistency {
            throw .isInconsistent(afterRuns: await bench.count)
        } catch let failure as Failure {
            throw failure
        } catch let failure as IsolatedRuns.Failure {
            throw .runs(failure)
        } catch {
            throw .runs(.interrupted(0))
        }
        return await bench.needs(isComplete: true, duration: ContinuousClock.now - start)
    }

    /// Questions that build on each other, in their order; the lists are independent of each other.
    private static let chains: [[Question]] = [
        [.withoutField, .nullField, .otherType], [.unknownString], [.otherStatus, .otherStatusOfClass],
        [.withoutLine, .unknownLine],
    ]

    private func ask(_ chain: [Question], _ bench: NeedsBench) async throws {
        for question in chain {
            let candidates = await bench.candidates(for: question)
            let search = DeltaDebugging(jobs: limits.jobs) { try await bench.fails($0, question) }
            try await search.search(candidates) { await bench.note($0, question) }
        }
    }

    /// Asks again of less at once, as far as the number of runs stays within what is promised.
    private func lookBehind(_ bench: NeedsBench) async throws {
        for questions: [Question] in [[.withoutField, .unknownString], [.nullField, .otherType]] {
            var candidates: [[Int]] = []
            for question in questions { candidates.append(await bench.candidates(for: question)) }
            var bit = 0
            var goesOn = true
            while goesOn {
                goesOn = false
                for (question, candidates) in zip(questions, candidates) {
                    let search = DeltaDebugging(jobs: 1) { try await bench.fails($0, question) }
                    let findings = await bench.findings(of: question)
                    let hasMore = try await search.searchHidden(candidates, bit: bit, findings) {
                        await bench.affords
                    } note: {
                        await bench.note($0, question)
                    }
                    goesOn = goesOn || hasMore
                }
                bit += 1
            }
        }
    }

    private func unchanged(
        _ runs: IsolatedRuns, _ streams: ChildProcess.Streams
    ) async throws(Failure) -> IsolatedRuns.Run {
        do throws(IsolatedRuns.Failure) {
            return try await runs.run(set, streams: streams)
        } catch {
            throw .runs(error)
        }
    }
}

/// The runs of a search, and what they have shown; runs no more than its limits allow.
actor NeedsBench {
    enum Stop: Error {
        /// The limits are reached.
        case budget
    }

    private let runs: IsolatedRuns
    private let set: FixtureSet
    private let answers: [AnswerParts]
    private let parts: [AnswerParts.Part]
    private let limits: NeedsFinder.Limits
    private let streams: ChildProcess.Streams
    private let startedAt: ContinuousClock.Instant
    private let runsBetweenChecks: Int
    private let progress: @Sendable (Int, Int) -> Void

    private var findings: [NeedsFinder.Question: DeltaDebugging.Findings] = [:]
    private(set) var count = 1
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var lastCheck = 1

    init(
        _ runs: IsolatedRuns, _ set: FixtureSet, _ answers: [AnswerParts], limits: NeedsFinder.Limits,
        streams: ChildProcess.Streams, startedAt: ContinuousClock.Instant, runsBetweenChecks: Int,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) {
        self.runs = runs
        self.set = set
        self.answers = answers
        parts = answers.flatMap(\.parts)
        self.limits = limits
        self.streams = streams
        self.startedAt = startedAt
        self.runsBetweenChecks = runsBetweenChecks
        self.progress = progress
        free = max(1, limits.jobs)
    }

    /// The parts that a question is worth asking of, as far as is known by now.
    func candidates(for question: NeedsFinder.Question) -> [Int] {
        parts.indices.filter { index in
            switch (question, parts[index].kind) {
            case (.withoutField, .field): true
            case (.nullField, .field(let place)): place.holdsValues && !isFailing(index, .withoutField)
            case (.otherType, .field): !isFailing(index, .withoutField) && !isFailing(index, .nullField)
            case (.unknownString, .field(let place)): !place.strings.isEmpty
            case (.otherStatus, .status): true
            case (.otherStatusOfClass, .status): isFailing(index, .otherStatus)
            case (.withoutLine, .line), (.unknownLine, .line): true
            default: false
            }
        }
    }

    private func isFailing(_ part: Int, _ question: NeedsFinder.Question) -> Bool {
        findings[question]?.failing.contains(part) ?? false
    }

    func note(_ new: DeltaDebugging.Findings, _ question: NeedsFinder.Question) {
        findings[question] = new
    }

    func findings(of question: NeedsFinder.Question) -> DeltaDebugging.Findings {
        findings[question] ?? DeltaDebugging.Findings()
    }

    /// Whether one run more, and two to see that the command still passes, are within 3 · k · log2 n + 10 for the k parts found of n fields. What a
    /// run more finds counts in k, and so pays for the runs that find it.
    var affords: Bool {
        let fields = parts.count { if case .field = $0.kind { true } else { false } }
        let found = parts.indices.count { isNeeded($0) || closedSet($0) != nil }
        let most = 3 * Double(max(1, found)) * log2(Double(max(2, fields))) + 10
        return Double(count + 3) <= most
    }

    /// Whether the command fails with some parts changed.
    func fails(_ changed: [Int], _ question: NeedsFinder.Question) async throws -> Bool {
        if count - lastCheck >= runsBetweenChecks { try await check() }
        var set = set
        AnswerParts.change(changed.map { parts[$0] }, question, of: answers, in: &set)
        return try await run(set) != .exit(0)
    }

    /// Runs the command unchanged: where it fails now, nothing that was seen says anything.
    func check() async throws {
        lastCheck = count + 1
        let end = try await run(set)
        guard end == .exit(0) else { throw NeedsFinder.Failure.isFlaky(end, afterRuns: count) }
    }

    private func run(_ set: FixtureSet) async throws -> CommandUnderTest.End {
        if free == 0 { await withCheckedContinuation { waiting.append($0) } } else { free -= 1 }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        if let most = limits.mostRuns, count >= most { throw Stop.budget }
        if let longest = limits.longest, ContinuousClock.now - startedAt >= longest { throw Stop.budget }
        count += 1
        progress(count, undecided.count)
        return try await runs.run(set, streams: streams).end
    }

    private func undecided(_ part: Int) -> Bool {
        let questions: [NeedsFinder.Question] =
            switch parts[part].kind {
            case .field(let place):
                [.withoutField, .nullField, .otherType, .unknownString].filter { question in
                    question != .nullField || place.holdsValues
                }
            case .status: [.otherStatus]
            case .line: [.withoutLine, .unknownLine]
            }
        // What fails one of the first three is needed, whatever the others would say.
        let needed = questions.contains { ![.unknownString, .unknownLine].contains($0) && isFailing(part, $0) }
        return questions.contains { question in
            if needed, [.nullField, .otherType, .withoutField].contains(question) { return false }
            if question == .unknownString, case .field(let place) = parts[part].kind, place.strings.isEmpty {
                return false
            }
            guard let known = findings[question] else { return true }
            return known.undecided.contains(part) || known.joint.contains(part)
        }
            || isFailing(part, .otherStatus)
                && (findings[.otherStatusOfClass].map { $0.undecided.contains(part) } ?? true)
    }

    private var undecided: [Int] { parts.indices.filter { undecided($0) } }

    /// What was found out.
    func needs(isComplete: Bool, duration: Duration) -> Needs {
        let unknown = Set(undecided)
        var next = 0
        let results = answers.map { answer in
            let indices = next..<next + answer.parts.count
            next = indices.upperBound
            return Needs.Answer(
                subject: answer.used,
                parts: indices.map { index in
                    let part = parts[index]
                    let isJoint = findings.values.contains { $0.joint.contains(index) }
                    return Needs.Part(
                        path: part.path, types: part.types,
                        need: unknown.contains(index)
                            ? (isJoint ? .jointly : .undecided)
                            : isNeeded(index) ? .needed : .notNeeded,
                        closedSet: closedSet(index))
                })
        }
        return Needs(answers: results, runs: count, isComplete: isComplete, duration: duration)
    }

    private func isNeeded(_ part: Int) -> Bool {
        [.withoutField, .nullField, .otherType, .otherStatus, .withoutLine].contains { isFailing(part, $0) }
    }

    private func closedSet(_ index: Int) -> Needs.ClosedSet? {
        switch parts[index].kind {
        case .field(let place): isFailing(index, .unknownString) ? .strings(place.strings) : nil
        case .status(let statuses): isFailing(index, .otherStatusOfClass) ? .numbers(statuses) : nil
        case .line(_, let values): isFailing(index, .unknownLine) ? .strings(values) : nil
        }
    }
}
