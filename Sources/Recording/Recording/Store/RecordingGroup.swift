// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

/// Responses that are prepared, and written together: all files are synchronised in one round, and the file of a stub is written once, however
/// many responses it has got.
struct RecordingGroup {
    struct Member {
        let content: SpooledContent
        /// Where its outcome stands among those of the group.
        let position: Int
        /// The notes that its outcome has if it cannot be written.
        let notes: [String]
    }

    /// A stub that is to be written.
    struct StagedStub {
        /// As it is on the disk; nil if it is new.
        let old: RecordedStub?
        var stub: RecordedStub
        /// The basis of the name of a new stub.
        let given: (request: DerivedRequest, origin: String, fileExtension: String)?
    }

    /// A stub file that is to be written, with the bodies of its stubs.
    struct StagedFile {
        let path: String
        var stubs: [StagedStub] = []
        var members: [Member] = []
        /// The bodies.
        var bodies: FileTransaction
        /// All its files, and those of them that are text.
        var files: [String] = []
        var texts: [String] = []
        /// Files that are free again.
        var removed: [String] = []
        /// Files that are called by names which were free.
        var names: [String] = []
        /// The version of the memory of secrets when its first response was looked through.
        var version: Int

        /// The stub as it is to be written, once it is among these.
        mutating func stage(
            _ stub: RecordedStub, of old: RecordedStub?,
            given: (request: DerivedRequest, origin: String, fileExtension: String)?
        ) {
            if let index = stubs.firstIndex(where: { $0.stub.ordinal == stub.ordinal }) {
                stubs[index].stub = stub
            } else {
                stubs.append(StagedStub(old: old, stub: stub, given: given))
            }
        }
    }

    private(set) var files: [StagedFile] = []
    /// The places of the files among these, by their paths.
    private var places: [String: Int] = [:]
    private var last: Int?

    /// Whether the content of the last exchange is still needed.
    func holds(_ position: Int) -> Bool { last == position }

    /// Adds a response to those of its stub's file.
    ///
    /// - Parameter names: its files that are called by names which were free.
    mutating func add(
        _ prepared: RecordingWriter.Prepared, of recording: Recording, names: [String], version: Int, _ member: Member,
        root: String, beside earlier: EarlierFiles?
    ) {
        let path = prepared.stub.path
        let place = places[path] ?? files.count
        if place == files.count {
            files.append(StagedFile(path: path, bodies: FileTransaction(root: root, beside: earlier), version: version))
            places[path] = place
        }
        let isNew = recording.existing == nil
        files[place].stage(
            prepared.stub, of: recording.existing,
            given: isNew
                ? (recording.request, recording.exchange.origin, recording.derived.response.fileExtension) : nil)
        files[place].bodies.add(prepared.transaction)
        files[place].members.append(member)
        files[place].files += prepared.files
        files[place].texts += prepared.texts
        files[place].names += names
        // A name that was released may be used again.
        if !files[place].removed.isEmpty {
            let taken = Set(prepared.files)
            files[place].removed.removeAll { taken.contains($0) }
        }
        files[place].removed += prepared.removed
        last = member.position
    }
}
