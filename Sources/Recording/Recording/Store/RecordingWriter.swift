// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching

/// Prepares one recording to be written: names its files, and looks for secrets in all that is about to be written.
///
/// Nothing that it does for a further response is more than for the first: the stub's text is made once for all responses that are
/// written together, and of a stub that was looked through only the new step is looked at.
struct RecordingWriter {
    /// A recording that is ready to be written.
    struct Prepared {
        /// The bodies.
        var transaction: FileTransaction
        /// The stub as it is to be written.
        var stub: RecordedStub
        /// Relative to the fixture directory, the stub file first.
        var files: [String]
        /// Those of them that are text.
        var texts: [String]
        var removed: [String]
        /// Bytes that were looked through for secrets.
        var scanned: Int
    }

    private let recording: Recording
    private let store: RecordingStore
    private let redactor: Redactor
    private let allowed: AllowedSecrets
    private var transaction: FileTransaction
    private var files: [String] = []
    private var texts: [String] = []
    private var scanned = 0

    init(_ recording: Recording, store: RecordingStore, redactor: Redactor, allowed: AllowedSecrets) {
        self.recording = recording
        self.store = store
        self.redactor = redactor
        self.allowed = allowed
        transaction = FileTransaction(root: store.root, beside: store.earlier)
    }

    /// - Parameter known: the session's facts on the stubs that it has written.
    mutating func prepare(_ known: inout WrittenStubs) throws(RecordingError) -> Prepared {
        do throws(RecordingError) {
            return try prepared(&known)
        } catch {
            transaction.discard()
            throw error
        }
    }

    private mutating func prepared(_ known: inout WrittenStubs) throws(RecordingError) -> Prepared {
        let name = try name()
        let stubPath = recording.existing?.path ?? name.stub
        var answer: RecordedResponse?
        // A change of volatile values alone leaves the bodies, and the header fields that describe them, as they were.
        if recording.changes?.isEmpty != true {
            answer = recording.derived.response
            answer?.bodyFile = try writeBody(recording.derived.response, name, &known)
        }
        let content = try writeContent(name)
        let steps = recording.steps(with: answer, folder: RecordedStub.folder(of: stubPath, store.root))
        let stub = try stub(steps, contentFile: content, path: stubPath)
        try refuseSecrets(in: stub, isKnown: known.isLookedThrough(stub))
        if recording.existing == nil { try refuseUnserved(recording.request.node, path: stubPath) }
        known.note(stub, step: recording.step)
        let removed = answer == nil ? [] : abandonedFiles(steps)
        return Prepared(
            transaction: transaction, stub: stub, files: [stubPath] + files, texts: [stubPath] + texts,
            removed: removed,
            scanned: scanned)
    }

    // MARK: Names

    private func name() throws(RecordingError) -> FixtureName {
        let fileExtension = recording.derived.response.fileExtension
        let choice = NameChoice(recording.request, fileExtension: fileExtension, beside: store.requests)
        guard let existing = recording.existing else {
            if let name = choice.first(in: store.names) { return name }
            throw RecordingError(
                "no file can be called \(choice.last.stub): something else has that name; move "
                    + "it away")
        }
        return choice.all.first { $0.stub == existing.path } ?? choice.last
    }

    // MARK: Bodies

    /// - Returns: the name as the stub writes it; nil if there is no body.
    private mutating func writeBody(
        _ answer: RecordedResponse, _ name: FixtureName, _ known: inout WrittenStubs
    ) throws(RecordingError) -> String? {
        guard answer.body.count > 0, answer.template == nil else { return nil }
        if let existing = recording.existing,
            let same = known.file(with: answer.body, of: existing, upTo: recording.step)
        {
            return same
        }
        let path = bodyPath(answer, name)
        try refuseSecrets(in: answer.body, isText: answer.isText, path: path)
        switch answer.body {
        case .file(let temporary, _): transaction.move(temporary, to: path)
        default: try transaction.write(answer.body.bytes ?? [], to: path)
        }
        files.append(path)
        if answer.isText { texts.append(path) }
        return relative(path)
    }

    private func bodyPath(_ answer: RecordedResponse, _ name: FixtureName) -> String {
        let step = recording.step
        if let existing = recording.existing, step < existing.steps.count,
            let file = existing.steps[step].response.bodyFile,
            let path = existing.resolved(file), path.hasSuffix(".\(answer.fileExtension)"), store.isOwn(path),
            !existing.steps.prefix(step).contains(where: { step in
                step.response.bodyFile.flatMap { existing.resolved($0) } == path
            })
        {
            return path
        }
        let path = name.body(step: step + 1, fileExtension: answer.fileExtension)
        if store.names.isFree(path) { return path }
        return FixtureName(
            recording.request, fileExtension: answer.fileExtension, further: [String(recording.request.key.prefix(8))]
        )
        .body(step: step + 1, fileExtension: answer.fileExtension)
    }

    /// Writes the request's content if the stub does not show it.
    private mutating func writeContent(_ name: FixtureName) throws(RecordingError) -> String? {
        guard let content = recording.request.content else { return nil }
        if let existing = recording.existing {
            // The file that its matcher reads is its own.
            if content.isMatched { return existing.node["recorded"]?["bodyFile"]?.string }
            if let file = existing.contentFile { return file }
        }
        let path = name.request(fileExtension: content.fileExtension)
        try refuseSecrets(in: .bytes(content.bytes), isText: content.isText, path: path)
        try transaction.write(content.bytes, to: path)
        files.append(path)
        if content.isText { texts.append(path) }
        return relative(path)
    }

