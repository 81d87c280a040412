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
    private let allowed: AllowedSecrets
    private var store: RecordingStore
    /// How many answers came in this session, by the keys of their requests.
    private var steps: [String: Int] = [:]
    private var repeats = RepeatedAnswers()
    private var senders = Senders()
    /// The files of text that this session has written.
    private var written: Set<String> = []
    /// All files that it has written.
    private var named: Set<String> = []
    /// The names that this session has given.
    private var given = GivenNames()
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
        allowed = AllowedSecrets(root: root)
        ruledHeaders = Set(options.redaction.headers.map { $0.lowercased() })
        lock = try DirectoryLock(root: root)
        findings = try FixtureRoot.findings(directory, real: root) + InterruptedRecording.finish(in: root)
        store = try RecordingStore(root: root)
        group = RecordingGroup(root: root)
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
            outcomes.append(take(item.exchange, item.samples, again: Self.teachingLimit))
            if !group.holds(outcomes.count - 1) { item.exchange.content.removeFile() }
            for sample in item.samples { sample.content.removeFile() }
        }
        commitGroup()
        return outcomes
    }

    /// How often an exchange is looked at anew since its answer has told a secret that may stand in its own request. 2.
    private static let teachingLimit = 2

    /// Looks at an exchange, and adds it to the group where it says something new.
    private func take(_ exchange: Exchange, _ samples: [Exchange], again: Int) -> RecordingOutcome {
        if samples.isEmpty, let outcome = repeated(exchange) { return outcome }
        redactor.learn(exchange.requestFields.map { ($0.name, $0.value) })
        let version = redactor.version
        var unsteady = options.unsteady
        unsteady.now = UnsteadyValues.seconds(now())
        var derivation = RequestDerivation(
            exchange, redactor: redactor, ruledHeaders: ruledHeaders, unsteady: unsteady)
        var request = derivation.derive()
        // What is about to be written is to be compared with.
        if group.touches(request, origin: exchange.origin) { commitGroup() }
        if store.stub(request.key) == nil, let key = store.key(sentAs: request, origin: exchange.origin) {
            request.key = key
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
        let place = place(request, identity, exchange)
        let asked = request
        request = place.request
        let alike = samples.filter { !$0.isOutdated && $0.head.status == exchange.head.status }
        let recording = recording(exchange, alike, request, identity)
        if redactor.version != version, again > 0 { return take(exchange, samples, again: again - 1) }
        let others = [place.note].compactMap(\.self) + Self.notes(of: samples, to: exchange)
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
        let notes = changeNotes(recording) + others + [likeness(recording)].compactMap(\.self)
        do throws(RecordingError) {
            let files = try prepare(recording, exchange, asked, at: outcomes.count)
            let kind: RecordingOutcome.Kind = recording.existing == nil ? .new : .changed
            return outcome(kind, exchange, request, recording, files: files, notes: notes)
        } catch {
            return outcome(.refused, exchange, request, recording, notes: [error.description])
        }
    }

    /// What is told of samples that say nothing of what differs each time.
    private static func notes(of samples: [Exchange], to exchange: Exchange) -> [String] {
        samples.compactMap { sample in
            if sample.isOutdated { return "a sample is left out: a request before it may have changed the answer" }
            if sample.head.status == exchange.head.status { return nil }
            return "a sample was answered \(sample.head.status), and is left out"
        }
    }

    /// Takes note of the secrets in the answer's header lines, which may stand in the request.
    private func learnLines(of exchange: Exchange, _ request: DerivedRequest) {
        let existing = store.stub(request.key)
        let known = existing?.answer(steps[request.key, default: 0])
        let path = allowed.isEmpty ? "" : existing?.path ?? FixtureName(request, fileExtension: "").stub
        let kinds = allowed.kinds(in: path)
        for field in exchange.head.fields
        where ResponseHeaders.treatment(of: field.name.lowercased()) != .dropped {
            let recorded = known?.values(of: field.name.lowercased()) ?? []
            _ = redactor.header(field.name, field.value, recorded: recorded, allowing: kinds)
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
        let late = LateSecrets(root: directory, redactor: redactor, allowed: allowed)
            .replace(in: written.sorted(), named: named.sorted())
        let renamed = given.settle(in: directory, store.requests)
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

    /// Which stub a request is recorded in, by who sent it; what another sender has recorded is moved where need be.
    private func place(_ request: DerivedRequest, _ identity: Identity, _ exchange: Exchange) -> SenderPlace {
        var answer: RecordedAnswer?
        let place = senders.place(
            request, identity, origin: exchange.origin, status: exchange.head.status, stub: { store.stub($0) },
            differs: { stub in
                var derivation = AnswerDerivation(
                    exchange, redactor: redactor, options: options, known: stub.steps.first?.answer)
                let new = answer ?? derivation.derive().answer
                answer = new
                return stub.steps.allSatisfy {
                    !AnswerChanges(from: $0.answer, to: new, volatile: stub.volatile, lines: stub.volatileLines).isEmpty
                }
            })
        guard let (stub, target) = place.moved else { return place }
        // Names and files are as what waits will leave them.
        commitGroup()
        var move = StubMove(stub, to: target, store: store)
        do throws(RecordingError) {
            let moved = try move.move()
            store.move(stub, to: moved.stub)
            steps[target.key] = steps.removeValue(forKey: stub.key)
            repeats.forget(stub.key)
            given.move(stub.path, to: moved.stub.path, as: target)
            note(files: moved.files, removed: moved.removed, texts: moved.files)
        } catch {
            return SenderPlace(request, note: error.description)
        }
        return place
    }

    private func recording(
        _ exchange: Exchange, _ samples: [Exchange], _ request: DerivedRequest, _ identity: Identity
    ) -> Recording {
        let step = steps[request.key, default: 0]
        let existing = store.stub(request.key) ?? former(exchange, request)
        let known = existing?.answer(step)
        func derive(_ exchange: Exchange) -> DerivedAnswer {
            self.derived(request, identity, exchange) {
                var derivation = AnswerDerivation(exchange, redactor: redactor, options: options, known: known)
                derivation.allow(allowed, of: existing, step: step, request)
                return derivation.derive()
            }
        }
        var derived = derive(exchange)
        // An origin that was added by hand, or by a recording with further upstreams, stays.
        if let known { derived.answer.addOrigins(of: known) }
        let others = samples.map { derive($0).answer }
        var sampled: [VolatilePath] = []
        var steady: [VolatilePath] = []
        if derived.answer.isText, case .bytes(let first) = derived.answer.body {
            sampled = options.volatile.places(in: first)
            let bodies = others.compactMap { other -> [UInt8]? in
                if case .bytes(let bytes) = other.body { bytes } else { nil }
            }
            sampled += Volatility.paths(in: [first] + bodies).filter { new in
                !sampled.contains { $0.path == new.path }
            }
            if bodies.count + 1 >= Volatility.steadyCount, let existing, let recorded = known?.body.text {
                steady = Volatility.steady(existing.volatile, in: [recorded, first] + bodies)
            }
        }
        var recording = Recording(
            exchange: exchange, request: request, derived: derived, sampled: sampled,
            sampledLines: options.volatile.headers(of: derived.answer)
                + AnswerChanges.lines(thatDifferFrom: derived.answer, in: others),
            steady: steady,
            step: step, existing: existing, moment: now())
        // Noted once: from then on it is the same, however it is written.
        if recording.changes?.isOfTextAlone == true { recording.sampled.append(VolatilePath("$", .text)) }
        return recording
    }

    /// What is written of an answer; the placeholders of what it gives to a sender with a name have that name behind them.
    private func derived(
        _ request: DerivedRequest, _ identity: Identity, _ exchange: Exchange, derive: () -> DerivedAnswer
    ) -> DerivedAnswer {
        let derived = derive()
        let given = GivenCredentials.all(in: exchange, derived.answer)
        let renamed = senders.give(given, to: identity, of: request, status: exchange.head.status)
        if renamed.isEmpty { return derived }
        for (value, placeholder) in renamed { redactor.rename(value, to: placeholder) }
        return derive()
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
        guard !AnswerChanges(from: answer, to: derived, volatile: rival.volatile, lines: rival.volatileLines).isEmpty
        else {
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
        _ recording: Recording, _ exchange: Exchange, _ asked: DerivedRequest, at position: Int
    ) throws(RecordingError) -> [String] {
        var writer = RecordingWriter(recording, store: store, redactor: redactor, allowed: allowed)
        let prepared = try writer.prepare()
        let names = prepared.files.filter(store.names.isFree)
        for path in names { store.names.insert(path) }
        repeats.forget(recording.request.key)
        group.add(
            .init(
                exchange: exchange, asked: asked, recording: recording, prepared: prepared, names: names,
                position: position))
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
            _ = try prepare(member.recording, member.exchange, member.asked, at: member.position)
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
        note(files: prepared.files, removed: prepared.removed, texts: prepared.texts)
        if recording.existing == nil {
            given.add(
                recording.request, origin: recording.exchange.origin,
                fileExtension: recording.derived.answer.fileExtension, at: prepared.path)
        }
    }

    private func note(files: [String], removed: [String], texts: [String]) {
        for path in files { store.names.insert(path) }
        for path in removed { store.names.remove(path) }
        written.formUnion(texts)
        written.subtract(removed)
        named.formUnion(files)
        named.subtract(removed)
    }

    /// What is told of a new request that was answered as one is that differs in nothing but values which look like no two others.
    private func likeness(_ recording: Recording) -> String? {
        let origin = recording.exchange.origin
        guard recording.existing == nil, let shape = RequestShape(recording.request.node, origin: origin),
            let other = store.like(shape).flatMap(Likeness.init) ?? group.like(shape).map(Likeness.init),
            other.key != recording.request.key, let otherShape = RequestShape(other.request, origin: origin),
            AnswerChanges(
                from: other.answer, to: recording.derived.answer, volatile: other.volatile, lines: other.lines
            ).isEmpty
        else { return nil }
        return shape.note(beside: otherShape, of: other.label)
    }

    /// How many volatile places are told; the rest is a number. 6.
    private static let markLimit = 6

    private func changeNotes(_ recording: Recording) -> [String] {
        var notes = recording.changes?.notes ?? []
        if let first = notes.first, recording.isFurtherStep { notes[0] = "answer \(recording.step + 1): \(first)" }
        if recording.marksVolatile {
            let lines = recording.volatileLines.dropFirst(recording.existing?.volatileLines.count ?? 0)
            let marks =
                lines.map { "\($0) (header)" }
                + recording.newMarks.map {
                    $0.kind == .text
                        ? "white space, escapes and order of members" : "\($0.path) (\($0.kind.rawValue))"
                }
            if !marks.isEmpty { notes.append("volatile: " + Self.list(marks)) }
            let steady = recording.steady.map(\.path)
            if !steady.isEmpty { notes.append("volatile no longer: " + Self.list(steady)) }
        }
        return notes
    }

    private static func list(_ marks: [String]) -> String {
        let others = marks.count > markLimit ? ["and \(marks.count - markLimit) more"] : []
        return (marks.prefix(markLimit) + others).joined(separator: ", ")
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

/// What a request is compared with that differs in nothing but values which look like no two others.
private struct Likeness {
    let key: String
    let request: JSONNode
    let label: String
    let answer: RecordedAnswer
    let volatile: [VolatilePath]
    let lines: [String]

    init?(_ stub: RecordedStub) {
        guard let request = stub.node["request"], let answer = stub.steps.first?.answer else { return nil }
        key = stub.key
        self.request = request
        label = stub.node["recorded"]?["request"]?.string ?? stub.path
        self.answer = answer
        volatile = stub.volatile
        lines = stub.volatileLines
    }

    /// - Parameter recording: a new one.
    init(_ recording: Recording) {
        key = recording.request.key
        request = recording.request.node
        label = recording.request.label
        answer = recording.derived.answer
        volatile = recording.volatile
        lines = recording.volatileLines
    }
}

extension [String] {
    /// Without repeats, in their order.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
