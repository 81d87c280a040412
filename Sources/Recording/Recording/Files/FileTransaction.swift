// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files of a directory that are written together: a reader sees all as they were, or all as they are then, at every moment.
///
/// Each file is written in `WorkFolder`, and all are synchronised in one round. If there is more than one, a list of the moves
/// is the moment from which they count: `UnfinishedRecording` says how it is read, and `InterruptedRecording` carries out the rest of
/// one. Then the files are moved to their places. No symbolic link is followed.
struct FileTransaction {
    private struct Write {
        /// The file's name in the work folder.
        var part: String
        var path: String
        /// Whether nobody else would remove it there.
        var isOwn: Bool
    }

    private let root: String
    /// Keeps the earlier files; nil if nothing will be undone.
    private let earlier: EarlierFiles?
    private var writes: [Write] = []
    private var removals: [String] = []

    /// - Parameter root: the fixture directory, a real path.
    init(root: String, beside earlier: EarlierFiles?) {
        self.root = root
        self.earlier = earlier
    }

    var isEmpty: Bool { writes.isEmpty && removals.isEmpty }

    /// Puts a file of these bytes at a path, relative to the directory.
    mutating func write(_ bytes: [UInt8], to path: String) throws(RecordingError) {
        let (part, descriptor) = try WorkFolder.makeFile(in: root)
        writes.append(Write(part: part, path: path, isOwn: true))
        let isWritten = (try? FileWriter.writeAll(bytes, to: descriptor)) != nil
        let failure = RecordingError.system("write \(path)")
        guard close(descriptor) == 0, isWritten else { throw failure }
    }

    /// Puts a file of the work folder at a path.
    ///
    /// - Parameter temporary: its absolute path; the maker of the file removes it if it is not moved.
    mutating func move(_ temporary: String, to path: String) {
        let name = temporary.lastIndex(ascii: "/").map { temporary.suffix(behind: $0) } ?? temporary[...]
        writes.append(Write(part: String(name), path: path, isOwn: false))
    }

    /// Copies the bytes of a file of the directory to another path.
    mutating func copy(_ path: String, to other: String) throws(RecordingError) {
        if let part = try WorkFolder.link("\(root)/\(path)", in: root) {
            writes.append(Write(part: part, path: other, isOwn: true))
        } else if let size = FileSize.of("\(root)/\(path)"),
            let bytes = BodyContent.file(path: "\(root)/\(path)", size: size).bytes
        {
            try write(bytes, to: other)
        } else {
            throw .system("read \(path)")
        }
    }

    /// Removes anything at a path.
    mutating func remove(_ path: String) {
        removals.append(path)
    }

    /// Writes the files of another transaction together with these.
    mutating func add(_ other: FileTransaction) {
        writes += other.writes
        removals += other.removals
    }

    /// Drops the prepared files.
    func discard() {
        guard let folder = try? WorkFolder.enter(in: root) else { return }
        for write in writes where write.isOwn { folder.remove(write.part) }
        WorkFolder.tidy(folder)
    }

    /// Moves the files to their places.
    ///
    /// - Parameter isLast: whether the prepared files are dropped if they cannot be written; otherwise `discard` does that, or a part is
    ///   committed by itself.
    /// - Throws: if nothing was changed, or the next recording has to finish the changes.
    func commit(isLast: Bool = true) throws(RecordingError) {
        guard !isEmpty else { return }
        let work: OpenFolder
        let folder: OpenFolder
        var changed = ChangedFolders()
        do throws(RecordingError) {
            work = try WorkFolder.enter(in: root)
            folder = try OpenFolder(root: root)
            guard !work.has(UnfinishedRecording.list) else {
                throw RecordingError("an earlier response could not be moved to its place; begin the recording again")
            }
            try earlier?.keep(writes.map(\.path) + removals)
            try work.synchronise(writes.map(\.part))
            try check(in: folder, &changed)
            if isListed {
                try writeList(in: work)
                Self.waitForReaders(of: folder)
            }
        } catch {
            if isLast { discard() }
            throw error
        }
        let moves = writes.map { (part: $0.part, path: $0.path) }
        var hasBegun = false
        do throws(RecordingError) {
            try Self.carryOut(moves, removals, from: work, in: folder, &changed, &hasBegun)
            try changed.synchronise()
        } catch {
            if hasBegun, isListed { throw error }
            work.remove(UnfinishedRecording.list)
            if isLast { discard() }
            throw error
        }
        if isListed { work.remove(UnfinishedRecording.list) }
        WorkFolder.tidy(work)
    }

