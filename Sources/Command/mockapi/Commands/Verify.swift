// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import ArgumentParser
import MockServer
import MockapiDrift
import MockapiFixtures
import MockapiHTTPServer
import MockapiProxy
import MockapiRecording
import MockapiSecrets
import MockapiSystemIO
import MockapiUpstream
import MockapiVerification
import Synchronization

/// `mockapi verify`: whether a live service still responds as the fixtures say.
struct Verify: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check whether a live service still responds as the fixtures say.",
        usage: "mockapi verify [<directory>] --against <url> [<options>]",
        discussion: """
            Sends each fixture's request as it was recorded, or as its matchers say if they leave no choice, and compares the shape of the \
            response with the fixture: harmless changes are not reported, changes that break a client are in red.

              mockapi verify Fixtures --against https://api.example.com
              mockapi verify Fixtures --against https://api.example.com --header 'Authorization: Bearer ...'
              mockapi verify Fixtures --against https://api.example.com --secret query.api_key=env:API_KEY
              mockapi verify Fixtures --against https://api.example.com --json drift.jsonl --fail-on warning

            Prints a line for each change: the fixture's file and line, the place in the response, the recorded value and the live one. Exit codes: 0 \
            no change at the level of --fail-on or above, 1 there is one, 4 something could not be found out: no response, 401 or \
            403, a request that the fixture does not show.
            """)

    @OptionGroup var fixtures: FixtureDirectory

    @Option(help: ArgumentHelp("The service: its scheme, host and port.", valueName: "url"))
    var against: String

    @OptionGroup var asking: VerifyOptions

    @OptionGroup(title: "Reports") var drift: DriftOptions

    @OptionGroup(title: "Services") var upstream: UpstreamOptions

    @OptionGroup(title: "Watching") var watching: WatchOptions

    @Flag(help: "Re-record drifted and broken fixtures; on a terminal, ask before each.")
    var update = false

    @Flag(
        help: ArgumentHelp(
            "With --update, write every response: errors, refusals and pages in the place of data, too."))
    var updateAny = false

    func validate() throws {
        _ = try upstream.origins(against)
        if asking.learn, watching.every != nil {
            throw ValidationError(
                "--learn does not go with --every: look at the samples that were learnt "
                    + "before they count")
        }
        guard !updateAny || update else { throw ValidationError("--update-any goes with --update") }
    }

    func run() async throws {
        Output.queue()
        DescriptorLimit.raise()
        try LiveServices.check()
        guard let every = watching.every else {
            let startedAt = Clock.seconds
            let found = try await drift.prepare("verify", fixtures.folder) { try await judge(StopSignals()) }
            let code = try await tell(found, since: startedAt)?.exitCode(failOn: drift.failOn) ?? 0
            if code != 0 { throw ExitCode(code) }
            return
        }
        let watch = try await DriftWatch(watching, against: upstream.origins(against)[0].text)
        try await watch.run(every: every.duration) { [self] in
            let startedAt = Clock.seconds
            return try await tell(try await judge(), since: startedAt)
        }
    }

    /// The findings of a run, and the verifier that made them.
    private struct Found {
        let report: DriftReport
        let all: [VerifiedFixture]
        let root: String
        let verifier: Verifier
        /// Whether a signal ended it before all was asked for.
        let isStopped: Bool
    }

    /// Verifies once.
    ///
    /// - Parameter signals: stop it, so that the findings until then are reported; nil if something else hears them.
    /// - Returns: nil if no fixture was chosen because none has changed.
    private func judge(_ signals: StopSignals? = nil) async throws -> Found? {
        let set = try Self.load(
            fixtures.directory, wireMock: fixtures.isWireMockRoot, templatesAll: fixtures.globalResponseTemplating)
        let baseline = try drift.knownDrift()
        let all = VerifiedFixture.all(of: set)
        let choice = try choice(in: set.root)
        let chosen = all.filter(choice.contains)
        let origins = try upstream.origins(against)
        var options = try asking.verifier(upstream)
        options.history = try Self.history(of: set.root)
        options.keepsAnswers = update
        let verifier = Verifier(root: set.root, all: all, origins: origins, options: options)
        let progress = VerifyProgress(total: chosen.count)
        let work = Task { await verifier.verify(chosen) { _ in progress.step() } }
        let stop = Task {
            await signals?.first()
            if signals?.hasCome ?? false { work.cancel() }
        }
        var verdicts = await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            work.cancel()
        }
        stop.cancel()
        signals?.end()
        progress.end()
        verdicts += set.leftOut.filter { _ in choice.only.isEmpty && choice.changed == nil }.map { left in
            FixtureVerdict(unusable: left.place, reason: "the stub has errors; mockapi check lists them")
        }
        if let maxAge = asking.maxAge { Staleness.add(to: &verdicts, all, olderThan: maxAge.seconds) }
        for index in verdicts.indices { baseline.apply(to: &verdicts[index]) }
        if verdicts.isEmpty {
            guard choice.changed == nil else {
                Output.result("  no fixture has changed")
                return nil
            }
            Output.note(
                all.isEmpty
                    ? "error: there are no fixtures in \(fixtures.directory)" : "error: --only chooses no fixture")
            throw Exit.impossible
        }
        var report = DriftReport(verdicts)
        report.unselected = all.count - chosen.count
        return Found(
            report: report, all: all, root: set.root, verifier: verifier, isStopped: signals?.hasCome ?? false)
    }

    /// Reports the findings, then learns from them or records them if that was asked for.
    private func tell(_ found: Found?, since startedAt: Double) async throws -> DriftReport? {
        guard let found else {
            try drift.tell(DriftReport([]), of: "verify", fixtures.folder, since: startedAt, isPrinted: false)
            return nil
        }
        try drift.tell(found.report, of: "verify", fixtures.folder, since: startedAt)
        if found.isStopped { return found.report }
        if asking.learn { try learn(found.verifier.history, found.all, found.root) }
        if update { try await record(found) }
        return found.report
    }

    /// The history learnt from responses, beside the fixtures; empty if nothing was learnt.
    static func history(of root: String) throws -> FixtureHistory {
        do throws(FixtureHistory.Failure) {
            return try FixtureHistory(root: root)
        } catch {
            Output.note("error: \(FixtureHistory.name):\(error.line): \(error.text)")
            throw Exit.impossible
        }
    }

    /// Writes the history, if there is anything new.
    private func learn(_ history: FixtureHistory, _ fixtures: [VerifiedFixture], _ root: String) throws {
        let path = "\(root)/\(FixtureHistory.name)"
        let bytes = history.bytes(of: fixtures)
        if bytes == OutputFile.contents(path) ?? [] { return }
        try drift.write(bytes, to: path)
        let count = bytes.count { $0 == UInt8(ascii: "\n") }
        Output.note("  \(FixtureHistory.name) has \(count) responses now")
    }

    /// Loads a directory, or ends the command if it cannot be loaded.
    static func load(_ directory: String, wireMock: Bool, templatesAll: Bool = false) throws -> FixtureSet {
        do throws(FixtureError) {
            return try FixtureLoader.load(root: directory, wireMock: wireMock, templatesAll: templatesAll)
        } catch {
            Output.note("error: \(error)")
            throw Exit.impossible
        }
    }

    private func choice(in root: String) throws -> FixtureChoice {
        var choice = FixtureChoice()
        choice.only = asking.only
        guard let revision = asking.changedSince else { return choice }
        do throws(GitTree.Failure) {
            choice.changed = try GitTree.changes(since: revision, in: root)
        } catch {
            Output.note("error: --changed-since \(revision): \(error.text)")
            throw Exit.impossible
        }
        return choice
    }

    /// Writes the judged responses over the recorded fixtures that drifted or broke, by the recorder's own rules.
    private func record(_ found: Found) async throws {
        let moved = Dictionary(found.all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var answers: [JudgedAnswer] = []
        var redaction = RedactionRules()
        for verdict in found.report.verdicts where verdict.state == .drifted || verdict.state == .broken {
            guard let fixture = moved[verdict.name], fixture.recordedAt != nil,
                let answer = found.verifier.answer(to: fixture)
            else {
                Output.note("  \(verdict.path) was not recorded, and is left as it is")
                continue
            }
            if !updateAny, let reason = fixture.reasonToKeep(instead: answer) {
                Output.note("  \(verdict.path) is left as it is: \(reason); --update-any writes it nevertheless")
                continue
            }
            if Output.resultIsTerminal, !Self.agrees("write the response over \(verdict.path)? [y/N] ") { continue }
            redaction.jsonPaths += fixture.redactedPaths.sorted()
            redaction.headers += fixture.redactedHeaders.sorted()
            answers.append(answer)
        }
        if answers.isEmpty { return }
        let origins = try upstream.origins(against)
        var options = RecorderOptions()
        options.origins = origins.map(\.text)
        // Values that were replaced are replaced again.
        options.redaction = redaction
        let recorder = try LiveServices.recorder(directory: self.fixtures.folder, options)
        for (placeholder, value) in try asking.secrets.known { recorder.redactor.remember(value, as: placeholder) }
        let printer = RecordingPrinter(main: origins[0].text, style: .lines, isResult: true)
        for answer in answers {
            do throws(RecordingError) {
                printer.finished(await recorder.record(try answer.exchange(in: recorder.directory)))
            } catch {
                Output.note("error: \(answer.request.target): \(error)")
            }
        }
        for outcome in await recorder.finish() { printer.finished(outcome) }
        printer.summarize()
    }

    private static func agrees(_ question: String) -> Bool {
        Output.part(question, isResult: false)
        return readLine().map { ["y", "yes"].contains($0.lowercased()) } ?? false
    }
}

/// How many fixtures are verified.
private final class VerifyProgress: Sendable {
    private let line = ProgressLine()
    private let total: Int
    private let done = Mutex(0)

    init(total: Int) {
        self.total = total
    }

    func step() {
        let count = done.withLock { done in
            done += 1
            return done
        }
        line.show(count, of: total)
    }

    func end() { line.end() }
}
