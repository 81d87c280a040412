// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

package import Fixtures
import JSONText
package import Secrets
package import Upstream

/// Turns exchanges into fixtures.
///
/// Its work is done on a queue of its own, since it waits for the disk.
package actor Recorder {
    /// The directory, absolute.
    package nonisolated let directory: String
    package nonisolated let options: RecorderOptions
    /// What keeps secrets out of all that is written and told.
    package nonisolated let redactor: Redactor
    /// What is to be told of the directory before anything is recorded.
    package nonisolated let findings: [Finding]
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private nonisolated let executor = QueueExecutor(label: "mockapi.recorder")
    private var lock: DirectoryLock?
    private let ruledHeaders: Set<String>
    private var store: RecordingStore
    /// How many answers came in this session, by the keys of their requests.
    private var steps: [String: Int] = [:]
    private var repeats = RepeatedAnswers()
    /// The files of text that this session has written.
    private var written: Set<String> = []
    /// All files that it has written.
    private var named: Set<String> = []
    /// The names that this session has given.
    private var given: GivenNames
    /// What is about to be written, and what is told of the answers that are looked at together.
    private var group: RecordingGroup
    private var outcomes: [RecordingOutcome] = []
    private let now: @Sendable () -> String

    /// An exchange, and further answers to the same request, which tell what is volatile.
    package typealias Captured = (exchange: Exchange, samples: [Exchange])

    /// - Parameters:
    ///   - directory: made where it is missing.
    ///   - now: the moment, in RFC 3339 form.
    /// - Throws: where the directory cannot be made or written, another process records into it, or its fixtures have errors.
    package init(
        directory: String, options: RecorderOptions, now: @escaping @Sendable () -> String = { WallClock.now }
    ) throws(RecordingError) {
        let root = try FixtureRoot.make(directory)
        self.directory = root
        self.options = options
        self.now = now
        redactor = Redactor(options.redaction)
        ruledHeaders = Set(options.redaction.headers.map { $0.lowercased() })
        lock = try DirectoryLock(root: root)
        findings = try FixtureRoot.findings(directory, real: root) + InterruptedRecording.finish(in: root)
        store = try RecordingStore(root: root)
        group = RecordingGroup(root: root)
        given = GivenNames(opposites: store.opposites)
    }

    /// Whether the directory held no recording when this began.
    package var isEmpty: Bool { store.isEmpty }

    /// Writes what an exchange says, where it says something new.
    ///
    /// - Parameter samples: further answers to the same request, which tell what is volatile.
    package func record(_ exchange: Exchange, samples: [Exchange] = []) -> RecordingOutcome {
        record([(exchange, samples)])[0]
    }

    /// Writes what exchanges say together, and returns when it is on the disk.
    ///
    /// - Returns: an outcome for each.
    package func record(_ captured: [Captured]) -> [RecordingOutcome] {
        outcomes = []
        for item in captured {
            outcomes.append(take(item.exchange, item.samples))
            if !group.holds(outcomes.count - 1) { item.exchange.content.removeFile() }
            for sample in item.samples { sample.content.removeFile() }
        }
        commitGroup()
        return outcomes
    }

    /// Looks at an exchange, and adds it to the group where it says something new.
    private func take(_ exchange: Exchange, _ samples: [Exchange]) -> RecordingOutcome {
        if samples.isEmpty, let outcome = repeated(exchange) { return outcome }
        redactor.learn(exchange.requestFields.map { ($0.name, $0.value) })
        var derivation = RequestDerivation(exchange, redactor: redactor, ruledHeaders: ruledHeaders)
        var request = derivation.derive()
        // What is about to be written is to be compared with.
        if group.touches(request, origin: exchange.origin) { commitGroup() }
        if store.stub(request.key) == nil, let key = store.key(sentAs: request, origin: exchange.origin) {
            request.key = key
        }
        if let reason = Self.refusal(exchange) {
            return outcome(.refused, exchange, request, notes: [reason])
        }
        if store.stub(request.key) == nil, let stub = store.covering(exchange) {
            return outcome(
                .unchanged, exchange, request, files: [stub.path],
                notes: ["answered by this stub, whose matching was widened"])
        }
        if let outcome = rivalled(exchange, request) { return outcome }
        let alike = samples.filter { $0.head.status == exchange.head.status }
        let recording = recording(exchange, alike, request)
        // One of an error says nothing of what differs each time.
        let others = samples.filter { $0.head.status != exchange.head.status }.map {
            "a sample was answered \($0.head.status), and is left out"
        }
        let step = recording.step
        steps[request.key] = step + 1
        if let changes = recording.changes, changes.isEmpty, !recording.marksVolatile {
            let outcome = outcome(
                .unchanged, exchange, request, recording, files: recording.existing.map { [$0.shownFile(step)] } ?? [],
                notes: others)
            if step >= (recording.existing?.steps.count ?? 0) - 1 {
                repeats.note(exchange, key: request.key, outcome)
            }
            return outcome
        }
        // Before the files that it is compared with are others.
        let notes = changeNotes(recording) + others
        do throws(RecordingError) {
            let files = try prepare(recording, exchange, at: outcomes.count)
            let kind: RecordingOutcome.Kind = recording.existing == nil ? .new : .changed
            return outcome(kind, exchange, request, recording, files: files, notes: notes)
        } catch {
            return outcome(.refused, exchange, request, recording, notes: [error.description])
        }
    }

    /// What is told of an answer that is the one before it once more.
    private func repeated(_ exchange: Exchange) -> RecordingOutcome? {
        guard let last = repeats.last(exchange), let stub = store.stub(last.key),
            let step = steps[last.key], step >= stub.steps.count
        else { return nil }
        steps[last.key] = step + 1
        return last.outcome
    }

    /// What is told of an exchange whose answer did not come whole; without secrets.
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
    /// What was learnt to be a secret after it had been written is replaced now, and names that depend on which answer came first are
    /// settled.
    /// - Returns: what was found.
    package func finish() -> [RecordingOutcome] {
        defer { lock = nil }
        let late = LateSecrets(root: directory, redactor: redactor)
            .replace(in: written.sorted(), named: named.sorted())
        let renamed = given.settle(in: directory)
        WorkFolder.leave(in: directory)
        written = []
        named = []
        given = GivenNames()
        return late + renamed
    }

    /// Method and target as they can be told.
    package nonisolated func shown(method: String, target: String) -> String {
        "\(method) \(ShownTarget.text(target, redactor))"
    }

    private func recording(_ exchange: Exchange, _ samples: [Exchange], _ request: DerivedRequest) -> Recording {
        let step = steps[request.key, default: 0]
        let existing = store.stub(request.key) ?? former(exchange, request)
        let known = existing.flatMap { $0.steps.isEmpty ? nil : $0.steps[min(step, $0.steps.count - 1)].answer }
        var derivation = AnswerDerivation(exchange, redactor: redactor, options: options, known: known)
        var derived = derivation.derive()
        // An origin that was added by hand, or by a recording with further upstreams, stays.
        if let known { derived.answer.addOrigins(of: known) }
        var sampled: [VolatilePath] = []
        if derived.answer.isText, case .bytes(let first) = derived.answer.body {
            let others = samples.compactMap { sample -> [UInt8]? in
                var derivation = AnswerDerivation(sample, redactor: redactor, options: options, known: known)
                guard case .bytes(let bytes) = derivation.derive().answer.body else { return nil }
                return bytes
            }
            sampled = Volatility.paths(in: [first] + others)
        }
        return Recording(
            exchange: exchange, request: request, derived: derived, sampled: sampled,
            step: step, existing: existing, moment: now())
    }

    /// What was recorded of the request from an upstream that is none of this recording: it is of this one from now on.
    private func former(_ exchange: Exchange, _ request: DerivedRequest) -> RecordedStub? {
        store.stubs(of: request.node, otherThan: exchange.origin).first { !options.origins.contains($0.origin) }
    }

    /// What is told where another upstream of this recording answers the same request, to which a server has one answer.
    private func rivalled(_ exchange: Exchange, _ request: DerivedRequest) -> RecordingOutcome? {
        guard store.stub(request.key) == nil,
            let rival = store.stubs(of: request.node, otherThan: exchange.origin).first(where: {
                options.origins.contains($0.origin)
            }), let answer = rival.steps.first?.answer
        else { return nil }
        var derivation = AnswerDerivation(exchange, redactor: redactor, options: options, known: answer)
        var derived = derivation.derive().answer
        derived.addOrigins(of: answer)
        guard !AnswerChanges(from: answer, to: derived, volatile: rival.volatile).isEmpty else {
            return outcome(
                .unchanged, exchange, request, files: [rival.shownFile(0)], notes: ["the same as of \(rival.origin)"])
        }
        return outcome(
            .refused, exchange, request,
            notes: [
                "\(rival.origin) answers this request otherwise, and a server has one answer to it; record "
                    + "\(exchange.origin) into a directory of its own"
            ])
    }

    /// Why an answer is none to be recorded; nil where it is one.
    private static func refusal(_ exchange: Exchange) -> String? {
        let status = exchange.head.status
        let isSafe = exchange.method == "GET" || exchange.method == "HEAD"
        switch status {
        case ..<200: return "status \(status) is no final answer"
        case 1000...: return "status \(status) is none of HTTP"
        case 304 where isSafe: return "304 to a request without conditions: there is no content to record"
        case 206 where isSafe: return "206 to a request without a range: the content is only a part"
        default: return nil
        }
    }

    private func prepare(
        _ recording: Recording, _ exchange: Exchange, at position: Int
    ) throws(RecordingError) -> [String] {
        var writer = RecordingWriter(recording, store: store, redactor: redactor)
        let prepared = try writer.prepare()
        let names = prepared.files.filter(store.names.isFree)
        for path in names { store.names.insert(path) }
        repeats.forget(recording.request.key)
        group.add(
            .init(
                exchange: exchange, recording: recording, prepared: prepared, names: names, position: position))
        return prepared.files
    }

    /// Writes what is prepared; where that fails, each answer by itself, so that one does not keep the others from the disk.
    private func commitGroup() {
        let group = group
        self.group = RecordingGroup(root: directory)
        do throws(RecordingError) {
            try group.transaction.commit()
            for member in group.members { settle(member) }
        } catch {
            for member in group.members {
                for path in member.names { store.names.remove(path) }
            }
            for member in group.members { group.members.count > 1 ? writeAlone(member) : refuse(member, error) }
        }
        for member in group.members { member.exchange.content.removeFile() }
    }

    private func writeAlone(_ member: RecordingGroup.Member) {
        do throws(RecordingError) {
            _ = try prepare(member.recording, member.exchange, at: member.position)
            commitGroup()
        } catch {
            refuse(member, error)
        }
    }

    private func refuse(_ member: RecordingGroup.Member, _ error: RecordingError) {
        outcomes[member.position] = outcome(
            .refused, member.exchange, member.recording.request, member.recording, notes: [error.description])
    }

    /// Takes note of what has been written.
    private func settle(_ member: RecordingGroup.Member) {
        let (recording, prepared) = (member.recording, member.prepared)
        guard
            let stub = RecordedStub(
                prepared.node, path: prepared.path, ordinal: recording.existing?.ordinal, root: directory)
        else { return }
        store.replace(recording.existing, with: stub)
        for path in prepared.removed { store.names.remove(path) }
        written.formUnion(prepared.texts)
        written.subtract(prepared.removed)
        named.formUnion(prepared.files)
        named.subtract(prepared.removed)
        if recording.existing == nil {
            given.add(
                recording.request, origin: recording.exchange.origin,
                fileExtension: recording.derived.answer.fileExtension, at: prepared.path)
        }
    }

    /// How many volatile places are told; the rest is a number. 6.
    private static let markLimit = 6

    private func changeNotes(_ recording: Recording) -> [String] {
        var notes = recording.changes?.notes ?? []
        if let first = notes.first, recording.isFurtherStep { notes[0] = "answer \(recording.step + 1): \(first)" }
        if recording.marksVolatile {
            let marks = recording.volatile.dropFirst(recording.existing?.volatile.count ?? 0)
            let words = marks.prefix(Self.markLimit).map { "\($0.path) (\($0.kind.rawValue))" }
            let others = marks.count > words.count ? ["and \(marks.count - words.count) more"] : []
            notes.append("volatile: " + (words + others).joined(separator: ", "))
        }
        return notes
    }

    private func outcome(
        _ kind: RecordingOutcome.Kind, _ exchange: Exchange, _ request: DerivedRequest, _ recording: Recording? = nil,
        files: [String] = [], notes: [String] = []
    ) -> RecordingOutcome {
        let answer = recording?.derived.answer
        var notes = notes + request.notes + (recording?.derived.notes ?? [])
        if let note = exchange.content.note { notes.append(note) }
        let redacted = request.redacted + (recording?.derived.redacted ?? [])
        return RecordingOutcome(
            kind, request: request.label, origin: exchange.origin, files: files, status: exchange.head.status,
            mediaType: answer.map { MediaTypeName.short($0.mediaType) } ?? "", coding: exchange.content.decodedFrom,
            size: answer?.body.count ?? 0, redacted: redacted.unique, notes: notes)
    }
}

extension [String] {
    /// Without repeats, in their order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