    /// A path as a stub in its folder writes it.
    private func relative(_ path: String) -> String {
        RecordedStub.relative(path, to: recording.existing?.path ?? path)
    }

    /// The files that no step names any more.
    private func abandonedFiles(_ steps: [RecordedStep]) -> [String] {
        guard let existing = recording.existing, recording.step < existing.steps.count else { return [] }
        func files(_ steps: [RecordedStep]) -> Set<String> {
            Set(steps.compactMap(\.response.bodyFile).compactMap { existing.resolved($0) })
        }
        return files(existing.steps).subtracting(files(steps)).filter { store.isOwn($0) }.sorted()
    }

    // MARK: The stub

    /// The stub as it is to be written; its node has the new step alone.
    private func stub(
        _ steps: [RecordedStep], contentFile: String?, path: String
    ) throws(RecordingError) -> RecordedStub {
        let isMatched = recording.existing == nil && recording.request.content?.isMatched == true
        let recorded = recording.recordedNode(bodyFile: isMatched ? nil : contentFile)
        let request = recording.request.node
        let step = steps.indices.contains(recording.step) ? steps[recording.step] : steps.last
        let own = [step].compactMap(\.self)
        let node =
            recording.existing?.node(own, recorded: recorded)
            ?? StubWriter.stub(
                priority: recording.request.priority,
                request: isMatched ? contentFile.map { FileMatcher.request(request, reading: $0) } ?? request : request,
                steps: own.map(\.node), recorded: recorded)
        guard
            let stub = RecordedStub(
                node, steps: steps, path: path, request: request, inPlaceOf: recording.existing)
        else {
            throw RecordingError("the stub cannot be read again; report this with the request")
        }
        return stub
    }

    /// Refuses a request by which the whole directory could not be served.
    private func refuseUnserved(_ request: JSONNode, path: String) throws(RecordingError) {
        let stub = StubWriter.stub(request: request, steps: [.object(["status": .integer(200)])])
        let added = AddedStub(JSONWriter.compact(stub), label: path, number: 0, root: "")
        let index = added.stub.map { StubIndex(FixtureSet(root: "", stubs: [$0])) }
        guard let error = (added.findings + (index?.findings ?? [])).first(where: { $0.severity == .error }) else {
            return
        }
        throw RecordingError("not written, since it could not be served: \(error)")
    }

    // MARK: Secrets

    /// Bytes of a file that are looked at together, and how many of them once more with the next. 1 MiB, 4 KiB.
    private static let window = (piece: 1024 * 1024, overlap: 4096)

    private mutating func refuseSecrets(in body: BodyContent, isText: Bool, path: String) throws(RecordingError) {
        if case .bytes(let bytes) = body { return try refuse(scan(bytes, isText: isText), path) }
        var window: [UInt8] = []
        var findings: [SecretFinding] = []
        body.forEachPiece { piece in
            window += piece
            guard window.count >= Self.window.piece else { return true }
            findings = scan(window, isText: isText)
            window.removeFirst(window.count - Self.window.overlap)
            return findings.isEmpty
        }
        if findings.isEmpty { findings = scan(window, isText: isText) }
        try refuse(findings, path)
    }

    private mutating func scan(_ bytes: [UInt8], isText: Bool) -> [SecretFinding] {
        scanned += bytes.count
        return redactor.scan(bytes, isText: isText)
    }

    /// - Parameter isKnown: whether all of it but its new step was looked through.
    private mutating func refuseSecrets(in stub: RecordedStub, isKnown: Bool) throws(RecordingError) {
        if isKnown {
            let text = JSONWriter.reviewable(stub.node)
            if allowed.first(of: try secrets(in: text, of: stub), in: stub.path) == nil { return }
        }
        // All of it, where it stands: a text with a secret is reported by its place in the file.
        let file = try StubFile(stub.path, root: store.root).text(with: [stub])
        try refuse(secrets(in: file.text, of: stub), stub.path)
    }

    private mutating func secrets(in text: [UInt8], of stub: RecordedStub) throws(RecordingError) -> [SecretFinding] {
        // Bytes in Base64 look like a secret; their decoded form is looked at.
        var text = text
        for encoded in Self.encoded(in: stub.node["request"] ?? .null) {
            guard let range = text.firstRange(of: Array(encoded.utf8)) else { continue }
            text.replaceSubrange(range, with: [])
            let content = Base64.decode(encoded, .written) ?? []
            try refuse(scan(content, isText: String(validating: content, as: UTF8.self) != nil), stub.path)
        }
        return scan(text, isText: true)
    }

    /// The contents that a request's matchers have in Base64.
    private static func encoded(in node: JSONNode) -> [String] {
        switch node.value {
        case .object(let object):
            object.members.flatMap { member in
                member.name == KeyName.binaryEqualTo.rawValue
                    ? [member.value.string].compactMap(\.self) : encoded(in: member.value)
            }
        case .array(let elements): elements.flatMap { encoded(in: $0) }
        default: []
        }
    }

    private func refuse(_ findings: [SecretFinding], _ path: String) throws(RecordingError) {
        guard let finding = allowed.first(of: findings, in: path) else { return }
        throw RecordingError(
            "not written: \(path):\(finding.line):\(finding.column) would hold \(finding.kind); "
                + "name its place with --redact or --redact-header")
    }
}
