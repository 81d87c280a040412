// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax

/// Measures candidates for near misses.
struct NearMissSearch {
    private struct Candidate {
        var distance: Double
        var subject: NearMiss.Subject
        /// A stub's priority; after all for files.
        var priority = Int.max
        /// A stub's rank in its index.
        var rank: UInt32
        /// A stub's rank, behind those of the indexes before its own; after all ranks for files.
        var order: Int
        var target: TargetComparison
        /// The index that has the stub.
        var index: StubIndex
    }

    /// The index at hand.
    private var index: StubIndex
    /// Stubs of the indexes before it.
    private var earlier = 0
    private var candidates: [Candidate] = []
    private var seen = Set<NearMiss.Subject>()
    private var measure: StubDistance

    init(index: StubIndex) {
        self.index = index
        measure = StubDistance(program: index.program)
    }

    /// Goes on with the index below the one at hand; false if there is none.
    mutating func turnToNext(_ state: inout RequestState) -> Bool {
        guard let below = index.below else { return false }
        earlier += index.count
        index = below
        measure.program = below.program
        state.turn(to: below.identity)
        return true
    }

    /// The stubs whose target is the request's: those that the index leads to, then the first and a spread of the others.
    mutating func addMatchingTargets(_ state: inout RequestState) {
        for group in index.matchingTargets(&state) {
            let ranks = index.targets.groups[group].ranks
            let limit = NearMissLimits.stubsOfMatchingTarget
            if ranks.count <= limit {
                for rank in ranks { add(rank, TargetComparison(distance: 0), &state) }
            } else {
                for rank in ranks.prefix(limit / 2) { add(rank, TargetComparison(distance: 0), &state) }
                for step in 0..<limit / 2 {
                    add(ranks[step * ranks.count / (limit / 2)], TargetComparison(distance: 0), &state)
                }
            }
        }
        addLedTo(&state)
    }

    private mutating func addLedTo(_ state: inout RequestState) {
        index.tables.collect(index.program, method: index.program.methodNumber(state.method), &state)
        var ranks: [UInt32] = []
        for position in 0..<state.cursors.count {
            let cursor = state.cursors[position]
            ranks.append(cursor.rank)
            let end = min(cursor.end, cursor.next + UInt32(NearMissLimits.stubsOfSimilarTarget))
            for place in cursor.next..<max(cursor.next, end) { ranks.append(index.tables.ranks[place]) }
            if ranks.count > NearMissLimits.stubsOfMatchingTarget { break }
        }
        for rank in ranks where index.program.matchesURL(index.program.entries[rank], &state) {
            add(rank, TargetComparison(distance: 0), &state)
        }
    }

    /// The stubs and files with the most similar paths.
    mutating func addSimilarTargets(_ state: inout RequestState) {
        for shape in index.shapes.nearest(to: state.path) {
            if shape.kind == .file {
                addFile(index.tables.files[shape.owner], &state)
                continue
            }
            let ranks = index.targets.groups[Int(shape.owner)].ranks
            guard let first = ranks.first else { continue }
            let target = compare(first, &state)
            for rank in ranks.prefix(NearMissLimits.stubsOfSimilarTarget) { add(rank, target, &state) }
        }
    }

    private func compare(_ rank: UInt32, _ state: inout RequestState) -> TargetComparison {
        let entry = index.program.entries[rank]
        let url = index.stub(Int(entry.ordinal)).request.url
        var length = max(0, Int(entry.urlEnd) - Int(entry.urlStart))
        // The parameters are taken apart, decoded and sorted.
        if case .url = url { length = Self.parameters * (length + state.full.count - state.path.count) }
        guard isPaid(length, &state) else { return .unknown }
        switch url {
        case .any: return TargetComparison(distance: 0)
        case .url(let url): return .urls(url, state.full)
        case .path(let path): return .paths(path.utf8, state.path)
        case .pathTemplate(let template):
            if index.program.matchesURL(entry, &state) { return TargetComparison(distance: 0) }
            return .template(PathTemplate(template), state.path)
        case .pattern, .pathPattern:
            let matches = index.program.matchesURL(entry, &state)
            state.forgetGivenUp()
            if matches { return TargetComparison(distance: 0) }
            let prefix = index.program.bytes(index.program.patternPrefixes[entry.urlStart])
            return .pattern(prefix: prefix, state.full)
        }
    }

    /// Units of a byte of two targets that are compared, read by several ways to write the same. 8.
    private static let comparison = 8
    /// Units of a byte of parameters, in those of other bytes. 16.
    private static let parameters = 16

    /// Takes the steps of comparing the request's target with another.
    private func isPaid(_ length: Int, _ state: inout RequestState) -> Bool {
        state.budget.look(through: Self.comparison * (state.full.count + length))
    }

    private mutating func add(_ rank: UInt32, _ target: TargetComparison, _ state: inout RequestState) {
        let entry = index.program.entries[rank]
        let subject = NearMiss.Subject.stub(Int(entry.ordinal))
        guard seen.insert(subject).inserted else { return }
        let distance = target.distance + measure.distance(entry, matchesTarget: target.distance == 0, &state)
        candidates.append(
            Candidate(
                distance: distance, subject: subject, priority: index.priority(of: rank), rank: rank,
                order: earlier + Int(rank), target: target, index: index))
    }

    private mutating func addFile(_ record: IndexTables.FileRecord, _ state: inout RequestState) {
        let subject = NearMiss.Subject.file(Int(record.ordinal))
        let path = index.tables.paths.slice(record.start, record.end)
        // Files are found by the decoded path.
        let target = isPaid(path.count, &state) ? TargetComparison.paths(path, state.readFileName()) : .unknown
        let method = index.program.methodNumber(state.method)
        let isReading = method == Program.get || method == Program.head
        let distance = target.distance + (isReading ? 0 : StubDistance.otherMethod)
        let order = earlier + index.count + Int(record.ordinal)
        let candidate = Candidate(
            distance: distance, subject: subject, rank: 0, order: order, target: target, index: index)
        if seen.insert(subject).inserted {
            candidates.append(candidate)
        } else if let known = candidates.firstIndex(where: { $0.subject == subject }),
            candidates[known].distance > distance
        {
            // A file is served at several paths: the nearest one counts.
            candidates[known] = candidate
        }
    }

    /// The nearest candidates with all their differences.
    func nearest(_ limit: Int, _ state: inout RequestState) -> [NearMiss] {
        let order = candidates.sorted {
            ($0.distance, $0.priority, $0.order) < ($1.distance, $1.priority, $1.order)
        }
        var misses: [NearMiss] = []
        for candidate in order.prefix(limit) {
            switch candidate.subject {
            case .stub(let ordinal):
                // The cost of the search takes nothing away from the report.
                state.grantMore()
                let index = candidate.index
                if earlier > 0 { state.turn(to: index.identity) }
                var writer = DifferenceWriter(
                    stub: index.stub(ordinal), entry: index.program.entries[candidate.rank], program: index.program
                )
                misses.append(
                    NearMiss(
                        subject: candidate.subject, path: index.stub(ordinal).place.path,
                        distance: candidate.distance, differences: writer.differences(candidate.target, &state)))
            case .file(let ordinal):
                let file = index.set.files[ordinal]
                let differences = DifferenceWriter.differences(file, candidate.target, state)
                misses.append(
                    NearMiss(
                        subject: candidate.subject, path: file.path, distance: candidate.distance,
                        differences: differences))
            }
        }
        return misses
    }
}
