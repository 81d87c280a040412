// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiJSONText
import MockapiSecrets
import MockapiUpstream

// Recordings that are written together, and the state that follows from them.
extension Recorder {
    /// Adds a recording to those that the group writes; if another request has shown a secret of it meanwhile, it is made once more, without that.
    ///
    /// - Parameter version: that of the memory of secrets before the recording was made.
    func stage(
        _ recording: Recording, _ exchange: Exchange, knowing version: Int, again: () -> Recording
    ) throws(RecordingError) -> (recording: Recording, files: [String]) {
        do throws(RecordingError) {
            return (recording, try stage(recording, exchange))
        } catch {
            guard redactor.version != version else { throw error }
            let recording = again()
            return (recording, try stage(recording, exchange))
        }
    }

    /// Adds a recording to those that the group writes: from now on exchanges are compared with it.
    private func stage(_ recording: Recording, _ exchange: Exchange) throws(RecordingError) -> [String] {
        let version = redactor.version
        let prepared = try prepare(recording)
        work.scanned += prepared.scanned
        let names = prepared.files.filter(store.names.isFree)
        for path in prepared.removed { store.names.remove(path) }
        for path in names { store.names.insert(path) }
        store.stage(recording.existing, as: prepared.stub)
        repeats.forget(recording.request.key)
        let member = RecordingGroup.Member(
            content: exchange.content, position: outcomes.count,
            notes: recording.request.notes + recording.derived.notes)
        group.add(
            prepared, of: recording, names: names, version: version, member, root: directory,
            beside: store.earlier)
        return prepared.files
    }

    private func prepare(_ recording: Recording) throws(RecordingError) -> RecordingWriter.Prepared {
        var writer = RecordingWriter(recording, store: store, redactor: redactor, allowed: allowed)
        return try writer.prepare(&writtenStubs)
    }

    /// Writes the prepared files; if that fails, each stub by itself, so that one does not keep the others from the disk.
    func commitGroup() {
        let files = group.files
        group = RecordingGroup()
        var ready: [(file: RecordingGroup.StagedFile, transaction: FileTransaction, nodes: [JSONNode])] = []
        var all = FileTransaction(root: directory, beside: store.earlier)
        for file in files {
            do throws(RecordingError) {
                let (transaction, nodes) = try transaction(of: file)
                ready.append((file, transaction, nodes))
                all.add(transaction)
            } catch {
                file.bodies.discard()
                refuse(file, error)
            }
        }
        do throws(RecordingError) {
            try all.commit(isLast: ready.count == 1)
            if !ready.isEmpty { attributes.write() }
            for (file, _, nodes) in ready { settle(file, nodes) }
        } catch {
            let mayBeTried = ready.count > 1 && !FileTransaction.hasBegun(in: directory)
            for (file, transaction, nodes) in ready {
                guard mayBeTried else {
                    refuse(file, error)
                    continue
                }
                do throws(RecordingError) {
                    try transaction.commit()
                    attributes.write()
                    settle(file, nodes)
                } catch {
                    refuse(file, error)
                }
            }
        }
        for member in files.flatMap(\.members) { member.content.removeFile() }
    }

    /// All that is written for a file, and the nodes of its stubs.
    private func transaction(
        of file: RecordingGroup.StagedFile
    ) throws(RecordingError) -> (FileTransaction, [JSONNode]) {
        let (text, nodes) = try StubFile(file.path, root: directory).text(with: file.stubs.map(\.stub))
        var transaction = file.bodies
        try transaction.write(text, to: file.path)
        for path in file.removed { transaction.remove(path) }
        work.stubs += 1
        return (transaction, nodes)
    }

    /// Notes that a file could not be written.
    private func refuse(_ file: RecordingGroup.StagedFile, _ error: RecordingError) {
        for path in file.names { store.names.remove(path) }
        for path in file.removed { store.names.insert(path) }
        for staged in file.stubs { store.unstage(staged.stub, as: staged.old) }
        writtenStubs.forget([file.path])
        for member in file.members {
            outcomes[member.position].kind = .refused
            outcomes[member.position].files = []
            outcomes[member.position].notes = [error.description] + member.notes
        }
    }

