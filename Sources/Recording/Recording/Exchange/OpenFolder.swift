// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import CMockapiPlatform
import MockapiFixtures
import MockapiHTTPSyntax
import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of the fixture directory that is open, entered from above without following a symbolic link.
///
/// A checkout may hold links; a file that is written, replaced or removed by way of one would lie elsewhere.
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

    /// The folder that a file stands in, and the file's name in it; nil if a folder on the way is missing.
    ///
    /// - Parameters:
    ///   - file: a path relative to this folder.
    ///   - made: makes folders that are missing, and is called with each folder that gets a new one; nil if none are made.
    /// - Throws: if a symbolic link is on the way.
    func place(
        of file: String, made: ((OpenFolder) -> Void)? = nil
    ) throws(RecordingError) -> (folder: OpenFolder, name: String)? {
        let parts = file.split(ascii: "/").map(String.init)
        var folder = self
        for part in parts.dropLast() {
            guard let next = try folder.enter(part, made: made) else { return nil }
            folder = next
        }
        return (folder, parts.last ?? "")
    }

    /// A folder in this one; nil if it is missing and not made.
    func enter(_ name: String, made: ((OpenFolder) -> Void)? = nil) throws(RecordingError) -> OpenFolder? {
        var (next, number) = openFolder(name)
        if number == ENOENT {
            guard let made else { return nil }
            guard mkdirat(descriptor, name, 0o755) == 0 || errno == EEXIST else {
                throw .system("create \(relative(name))")
            }
            made(self)
            (next, number) = openFolder(name)
        }
        if next >= 0 { return OpenFolder(next, path: relative(name)) }
        if isLink(name) {
            throw RecordingError(
                "\(relative(name)) is a symbolic link, and nothing is written by way of one; put a folder in its place, or record "
                    + "into the directory it leads to")
        }
        throw .system("open \(relative(name))", number)
    }

    private func openFolder(_ name: String) -> (descriptor: Int32, number: Int32) {
        let next = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return (next, next < 0 ? errno : 0)
    }

    private func relative(_ name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }

    /// Whether something has a name.
    func has(_ name: String) -> Bool { kind(of: name) != nil }
    func hasFolder(_ name: String) -> Bool { kind(of: name) == S_IFDIR }
    func isLink(_ name: String) -> Bool { kind(of: name) == S_IFLNK }
    /// Whether somebody reads the fixtures, if this is their directory.
    var isRead: Bool { ReadingMark.isSet(on: descriptor) }

    /// Makes a file, open for writing; nil, with `errno` set, if it cannot be made or is there.
    func makeFile(_ name: String) -> Int32? {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        return file < 0 ? nil : file
    }

    private func kind(of name: String) -> mode_t? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        return status.st_mode & S_IFMT
    }

    /// Moves a file of this folder into another, in the place of any file of the name there.
    ///
    /// - Returns: whether it was done; `errno` says why it was not.
    func move(_ name: String, into folder: OpenFolder, as other: String) -> Bool {
        renameat(descriptor, name, folder.descriptor, other) == 0
    }

    /// Makes a file that is never seen without its bytes, if the system can.
    func makeWholeFile(_ name: String, _ bytes: [UInt8]) -> Bool {
        #if os(Linux)
            cplatform_make_whole_file(descriptor, name, bytes, bytes.count) == 0
        #else
            false
        #endif
    }

    /// Makes a file of these bytes if nothing has its name.
    ///
    /// - Returns: the system's error number; nil if the file is there.
    func makeFile(_ name: String, holding bytes: [UInt8]) -> Int32? {
        if has(name) || makeWholeFile(name, bytes) { return nil }
        guard let file = makeFile(name) else { return errno == EEXIST ? nil : errno }
        let isWritten = (try? FileWriter.writeAll(bytes, to: file)) != nil
        let number = errno
        close(file)
        return isWritten ? nil : number
    }

    /// Gives a file another name, in this folder.
    ///
    /// - Parameter path: absolute; a symbolic link is not followed.
    func link(_ path: String, as name: String) -> Bool {
        linkat(AT_FDCWD, path, descriptor, name, 0) == 0
    }

    /// Removes a file; a missing file is removed already.
    func remove(_ name: String) {
        unlinkat(descriptor, name, 0)
    }

    /// Removes a folder, if it is empty.
    func removeFolder(_ name: String) {
        unlinkat(descriptor, name, AT_REMOVEDIR)
    }

    /// Removes a file, or a folder with all that is in it; no symbolic link is followed.
    func removeAll(_ name: String) {
        guard hasFolder(name), let folder = (try? enter(name)) ?? nil else { return remove(name) }
        for inner in (try? folder.names()) ?? [] { folder.removeAll(inner) }
        removeFolder(name)
    }

    func synchronise() throws(RecordingError) {
        guard fsync(descriptor) == 0 else { throw .system("synchronise \(path.isEmpty ? "the directory" : path)") }
    }

    /// Files of this folder that are synchronised one by one; if there are more, all that the file system has not written is. 8.
    private static let synchronisedAlone = 8

    func synchronise(_ names: [String]) throws(RecordingError) {
        #if os(Linux)
            if names.count > Self.synchronisedAlone, cplatform_sync_file_system(descriptor) == 0 { return }
        #endif
        for name in names {
            let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { throw .system("open \(relative(name))") }
            defer { close(file) }
            guard fsync(file) == 0 else { throw .system("synchronise \(relative(name))") }
        }
    }

    /// The names of the entries in the folder.
    func names() throws(RecordingError) -> [String] {
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
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

extension RecordingError {
    /// An error for an action that the system refused, with the number of the reason.
    static func system(_ action: String, _ number: Int32 = errno) -> RecordingError {
        RecordingError(
            "cannot \(action): \(SystemError(call: "", code: number).words); make room or give the right to write there"
        )
    }
}
