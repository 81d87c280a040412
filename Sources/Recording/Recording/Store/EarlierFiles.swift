// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files of a directory as they were when a recording began, so that it can be undone.
///
/// Each has a second name in the work folder, which takes no room: whatever is recorded is written beside and moved to its place.
struct EarlierFiles {
    /// The hidden folder that what was recorded lies in once it is undone.
    static let attempt = ".mockapi-attempt"

    private let root: String
    /// The second names, by paths relative to the directory.
    private let parts: [String: String]

    /// - Parameter root: the fixture directory, a real path.
    init(root: String) throws(RecordingError) {
        self.root = root
        var parts: [String: String] = [:]
        for path in FixtureLoader.paths(root: root) where UnfinishedRecording.isFixture(path) {
            if let part = try WorkFolder.link("\(root)/\(path)", in: root) {
                parts[path] = part
            } else {
                parts[path] = try Self.copy("\(root)/\(path)", in: root)
            }
        }
        self.parts = parts
    }

    /// Where the file system has no second names; nil for a file that cannot be read, and is not written either.
    private static func copy(_ path: String, in root: String) throws(RecordingError) -> String? {
        guard let size = FileSize.of(path), let bytes = BodyContent.file(path: path, size: size).bytes else {
            return nil
        }
        let (part, descriptor) = try WorkFolder.makeFile(in: root)
        defer { close(descriptor) }
        guard (try? FileWriter.writeAll(bytes, to: descriptor)) != nil else { throw .system("copy \(path)") }
        return part
    }

    /// Lets go of them, and of an earlier attempt: what was recorded stays.
    func discard() {
        (try? OpenFolder(root: root))?.removeAll(Self.attempt)
        guard let work = try? WorkFolder.enter(in: root) else { return }
        for part in parts.values { work.remove(part) }
        WorkFolder.tidy(work)
    }

    /// Puts them back, and what was recorded into a folder of its own, in the place of an earlier attempt.
    ///
    /// - Returns: the files of the attempt.
    func putBack() throws(RecordingError) -> [String] {
        let directory = try OpenFolder(root: root)
        let work = try WorkFolder.enter(in: root)
        let recorded = FixtureLoader.paths(root: root).filter { UnfinishedRecording.isFixture($0) && !isUnchanged($0) }
        if !recorded.isEmpty { directory.removeAll(Self.attempt) }
        if !recorded.isEmpty, let folder = try directory.enter(Self.attempt, made: { _ in }) {
            // Git is not to take an attempt that failed.
            _ = folder.makeFile(".gitignore", holding: Array("*\n".utf8))
            for path in recorded { try keep(path, in: folder) }
        }
        var transaction = FileTransaction(root: root)
        for (path, part) in parts.sorted(by: { $0.key < $1.key }) where !isUnchanged(path) {
            transaction.move("\(root)/\(UnfinishedRecording.folder)/\(part)", to: path)
        }
        let new = recorded.filter { parts[$0] == nil }
        for path in new { transaction.remove(path) }
        try transaction.commit()
        FixtureRoot.removeEmptyFolders(of: new, in: root)
        for part in parts.values { work.remove(part) }
        WorkFolder.tidy(work)
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

    /// Whether a path still has the file that it had.
    private func isUnchanged(_ path: String) -> Bool {
        guard let part = parts[path] else { return false }
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
