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
/// whoever opens the directory next carries out those that are left.
struct FileTransaction {
    /// The list of the renames that are under way.
    static let listName = ".mockapi-commit"
    /// What temporary files begin with.
    static let temporaryPrefix = ".mockapi-part-"

    private let root: String
    private var writes: [(path: String, temporary: String)] = []
    private var removals: [String] = []

    /// - Parameter root: the fixture directory, absolute.
    init(root: String) {
        self.root = root
    }

    var isEmpty: Bool { writes.isEmpty && removals.isEmpty }

    /// Has a file of these bytes be at a path, relative to the directory.
    mutating func write(_ bytes: [UInt8], to path: String) throws(RecordingError) {
        let temporary = Self.temporaryPath(in: root)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Self.failure("create a file in \(root)") }
        let isWritten = Self.writeAll(bytes, to: descriptor)
        let failure = Self.failure("write \(path)")
        let isClosed = close(descriptor) == 0
        guard isWritten, isClosed else {
            unlink(temporary)
            throw failure
        }
        writes.append((path, temporary))
    }

    /// Has a temporary file be at a path; it belongs to the transaction from now on.
    mutating func move(_ temporary: String, to path: String) {
        writes.append((path, temporary))
    }

    /// Has nothing be at a path.
    mutating func remove(_ path: String) {
        removals.append(path)
    }

    /// Lets go of what was prepared.
    func discard() {
        for write in writes { unlink(write.temporary) }
    }

    func commit() throws(RecordingError) {
        guard !isEmpty else { return }
        do throws(RecordingError) {
            for write in writes {
                try Self.synchronise(write.temporary)
                try Self.makeFolders(of: write.path, root)
            }
            if isListed { try writeList() }
        } catch {
            discard()
            throw error
        }
        do throws(RecordingError) {
            try carryOut(writes.map { (from: $0.temporary, to: $0.path) }, removals)
        } catch {
            // The list goes first: what it says is not to be carried out any more.
            if isListed { unlink("\(root)/\(Self.listName)") }
            discard()
            throw error
        }
        if isListed { unlink("\(root)/\(Self.listName)") }
    }

    /// Whether a list of the renames is needed: one rename is whole by itself.
    private var isListed: Bool { writes.count + removals.count > 1 }

    private func carryOut(_ renames: [(from: String, to: String)], _ removals: [String]) throws(RecordingError) {
        var folders: Set<String> = []
        for item in renames {
            let target = "\(root)/\(item.to)"
            guard rename(item.from, target) == 0 else { throw Self.failure("write \(item.to)") }
            folders.insert(RecordedStub.folder(of: item.to, root))
        }
        for path in removals { unlink("\(root)/\(path)") }
        for folder in folders { try Self.synchronise(folder) }
    }

    // MARK: The list

    private func writeList() throws(RecordingError) {
        let node = JSONNode.object([
            "renames": .array(
                writes.map { write in
                    .array([.string(String(write.temporary.dropFirst(root.utf8.count + 1))), .string(write.path)])
                }),
            "removals": .array(removals.map { .string($0) }),
        ])
        var list = FileTransaction(root: root)
        try list.write(JSONWriter.compact(node), to: Self.listName)
        try list.commit()
    }

    /// Finishes what a recording that was killed had begun, and removes what it left.
    static func recover(root: String) throws(RecordingError) {
        let path = "\(root)/\(listName)"
        if let size = FileSize.of(path), let bytes = BodyContent.file(path: path, size: size).bytes,
            let node = try? JSONParser.parse(bytes)
        {
            let renames = (node["renames"]?.array ?? []).compactMap { pair -> (from: String, to: String)? in
                guard let from = pair.array?.first?.string, let to = pair.array?.last?.string else { return nil }
                // One that was carried out has nothing left to rename.
                guard isInside(from), isInside(to), FileSize.of("\(root)/\(from)") != nil else { return nil }
                return ("\(root)/\(from)", to)
            }
            for item in renames { try makeFolders(of: item.to, root) }
            let removals = (node["removals"]?.array ?? []).compactMap(\.string).filter(isInside)
            try FileTransaction(root: root).carryOut(renames, removals)
            unlink(path)
        }
        guard let directory = opendir(root) else { throw failure("read \(root)") }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name.hasPrefix(temporaryPrefix) { unlink("\(root)/\(name)") }
        }
    }

    /// Whether a path does not lead out of the directory it is relative to.
    private static func isInside(_ path: String) -> Bool {
        !path.hasPrefix("/") && !path.split(separator: "/").contains("..")
    }

    // MARK: Calls

    /// A name that no other file has; it begins with a dot, so that no server serves it.
    static func temporaryPath(in root: String) -> String {
        "\(root)/\(temporaryPrefix)\(getpid())-\(UInt64.random(in: 0 ... .max))"
    }

    private static func makeFolders(of path: String, _ root: String) throws(RecordingError) {
        var folder = root
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            if mkdir(folder, 0o755) == 0 {
                try synchronise(String(folder.dropLast(part.utf8.count + 1)))
            } else if errno != EEXIST {
                throw failure("create \(folder)")
            }
        }
    }

    private static func synchronise(_ path: String) throws(RecordingError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("open \(path)") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("synchronise \(path)") }
    }

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

    private static func failure(_ action: String) -> RecordingError {
        RecordingError(
            "cannot \(action): \(String(cString: strerror(errno))); make room or give the right to write there")
    }
}
