// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import JSONText

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files of a directory that are written together: each is whole at every moment, and what was begun is finished by the next recording.
///
/// Each file is written beside its place, synchronised and renamed. Where there is more than one, a list of the renames is written first:
/// whoever opens the directory next carries out those that are left, as `InterruptedRecording` says. No symbolic link is followed.
struct FileTransaction {
    /// The list of the renames that are under way.
    static let listName = ".mockapi-commit"
    /// What temporary files begin with.
    static let temporaryPrefix = ".mockapi-part-"

    private let root: String
    /// The temporary files are named relative to the directory, as the paths are.
    private var writes: [(temporary: String, path: String)] = []
    private var removals: [String] = []

    /// - Parameter root: the fixture directory, a real path.
    init(root: String) {
        self.root = root
    }

    var isEmpty: Bool { writes.isEmpty && removals.isEmpty }

    /// Has a file of these bytes be at a path, relative to the directory.
    mutating func write(_ bytes: [UInt8], to path: String) throws(RecordingError) {
        let temporary = Self.temporaryPath(in: root)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("create a file in \(root)") }
        let isWritten = Self.writeAll(bytes, to: descriptor)
        let failure = RecordingError.system("write \(path)")
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed else {
            unlink(temporary)
            throw failure
        }
        move(temporary, to: path)
    }

    /// Has a temporary file be at a path; it belongs to the transaction from now on.
    ///
    /// - Parameter temporary: as `temporaryPath` gave it.
    mutating func move(_ temporary: String, to path: String) {
        writes.append((String(temporary.dropFirst(root.utf8.count + 1)), path))
    }

    /// Has nothing be at a path.
    mutating func remove(_ path: String) {
        removals.append(path)
    }

    /// Lets go of what was prepared.
    func discard() {
        for write in writes { unlink("\(root)/\(write.temporary)") }
    }

    func commit() throws(RecordingError) {
        guard !isEmpty else { return }
        let folder: OpenFolder
        do throws(RecordingError) {
            folder = try OpenFolder(root: root)
            for write in writes {
                try folder.synchronise(write.temporary)
                try Self.check(write.path)
                _ = try folder.place(of: write.path, makesFolders: true)
            }
            for path in removals {
                try Self.check(path)
                _ = try folder.place(of: path, makesFolders: false)
            }
            if isListed { try writeList(in: folder) }
        } catch {
            discard()
            throw error
        }
        do throws(RecordingError) {
            try Self.carryOut(writes.map { (from: $0.temporary, to: $0.path) }, removals, in: folder)
        } catch {
            // The list goes first: what it says is not to be carried out any more.
            if isListed { folder.remove(Self.listName) }
            discard()
            throw error
        }
        if isListed { folder.remove(Self.listName) }
    }

    /// Whether a list of the renames is needed: one rename is whole by itself.
    private var isListed: Bool { writes.count + removals.count > 1 }

    /// Renames temporary files, then removes others.
    static func carryOut(
        _ renames: [(from: String, to: String)], _ removals: [String], in root: OpenFolder
    ) throws(RecordingError) {
        var changed: [String: OpenFolder] = [:]
        for item in renames {
            guard let (folder, name) = try root.place(of: item.to, makesFolders: true),
                root.move(item.from, into: folder, as: name)
            else { throw .system("write \(item.to)") }
            changed[folder.path] = folder
        }
        for path in removals {
            guard let (folder, name) = try root.place(of: path, makesFolders: false) else { continue }
            folder.remove(name)
        }
        for folder in changed.values { try folder.synchronise() }
    }

    private func writeList(in folder: OpenFolder) throws(RecordingError) {
        let node = JSONNode.object([
            "renames": .array(writes.map { .array([.string($0.temporary), .string($0.path)]) }),
            "removals": .array(removals.map { .string($0) }),
        ])
        var list = FileTransaction(root: root)
        try list.write(JSONWriter.compact(node), to: Self.listName)
        do throws(RecordingError) {
            for write in list.writes { try folder.synchronise(write.temporary) }
            try Self.carryOut(list.writes.map { (from: $0.temporary, to: $0.path) }, [], in: folder)
        } catch {
            list.discard()
            throw error
        }
    }

    // MARK: Paths

    /// Whether a path is one that a recording may write or remove: inside of the directory, and with no name that begins with a dot, which no
    /// server serves and other programs take for theirs.
    static func isFixture(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") } && !path.utf8.contains(0)
    }

    /// Whether a text names something in the directory itself.
    static func isName(_ text: String) -> Bool {
        !text.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") }
    }

    private static func check(_ path: String) throws(RecordingError) {
        guard isFixture(path) else { throw RecordingError("\(path) is no path of a fixture, and is not written") }
    }

    /// A name that no other file has; it begins with a dot, so that no server serves it.
    static func temporaryPath(in root: String) -> String {
        "\(root)/\(temporaryPrefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    }

    // MARK: Calls

    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Self.systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { return false }
            offset += count
        }
        return true
    }

    private static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }
}
