// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of the fixture directory that is open, entered from above without following a symbolic link.
///
/// A checkout may hold links; what is written, replaced or removed by way of one would lie elsewhere.
final class OpenFolder {
    private let descriptor: Int32
    /// Relative to the fixture directory; empty for that itself.
    let path: String

    private init(_ descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// - Parameter root: the fixture directory, a real path.
    convenience init(root: String) throws(RecordingError) {
        let descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .system("open \(root)") }
        self.init(descriptor, path: "")
    }

    deinit {
        close(descriptor)
    }

    /// The folder that a file stands in, and the file's name in it; nil where a folder on the way is missing.
    ///
    /// - Parameters:
    ///   - file: a path relative to this folder.
    ///   - makesFolders: whether missing folders are made.
    /// - Throws: where a symbolic link is on the way.
    func place(
        of file: String, makesFolders: Bool
    ) throws(RecordingError) -> (folder: OpenFolder, name: String)? {
        let parts = file.split(separator: "/").map(String.init)
        var folder = self
        for part in parts.dropLast() {
            guard let next = try folder.enter(part, makes: makesFolders) else { return nil }
            folder = next
        }
        return (folder, parts.last ?? "")
    }

    private func enter(_ name: String, makes: Bool) throws(RecordingError) -> OpenFolder? {
        if makes {
            if mkdirat(descriptor, name, 0o755) == 0 {
                try synchronise()
            } else if errno != EEXIST {
                throw .system("create \(relative(name))")
            }
        }
        let next = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        if next >= 0 { return OpenFolder(next, path: relative(name)) }
        let number = errno
        if number == ENOENT, !makes { return nil }
        if kind(of: name) == S_IFLNK {
            throw RecordingError(
                "\(relative(name)) is a symbolic link, and nothing is written by way of one; put a folder in its place, or record "
                    + "into the directory it leads to")
        }
        throw .system("open \(relative(name))", number)
    }

    private func relative(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }

    /// Whether a name is a file's, and not a link's to one.
    func hasFile(_ name: String) -> Bool { kind(of: name) == S_IFREG }

    private func kind(of name: String) -> mode_t? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// Moves a file of this folder into another, in the place of what has the name there.
    ///
    /// - Returns: whether it was done; `errno` says why it was not.
    func move(_ name: String, into folder: OpenFolder, as other: String) -> Bool {
        renameat(descriptor, name, folder.descriptor, other) == 0
    }

    /// Removes a file; one that is not there is removed already.
    func remove(_ name: String) {
        unlinkat(descriptor, name, 0)
    }

    func synchronise() throws(RecordingError) {
        guard fsync(descriptor) == 0 else { throw .system("synchronise \(path.isEmpty ? "the directory" : path)") }
    }

    func synchronise(_ name: String) throws(RecordingError) {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else { throw .system("open \(relative(name))") }
        defer { close(file) }
        guard fsync(file) == 0 else { throw .system("synchronise \(relative(name))") }
    }

    /// The bytes of a file; nil where there is none of the name, or more bytes than the limit.
    func bytes(of name: String, limit: Int) -> [UInt8]? {
        // What stands there may be a pipe, which nobody writes to.
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0, bytes.count + count <= limit else { return nil }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    /// The names of what is in the folder that begin with a text.
    func names(beginningWith start: String) throws(RecordingError) -> [String] {
        // Reading moves the place of the descriptor, so that it is done by another.
        let other = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard other >= 0, let stream = fdopendir(other) else {
            let number = errno
            if other >= 0 { close(other) }
            throw .system("read \(path.isEmpty ? "the directory" : path)", number)
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            if name.hasPrefix(start) { names.append(name) }
        }
        return names
    }
}

extension RecordingError {
    /// What the system refused to do.
    static func system(_ action: String, _ number: Int32 = errno) -> RecordingError {
        RecordingError(
            "cannot \(action): \(String(cString: strerror(number))); make room or give the right to write there")
    }
}
