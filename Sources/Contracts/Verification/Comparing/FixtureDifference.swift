// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiDrift
package import MockapiFixtures
import MockapiJSONText

/// The same judgement between two states of a fixture directory: the first is the promise, the second the result.
package struct FixtureDifference {
    private let old: FixtureSet
    private let new: FixtureSet
    private let history: FixtureHistory

    /// - Parameter history: the history learnt from responses to the old fixtures.
    package init(from old: FixtureSet, to new: FixtureSet, history: FixtureHistory = FixtureHistory()) {
        self.history = history
        self.old = old
        self.new = new
    }

    /// A verdict for each fixture of the old state, and for each that is new.
    package func verdicts() -> [FixtureVerdict] {
        var verdicts: [FixtureVerdict] = []
        let (before, after) = (VerifiedFixture.all(of: old), VerifiedFixture.all(of: new))
        var left = Dictionary(after.enumerated().map { (Self.identity($0.element), [$0.offset]) }, uniquingKeysWith: +)
        var paths = Dictionary(
            after.enumerated().map { (ExactText($0.element.name), $0.offset) }, uniquingKeysWith: { first, _ in first })
        var taken: Set<Int> = []
        for fixture in before {
            var partner: Int?
            if var places = left[Self.identity(fixture)], !places.isEmpty {
                partner = places.removeFirst()
                left[Self.identity(fixture)] = places
            } else if let place = paths[ExactText(fixture.name)], !taken.contains(place),
                fixture.label.isExactly(after[place].label)
            {
                partner = place
                paths[ExactText(fixture.name)] = nil
            }
            guard let partner, taken.insert(partner).inserted else {
                verdicts.append(Self.alone(fixture, .warning, .fixtureRemoved))
                continue
            }
            verdicts.append(verdict(fixture, after[partner]))
        }
        verdicts += after.indices.filter { !taken.contains($0) }.map { Self.alone(after[$0], .info, .fixtureAdded) }
        return verdicts
    }

    private func verdict(_ fixture: VerifiedFixture, _ other: VerifiedFixture) -> FixtureVerdict {
        var verdict = FixtureVerdict(fixture, request: fixture.label, state: .honoured)
        let samples = other.samples
        guard var comparison = fixture.comparison(root: old.root), !samples.isEmpty else {
            verdict.state = .skipped(fixture.noResponseReason ?? other.noResponseReason ?? "a body cannot be read")
            return verdict
        }
        comparison.recorded += history.samples(of: fixture)
        verdict.samples = (comparison.recorded.count, samples.count)
        // The needs and notes of the new fixture count, too.
        if let newer = other.comparison(root: new.root) {
            comparison.volatilePaths += newer.volatilePaths
            comparison.movingPaths += newer.movingPaths
            comparison.volatileHeaders += newer.volatileHeaders
            if other.written?["contract"] != nil { comparison.pins = newer.pins }
        }
        var found: [DriftFinding] = []
        var seen: Set<DriftFinding> = []
        var compared = ComparedParts()
        var obstacle: String?
        for status in Set(samples.map(\.status)).sorted() {
            let group = samples.filter { $0.status == status }
            let result = comparison.compare(group)
            compared += result.compared
            obstacle = obstacle ?? result.obstacle
            for finding in result.findings where seen.insert(finding).inserted { found.append(finding) }
        }
        var sites = FixtureSites(root: old.root, fixture)
        verdict.judge(
            found.map { finding in
                let (file, line) = sites.place(of: finding)
                return LocatedFinding(finding, file: file, line: line)
            }, of: compared, obstacle: obstacle)
        return verdict
    }

    /// A fixture of one side that has none on the other.
    private static func alone(_ fixture: VerifiedFixture, _ level: DriftLevel, _ id: DriftID) -> FixtureVerdict {
        var verdict = FixtureVerdict(fixture, request: fixture.label, state: .honoured)
        let text = fixture.label
        let finding = DriftFinding(
            level, id, at: "", recorded: id == .fixtureRemoved ? text : nil,
            received: id == .fixtureAdded ? text : nil, site: .status)
        verdict.judge(
            [LocatedFinding(finding, file: fixture.path, line: fixture.line)], of: ComparedParts(\.statuses))
        return verdict
    }

    /// The identity of a fixture by the requests that it matches.
    private static func identity(_ fixture: VerifiedFixture) -> ExactText {
        if let key = fixture.key { return ExactText("key \(key) \(fixture.situation)") }
        if fixture.written == nil { return ExactText("file \(fixture.path)") }
        return ExactText("request \(fixture.writtenRequest) \(fixture.situation)")
    }
}
