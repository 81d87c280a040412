// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiSecrets

/// Replaces a value that turned out to be a secret after it had been written: a value of a response that a later request authenticates with.
struct LateSecrets {
    let root: String
    let earlier: EarlierFiles?
    let redactor: Redactor
    let allowed: AllowedSecrets

    /// - Parameters:
    ///   - paths: files of text, relative to the fixture directory.
    ///   - names: all files that were written; a file whose name has a secret is taken away, since no other name would be its own.
    /// - Returns: an outcome for each file that held one.
    func replace(in paths: [String], named names: [String]) -> [RecordingOutcome] {
        let revealing = Set(names.filter { !redactor.scan(Array($0.utf8), isText: false).isEmpty })
        let outcomes = remove(revealing.sorted())
        return outcomes
            + paths.filter { !revealing.contains($0) }.compactMap { path in
                let absolute = "\(root)/\(path)"
                guard let size = FileSize.of(absolute), let bytes = BodyContent.file(path: absolute, size: size).bytes,
                    let finding = allowed.first(of: redactor.scan(bytes, isText: true), in: path)
                else { return nil }
                let place = "\(path):\(finding.line):\(finding.column)"
                let isStub = path.hasSuffix(".stub.json")
                let redaction = isStub ? redactor.learnt(stub(bytes)) : body(bytes, path)
                var transaction = FileTransaction(root: root, beside: earlier)
                do throws(RecordingError) {
                    let left = allowed.first(of: redactor.scan(redaction.value, isText: true), in: path)
                    guard left == nil, !isStub || (try? JSONParser.check(redaction.value)) != nil else {
                        throw RecordingError("\(place) holds \(finding.kind); take it out by hand")
                    }
                    try transaction.write(redaction.value, to: path)
                    try transaction.commit()
                    return outcome(
                        .changed, path, "held \(finding.kind) that was learnt later: it is replaced",
                        redaction.placeholders
                    )
                } catch {
                    return outcome(.refused, path, error.description, [])
                }
            }
    }

    /// A body without the learnt secrets; all else was looked at when it was written, and stays.
    private func body(_ text: [UInt8], _ path: String) -> Redaction<[UInt8]> {
        let mediaType = path.hasSuffix(".json") ? "application/json" : "text/plain"
        return redactor.text(
            text, mediaType: mediaType, of: .response, recorded: RecordedText(text), allowing: allowed.kinds(in: path))
    }

    /// A stub file with matchers that a client still meets.
    private func stub(_ text: [UInt8]) -> [UInt8] {
        guard let root = try? JSONParser.parse(text) else { return text }
        let matchers = LateMatchers(redactor: redactor)
        // From the last on, so that those in front keep their places.
        return (root["stubs"]?.array ?? [root]).reversed().reduce(text) { text, stub in
            guard let request = stub["request"].flatMap({ matchers.request($0) }) else { return text }
            return StubText.replacing(
                [StubText.Edit([.request], .request, request)], in: text, stub: stub)
        }
    }

    /// Removes files whose names hold a secret, all or none.
    private func remove(_ paths: [String]) -> [RecordingOutcome] {
        guard !paths.isEmpty else { return [] }
        var transaction = FileTransaction(root: root, beside: earlier)
        for path in paths { transaction.remove(path) }
        var note =
            "its name held a secret that was learnt later: it is removed; first make the request that reveals the secret"
        do throws(RecordingError) {
            try transaction.commit()
            FixtureRoot.removeEmptyFolders(of: paths, in: root)
        } catch {
            note = error.description
        }
        return paths.map { path in
            outcome(.refused, ShownTarget.text(path, redactor), note, [])
        }
    }

    private func outcome(
        _ kind: RecordingOutcome.Kind, _ path: String, _ note: String, _ redacted: [String]
    ) -> RecordingOutcome {
        RecordingOutcome(
            kind, request: path, origin: "", files: kind == .refused ? [] : [path], redacted: redacted, notes: [note])
    }
}