    /// Notes that a file has been written.
    private func settle(_ file: RecordingGroup.StagedFile, _ nodes: [JSONNode]) {
        for (staged, node) in zip(file.stubs, nodes) {
            store.replace(staged.old, with: staged.stub.written(node, root: directory))
            guard let given = staged.given else { continue }
            self.given.add(given.request, origin: given.origin, fileExtension: given.fileExtension, at: file.path)
        }
        note(files: file.files, removed: file.removed, texts: file.texts, version: file.version)
    }

    /// Makes responses hand out the placeholders that the stubs of other requests ask for.
    ///
    /// - Returns: an outcome for each response.
    func nameHanded() -> [RecordingOutcome] {
        var transaction = FileTransaction(root: directory, beside: store.earlier)
        var outcomes: [RecordingOutcome] = []
        do throws(RecordingError) {
            for (key, names) in handed.renames(contrast, redactor) {
                guard let stub = store.stub(key) else { continue }
                guard store.canName(in: key) else {
                    if !Self.gives(names, stub) { continue }
                    let note =
                        "warning: several stubs or responses share its file, so it does not give the values by which other requests are told apart (\(Self.list(names.values.sorted()))), which nobody can send: delete it and record these requests again"
                    outcomes.append(
                        RecordingOutcome(.unchanged, request: stub.path, origin: stub.origin, notes: [note]))
                    continue
                }
                let files = try rename(names, of: stub, in: &transaction)
                if files.isEmpty { continue }
                let note =
                    "gives the values by which other requests are told apart: \(Self.list(names.values.sorted()))"
                outcomes.append(
                    RecordingOutcome(.changed, request: stub.path, origin: stub.origin, files: files, notes: [note]))
            }
            try transaction.commit()
        } catch {
            transaction.discard()
            for index in outcomes.indices where outcomes[index].kind == .changed {
                (outcomes[index].kind, outcomes[index].files) = (.refused, [])
                outcomes[index].notes = [error.description]
            }
            if outcomes.isEmpty {
                outcomes = [RecordingOutcome(.refused, request: directory, origin: "", notes: [error.description])]
            }
        }
        return outcomes
    }

    /// Whether the responses of a stub hold placeholders that are to have other names.
    private static func gives(_ names: [String: String], _ stub: RecordedStub) -> Bool {
        let texts = [JSONWriter.compact(stub.node)] + stub.steps.compactMap { $0.response.body.text }
        return texts.contains { Placeholders.renamed($0, names) != nil }
    }

    /// Gives placeholders other names in the files of a stub.
    ///
    /// - Returns: the files that change.
    private func rename(
        _ names: [String: String], of stub: RecordedStub, in transaction: inout FileTransaction
    ) throws(RecordingError) -> [String] {
        let bodies = stub.steps.compactMap { $0.response.bodyFile.flatMap(stub.resolved) }
        var files: [String] = []
        for path in [stub.path] + Set(bodies).sorted() {
            let absolute = "\(directory)/\(path)"
            guard let size = FileSize.of(absolute), let bytes = BodyContent.file(path: absolute, size: size).bytes,
                let renamed = Placeholders.renamed(bytes, names)
            else { continue }
            try transaction.write(renamed, to: path)
            files.append(path)
        }
        return files
    }

    /// Takes note of files that were written, or are no more.
    ///
    /// - Parameter version: that of the memory of secrets when they were looked through; nil if they were not.
    func note(files: [String], removed: [String], texts: [String], version: Int? = nil) {
        for path in files { store.names.insert(path) }
        for path in removed { store.names.remove(path) }
        writtenStubs.forget(version == nil ? files + removed : removed)
        for path in texts { written.updateValue(version, forKey: path) }
        for path in files { named.updateValue(version, forKey: path) }
        for path in removed {
            written[path] = nil
            named[path] = nil
        }
    }
}
