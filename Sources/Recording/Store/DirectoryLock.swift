// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Keeps two processes from recording into one directory at a time; it is given up when the process ends, however it ends.
final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// - Parameter root: the fixture directory.
    init(root: String) throws(RecordingError) {
        descriptor = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw RecordingError("\(root) cannot be opened: \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw RecordingError("another mockapi records into \(root); end it, or record into a directory of its own")
        }
    }

    deinit {
        // A child that has been forked and not yet run its command still has the descriptor.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }
}