    /// Whether files of a directory have begun to be moved and are not in their places: the next recording finishes that.
    static func hasBegun(in root: String) -> Bool {
        (try? WorkFolder.enter(in: root))?.has(UnfinishedRecording.list) ?? false
    }

    /// Whether a list is needed: one move is whole by itself.
    private var isListed: Bool { writes.count + removals.count > 1 }

    /// Makes the folders that are missing, and looks for obstacles that would keep the files from their places.
    private func check(in folder: OpenFolder, _ changed: inout ChangedFolders) throws(RecordingError) {
        for path in writes.map(\.path) + removals {
            guard UnfinishedRecording.isFixture(path) else {
                throw RecordingError("\(path) is not a path of a fixture, and is not written")
            }
        }
        for write in writes {
            guard let (place, name) = try changed.place(of: write.path, in: folder) else { continue }
            guard !place.hasFolder(name) else {
                throw RecordingError("cannot write \(write.path): a folder is in its place; move it away")
            }
        }
        for path in removals { _ = try folder.place(of: path) }
    }

    /// Moves files to their places, then removes others.
    static func carryOut(
        _ moves: [(part: String, path: String)], _ removals: [String], from work: OpenFolder, in root: OpenFolder,
        _ changed: inout ChangedFolders, _ hasBegun: inout Bool
    ) throws(RecordingError) {
        for move in moves {
            guard let (folder, name) = try changed.place(of: move.path, in: root),
                work.move(move.part, into: folder, as: name)
            else { throw .system("write \(move.path)") }
            hasBegun = true
            changed.insert(folder)
        }
        for path in removals {
            guard let (folder, name) = try root.place(of: path) else { continue }
            folder.remove(name)
            changed.insert(folder)
        }
    }

    private func writeList(in work: OpenFolder) throws(RecordingError) {
        let text = UnfinishedRecording.text(
            moves: writes.map { ($0.part, $0.path) }, removals: removals, in: root)
        let (part, descriptor) = try WorkFolder.makeFile(in: root)
        let isWritten = (try? FileWriter.writeAll(text, to: descriptor)) != nil && fsync(descriptor) == 0
        let failure = RecordingError.system("write the list of moves")
        guard close(descriptor) == 0, isWritten, work.move(part, into: work, as: UnfinishedRecording.list) else {
            work.remove(part)
            throw failure
        }
        try work.synchronise()
    }

    /// How long files are not moved while somebody reads the directory; a reader should be done by then. 2 s, in steps of 1 ms.
    private static let readerSteps = 2000

    private static func waitForReaders(of folder: OpenFolder) {
        for _ in 0..<readerSteps where folder.isRead { usleep(1000) }
    }
}

/// The folders in which something has changed, to be synchronised in one round.
struct ChangedFolders {
    private var folders: [String: OpenFolder] = [:]

    mutating func insert(_ folder: OpenFolder) {
        folders[folder.path] = folder
    }

    /// The folder that a file stands in, which is made if it is missing, and the file's name in it.
    mutating func place(
        of file: String, in root: OpenFolder
    ) throws(RecordingError) -> (folder: OpenFolder, name: String)? {
        if let slash = file.utf8.lastIndex(of: UInt8(ascii: "/")), let folder = folders[String(file[..<slash])] {
            return (folder, String(file[file.utf8.index(after: slash)...]))
        }
        var made: [OpenFolder] = []
        let place = try root.place(of: file) { made.append($0) }
        for folder in made { insert(folder) }
        return place
    }

    func synchronise() throws(RecordingError) {
        for folder in folders.values { try folder.synchronise() }
    }
}
