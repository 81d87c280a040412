// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Writers of files by plain system calls.
package enum FileWriter {
    /// Writes to a descriptor until all bytes are written.
    package static func writeAll(_ bytes: [UInt8], to descriptor: Int32) throws(SystemError) {
        var offset = 0
        while offset < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                write(descriptor, UnsafeRawBufferPointer(rebasing: buffer[offset...]))
            }
            if count < 0, errno == EINTR { continue }
            if count <= 0 { throw .last("write") }
            offset += count
        }
    }

    /// `write(2)`, which the functions here hide.
    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
            Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// Writes to the file that a path leads to, in the place of its content or behind it.
    package static func write(_ bytes: [UInt8], to path: String, appends: Bool = false) throws(SystemError) {
        let flags = O_WRONLY | O_CREAT | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC)
        let descriptor = open(path, flags, 0o666)
        guard descriptor >= 0 else { throw .last("open") }
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        guard close(descriptor) == 0 else { throw .last("close") }
    }

    /// Puts a file in the place of another, whole or not at all: it is written under another name first.
    ///
    /// - Parameters:
    ///   - temporary: the other name, in the same folder; nothing that is there is written to.
    ///   - mode: the permissions of the file.
    ///   - isKept: whether it is on the disk when this returns.
    ///   - check: called when all is written and before it takes the place; if it throws, everything stays as it was.
    package static func replace(
        _ path: String, with bytes: [UInt8], temporary: String, mode: UInt32? = nil, isKept: Bool,
        check: () throws(SystemError) -> Void = {}
    ) throws(SystemError) {
        let mode = mode.map { mode_t($0) }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode ?? 0o666)
        guard descriptor >= 0 else { throw .last("open") }
        var isOpen = true
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
            // The mode that open sets is cut down by the process's mask.
            if let mode { _ = try SystemError.check("fchmod", fchmod(descriptor, mode)) }
            if isKept { _ = try SystemError.check("fsync", fsync(descriptor)) }
            isOpen = false
            _ = try SystemError.check("close", close(descriptor))
            try check()
            _ = try SystemError.check("rename", rename(temporary, path))
        } catch {
            if isOpen { close(descriptor) }
            unlink(temporary)
            throw error
        }
    }

    /// Removes the temporary files that killed writes have left.
    ///
    /// - Parameters:
    ///   - prefix: the beginning of their names.
    ///   - age: the seconds after which no write still uses such a file.
    package static func removeLeftovers(in folder: String, prefix: String, olderThan age: Int) {
        guard let stream = opendir(folder) else { return }
        defer { closedir(stream) }
        let now = Int(Clock.wall() / 1_000_000_000)
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 1) { String(cString: $0) }
            }
            guard name.hasPrefix(prefix), let status = FileStatus(link: "\(folder)/\(name)"), status.kind == .file,
                status.modifiedSecond < now - age
            else { continue }
            unlink("\(folder)/\(name)")
        }
    }

    /// Overwrites a file in place, if no other can take its place: it is mounted by itself, or its folder is not to be
    /// written to.
    package static func overwrite(_ path: String, with bytes: [UInt8]) throws(SystemError) {
        let descriptor = try SystemError.check("open", open(path, O_WRONLY | O_CLOEXEC))
        do throws(SystemError) {
            try writeAll(bytes, to: descriptor)
            _ = try SystemError.check("ftruncate", ftruncate(descriptor, off_t(bytes.count)))
            _ = try SystemError.check("fsync", fsync(descriptor))
        } catch {
            close(descriptor)
            throw error
        }
        _ = try SystemError.check("close", close(descriptor))
    }
}

/// A lock on a file or a folder (`flock`), which is given up when the process ends, however it ends.
package final class FileLock: Sendable {
    private let descriptor: Int32

    /// Locks the file that is open at a descriptor, and takes the descriptor over.
    ///
    /// - Parameter waits: whether to wait for another that has the lock; else it is an error (`isTaken`).
    package init(descriptor: Int32, waits: Bool) throws(SystemError) {
        guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
            let error = SystemError.last("flock")
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    /// Locks a folder.
    package convenience init(folder: String, waits: Bool) throws(SystemError) {
        let descriptor = try SystemError.check("open", open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        try self.init(descriptor: descriptor, waits: waits)
    }

    deinit {
        // A child that has been forked and not yet run its command still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
