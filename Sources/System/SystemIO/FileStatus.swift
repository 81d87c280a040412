// SPDX-License-Identifier: Apache-2.0
// Copyright the mockapi authors

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Musl)
    package import Musl
#else
    package import Darwin
#endif

/// A file, whatever its names are.
package struct FileIdentity: Hashable, Sendable {
    let device: UInt64
    let inode: UInt64
}

/// The status of a file, as the file system has it.
package struct FileStatus {
    package enum Kind {
        case file
        case directory
        case link
        /// A pipe, a socket or a device.
        case other
    }

    package var kind: Kind
    package var size: Int
    /// Nanoseconds since 1970, to be compared for being the same: they wrap round for years before 1677 and after 2262.
    package var modified: Int
    /// Seconds since 1970.
    package var modifiedSecond: Int
    package var inode: UInt64
    package var device: UInt64

    /// The identity of a file, which is the same for all of its names.
    package var identity: FileIdentity { FileIdentity(device: device, inode: inode) }

    package init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        size = max(0, Int(status.st_size))
        inode = UInt64(status.st_ino)
        device = UInt64(truncatingIfNeeded: status.st_dev)
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        modifiedSecond = Int(time.tv_sec)
        modified = modifiedSecond &* 1_000_000_000 &+ Int(time.tv_nsec)
    }

    /// The status of an open file; nil, with `errno` set, if there is none.
    package init?(descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The status of the file at a path, a symbolic link perhaps; nil, with `errno` set, if there is none.
    package init?(link path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The status of the file that a path leads to; nil, with `errno` set, if it leads nowhere.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}
