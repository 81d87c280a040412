// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import MockapiFixtures
import MockapiJSONText
package import MockapiSecrets
package import MockapiUpstream

/// Turns exchanges into fixtures.
///
/// Its work is done on a queue of its own, since it waits for the disk.
package actor Recorder {
    /// The directory, absolute.
    package nonisolated let directory: String
    package nonisolated let options: RecorderOptions
    /// Keeps secrets out of everything that is written and reported.
    package nonisolated let redactor: Redactor
    /// Findings about the directory, to be reported before anything is recorded.
    package nonisolated let findings: [Finding]
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let executor = QueueExecutor(label: "mockapi.recorder")
    private var lock: DirectoryLock?
    var attributes: GitAttributes
    let ruledHeaders: Set<String>
    let allowed: AllowedSecrets
    var store: RecordingStore
    /// How many responses came in this session, by the keys of their requests.
    var steps: [String: Int] = [:]
    /// The steps of stubs of earlier recordings whose requests came again, whatever their order.
    var remembered: [String: Set<Int>] = [:]
    nonisolated let repeats = RepeatedResponses()
    var senders = Senders()
    /// The requests of this session, by which those with other responses are distinguished.
    var contrast = Contrast()
    var givenTimes = GivenTimes()
    var handed = HandedSecrets()
    /// The hosts that something was reported about.
    var toldHosts: [String: Bool] = [:]
    /// The files of text that this session has written, with the version of the memory of secrets when they were looked through; nil
    /// if they were not.
    var written: [String: Int?] = [:]
    /// All files that it has written, likewise.
    var named: [String: Int?] = [:]
    var writtenStubs = WrittenStubs()
    /// The work of the disk and the scanner, which shows that a response costs no more after many others.
    package internal(set) var work = Work()
    /// The names that this session has given.
    var given = GivenNames()
    /// The recordings about to be written, and the outcomes of the exchanges that are processed together.
    var group = RecordingGroup()
    var outcomes: [RecordingOutcome] = []
    let now: @Sendable () -> String

    package struct Work: Sendable {
        /// Stub files that were written.
        package var stubs = 0
        /// Bytes that were looked through for secrets.
        package var scanned = 0
    }

    /// An exchange, and further responses to the same request, which show the volatile parts.
    package typealias Captured = (exchange: Exchange, samples: [Exchange])

    /// - Parameters:
    ///   - directory: made if it is missing.
    ///   - now: the current time, in RFC 3339 form.
    /// - Throws: if the directory cannot be made or written, another process records into it, or its fixtures have errors.
    package init(
        directory: String, options: RecorderOptions, now: @escaping @Sendable () -> String = { WallClock.now }
    ) throws(RecordingError) {
        let root = try FixtureRoot.make(directory)
        self.directory = root
        self.now = now
        redactor = Redactor(options.redaction)
        allowed = AllowedSecrets(root: root)
        ruledHeaders = Set(options.redaction.headers.map { $0.lowercased() })
        lock = try DirectoryLock(root: root)
        attributes = GitAttributes(root: root)
        findings =
            try FixtureRoot.findings(directory, real: root) + InterruptedRecording.finish(in: root)
            + attributes.findings
        store = try RecordingStore(root: root, beside: options.mayBeUndone ? EarlierFiles(root: root) : nil)
        var options = options
        options.unsteady.add(store.varying, butFor: options.selecting.contain)
        self.options = options
    }

    /// Whether the directory held no recording when this began.
    package var isEmpty: Bool { store.isEmpty }

    /// Writes an exchange, if it says something new.
    ///
    /// - Parameter samples: further responses to the same request, which show the volatile parts.
    package func record(_ exchange: Exchange, samples: [Exchange] = []) -> RecordingOutcome {
        record([(exchange, samples)])[0]
    }

    /// Writes exchanges together, and returns when they are on the disk.
    ///
    /// - Returns: an outcome for each.
    package func record(_ captured: [Captured]) -> [RecordingOutcome] {
        countRepeats()
        outcomes = []
        for item in captured {
            outcomes.append(take(item.exchange, item.samples, again: Self.teachingLimit))
            if !group.holds(outcomes.count - 1) { item.exchange.content.removeFile() }
            for sample in item.samples { sample.content.removeFile() }
        }
        commitGroup()
        return outcomes
    }

    /// How often an exchange is looked at again since its response has revealed a secret that may stand in its own request. 2.
    private static let teachingLimit = 2

    /// Looks at an exchange, and adds it to the group if it says something new.
    private func take(_ exchange: Exchange, _ samples: [Exchange], again: Int) -> RecordingOutcome {
        if samples.isEmpty, let outcome = repeated(exchange) { return outcome }
        redactor.learn(exchange.requestFields.map { ($0.name, $0.value) })
        let version = redactor.version
        var unsteady = options.unsteady
        unsteady.now = UnsteadyValues.seconds(now())
        var (request, spelled) = derived(exchange, unsteady)
        if let outcome = passed(exchange, request) { return outcome }
        var sent = SentRequest(spelled, request, ruledHeaders: ruledHeaders)
        sent.note(request.credentials) { handed.name(of: $0, in: exchange, contrast, store) }
        sent.noteClocks(unsteady, givenTimes)
        givenTimes.note(exchange, unsteady)
        let loose = request
        request = contrast.find(
            request, sent, in: store, redactor: redactor, origin: exchange.origin, selecting: options.selecting)
        do throws(RecordingError) {
            try claim(request, loose, sent, origin: exchange.origin)
        } catch {
            return outcome(.refused, exchange, request, notes: [error.description])
        }
        learnLines(of: exchange, request)
        if redactor.version != version, again > 0 { return take(exchange, samples, again: again - 1) }
        if let reason = Self.refusal(exchange) {
            return outcome(.refused, exchange, request, notes: [reason])
        }
        if store.stub(request.key) == nil, let stub = store.covering(exchange) {
            return outcome(
                .unchanged, exchange, request, files: [stub.path],
                notes: ["answered by this stub, whose matching was widened"])
        }
        let rival = rivalled(exchange, request)
        if redactor.version != version, again > 0 { return take(exchange, samples, again: again - 1) }
        if let rival { return rival }
        let identity = senders.identity(of: request)
        let told = tellApart(request, loose, sent, identity, exchange)
        let place = place(told.request, identity, exchange, sent)
        request = place.request
        let remembered = remembered(exchange, request, sent)
        let alike = samples.filter { !$0.isOutdated && $0.head.status == exchange.head.status }
        let recording = recording(exchange, alike, request, identity, remembered ?? nextStep(of: request.key))
        if redactor.version != version, again > 0 { return take(exchange, samples, again: again - 1) }
        let others =
            [told.note, place.note].compactMap(\.self) + Self.notes(of: samples, to: exchange) + hostNotes(exchange)
            + (recording.existing == nil
                ? unselected(sent) + [store.foreign.note(on: exchange)].compactMap(\.self) : [])
        let step = recording.step
        let undecided = step > 0 && recording.changes?.isEmpty == false ? undecided(request, sent) : nil
        if let remembered {
            self.remembered[request.key, default: []].insert(remembered)
        } else {
            steps[request.key] = step + 1
        }
        let isUnchanged =
            recording.changes?.isEmpty == true && !recording.marksVolatile && !recording.marksRanges
        let counted = contrast.note(
            sent, of: identity, told.request, at: place, step: step, isSame: recording.changes?.isEmpty == true)
        handed.note(
            exchange, recording.derived.response, of: sent, base: told.request.base,
            known: recording.existing?.response(of: step), redactor)
        if isUnchanged {
            let outcome = outcome(
                .unchanged, exchange, request, recording, files: recording.existing.map { [$0.shownFile(step)] } ?? [],
                notes: others)
            // A step that was remembered says nothing of the response that comes next.
            if remembered == nil, step >= (recording.existing?.steps.count ?? 0) - 1 {
                repeats.note(exchange, key: request.key, counted, outcome)
            }
            return outcome
        }
        // Before the files that it is compared with change.
        let notes = changeNotes(recording) + others + [likeness(recording), undecided].compactMap(\.self)
        let places = recording.changedPlaces
        do throws(RecordingError) {
            let (recording, files) = try stage(recording, exchange, knowing: version) {
                self.recording(exchange, alike, request, identity, step)
            }
            let kind: RecordingOutcome.Kind = recording.existing == nil ? .new : .changed
            var outcome = outcome(kind, exchange, request, recording, files: files, notes: notes)
            if kind == .changed, !places.isEmpty { outcome.advice = .markVolatile(places) }
            if kind == .new, let content = request.content, content.isMatched {
                let path = files.first { $0.hasSuffix(".request.\(content.fileExtension)") }
                outcome.content = path.map { .init(path: $0, size: exchange.requestBody.count) }
            }
            return outcome
        } catch {
            return outcome(.refused, exchange, request, recording, notes: [error.description])
        }
    }

    /// Takes note of the secrets in the response's header lines, which may stand in the request.
    private func learnLines(of exchange: Exchange, _ request: DerivedRequest) {
        let existing = store.stub(request.key)
        let known = existing?.response(of: steps[request.key, default: 0])
        let path = allowed.isEmpty ? "" : existing?.path ?? FixtureName(request, fileExtension: "").stub
        let kinds = allowed.kinds(in: path)
        let isLatin1 = exchange.isLatin1
        for field in exchange.head.fields
        where ResponseHeaders.treatment(of: field.name.lowercased()) != .dropped {
            let recorded = known?.values(of: field.name.lowercased()) ?? []
            let value = exchange.text(field.bytes, isLatin1: isLatin1)
            _ = redactor.header(field.name, value, recorded: recorded, allowing: kinds)
        }
    }

    /// The outcome of an exchange that repeats the response before it; nil if the response differs.
    private func repeated(_ exchange: Exchange) -> RecordingOutcome? {
        guard let last = repeats.last(exchange), let stub = store.stub(last.key),
            let step = steps[last.key], step >= stub.steps.count
        else { return nil }
        steps[last.key] = step + 1
        if let counted = last.counted { contrast.count(counted, from: step, times: 1) }
        return last.outcome
    }

    /// Counts the responses that were recognised as repeated when they came.
    private func countRepeats() {
        for (known, times) in repeats.takeUncounted() {
            guard let stub = store.stub(known.key), let step = steps[known.key], step >= stub.steps.count else {
                continue
            }
            steps[known.key] = step + times
            if let counted = known.counted { contrast.count(counted, from: step, times: times) }
        }
    }

    /// The outcome of an exchange whose response did not come whole; without secrets.
    package func failed(
        method: String, origin: String, target: String, fields: [UpstreamField] = [], _ text: String
    ) -> RecordingOutcome {
        redactor.learn(fields.map { ($0.name, $0.value) })
        let words = redactor.text(Array(text.utf8), mediaType: "text/plain", of: .response).value
        return RecordingOutcome(
            .failed, request: shown(method: method, target: target), origin: origin,
            notes: [String(decoding: words, as: UTF8.self)])
    }

    /// Nothing more comes: another process may record into the directory.
    ///
    /// Values that turned out to be secrets after they had been written are replaced now, and names that depend on
    /// which response came first are settled.
    /// - Returns: the outcomes of both.
    package func finish() -> [RecordingOutcome] {
        defer { lock = nil }
        let outcomes = settle()
        store.earlier?.discard()
        WorkFolder.leave(in: directory)
        return outcomes
    }

    /// Nothing more comes, and the directory is to be as it was: the recording is moved into a hidden folder of it.
    ///
    /// - Returns: the folder, relative to the directory, and how many files it has.
    package func undo() throws(RecordingError) -> (folder: String, files: Int) {
        defer { lock = nil }
        _ = settle()
        let files = try store.earlier?.putBack() ?? []
        attributes.takeBack()
        WorkFolder.leave(in: directory)
        return (EarlierFiles.attempt, files.count)
    }

    private func settle() -> [RecordingOutcome] {
        countRepeats()
        var secrets = LateSecrets(root: directory, earlier: store.earlier, redactor: redactor, allowed: allowed)
        let concealed = concealNames(secrets)
        let late = secrets.replace(in: unseen(written), named: unseen(named))
        let handing = nameHanded()
        let known = noteKnowledge(late: secrets.asked)
        // A name may have a hash of a request that is no longer shown.
        given.leave(Set(secrets.asked.filter(\.value.isGuessable).keys))
        let renamed = given.settle(in: directory, store.requests, beside: store.earlier) { [redactor] path in
            !redactor.scan(Array(path.utf8), isText: false).isEmpty
        }
        written = [:]
        named = [:]
        writtenStubs = WrittenStubs()
        given = GivenNames()
        return concealed + late + handing + known + renamed
    }

    /// Files that were not looked through since the last secret was learnt.
    func unseen(_ files: [String: Int?]) -> [String] {
        let version = redactor.version
        return files.filter { $0.value != version }.keys.sorted()
    }

    /// Method and target as they can be reported.
    package nonisolated func shown(method: String, target: String) -> String {
        "\(method) \(ShownTarget.text(target, redactor))"
    }
}
