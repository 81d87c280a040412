// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of a directory that a recording has replaced, so that it can be undone; changes that a command under test makes there itself
/// are not undone.
///
/// Each has a second name in the work folder, which takes no room: whatever is recorded is written beside and moved to its place.
final class EarlierFiles: Sendable {
    /// The hidden folder that holds a recording once it is undone.
    static let attempt = ".mockapi-attempt"

    private let root: String
    /// The second names of the files that there were, by the paths that were written; without one if there was none.
    private let parts = Mutex<[String: Part]>([:])

    private struct Part {
        var name: String?
    }

    /// - Parameter root: the fixture directory, a real path.
    init(root: String) {
        self.root = root
    }

    /// Keeps the files at these paths, before they are written or removed for the first time.
    func keep(_ paths: [String]) throws(RecordingError) {
        for path in paths where UnfinishedRecording.isFixture(path) {
            guard parts.withLock({ $0[path] }) == nil else { continue }
            let part = try part(of: path)
            parts.withLock { $0[path] = part }
        }
    }

    private func part(of path: String) throws(RecordingError) -> Part {
        let file = "\(root)/\(path)"
        guard FileSize.of(file) != nil else { return Part() }
        if let name = try WorkFolder.link(file, in: root) { return Part(name: name) }
        return Part(name: try Self.copy(file, in: root))
    }

    /// If the file system has no second names; nil for a file that cannot be read, and is not written either.
    private static func copy(_ path: String, in root: String) throws(RecordingError) -> String? {
        guard let size = FileSize.of(path), let bytes = BodyContent.file(path: path, size: size).bytes else {
            return nil
        }
        let (part, descriptor) = try WorkFolder.makeFile(in: root)
        defer { close(descriptor) }
        guard (try? FileWriter.writeAll(bytes, to: descriptor)) != nil else { throw .system("copy \(path)") }
        return part
    }

    /// Drops them, and an earlier attempt: the recording stays.
    func discard() {
        (try? OpenFolder(root: root))?.removeAll(Self.attempt)
        guard let work = try? WorkFolder.enter(in: root) else { return }
        removeParts(in: work)
    }

    private func removeParts(in work: OpenFolder) {
        for name in parts.withLock({ $0.values.compactMap(\.name) }) { work.remove(name) }
        WorkFolder.tidy(work)
    }

    /// Puts them back, and the recording into a folder of its own, in the place of an earlier attempt.
    ///
    /// - Returns: the files of the attempt.
    func putBack() throws(RecordingError) -> [String] {
        let directory = try OpenFolder(root: root)
        let work = try WorkFolder.enter(in: root)
        let parts = parts.withLock { $0 }.sorted { $0.key < $1.key }
        let changed = parts.filter { !isUnchanged($0.key, $0.value.name) }
        let recorded = changed.map(\.key).filter { FileSize.of("\(root)/\($0)") != nil }
        if !recorded.isEmpty { directory.removeAll(Self.attempt) }
        if !recorded.isEmpty, let folder = try directory.enter(Self.attempt, made: { _ in }) {
            // Git is not to take an attempt that failed.
            _ = folder.makeFile(".gitignore", holding: Array("*\n".utf8))
            for path in recorded { try keep(path, in: folder) }
        }
        var transaction = FileTransaction(root: root, beside: nil)
        var new: [String] = []
        for (path, part) in changed {
            if let name = part.name {
                transaction.move("\(root)/\(UnfinishedRecording.folder)/\(name)", to: path)
            } else {
                transaction.remove(path)
                new.append(path)
            }
        }
        try transaction.commit()
        FixtureRoot.removeEmptyFolders(of: new, in: root)
        removeParts(in: work)
        return recorded
    }

    private func keep(_ path: String, in folder: OpenFolder) throws(RecordingError) {
        guard let (place, name) = try folder.place(of: path, made: { _ in }) else { return }
        let file = "\(root)/\(path)"
        if place.link(file, as: name) { return }
        guard let size = FileSize.of(file), let bytes = BodyContent.file(path: file, size: size).bytes,
            place.makeFile(name, holding: bytes) == nil
        else { throw .system("keep \(path)") }
    }

    /// Whether a path still has the file that it had, or none as before.
    private func isUnchanged(_ path: String, _ part: String?) -> Bool {
        guard let part else { return FileSize.of("\(root)/\(path)") == nil }
        let old = "\(root)/\(UnfinishedRecording.folder)/\(part)"
        let new = "\(root)/\(path)"
        if let one = Self.identity(old), let other = Self.identity(new), one == other { return true }
        guard let size = FileSize.of(old), FileSize.of(new) == size else { return false }
        return BodyContent.file(path: old, size: size).hasSameBytes(as: .file(path: new, size: size))
    }

    private static func identity(_ path: String) -> [UInt64]? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }
}
