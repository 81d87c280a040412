// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Files that only this user may write, and secrets that only this user may read.
enum PrivateFiles {
    /// Makes a directory with those above it, 0700, and checks that nobody else can put anything there.
    ///
    /// The directory must belong to this user, and neither its group nor others may write to it. Those above must belong to this user or to
    /// the system, and only if the sticky bit keeps others' hands off, as in `/tmp`, may everybody write there.
    static func makeDirectory(_ path: String) throws(TLSError) {
        var index = path.startIndex
        while index < path.endIndex {
            let next = path[path.index(after: index)...].firstIndex(of: "/") ?? path.endIndex
            let part = String(path[..<next])
            if mkdir(part, 0o700) != 0, errno != EEXIST { throw failure(part, "cannot be made") }
            index = next
        }
        guard let real = realpath(path, nil) else { throw failure(path, "cannot be used") }
        defer { free(real) }
        var directory = String(cString: real)
        let status = try status(of: directory)
        guard status.st_mode & S_IFMT == S_IFDIR else { throw TLSError("\(path) is not a directory") }
        guard status.st_uid == geteuid() else {
            throw TLSError("\(directory) belongs to another user, who could put an authority of theirs there\(advice)")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw TLSError(
                "others can write to \(directory), and put an authority of theirs there: chmod go-w it\(advice)")
        }
        while let slash = directory.lastIndex(of: "/"), directory != "/" {
            directory = slash == directory.startIndex ? "/" : String(directory[..<slash])
            let above = try self.status(of: directory)
            guard [0, unmapped, geteuid()].contains(above.st_uid),
                above.st_mode & 0o002 == 0 || above.st_mode & S_ISVTX != 0
            else {
                throw TLSError("others can replace what is in \(directory), the authority too\(advice)")
            }
        }
    }

    /// The owner, in a user namespace, of files that belong to users outside of it, such as the root directory.
    private static let unmapped: uid_t = 65_534
    private static let advice = "; XDG_STATE_HOME chooses another place"

    /// Writes a file that only its owner can read, whole or not at all; nothing that is there already is written to.
    static func write(_ text: String, to path: String) throws(TLSError) {
        let temporary = "\(path).\(UInt64.random(in: .min ... .max))"
        // The writer wrote nothing.
        guard !text.isEmpty else { throw TLSError("\(temporary) cannot be written: there is nothing to write") }
        do throws(SystemError) {
            try FileWriter.replace(path, with: Array(text.utf8), temporary: temporary, mode: 0o600, isKept: true)
        } catch {
            throw TLSError("\(temporary) cannot be written: \(error.words)")
        }
    }

    /// Takes the permissions on a secret from all but this user.
    static func restrict(_ path: String) throws(TLSError) {
        let status = try status(of: path)
        guard status.st_uid == geteuid() || geteuid() == 0 else {
            throw TLSError("\(path) belongs to another user\(advice)")
        }
        if status.st_mode & 0o077 != 0, chmod(path, 0o600) != 0 { throw failure(path, "cannot be closed to others") }
    }

    private static func status(of path: String) throws(TLSError) -> stat {
        var status = stat()
        guard stat(path, &status) == 0 else { throw failure(path, "cannot be used") }
        return status
    }

    private static func failure(_ path: String, _ what: String) -> TLSError {
        TLSError("\(path) \(what): \(SystemError.lastWords)")
    }
}
