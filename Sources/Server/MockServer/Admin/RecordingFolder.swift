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

/// The folder that stubs of what was passed on are made in, among the system's temporary files: it is gone with this value.
///
/// A process that is killed leaves it, with fixtures that hold no secrets; the next one of anybody's takes it away, since a lock tells whether
/// somebody still works in it.
final class RecordingFolder {
    static let prefix = "mockapi-recording-"

    let path: String
    private let lock: FileLock

    /// - Parameter parent: where temporary files go.
    init(in parent: String = FileManager.default.temporaryDirectory.path) throws(SystemError) {
        Self.removeLeft(in: parent)
        let number = UInt64.random(in: 0 ... .max)
        path = "\(parent)/\(Self.prefix)\(number)"
        // Locked before it has the name by which others look for what is left.
        let unnamed = "\(parent)/mockapi-\(number)"
        _ = try SystemError.check("mkdir", mkdir(unnamed, 0o700))
        lock = try FileLock(folder: unnamed, waits: false)
        _ = try SystemError.check("rename", rename(unnamed, path))
    }

    /// Removes the folders in which nobody works any more.
    private static func removeLeft(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            let folder = "\(parent)/\(name)"
            guard let lock = try? FileLock(folder: folder, waits: false) else { continue }
            withExtendedLifetime(lock) { try? FileManager.default.removeItem(atPath: folder) }
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }
}
