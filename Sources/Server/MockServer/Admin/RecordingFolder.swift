// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

import MockapiSystemIO

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The folder for new stubs of passed-on requests, among the system's temporary files: it is gone with this value.
///
/// A process that is killed leaves it, with fixtures that hold no secrets; the next one of the same user takes it away, since a lock shows
/// whether somebody still works in it.
final class RecordingFolder {
    static let prefix = "mockapi-recording-"

    let path: String
    private let lock: FileLock

    /// - Parameters:
    ///   - parent: where temporary files go.
    ///   - number: the end of its name.
    init(
        in parent: String = FileManager.default.temporaryDirectory.path, number: UInt64 = .random(in: 0 ... .max)
    ) throws(SystemError) {
        Self.removeLeft(in: parent)
        let path = "\(parent)/\(Self.prefix)\(number)"
        // Locked before it has the name by which others look for leftovers.
        let unnamed = "\(parent)/mockapi-\(number)"
        _ = try SystemError.check("mkdir", mkdir(unnamed, 0o700))
        let lock: FileLock
        do throws(SystemError) {
            lock = try FileLock(folder: unnamed, waits: false)
            _ = try SystemError.check("rename", rename(unnamed, path))
        } catch {
            rmdir(unnamed)
            throw error
        }
        self.path = path
        self.lock = lock
    }

    /// Removes the folders of this user that nobody works in any more.
    private static func removeLeft(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let folder = "\(parent)/\(name)"
            guard let lock = lockOfOwn(folder) else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: folder) }
        }
    }

    /// Locks a folder of this user, whose names others can choose in a folder for all; nil for a link, a folder of another user, and a folder that
    /// somebody works in.
    private static func lockOfOwn(_ folder: String) -> FileLock? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
            close(descriptor)
            return nil
        }
        return try? FileLock(descriptor: descriptor, waits: false)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
