// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiRunning

/// The options of `run` that measure which fixtures were used.
struct CoverageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Write the stubs, and their parts, that were used to a file, as JSON.", valueName: "file"),
        completion: .file())
    var coverage: String?

    @Option(
        help: ArgumentHelp(
            "Write the same as an lcov trace file; its lines are those of the stub files.", valueName: "file"),
        completion: .file())
    var lcov: String?

    @Option(help: ArgumentHelp("Fail if a smaller share of the parts was used.", valueName: "per cent"))
    var failUnder: Double?

    @Option(
        help: ArgumentHelp(
            "Keep the coverage of each run in this directory, and report on all of its runs together.",
            valueName: "directory"
        ),
        completion: .directory)
    var coverageDir: String?

    mutating func validate() throws {
        guard failUnder.map({ (0...100).contains($0) }) ?? true else {
            throw ValidationError("--fail-under must be between 0 and 100")
        }
    }

    var isAsked: Bool { coverage != nil || lcov != nil || failUnder != nil || coverageDir != nil }

    /// Fixtures that are named if they were not used. 100.
    private static let namedLimit = 100

    /// Writes the reports that are asked for.
    ///
    /// - Returns: whether enough was used.
    func write(_ run: Coverage, directory: String) throws -> Bool {
        guard isAsked else { return true }
        do throws(TextFile.Failure) {
            var all = run
            if let coverageDir {
                let kept = try run.merged(in: coverageDir)
                all = kept.all
                for note in kept.notes { Output.note("  note: " + note) }
            }
            if let coverage { try TextFile.write(all.json, to: coverage) }
            if let lcov {
                let root = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
                try TextFile.write(Array(all.lcov(directory: root).utf8), to: lcov)
            }
            return isEnough(all)
        } catch {
            Output.note("error: \(error.path) cannot be written: \(error.text)")
            throw Exit.impossible
        }
    }

    private func tell(_ what: String, _ names: [String]) {
        for name in names.prefix(Self.namedLimit) { Output.note("    \(what): \(name)") }
        if names.count > Self.namedLimit { Output.note("    and \(names.count - Self.namedLimit) more") }
    }

    private func isEnough(_ all: Coverage) -> Bool {
        let dead = all.dead
        Output.note("  coverage: \(Coverage.text(all.percent)) % (\(all.coveredParts) of \(all.parts) parts)")
        tell("never used", dead.map(\.label))
        tell("never given", all.left)
        let states = all.scenarios.flatMap { scenario in
            scenario.states.filter { !$0.isReached }.map { "\(scenario.name): \($0.name)" }
        }
        tell("scenario never in", states)
        guard let failUnder, all.percent < failUnder else { return true }
        Output.note("error: \(Coverage.text(all.percent)) % is less than --fail-under \(Coverage.text(failUnder))")
        return false
    }
}

/// The options of `run` that put a command to faults.
struct FaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "matrix: run the command once for each fault of each response that it uses.", valueName: "matrix"))
    var faults: FaultChoice?

    @Option(
        name: .customLong("fault"), parsing: .singleValue,
        help: ArgumentHelp("Only this fault, by its name in the matrix; repeatable.", valueName: "name"))
    var names: [FaultName] = []

    @Option(
        name: .customLong("at"), parsing: .singleValue,
        help: ArgumentHelp(
            "Only at this stub or file: its path, path:line, or name; repeatable.", valueName: "stub"))
    var places: [String] = []

    @Option(
        help: ArgumentHelp(
            "What counts as surviving: exit0, the command exits with 0, or cleanly, it may fail with an exit code of its own.",
            valueName: "exit0|cleanly"))
    var survives = FaultMatrix.Survival.cleanly

    @Option(
        help: ArgumentHelp("How long a run may take before it counts as hung (default: 30s).", valueName: "time"),
        transform: TimeSpan.parse)
    var patience = TimeSpan(.seconds(30))

    @Flag(
        help:
            "Give each run of the command a HOME, TMPDIR and caches of its own, so that it finds nothing of an earlier one."
    )
    var isolate = false

    var isAsked: Bool { faults != nil || !names.isEmpty }

    mutating func validate() throws {
        guard patience.duration > .zero else { throw ValidationError("--patience must be longer than 0") }
        guard isAsked || places.isEmpty else {
            throw ValidationError("--at gives the place of a fault: write --fault NAME or --faults matrix, too")
        }
        guard isAsked || !isolate else {
            throw ValidationError("--isolate is for runs with faults: write --fault NAME or --faults matrix, too")
        }
    }
}

enum FaultChoice: String, ExpressibleByArgument, CaseIterable {
    case matrix
}

extension FaultName: ExpressibleByArgument {}
extension FaultMatrix.Survival: ExpressibleByArgument {}
