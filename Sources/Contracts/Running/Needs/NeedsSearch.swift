// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures

/// Finds which parts of the responses a command needs, by running it with parts changed.
package struct NeedsSearch: Sendable {
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
        /// It has failed and passed with the same responses.
        case isInconsistent(afterRuns: Int)
        /// With nothing changed, the command did not repeat these requests: it keeps something between its runs.
        case isNotAskedAgain([String])
        case runs(IsolatedRuns.Failure)
    }

    /// A change to a part of a response, and the meaning of a failure then.
    enum Question: CaseIterable, Sendable {
        case withoutField
        case nullField
        case otherType
        case unknownString
        case otherStatus
        case otherStatusOfClass
        case withoutLine
        case unknownLine
        case shorterList
    }

    private let runs: IsolatedRuns
    private let set: FixtureSet
    private let limits: Limits

    /// How much longer than unchanged a run may take before it is hung: ten times, and 5 s.
    private static let slowness = (factor: 10, grace: Duration.seconds(5))

    package init(_ runs: IsolatedRuns, of set: FixtureSet, limits: Limits) {
        self.runs = runs
        self.set = set
        self.limits = limits
    }

    /// - Parameter progress: called with how many runs there have been, and how many parts are not decided yet.
    package func find(
        streams: ChildProcess.Streams, baselineStreams: ChildProcess.Streams,
        progress: @escaping @Sendable (Int, Int) -> Void
    ) async throws(Failure) -> Needs {
        let start = ContinuousClock.now
        let first: IsolatedRuns.Run
        do throws(IsolatedRuns.Failure) {
            first = try await runs.run(set, streams: baselineStreams)
        } catch {
            throw .runs(error)
        }
        guard first.end == .exit(0) else { throw .fails(first.end) }
        let took = ContinuousClock.now - start
        let runs = runs.with(patience: min(runs.patience, took * Self.slowness.factor + Self.slowness.grace))
        let responses = ResponseParts.all(in: first.entries, of: set)
        let bench = NeedsBench(
            responses.flatMap(\.parts), limits: limits, startedAt: start, progress: progress
        ) { [set] changed, question in
            var set = set
            ResponseParts.change(changed, question, of: responses, in: &set)
            let run = try await runs.run(set, streams: streams)
            if changed.isEmpty, run.end == .exit(0) {
                let again = Set(UsedResponse.all(in: run.entries, of: set).map(\.subject))
                let missing = responses.map(\.used).filter { !again.contains($0.subject) }
                if !missing.isEmpty { throw Failure.isNotAskedAgain(missing.map(\.file)) }
            }
            return run.end
        }
        var isComplete = true
        do {
            try await bench.decide()
        } catch NeedsBench.Stop.budget {
            isComplete = false
        } catch is DeltaDebugging.Inconsistency {
            throw .isInconsistent(afterRuns: await bench.count)
        } catch let failure as Failure {
            throw failure
        } catch let failure as IsolatedRuns.Failure {
            throw .runs(failure)
        } catch {
            throw .runs(.interrupted(0))
        }
        var results = await bench.results[...]
        let needs = responses.map { response in
            defer { results = results.dropFirst(response.parts.count) }
            // For lists only the needed parts are reported: most clients take any number of items.
            let parts = results.prefix(response.parts.count).filter { $0.fewestItems == nil || $0.need == .needed }
            return Needs.Response(subject: response.used, parts: Array(parts))
        }
        return Needs(
            responses: needs, runs: await bench.count, isComplete: isComplete, duration: ContinuousClock.now - start)
    }
}
