// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Finds those of many changes that make a command fail by themselves (A. Zeller, R. Hildebrandt, "Simplifying and Isolating Failure-Inducing
/// Input", 2002).
///
/// All are made at once; if that fails, the shortest beginning of the list that fails is searched for by halves, and its last change is one
/// that matters. The changes after it are looked through likewise. For k that matter of n that is k · (log2 n + 2) + 1 runs at most.
struct DeltaDebugging {
    /// The findings so far, which a search that is broken off leaves behind.
    struct Findings: Sendable {
        /// Those that make the command fail alone.
        var failing: Set<Int> = []
        /// Those of the failing that were seen to fail in one run alone.
        var once: Set<Int> = []
        /// Those that make it fail together with others only.
        var joint: Set<Int> = []
        /// Those that are not decided.
        var undecided: Set<Int> = []
    }

    /// The command has failed with some changes, and passes with the same.
    struct Inconsistency: Error {}

    /// Whether the command fails with some changes made.
    typealias Test = @Sendable ([Int]) async throws -> Bool

    /// Beginnings that are tried at once at most: more would cost more runs than they save time. 3.
    private static let mostAtOnce = 3

    private let test: Test
    private let width: Int

    /// - Parameter jobs: how many runs there may be at once.
    init(jobs: Int, test: @escaping Test) {
        width = min(max(1, jobs), Self.mostAtOnce)
        self.test = test
    }

    /// - Parameters:
    ///   - groups: the changes, those together that are likely to matter alike.
    ///   - note: called with the findings whenever there are more.
    func search(_ groups: [[Int]], note: @Sendable (Findings) async -> Void) async throws {
        var findings = Findings(undecided: Set(groups.joined()))
        for group in groups { try await search(group, &findings, notesJoint: true, note) }
    }

    /// Looks for changes that matter and that others have hidden: if a command passes with many at once, one may have kept it from looking at
    /// the part that another has changed, as a client does that reads the items of one `type` alone. Halves are tried that differ in a bit of the
    /// candidates' numbers: with all bits, any two changes are made one without the other.
    ///
    /// - Parameter affords: whether one run more may be made, and those that find the causes if it fails.
    /// - Returns: whether there are bits after this one, and runs for them.
    func searchHidden(
        _ candidates: [Int], bit: Int, _ known: Findings, affords: @Sendable () async -> Bool,
        note: @Sendable (Findings) async -> Void
    ) async throws -> Bool {
        guard bit < Int.bitWidth - 1, 1 << bit < candidates.count else { return false }
        var findings = known
        for side in [0, 1] {
            let half = candidates.enumerated().filter { $0.offset >> bit & 1 == side }.map(\.element).filter {
                !findings.failing.contains($0) && !findings.joint.contains($0)
            }
            guard await affords() else { return false }
            try await search(half, &findings, notesJoint: false, note)
        }
        return true
    }

    private func search(
        _ candidates: [Int], _ findings: inout Findings, notesJoint: Bool, _ note: @Sendable (Findings) async -> Void
    ) async throws {
        var rest = candidates[...]
        while !rest.isEmpty {
            guard try await test(Array(rest)) else {
                findings.undecided.subtract(rest)
                await note(findings)
                return
            }
            let end = try await shortestFailing(rest)
            let found = rest[end - 1]
            // A beginning of one has failed alone, and beside the others before if there are others.
            var isAlone = true
            if rest.count == 1 {
                findings.once.insert(found)
            } else if end - 1 > rest.startIndex {
                isAlone = try await test([found])
                // A set that has failed must fail again if its last change alone does not.
                if !isAlone, try await !test(Array(rest[..<end])) { throw Inconsistency() }
            }
            if isAlone { findings.failing.insert(found) } else if notesJoint { findings.joint.insert(found) }
            findings.undecided.subtract(rest[..<end])
            rest = rest[end...]
            await note(findings)
            if !isAlone, !notesJoint { return }
        }
        await note(findings)
    }

    /// The end of the shortest beginning with which the command fails; it fails with all.
    private func shortestFailing(_ rest: ArraySlice<Int>) async throws -> Int {
        var passing = rest.startIndex
        var failing = rest.endIndex
        while failing - passing > 1 {
            let span = failing - passing
            let points = min(width, span - 1)
            let ends = (1...points).map { passing + span * $0 / (points + 1) }.filter { $0 > passing && $0 < failing }
            if ends.isEmpty { break }
            let results = try await outcomes(of: ends.map { Array(rest[..<$0]) })
            let firstFailing = results.firstIndex(of: true)
            if let firstFailing { failing = ends[firstFailing] }
            let lastPassing = (firstFailing ?? ends.count) - 1
            if lastPassing >= 0 { passing = ends[lastPassing] }
        }
        return failing
    }

    private func outcomes(of lists: [[Int]]) async throws -> [Bool] {
        if lists.count == 1 { return [try await test(lists[0])] }
        return try await withThrowingTaskGroup(of: (Int, Bool).self) { group in
            for (index, list) in lists.enumerated() {
                group.addTask { (index, try await test(list)) }
            }
            var results = Array(repeating: false, count: lists.count)
            for try await (index, result) in group { results[index] = result }
            return results
        }
    }
}
