// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText
import MockapiSecrets
import MockapiSystemIO

// Settles a recording: the secrets that were learnt later, and in the stubs the requests that they were recorded from.
extension Recorder {
    /// Takes secrets that were learnt later out of the names of files.
    ///
    /// - Parameter secrets: looks into stubs; a hash in the name of one shows a secret in it that could be guessed.
    func concealNames(_ secrets: LateSecrets) -> [RecordingOutcome] {
        let revealing = unseen(named).filter { path in
            !redactor.scan(Array(path.utf8), isText: false).isEmpty
                || FileNameText.withoutHashes(path) != path && secrets.revealsGuessable(in: path)
        }
        if revealing.isEmpty { return [] }
        let concealed = given.conceal(Set(revealing), in: directory, beside: store.earlier) { [redactor] path in
            FileNameText.withoutHashes(String(decoding: redactor.learnt(Array(path.utf8)).value, as: UTF8.self))
        }
        for item in concealed {
            let (old, new) = (item.moves.map(\.old), item.moves.map(\.new))
            let texts = item.moves.filter { written.keys.contains($0.old) }.map(\.new)
            note(files: new, removed: old, texts: texts)
            guard let path = new.first, let text = FileReader.contents("\(directory)/\(path)"),
                let node = try? JSONParser.parse(text),
                let stub = RecordedStub(node, path: path, ordinal: nil, root: directory)
            else { continue }
            if let known = store.stub(item.key) { store.move(known, to: stub) }
        }
        return concealed.map(\.outcome)
    }

    /// Writes digests to each stub of several responses, and to those that only a secret distinguishes.
    ///
    /// A stub that has them, and whose responses are the same, stays as it is: values that differ each time add nothing.
    ///
    /// - Parameter late: what stubs ask for since a secret was learnt, by their keys.
    /// - Returns: an outcome for each stub that did not know them.
    func noteKnowledge(late: [String: LateSecrets.Asked]) -> [RecordingOutcome] {
        var texts: [String: [UInt8]] = [:]
        var outcomes: [RecordingOutcome] = []
        for variants in alike(late) {
            let knowledge = RequestKnowledge(variants) { key in
                store.stub(key).flatMap {
                    $0.isWidened ? nil : $0.steps.map { ($0.response.mark, $0.response.status >= 400) }
                }
            }
            for told in knowledge.told {
                guard let stub = store.stub(told.key) else { continue }
                let isOwn = written[stub.path] != nil
                let known = isOwn ? nil : stub.node["recorded"]?[KeyName.sent.rawValue]
                let settled = known.map { SentDigests.settled($0, options.unsteady.names) }
                if let settled, settled.places.isEmpty { continue }
                let text = StubFile(stub.path, root: directory).text(
                    of: stub, knowing: settled?.node ?? told.sent, beside: told.beside,
                    varying: settled?.places ?? [], in: texts[stub.path])
                guard let text else { continue }
                texts[stub.path] = text
                if isOwn { continue }
                let note =
                    settled.map { "matches any value of \($0.places.joined(separator: ", ")) from now on" }
                    ?? "knows from now on which request got which of its responses"
                outcomes.append(
                    RecordingOutcome(
                        .changed, request: stub.path, origin: stub.origin, files: [stub.path], notes: [note]))
            }
        }
        var transaction = FileTransaction(root: directory, beside: store.earlier)
        do throws(RecordingError) {
            for (path, text) in texts.sorted(by: { $0.key < $1.key }) { try transaction.write(text, to: path) }
            try transaction.commit()
        } catch {
            transaction.discard()
            return [RecordingOutcome(.refused, request: directory, origin: "", notes: [error.description])]
        }
        return outcomes
    }

    /// Stubs that are told apart together, since each request is looked for in all. 64.
    private static let togetherLimit = 64

    /// The recorded variants, those together whose stubs ask for the same since a secret was learnt.
    private func alike(_ late: [String: LateSecrets.Asked]) -> [[RequestKnowledge.Known]] {
        let variants = contrast.families.flatMap { base, family in family.variants.map { (base: base, variant: $0) } }
            .sorted { $0.variant.key < $1.variant.key }
        let changed = Set(late.values.map(\.request))
        var groups: [[RequestKnowledge.Known]] = []
        var places: [String: Int] = [:]
        for known in variants {
            let key = known.variant.key
            // A secret that could be guessed is in the digest of its content.
            if late[key]?.isGuessable == true { continue }
            let asked = late[key]?.request ?? store.stub(key)?.request.map(JSONWriter.compact)
            if let asked, changed.contains(asked) {
                if let place = places[String(decoding: asked, as: UTF8.self)], groups[place].count < Self.togetherLimit
                {
                    groups[place].append(known)
                    continue
                }
                places[String(decoding: asked, as: UTF8.self)] = groups.count
            }
            groups.append([known])
        }
        return groups
    }
}
