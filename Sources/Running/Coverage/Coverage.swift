// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Fixtures
import JSONText
import MockServer

/// Which stubs and files of a fixture directory answered requests, and which parts of them.
package struct Coverage: Sendable {
    /// What can be exercised of a fixture by itself: an answer, or a step of a sequence.
    package struct Part: Sendable {
        /// Counted from 1, as people count.
        package var step: Int
        package var status: Int
        /// Where it stands in its file; 0 where that is not known.
        package var line: Int
        package var hits: Int
    }

    /// A stub, or a plain file.
    package struct Fixture: Sendable {
        /// Relative to the fixture directory.
        package var file: String
        package var line: Int
        /// Empty for a plain file.
        package var id: String
        package var name: String?
        package var parts: [Part]

        package var isPlainFile: Bool { id.isEmpty }
        package var hits: Int { parts.reduce(0) { $0 + $1.hits } }
        /// How many steps of a sequence were given out where some were and some were not; nil elsewhere.
        package var unfinished: (given: Int, steps: Int)? {
            let given = parts.count { $0.hits > 0 }
            return given > 0 && given < parts.count ? (given, parts.count) : nil
        }
    }

    /// In byte order of their files, then in the order of the file.
    package var fixtures: [Fixture]

    package init(fixtures: [Fixture] = []) {
        self.fixtures = fixtures
    }

    /// What some runs came to.
    ///
    /// - Parameter findsLines: whether stub files are read once more for the lines of their steps.
    package init(of set: FixtureSet, _ tallies: [RunTally], findsLines: Bool = true) {
        let hits = { (source: AnsweredRequest.Source) in tallies.reduce(0) { $0 + $1.hits(of: source) } }
        var lines = StepLines(root: set.root, isWanted: findsLines)
        fixtures =
            set.stubs.filter { !$0.isGuard }.map { stub in
                let steps = lines.lines(of: stub)
                return Fixture(
                    file: stub.place.path, line: max(1, stub.place.line), id: stub.id, name: stub.name,
                    parts: stub.responses.enumerated().map { step, response in
                        Part(
                            step: step + 1, status: response.status, line: steps[step],
                            hits: hits(.stub(id: stub.id, step: step)))
                    })
            }
            + set.files.map { file in
                Fixture(
                    file: file.path, line: 1, id: "",
                    parts: [Part(step: 1, status: 200, line: 1, hits: hits(.file(file.path)))])
            }
    }

    package var parts: Int { fixtures.reduce(0) { $0 + $1.parts.count } }
    package var coveredParts: Int { fixtures.reduce(0) { $0 + $1.parts.count { $0.hits > 0 } } }

    /// Of the parts, 100 where there are none.
    package var percent: Double { parts == 0 ? 100 : Double(coveredParts) * 100 / Double(parts) }

    /// What answered nothing.
    package var dead: [Fixture] { fixtures.filter { $0.hits == 0 } }

    /// The same with the requests of another run of the same fixtures; what the other alone knows comes behind.
    package mutating func merge(_ other: Coverage) {
        var places: [String: Int] = [:]
        for (index, fixture) in fixtures.enumerated() { places[fixture.key] = index }
        for fixture in other.fixtures {
            guard let index = places[fixture.key] else { continue }
            for part in fixture.parts {
                guard let known = fixtures[index].parts.firstIndex(where: { $0.step == part.step }) else { continue }
                fixtures[index].parts[known].hits += part.hits
            }
        }
    }
}

extension Coverage.Fixture {
    /// What it is the same by in several runs.
    fileprivate var key: String { "\(file)\n\(id)" }
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
