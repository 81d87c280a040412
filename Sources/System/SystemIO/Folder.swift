// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A folder whose files are reached by name alone: no name leads out of it, and no link is followed, even if one appears there meanwhile.
package final class Folder: Sendable {
    private let descriptor: Int32

    private init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter path: given by the user that starts the process, so that links in it are followed.
    package convenience init(path: String) throws(SystemError) {
        self.init(descriptor: try SystemError.check("open", open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)))
    }

    deinit { close(descriptor) }

    /// Whether a text is the name of something in a folder.
    package static func isName(_ text: String) -> Bool {
        !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 255
            && !text.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    private static func checked(_ name: String) throws(SystemError) -> String {
        guard isName(name) else { throw SystemError(call: "open", code: EINVAL) }
        return name
    }

    /// A folder in this one.
    ///
    /// - Parameter creates: whether it is made if it is missing.
    package func folder(_ name: String, creates: Bool = false) throws(SystemError) -> Folder {
        let name = try Self.checked(name)
        if creates, mkdirat(descriptor, name, 0o777) != 0, errno != EEXIST { throw .last("mkdir") }
        let inner = openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        return Folder(descriptor: try SystemError.check("open", inner))
    }

    /// All bytes of a file.
    ///
    /// - Parameter limit: the size in bytes beyond which the file is not read.
    package func read(_ name: String, limit: Int) throws(SystemError) -> [UInt8] {
        let name = try Self.checked(name)
        let inner = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        let file = OpenFile(descriptor: try SystemError.check("open", inner))
        guard let status = FileStatus(descriptor: file.descriptor), status.kind == .file else {
            throw SystemError(call: "open", code: EISDIR)
        }
        guard status.size <= limit else { throw SystemError(call: "read", code: EFBIG) }
        guard let bytes = file.bytes(count: status.size) else { throw SystemError(call: "read", code: EIO) }
        return bytes
    }

    /// Puts a file in the place of the one with that name, whole or not at all; throws if a link or a folder has the name.
    package func replace(_ name: String, with bytes: [UInt8]) throws(SystemError) {
        let name = try Self.checked(name)
        try checkPlace(name, mayBeMissing: true)
        let temporary = ".mockapi-\(UInt64.random(in: .min ... .max)).tmp"
        let inner = try SystemError.check(
            "open", openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o666))
        do throws(SystemError) {
            defer { close(inner) }
            try FileWriter.writeAll(bytes, to: inner)
            _ = try SystemError.check("fsync", fsync(inner))
            _ = try SystemError.check("rename", renameat(descriptor, temporary, descriptor, name))
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
    }

    /// Removes a file; throws if a link or a folder has the name.
    package func remove(_ name: String) throws(SystemError) {
        let name = try Self.checked(name)
        try checkPlace(name, mayBeMissing: false)
        _ = try SystemError.check("unlink", unlinkat(descriptor, name, 0))
    }

    private func checkPlace(_ name: String, mayBeMissing: Bool) throws(SystemError) {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if mayBeMissing, errno == ENOENT { return }
            throw .last("stat")
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return
        case S_IFLNK: throw SystemError(call: "open", code: ELOOP)
        default: throw SystemError(call: "open", code: EISDIR)
        }
    }
}
