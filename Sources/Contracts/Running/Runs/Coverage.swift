// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockServer
package import MockapiFixtures
import MockapiJSONText

/// Which stubs and files of a fixture directory were used, and which parts of them.
package struct Coverage: Sendable {
    /// The part of a fixture that can be exercised by itself: a response, a step of a sequence, or a fault that a rule
    /// has instead of it.
    package struct Part: Sendable {
        /// Counted from 1, as people count.
        package var step: Int
        package var status: Int
        /// The fault of a rule, by its name; nil for the response itself.
        package var fault: String?
        /// Where it stands in its file; 0 if that is not known.
        package var line: Int
        package var hits: Int
    }

    /// The branch of a scenario that a stub is.
    package struct Branch: Equatable, Sendable {
        package var scenario: String
        /// The state in which the stub matches; nil for any.
        package var state: String?
        /// The state that a response of it leaves; nil if it stays.
        package var next: String?
    }

    /// A stub, or a plain file.
    package struct Fixture: Sendable {
        /// Relative to the fixture directory.
        package var file: String
        package var line: Int
        /// Empty for a plain file.
        package var id: String
        package var name: String?
        /// A digest of the fixture and its response, if runs are kept: a fixture that has changed since counts as different. Empty elsewhere.
        package var digest = ""
        package var branch: Branch?
        package var parts: [Part]

        /// The name in messages: its file, with the line unless that is the first.
        package var label: String { line > 1 ? "\(file):\(line)" : file }

        package var isPlainFile: Bool { id.isEmpty }
        package var hits: Int { parts.reduce(0) { $0 + $1.hits } }
        /// How many steps of a sequence were given out, if only a part of them was; else nil.
        package var unfinished: (given: Int, steps: Int)? {
            let steps = parts.filter { $0.fault == nil }
            let given = steps.count { $0.hits > 0 }
            return given > 0 && given < steps.count ? (given, steps.count) : nil
        }
    }

    /// In byte order of their files, then in the order of the file.
    package var fixtures: [Fixture]

    package init(fixtures: [Fixture] = []) {
        self.fixtures = fixtures
    }

    /// The coverage of some runs.
    ///
    /// - Parameters:
    ///   - findsLines: whether stub files are read once more for the lines of their steps.
    ///   - isKept: whether it is to be merged with that of other runs, for which every body is read.
    package init(of set: FixtureSet, _ tallies: [RunTally], findsLines: Bool = true, isKept: Bool = false) {
        let hits = { (source: ServedRequest.Source) in tallies.reduce(0) { $0 + $1.hits(of: source) } }
        var lines = StepLines(root: set.root, isWanted: findsLines)
        fixtures =
            set.stubs.filter { !$0.isGuard }.map { stub in
                let steps = lines.lines(of: stub)
                let parts = stub.responses.enumerated().flatMap { step, response in
                    let whole = Part(
                        step: step + 1, status: response.status, line: steps[step],
                        hits: hits(.stub(id: stub.id, step: step)))
                    let faults = response.faultKinds.map { kind in
                        Part(
                            step: step + 1, status: response.status, fault: kind.rawValue, line: steps[step],
                            hits: hits(.fault(id: stub.id, step: step, kind: kind)))
                    }
                    return [whole] + faults
                }
                return Fixture(
                    file: stub.place.path, line: max(1, stub.place.line), id: stub.id, name: stub.name,
                    digest: isKept ? Self.digest(stub) : "",
                    branch: stub.scenario.map { Branch(scenario: $0.name, state: $0.required, next: $0.next) },
                    parts: parts)
            }
            + set.files.map { file in
                Fixture(
                    file: file.path, line: 1, id: "", digest: isKept ? Self.digest([], [file.body]) : "",
                    parts: [Part(step: 1, status: 200, line: 1, hits: hits(.file(file.path)))])
            }
    }

    package var parts: Int { fixtures.reduce(0) { $0 + $1.parts.count } }
    package var coveredParts: Int { fixtures.reduce(0) { $0 + $1.parts.count { $0.hits > 0 } } }

    /// The percentage of the parts, 100 if there are none.
    package var percent: Double { parts == 0 ? 100 : Double(coveredParts) * 100 / Double(parts) }

    /// The fixtures that were not used.
    package var dead: [Fixture] { fixtures.filter { $0.hits == 0 } }

    /// The parts of used fixtures that were not exercised: `s.stub.json:5: step 2, status 503`.
    package var left: [String] {
        fixtures.filter { $0.hits > 0 }.flatMap { fixture in
            fixture.parts.filter { $0.hits == 0 }.map { part in
                let step = fixture.parts.contains { $0.step > 1 } ? "step \(part.step), " : ""
                let place = part.line > 1 ? "\(fixture.file):\(part.line)" : fixture.file
                return "\(place): \(step)\(part.fault.map { "fault \($0)" } ?? "status \(part.status)")"
            }
        }
    }

    /// A scenario, and which of its states requests have led to.
    package struct Scenario: Sendable {
        package let name: String
        /// In the order in which its stubs name them, first that in which it begins.
        package var states: [(name: String, isReached: Bool)]
    }

    /// The scenarios of the fixtures, in byte order of their names.
    package var scenarios: [Scenario] {
        var scenarios: [Scenario] = []
        for fixture in fixtures {
            guard let branch = fixture.branch else { continue }
            let place = scenarios.firstIndex { $0.name == branch.scenario } ?? scenarios.count
            if place == scenarios.count {
                scenarios.append(Scenario(name: branch.scenario, states: [(ScenarioPart.start, true)]))
            }
            for state in [branch.state, branch.next].compactMap({ $0 }) {
                // A stub that is used in a state has seen it, whichever stub has led there.
                let isReached = fixture.hits > 0
                if let known = scenarios[place].states.firstIndex(where: { $0.name == state }) {
                    scenarios[place].states[known].isReached = scenarios[place].states[known].isReached || isReached
                } else {
                    scenarios[place].states.append((state, isReached))
                }
            }
        }
        return scenarios.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func digest(_ stub: Stub) -> String {
        digest(JSONWriter.compact(stub.source), stub.responses.map(\.body))
    }

    private static func digest(_ text: [UInt8], _ bodies: [Body]) -> String {
        var hash = FNVHash()
        hash.combine(text)
        for body in bodies {
            let value =
                switch body {
                case .empty: UInt64(0)
                case .bytes(let bytes): ContentHash.of(bytes)
                case .file(let file): (try? ContentHash.ofFile(at: file.path)) ?? UInt64(clamping: file.size)
                }
            hash.combine("/\(value)".utf8)
        }
        return String(hash.value, radix: 16)
    }

    /// The same with the requests of another run of these fixtures.
    ///
    /// - Returns: the fixtures that were others in that run, whose requests say nothing of these.
    package mutating func merge(_ other: Coverage) -> [String] {
        let names = Set(fixtures.map(\.place))
        var changed: [String] = []
        var places: [String: Int] = [:]
        for (index, fixture) in fixtures.enumerated() { places[fixture.key] = index }
        for fixture in other.fixtures {
            guard let index = places[fixture.key] else {
                if names.contains(fixture.place) { changed.append(fixture.place) }
                continue
            }
            for part in fixture.parts {
                let known = fixtures[index].parts.firstIndex { $0.step == part.step && $0.fault == part.fault }
                guard let known else { continue }
                fixtures[index].parts[known].hits += part.hits
            }
        }
        return changed
    }
}

extension Coverage.Fixture {
    /// The identity of the fixture across several runs.
    fileprivate var key: String { "\(place)\n\(digest)" }
    /// The identity among the fixtures of one run.
    fileprivate var place: String { "\(file)\n\(id)" }
}

/// The lines that the steps of stubs stand on; each file is read once.
private struct StepLines {
    /// Files beyond it are not read again for the lines of their steps. 16 MiB.
    private static let limit = 16 * 1024 * 1024

    let root: String
    private let isWanted: Bool
    private var maps: [String: LineMap?] = [:]

    init(root: String, isWanted: Bool) {
        self.root = root
        self.isWanted = isWanted
    }

    mutating func lines(of stub: Stub) -> [Int] {
        let nodes = stub.source["responses"]?.array ?? stub.source["response"].map { [$0] } ?? []
        let map = stub.isAdded || !isWanted ? nil : map(of: stub.place.path)
        return stub.responses.indices.map { step in
            guard let map, step < nodes.count else { return max(1, stub.place.line) }
            return map.position(of: nodes[step].offset).line
        }
    }

    private mutating func map(of path: String) -> LineMap? {
        if let known = maps[path] { return known }
        let bytes = TextFile.read("\(root)/\(path)", limit: Self.limit)
        let map = bytes.map { LineMap($0) }
        maps[path] = .some(map)
        return map
    }
}
