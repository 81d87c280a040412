// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The runs of a search for a command's needs, and their findings. It runs the command no more often than its limits allow, and for findings that
/// it can do without no more than 3 · k · log2 n + 10 times in all.
actor NeedsBench {
    typealias Question = NeedsSearch.Question

    enum Stop: Error {
        /// The limits are reached.
        case budget
    }

    /// Runs the command with some parts changed.
    typealias Run = @Sendable ([ResponseParts.Part], Question) async throws -> CommandUnderTest.End

    /// How often a command runs unchanged in between: once in so many runs, as far as they may be made. 10.
    private static let runsBetweenChecks = 10

    /// Questions that build on each other, in their order; the lists are independent of each other.
    private static let chains: [[Question]] = [
        [.withoutField, .nullField, .otherType], [.unknownString], [.otherStatus, .otherStatusOfClass],
        [.withoutLine, .unknownLine],
    ]

    private let parts: [ResponseParts.Part]
    private let limits: NeedsSearch.Limits
    private let startedAt: ContinuousClock.Instant
    private let progress: @Sendable (Int, Int) -> Void
    private let run: Run

    private var findings: [Question: DeltaDebugging.Findings] = [:]
    /// The runs, with the first that has shown the parts.
    private(set) var count = 1
    private var lastCheck = 1
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(
        _ parts: [ResponseParts.Part], limits: NeedsSearch.Limits, startedAt: ContinuousClock.Instant = .now,
        progress: @escaping @Sendable (Int, Int) -> Void = { _, _ in }, run: @escaping Run
    ) {
        self.parts = parts
        self.limits = limits
        self.startedAt = startedAt
        self.progress = progress
        self.run = run
        free = max(1, limits.jobs)
    }

    // MARK: Asking

    /// Asks all questions; the findings up to then stay if it throws.
    func decide() async throws {
        try await check()
        if limits.jobs > 1 {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for chain in Self.chains { group.addTask { try await self.ask(chain) } }
                try await group.waitForAll()
            }
        } else {
            for chain in Self.chains { try await ask(chain) }
        }
        try await askOfLists()
        try await askAgain()
        try await lookBehind()
        if affords(1) { try await check() }
    }

    private func ask(_ chain: [Question]) async throws {
        for question in chain {
            let search = DeltaDebugging(jobs: limits.jobs) { try await self.fails($0, question) }
            let candidates = candidates(for: question)
            // If a command has a closed set for any part, it needs that part.
            let isOfClosedSets = [.unknownString, .unknownLine].contains(question) && candidates.count > 2
            let needed = candidates.filter { isOfClosedSets && isNeeded($0) }
            let others = candidates.filter { !isOfClosedSets || !isNeeded($0) }
            try await search.search([needed, others]) { await self.note($0, question) }
        }
    }

    /// Asks whether lists may be shorter, if there is a run for it.
    private func askOfLists() async throws {
        let lists = candidates(for: .shorterList)
        guard !lists.isEmpty, affords(0) else { return }
        let search = DeltaDebugging(jobs: limits.jobs) { try await self.fails($0, .shorterList) }
        try await search.search([lists]) { await self.note($0, .shorterList) }
    }

    /// Repeats the changes that have failed in one run alone.
    private func askAgain() async throws {
        for question in Question.allCases {
            for part in (findings[question]?.once ?? []).sorted() where affords(2) {
                guard try await fails([part], question) else { throw DeltaDebugging.Inconsistency() }
            }
        }
    }

    /// Asks again of less at once.
    private func lookBehind() async throws {
        for questions: [Question] in [[.withoutField, .unknownString], [.nullField, .otherType]] {
            let candidates = questions.map { self.candidates(for: $0) }
            var bit = 0
            var goesOn = true
            while goesOn {
                goesOn = false
                for (question, candidates) in zip(questions, candidates) {
                    let search = DeltaDebugging(jobs: 1) { try await self.fails($0, question) }
                    let known = findings[question] ?? DeltaDebugging.Findings()
                    let hasMore = try await search.searchHidden(candidates, bit: bit, known) {
                        await self.affords(3)
                    } note: {
                        await self.note($0, question)
                    }
                    goesOn = goesOn || hasMore
                }
                bit += 1
            }
        }
    }

    /// The parts that a question is worth asking of, as far as is known by now.
    private func candidates(for question: Question) -> [Int] {
        parts.indices.filter { isWorth(question, of: $0) }
    }

    private func isWorth(_ question: Question, of index: Int) -> Bool {
        switch (question, parts[index].kind) {
        case (.withoutField, .field): true
        case (.nullField, .field(let place)): place.holdsValues && !isFailing(index, .withoutField)
        case (.otherType, .field): !isFailing(index, .withoutField) && !isFailing(index, .nullField)
        case (.unknownString, .field(let place)): !place.strings.isEmpty
        case (.otherStatus, .status): true
        case (.otherStatusOfClass, .status): isFailing(index, .otherStatus)
        case (.withoutLine, .line), (.unknownLine, .line): true
        case (.shorterList, .list(_, let items)): items > 1
        default: false
        }
    }

    private func note(_ new: DeltaDebugging.Findings, _ question: Question) {
        findings[question] = new
    }

    // MARK: Running

    /// Whether some runs more, and one for each question still to be asked, are within 3 · k · log2 n + 10 for the k found of n fields. Finds
    /// of a run more count in k, and so pay for the runs that find them.
    private func affords(_ runs: Int) -> Bool {
        let fields = parts.count { if case .field = $0.kind { true } else { false } }
        let found = parts.indices.count { isNeeded($0) || closedSet($0) != nil }
        let most = 3 * Double(max(1, found)) * log2(Double(max(1, fields))) + 10
        let toAsk = Question.allCases.count { question in
            findings[question].map { !$0.undecided.isEmpty } ?? !candidates(for: question).isEmpty
        }
        return Double(count + toAsk + runs) <= most
    }

    /// Whether the command fails with some parts changed.
    private func fails(_ changed: [Int], _ question: Question) async throws -> Bool {
        if count - lastCheck >= Self.runsBetweenChecks, affords(2) { try await check() }
        return try await end(changed, question) != .exit(0)
    }

    /// Runs the command unchanged: if it fails now, the earlier runs prove nothing.
    private func check() async throws {
        lastCheck = count + 1
        let end = try await end([], .withoutField)
        guard end == .exit(0) else { throw NeedsSearch.Failure.isFlaky(end, afterRuns: count) }
    }

    private func end(_ changed: [Int], _ question: Question) async throws -> CommandUnderTest.End {
        if free == 0 { await withCheckedContinuation { waiting.append($0) } } else { free -= 1 }
        defer { if waiting.isEmpty { free += 1 } else { waiting.removeFirst().resume() } }
        if let most = limits.mostRuns, count >= most { throw Stop.budget }
        if let longest = limits.longest, ContinuousClock.now - startedAt >= longest { throw Stop.budget }
        count += 1
        progress(count, parts.indices.count { !isDecided($0) })
        return try await run(changed.map { parts[$0] }, question)
    }

    // MARK: Results

    /// The findings on each part.
    var results: [Needs.Part] {
        parts.indices.map { index in
            let need: Needs.Need =
                if isDecided(index) {
                    isNeeded(index) ? .needed : .notNeeded
                } else {
                    findings.values.contains { $0.joint.contains(index) } ? .jointly : .undecided
                }
            var part = Needs.Part(
                path: parts[index].path, types: parts[index].types, need: need, closedSet: closedSet(index),
                isOptional: need == .needed && [.nullField, .otherType].contains { isFailing(index, $0) }
                    && !isFailing(index, .withoutField),
                isNullable: !isFailing(index, .nullField))
            if case .list(_, let items) = parts[index].kind { part.fewestItems = items }
            return part
        }
    }

    private func isFailing(_ part: Int, _ question: Question) -> Bool {
        findings[question]?.failing.contains(part) ?? false
    }

    private func isDecided(_ part: Int) -> Bool {
        Question.allCases.allSatisfy { question in
            guard isWorth(question, of: part) else { return true }
            // A part that fails one of the first three is needed, whatever the others would say.
            let saysNeeded = [.withoutField, .nullField, .otherType].contains(question)
            if saysNeeded, isNeeded(part) { return true }
            guard let known = findings[question] else { return false }
            return !known.undecided.contains(part) && !known.joint.contains(part)
        }
    }

    private func isNeeded(_ part: Int) -> Bool {
        [.withoutField, .nullField, .otherType, .otherStatus, .withoutLine, .shorterList].contains {
            isFailing(part, $0)
        }
    }

    private func closedSet(_ index: Int) -> Needs.ClosedSet? {
        switch parts[index].kind {
        case .field(let place): isFailing(index, .unknownString) ? .strings(place.strings) : nil
        case .status(let statuses): isFailing(index, .otherStatusOfClass) ? .numbers(statuses) : nil
        case .line(_, let values): isFailing(index, .unknownLine) ? .strings(values) : nil
        case .list: nil
        }
    }
}
