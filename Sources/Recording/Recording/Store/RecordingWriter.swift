// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiJSONText
import MockapiSecrets
import MockapiStubMatching

/// Prepares one recording to be written: names its files, and looks for secrets in all that is about to be written.
struct RecordingWriter {
    /// A recording that is ready to be written.
    struct Prepared {
        var transaction: FileTransaction
        /// The stub, and its file.
        var node: JSONNode
        var path: String
        /// Relative to the fixture directory, the stub file first.
        var files: [String]
        /// Those of them that are text.
        var texts: [String]
        var removed: [String]
    }

    private let recording: Recording
    private let store: RecordingStore
    private let redactor: Redactor
    private let allowed: AllowedSecrets
    private var transaction: FileTransaction
    private var files: [String] = []
    private var texts: [String] = []

    init(_ recording: Recording, store: RecordingStore, redactor: Redactor, allowed: AllowedSecrets) {
        self.recording = recording
        self.store = store
        self.redactor = redactor
        self.allowed = allowed
        transaction = FileTransaction(root: store.root)
    }

    mutating func prepare() throws(RecordingError) -> Prepared {
        do throws(RecordingError) {
            return try prepared()
        } catch {
            transaction.discard()
            throw error
        }
    }

    private mutating func prepared() throws(RecordingError) -> Prepared {
        let name = try name()
        var answer: RecordedResponse?
        // A change of volatile values alone leaves the bodies, and the header fields that describe them, as they were.
        if recording.changes?.isEmpty != true {
            answer = recording.derived.response
            answer?.bodyFile = try writeBody(recording.derived.response, name)
        }
        let content = try writeContent(name)
        let steps = recording.steps(with: answer)
        let stubPath = recording.existing?.path ?? name.stub
        let (text, node) = try stubText(steps, contentFile: content, path: stubPath)
        try refuseSecrets(in: text, node: node, path: stubPath)
        if recording.existing == nil { try refuseUnserved(node["request"] ?? .null, path: stubPath) }
        try transaction.write(text, to: stubPath)
        let removed = abandonedFiles(steps)
        for path in removed { transaction.remove(path) }
        return Prepared(
            transaction: transaction, node: node, path: stubPath, files: [stubPath] + files, texts: [stubPath] + texts,
            removed: removed)
    }

    // MARK: Names

    private func name() throws(RecordingError) -> FixtureName {
        let fileExtension = recording.derived.response.fileExtension
        let choice = NameChoice(recording.request, fileExtension: fileExtension, beside: store.requests)
        guard let existing = recording.existing else {
            if let name = choice.first(in: store.names) { return name }
            throw RecordingError("no file can be called \(choice.last.stub): something else is there; move it away")
        }
        return choice.all.first { $0.stub == existing.path } ?? choice.last
    }

    // MARK: Bodies

    /// - Returns: the name as the stub writes it; nil where there is no body.
    private mutating func writeBody(_ answer: RecordedResponse, _ name: FixtureName) throws(RecordingError) -> String? {
        guard answer.body.count > 0, answer.template == nil else { return nil }
        if let same = sameBody(answer.body) { return same }
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

    /// The file of an earlier step with the same bytes, or of this one.
    private func sameBody(_ body: BodyContent) -> String? {
        let kept = recording.existing?.steps.prefix(recording.step + 1) ?? []
        return kept.first { $0.response.bodyFile != nil && $0.response.body.hasSameBytes(as: body) }?.response.bodyFile
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

    /// Writes the request's content where the matchers do not show it.
    private mutating func writeContent(_ name: FixtureName) throws(RecordingError) -> String? {
        guard let content = recording.request.content else { return nil }
        if let file = recording.existing?.node["recorded"]?["bodyFile"]?.string { return file }
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
        guard let existing = recording.existing else { return [] }
        func files(_ steps: [RecordedStep]) -> Set<String> {
            Set(steps.compactMap(\.response.bodyFile).compactMap { existing.resolved($0) })
        }
        return files(existing.steps).subtracting(files(steps)).filter { store.isOwn($0) }.sorted()
    }

    // MARK: The stub

    private func stubText(
        _ steps: [RecordedStep], contentFile: String?, path: String
    ) throws(RecordingError) -> (text: [UInt8], stub: JSONNode) {
        let recorded = recording.recordedNode(bodyFile: contentFile)
        guard let existing = recording.existing else {
            let node = StubWriter.stub(
                priority: recording.request.priority, request: recording.request.node, steps: steps.map(\.node),
                recorded: recorded)
            return (JSONWriter.reviewable(node) + [UInt8(ascii: "\n")], node)
        }
        let absolute = "\(store.root)/\(path)"
        guard let size = FileSize.of(absolute), let text = BodyContent.file(path: absolute, size: size).bytes,
            let root = try? JSONParser.parse(text), let old = Self.stub(existing, in: root)
        else { throw RecordingError("\(path) has changed and cannot be read; mend it, or move it away") }
        let responses = recording.responses(steps)
        let edits = [
            StubText.Edit([.response, .responses], responses.key, responses.value),
            StubText.Edit([.recorded], .recorded, recorded),
        ]
        let changed = StubText.replacing(edits, in: text, stub: old)
        guard let node = (try? JSONParser.parse(changed)).flatMap({ Self.stub(existing, in: $0) }) else {
            throw RecordingError("\(path) cannot be changed in its place; move it away")
        }
        return (changed, node)
    }

    private static func stub(_ existing: RecordedStub, in root: JSONNode) -> JSONNode? {
        guard let ordinal = existing.ordinal else { return root }
        let stubs = root["stubs"]?.array ?? []
        return stubs.indices.contains(ordinal) ? stubs[ordinal] : nil
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
    private static let scanned = (piece: 1024 * 1024, overlap: 4096)

    private func refuseSecrets(in body: BodyContent, isText: Bool, path: String) throws(RecordingError) {
        if case .bytes(let bytes) = body { return try refuse(redactor.scan(bytes, isText: isText), path) }
        var window: [UInt8] = []
        var findings: [SecretFinding] = []
        body.forEachPiece { piece in
            window += piece
            guard window.count >= Self.scanned.piece else { return true }
            findings = redactor.scan(window, isText: isText)
            window.removeFirst(window.count - Self.scanned.overlap)
            return findings.isEmpty
        }
        if findings.isEmpty { findings = redactor.scan(window, isText: isText) }
        try refuse(findings, path)
    }

    private func refuseSecrets(in text: [UInt8], node: JSONNode, path: String) throws(RecordingError) {
        // Bytes in Base64 look like a secret; they are looked at as what they are.
        var text = text
        for encoded in Self.encoded(in: node["request"] ?? .null) {
            guard let range = text.firstRange(of: Array(encoded.utf8)) else { continue }
            text.replaceSubrange(range, with: [])
            let content = Base64.decode(encoded, .written) ?? []
            try refuse(redactor.scan(content, isText: String(validating: content, as: UTF8.self) != nil), path)
        }
        try refuse(redactor.scan(text, isText: true), path)
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
