// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import Secrets

/// Replaces what was learnt to be a secret after it had been written: a value of an answer that a later request authenticates with.
struct LateSecrets {
    let root: String
    let redactor: Redactor

    /// - Parameters:
    ///   - paths: files of text, relative to the fixture directory.
    ///   - names: all files that were written; one that is called by a secret is taken away, since no other name would be its own.
    /// - Returns: an outcome for each file that held one.
    func replace(in paths: [String], named names: [String]) -> [RecordingOutcome] {
        let revealing = Set(names.filter { !redactor.scan(Array($0.utf8), isText: false).isEmpty })
        let outcomes = remove(revealing.sorted())
        return outcomes
            + paths.filter { !revealing.contains($0) }.compactMap { path in
                let absolute = "\(root)/\(path)"
                guard let size = FileSize.of(absolute), let bytes = BodyContent.file(path: absolute, size: size).bytes,
                    let finding = redactor.scan(bytes, isText: true).first
                else { return nil }
                let place = "\(path):\(finding.line):\(finding.column)"
                let isJSON = path.hasSuffix(".json")
                let redaction = redactor.text(
                    bytes, mediaType: isJSON ? "application/json" : "text/plain", of: .response)
                var transaction = FileTransaction(root: root)
                do throws(RecordingError) {
                    guard redactor.scan(redaction.value, isText: true).isEmpty else {
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

    /// Takes files away whose names tell a secret, all or none.
    private func remove(_ paths: [String]) -> [RecordingOutcome] {
        guard !paths.isEmpty else { return [] }
        var transaction = FileTransaction(root: root)
        for path in paths { transaction.remove(path) }
        var note =
            "its name held a secret that was learnt later: it is taken away; make the request that tells the secret first"
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
