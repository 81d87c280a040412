// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiUpstream

// Recordings that are written together, and the state that follows from them.
extension Recorder {
    func prepare(
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

    /// Writes what is prepared; where that fails, each response by itself, so that one does not keep the others from the disk.
    func commitGroup() {
        let group = group
        self.group = RecordingGroup(root: directory)
        do throws(RecordingError) {
            try group.transaction.commit()
            if !group.members.isEmpty { attributes.write() }
            for member in group.members { settle(member) }
        } catch {
            for member in group.members {
                for path in member.names { store.names.remove(path) }
            }
            for member in group.members { group.members.count > 1 ? writeAlone(member) : refuse(member, error) }
        }
        for member in group.members { member.exchange.content.removeFile() }
    }

    func writeAlone(_ member: RecordingGroup.Member) {
        do throws(RecordingError) {
            _ = try prepare(member.recording, member.exchange, member.asked, at: member.position)
            commitGroup()
        } catch {
            refuse(member, error)
        }
    }

    func refuse(_ member: RecordingGroup.Member, _ error: RecordingError) {
        outcomes[member.position] = outcome(
            .refused, member.exchange, member.recording.request, member.recording, notes: [error.description])
    }

    /// Takes note of what has been written.
    func settle(_ member: RecordingGroup.Member) {
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
                fileExtension: recording.derived.response.fileExtension, at: prepared.path)
        }
    }

    func note(files: [String], removed: [String], texts: [String]) {
        for path in files { store.names.insert(path) }
        for path in removed { store.names.remove(path) }
        written.formUnion(texts)
        written.subtract(removed)
        named.formUnion(files)
        named.subtract(removed)
    }
}
