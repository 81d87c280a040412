// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiJSONText

// Notes in stubs the requests that they were recorded from.
extension Recorder {
    /// Writes digests to each stub of several responses, and to those that only a secret distinguishes.
    ///
    /// A stub that has them, and whose responses are the same, stays as it is: values that differ each time add nothing.
    /// - Returns: an outcome for each stub that did not know them.
    func noteKnowledge() -> [RecordingOutcome] {
        var texts: [String: [UInt8]] = [:]
        var outcomes: [RecordingOutcome] = []
        let variants = contrast.families.flatMap { base, family in family.variants.map { (base: base, variant: $0) } }
        for (base, variant) in variants.sorted(by: { $0.variant.key < $1.variant.key }) {
            let knowledge = RequestKnowledge(variant, of: base) { key in
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
}
